import type { Place } from '../text/span.ts';
import type { Reason } from './value.ts';

/**
 * Where a piece of text was written, and the places it came through on the way to its use, the nearest to the use first: `TP=4` (place) ←
 * `PERF_ARGS=(… $TP)` ← the command (via).
 */
export interface Origin {
  readonly place: Place;
  readonly via: readonly Place[];
  /** True when the characters at `place` are the text itself, unquoted and unescaped, so that an edit may replace them one for one. */
  readonly verbatim: boolean;
  /** True for the path of the folder from which a script is assumed to be started, which is not stated anywhere. */
  readonly presumed?: boolean;
}

/** A run of characters of a word whose text is known. */
export interface TextPiece {
  readonly kind: 'text';
  readonly text: string;
  readonly origin: Origin;
}

/** What kind of text a hole stands for, if that is certain; `generated` is a name that a program makes up, not a word that people write. */
export type HoleShape = 'any' | 'integer' | 'host' | 'unique' | 'generated';

/** An unknown part of a word. */
export interface HolePiece {
  readonly kind: 'hole';
  readonly reason: Reason;
  /** The shortest text that identifies it: `$1`, `$(date +%s)`, `$MASTER_ADDR`. */
  readonly label: string;
  readonly shape: HoleShape;
  /** True when the whole word may be absent or several words (an unquoted unset variable). */
  readonly splits: boolean;
  readonly origin: Origin;
}

/** A part of a word: known text, or a hole. */
export type Piece = TextPiece | HolePiece;

/** One word of a command after all expansions: pieces of known text and holes, in order. */
export interface Word {
  readonly pieces: readonly Piece[];
  /** The place of the word in the command that is started (for a word from an array: the place of the array's expansion). */
  readonly place: Place;
}

/** Where a word was first written, as opposed to where it is used. */
export function writtenAt({ pieces: [first], place }: Word): Place {
  return first?.origin.place ?? place;
}

/** The word's text; undefined if it has a hole. */
export function textOf(word: Word): string | undefined {
  let out = '';
  for (const piece of word.pieces) {
    if (piece.kind === 'hole') return undefined;
    out += piece.text;
  }
  return out;
}

/** The word's text with holes shown as their labels; for people and logs only. */
export function display(word: Word): string {
  return word.pieces.map((piece) => (piece.kind === 'hole' ? piece.label : piece.text)).join('');
}

/** The first hole of a word, or undefined when its text is known. */
export function holeOf(word: Word): HolePiece | undefined {
  for (const piece of word.pieces) if (piece.kind === 'hole') return piece;
  return undefined;
}

/** The known text before the first hole: `--x=` of `--x=$X`. The whole text when there is no hole. */
export function knownPrefix(word: Word): string {
  let out = '';
  for (const piece of word.pieces) {
    if (piece.kind === 'hole') break;
    out += piece.text;
  }
  return out;
}

/** A word consisting of one known text. */
export function literalWord(text: string, place: Place, origin?: Origin): Word {
  return { pieces: [{ kind: 'text', text, origin: origin ?? { place, via: [], verbatim: true } }], place };
}

/** The part of a word from character `start` of its known text to its end; pieces keep their origins, narrowed if verbatim. */
export function sliceWord(word: Word, start: number): Word {
  const pieces: Piece[] = [];
  let skip = start;
  for (const piece of word.pieces) {
    if (skip === 0 || piece.kind === 'hole') {
      pieces.push(piece);
      continue;
    }
    if (piece.text.length <= skip) {
      skip -= piece.text.length;
      continue;
    }
    const { place, via, verbatim } = piece.origin;
    const from = verbatim ? place.span.start + skip : place.span.start;
    pieces.push({
      kind: 'text',
      text: piece.text.slice(skip),
      origin: { place: { path: place.path, span: { start: from, end: place.span.end } }, via, verbatim },
    });
    skip = 0;
  }
  return { pieces, place: word.place };
}
