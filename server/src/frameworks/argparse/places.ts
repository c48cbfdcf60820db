import type { Place } from '../../text/span.ts';
import type { Origin, Piece, Word } from '../../value/word.ts';
import { knownPrefix } from '../../value/word.ts';

/** From where the text was written to where it is used. */
function chainOf(piece: Piece | undefined, word: Word): readonly Place[] {
  return piece === undefined ? [word.place] : [piece.origin.place, ...[...piece.origin.via].reverse()];
}

/** Where the text of a flag is written; only the flag itself when `=value` is joined to it. */
export function flagPlace(word: Word, flag: string): Place {
  const piece = word.pieces[0];
  if (piece === undefined) return word.place;
  const { place, verbatim } = piece.origin;
  if (!verbatim || flag.length >= place.span.end - place.span.start || !knownPrefix(word).startsWith(flag))
    return place;
  return { path: place.path, span: { start: place.span.start, end: place.span.start + flag.length } };
}

/**
 * Where a value stands beside its flag: `$TP` in the array that holds `--tp $TP`, not the line that sets `TP`.
 * The chains of flag and value are laid side by side from the command backwards.
 */
export function placeBeside(value: Word, key: Word): Place {
  const chain = chainOf(value.pieces[0], value);
  const depth = chainOf(key.pieces[0], key).length;
  return chain[Math.max(0, chain.length - depth)] ?? value.place;
}

/** Where the text of a value was first written, when all of it comes from one place. */
export function originOf(words: readonly Word[]): Origin | undefined {
  const [word] = words;
  if (word === undefined || words.length > 1 || word.pieces.length !== 1) return undefined;
  return word.pieces[0]?.origin;
}
