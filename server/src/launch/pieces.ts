import type { Piece, Word } from '../value/word.ts';

/** One unit of a word: a UTF-16 code unit of known text, or a whole hole. */
export type Unit =
  | { readonly kind: 'character'; readonly character: string }
  | { readonly kind: 'hole'; readonly splits: boolean };

/** The units of a word in order; `cut` takes offsets into this list. */
export function unitsOf(word: Word): readonly Unit[] {
  const units: Unit[] = [];
  for (const piece of word.pieces) {
    if (piece.kind === 'hole') units.push({ kind: 'hole', splits: piece.splits });
    else
      for (let at = 0; at < piece.text.length; at++)
        units.push({ kind: 'character', character: piece.text.charAt(at) });
  }
  return units;
}

/**
 * The part of a word between two units, where a hole counts as one. Pieces keep their origins, narrowed if the text is verbatim in the source,
 * so that an edit or a finding covers exactly these characters.
 */
export function cut(word: Word, from: number, to = Number.POSITIVE_INFINITY): Word {
  const pieces: Piece[] = [];
  let at = 0;
  for (const piece of word.pieces) {
    const length = piece.kind === 'hole' ? 1 : piece.text.length;
    const start = Math.max(from - at, 0);
    const end = Math.min(to - at, length);
    at += length;
    if (start >= end) continue;
    if (piece.kind === 'hole' || (start === 0 && end === length)) {
      pieces.push(piece);
      continue;
    }
    const { place, via, verbatim } = piece.origin;
    const span = verbatim ? { start: place.span.start + start, end: place.span.start + end } : place.span;
    pieces.push({
      kind: 'text',
      text: piece.text.slice(start, end),
      origin: { place: { path: place.path, span }, via, verbatim },
    });
  }
  return { pieces, place: word.place };
}
