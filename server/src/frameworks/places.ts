import type { Place } from '../text/span.ts';
import type { Origin, Piece, Word } from '../value/word.ts';
import { knownPrefix, writtenAt } from '../value/word.ts';

/** The places from where the text was written to where it is used. */
function chainOf(piece: Piece | undefined, word: Word): readonly Place[] {
  return piece === undefined ? [word.place] : [piece.origin.place, ...[...piece.origin.via].reverse()];
}

/**
 * The place of the characters from `start` to `end` (or to the end) of a key-value word, at the level at which the word's beginning is written:
 * in the array that holds `lr=$LR` rather than where the array is used or `LR` is set. `start` is within the known text or just after it. Falls
 * back to the place of the whole beginning if nothing narrower is known.
 */
export function placeWithin(word: Word, start: number, end: number | undefined): Place {
  const depth = chainOf(word.pieces[0], word).length;
  const first = boundary(word, depth, start, 'start');
  const last = end === undefined ? endOf(word, depth) : boundary(word, depth, end, 'end');
  if (
    first === undefined ||
    last === undefined ||
    first.path !== last.path ||
    last.span.end < first.span.start
  )
    return writtenAt(word);
  return { path: first.path, span: { start: first.span.start, end: last.span.end } };
}

/** Whether the first characters of a word are written verbatim at their place. */
export function beginsVerbatim({ pieces: [first] }: Word, length: number): boolean {
  return first?.kind === 'text' && first.origin.verbatim && first.text.length >= length;
}

/** The place where all characters of a word are written verbatim and consecutively; undefined if there is none. */
export function verbatimPlace({ pieces }: Word): Place | undefined {
  const [first] = pieces;
  if (first === undefined) return undefined;
  const { path, span } = first.origin.place;
  let end = span.start;
  for (const { origin } of pieces) {
    if (!origin.verbatim || origin.place.path !== path || origin.place.span.start !== end) return undefined;
    end = origin.place.span.end;
  }
  return { path, span: { start: span.start, end } };
}

/** The place of a piece at a depth of uses, counted from the command. */
function atDepth(piece: Piece, word: Word, depth: number): Place | undefined {
  const chain = chainOf(piece, word);
  return chain[Math.max(0, chain.length - depth)];
}

/** The place of the piece that contains character `at`, narrowed to begin (or end) there if its text is verbatim. */
function boundary(word: Word, depth: number, at: number, side: 'start' | 'end'): Place | undefined {
  let skip = 0;
  for (const piece of word.pieces) {
    if (piece.kind === 'hole') return side === 'start' ? atDepth(piece, word, depth) : undefined;
    const offset = at - skip;
    const last = word.pieces.at(-1) === piece;
    const inside = side === 'start' ? offset < piece.text.length || last : offset <= piece.text.length;
    if (inside) {
      const { place, verbatim } = piece.origin;
      const used = atDepth(piece, word, depth);
      if (used !== place) return used;
      if (!verbatim) return undefined;
      const here = place.span.start + offset;
      return {
        path: place.path,
        span:
          side === 'start' ? { start: here, end: place.span.end } : { start: place.span.start, end: here },
      };
    }
    skip += piece.text.length;
  }
  return undefined;
}

function endOf(word: Word, depth: number): Place | undefined {
  const last = word.pieces.at(-1);
  return last === undefined ? undefined : atDepth(last, word, depth);
}

/** The place where a flag is written; only the flag itself if `=value` is joined to it. */
export function flagPlace(word: Word, flag: string): Place {
  const piece = word.pieces[0];
  if (piece === undefined) return word.place;
  const { place, verbatim } = piece.origin;
  if (!verbatim || flag.length >= place.span.end - place.span.start || !knownPrefix(word).startsWith(flag))
    return place;
  return { path: place.path, span: { start: place.span.start, end: place.span.start + flag.length } };
}

/**
 * The place of a value beside its flag: `$TP` in the array that holds `--tp $TP`, not the line that sets `TP`. The use chains of flag and value
 * are aligned from the command backwards.
 */
export function placeBeside(value: Word, key: Word): Place {
  const chain = chainOf(value.pieces[0], value);
  const depth = chainOf(key.pieces[0], key).length;
  return chain[Math.max(0, chain.length - depth)] ?? value.place;
}

/** The place of a whole value beside its flag, from its first character to its last. */
export function wholeBeside(value: Word, key: Word): Place {
  const first = placeBeside(value, key);
  const last = endOf(value, chainOf(key.pieces[0], key).length);
  return last === undefined || last.path !== first.path || last.span.end < first.span.end
    ? first
    : { path: first.path, span: { start: first.span.start, end: last.span.end } };
}

/** Where the text of a value was first written, if all of it comes from one place. */
export function originOf(words: readonly Word[]): Origin | undefined {
  const [word] = words;
  if (word === undefined || words.length > 1 || word.pieces.length !== 1) return undefined;
  return word.pieces[0]?.origin;
}
