import type { Place } from '../../text/span.ts';
import type { Reason } from '../../value/value.ts';
import type { HolePiece, HoleShape, Origin, TextPiece } from '../../value/word.ts';
import type { Fork } from './fork.ts';
import type { Status } from './shell.ts';
import type { ShellFunction } from './shellFunction.ts';

/** What is known of the text that a hole stands for. */
interface Foreknown {
  /** The text that `bash script.sh` with nothing set would put here; tests are decided with it. */
  readonly assumed?: string;
  /** Variables and positionals (`X`, `1`) whose absence `assumed` rests on. */
  readonly needs?: readonly string[];
  /** True when the text is certainly not empty. */
  readonly nonEmpty?: boolean;
  /** Both sides of a test on it are joined rather than followed apart: the machine decides, not the user. */
  readonly joins?: boolean;
  /** What its text is that of, where the label does not say so: an argument of the script, also within functions, or what an operator makes of one. */
  readonly of?: string | undefined;
  /** True when the text has no newline. */
  readonly oneLine?: boolean;
  /** True for what a search in places that are not known found: perhaps nothing. */
  readonly mayBeNone?: boolean;
  /** Its lines, where only their order is not known. */
  readonly lines?: string | undefined;
  /** True when the text is one word, without blanks. */
  readonly oneWord?: boolean;
  /** True when its text, if there is any, is apart from what stands before it: words of its own, where words are cut. */
  readonly apart?: boolean;
  /** True when it is a word of a text: where it is nothing, the blank before it is not there either, or at the beginning that behind it. */
  readonly takesBlank?: boolean;
  /** Where it is a status that is open: the question that decides it, and whether success is followed first. */
  readonly question?: { readonly fork: Fork; readonly first: boolean };
  /** Where it is the number of a command in the background: how that ends, and how many shells stand around the one that it is a child of. */
  readonly job?: { readonly end: Status; readonly nesting: number };
  /** Where it is how Bash writes functions out (`$(declare -f NAME)`): what a shell that runs it defines. */
  readonly defines?: ReadonlyMap<string, ShellFunction> | undefined;
  /** True when it was made of text that has blanks: unquoted it may be several words wherever it stands. */
  readonly blanks?: boolean;
}

/** A hole together with what Bash itself would put there when nothing is set, where that is certain. */
export interface ShellHole extends HolePiece, Foreknown {
  /** True when Bash with nothing set would leave the whole word out (a bare positional that nobody gave). */
  readonly vanishes?: boolean;
}

/** Text, or a hole that the shell knows more of than its name. */
export type ShellPiece = TextPiece | ShellHole;

/** The value of a variable, of a word, of an output: pieces in order. */
export type Pieces = readonly ShellPiece[];

/** The empty text. */
export const nothing: Pieces = [];

/** How many places of the way that a text took are remembered. */
const longestWay = 12;

/** An origin for text that is made, not copied, at a place (`$#`, the output of `seq`). */
export function madeAt(place: Place): Origin {
  return { place, via: [], verbatim: false };
}

/** Text made at a place; no pieces when it is empty. */
export function made(text: string, place: Place): Pieces {
  return text === '' ? nothing : [{ kind: 'text', text, origin: madeAt(place) }];
}

/** What makes a hole beside its reason and label. */
export interface HoleFacts extends Foreknown {
  readonly shape?: HoleShape;
}

/** A hole at a place. */
export function hole(reason: Reason, label: string, place: Place, facts: HoleFacts = {}): ShellHole {
  const { shape = 'any', ...rest } = facts;
  return { kind: 'hole', reason, label, shape, splits: false, origin: madeAt(place), ...rest };
}

/** Whether a word may be absent or several words, so that what stands behind it has no certain position. */
export function isUncounted(pieces: Pieces): boolean {
  for (const piece of pieces)
    if (piece.kind === 'hole' && (piece.splits || piece.vanishes === true)) return true;
  return false;
}

/** A value that is one value, however many words it would have been. */
export function asOneValue(value: Pieces): Pieces {
  if (!isUncounted(value)) return value;
  return value.map((piece) => (piece.kind === 'hole' ? { ...piece, splits: false, vanishes: false } : piece));
}

/** The known text of pieces, or undefined when there is a hole. */
export function knownText(pieces: Pieces): string | undefined {
  if (pieces.length === 1) {
    const only = pieces[0];
    return only?.kind === 'text' ? only.text : undefined;
  }
  let out = '';
  for (const piece of pieces) {
    if (piece.kind === 'hole') return undefined;
    out += piece.text;
  }
  return out;
}

/** Whether two values are known to be the same text. */
export function isSameText(x: Pieces, y: Pieces | undefined): boolean {
  if (y === undefined) return false;
  if (x === y) return true;
  const text = knownText(x);
  return text !== undefined && text === knownText(y);
}

/** The text with holes shown as their labels. */
export function displayed(pieces: Pieces): string {
  return pieces.map((piece) => (piece.kind === 'hole' ? piece.label : piece.text)).join('');
}

/** What tells a value that is not known from others: of two holes for which this is the same, both hold the same. */
export function identityOf({ of, label, reason, origin: { place } }: ShellHole): string {
  if (of !== undefined) return of;
  const isSameAnywhere =
    reason === 'environment' || reason === 'positional'
      ? !label.startsWith('$((')
      : reason !== 'random' && /^\$(?:\((?!\()|PWD$)/.test(label);
  // What is read, drawn, computed or left by paths that were joined is another value under the same name.
  return isSameAnywhere ? label : `${label} ${place.path} ${place.span.start}`;
}

/** What identifies that which an operator makes of a value (`${x%b}`); undefined where the value itself is not told from others. */
export function identityMade(label: string, value: Pieces): string | undefined {
  const isTold = value.every(
    (piece) => piece.kind === 'text' || piece.reason !== 'positional' || piece.of !== undefined,
  );
  // What else stands in it may be another text each time.
  return isTold && !/[$`]/.test(label.slice(1)) ? `${label} of ${identified(value)}` : undefined;
}

/** What identifies an element of an array that is not known: at one place it is another one for another key. */
export function identityOfElement(label: string, key: string, { path, span }: Place): string {
  return `${label} of ${key} ${path} ${span.start}`;
}

/** The text with holes shown as what tells them from others: for a question, which is asked again of the same value only. */
export function identified(pieces: Pieces): string {
  return pieces.map((piece) => (piece.kind === 'hole' ? identityOf(piece) : piece.text)).join('');
}

/** The pieces as seen through an expansion written at `place`: each remembers that it came this way. */
export function through(pieces: Pieces, place: Place): Pieces {
  if (pieces.length === 0) return pieces;
  return pieces.map((piece) => {
    const { origin } = piece;
    const via = origin.via.length >= longestWay ? origin.via : [place, ...origin.via];
    const passed: Origin =
      origin.presumed === true ? { ...origin, via } : { place: origin.place, via, verbatim: origin.verbatim };
    // Written out: most pieces are text, and copying an unknown shape costs several times as much.
    return piece.kind === 'text'
      ? { kind: 'text', text: piece.text, origin: passed }
      : { ...piece, origin: passed };
  });
}

/** The first hole, if any. */
export function firstHole(pieces: Pieces): ShellHole | undefined {
  for (const piece of pieces) if (piece.kind === 'hole') return piece;
  return undefined;
}

/** Characters `from` up to `to` of a text piece; the origin is narrowed where the characters are the text itself. */
export function sliceText(piece: TextPiece, from: number, to: number): TextPiece {
  if (from === 0 && to === piece.text.length) return piece;
  const { place, via, verbatim, presumed } = piece.origin;
  if (presumed === true) return { ...piece, text: piece.text.slice(from, to) };
  const span = verbatim ? { start: place.span.start + from, end: place.span.start + to } : place.span;
  return {
    kind: 'text',
    text: piece.text.slice(from, to),
    origin: { place: { path: place.path, span }, via, verbatim },
  };
}

/** Characters `from` up to `to` of pieces without holes. */
export function slicePieces(pieces: Pieces, from: number, to: number): Pieces {
  const out: ShellPiece[] = [];
  let at = 0;
  for (const piece of pieces) {
    if (piece.kind === 'hole') continue;
    const start = Math.max(from - at, 0);
    const end = Math.min(to - at, piece.text.length);
    if (start < end) out.push(sliceText(piece, start, end));
    at += piece.text.length;
  }
  return out;
}

/** The pieces without the bytes between which `xargs -0` reads: no variable holds one. */
export function withoutNul(pieces: Pieces): Pieces {
  if (!pieces.some((piece) => piece.kind === 'text' && piece.text.includes('\0'))) return pieces;
  return pieces.flatMap((piece) =>
    piece.kind === 'hole' ? [piece] : made(piece.text.replaceAll('\0', ''), piece.origin.place),
  );
}

/** The pieces up to the first byte of that kind, where what reads them takes it for their end. */
export function upToNul(pieces: Pieces): Pieces {
  const at = pieces.findIndex((piece) => piece.kind === 'text' && piece.text.includes('\0'));
  const piece = pieces[at];
  if (piece?.kind !== 'text') return pieces;
  const end = piece.text.indexOf('\0');
  return [...pieces.slice(0, at), ...(end === 0 ? [] : [sliceText(piece, 0, end)])];
}

/**
 * The pieces without closing newlines, as command substitution gives them. Where the last piece is a hole that may be empty, it
 * stands for the newlines before it as well.
 */
export function withoutClosingNewlines(pieces: Pieces): Pieces {
  const out = [...pieces];
  const holes: ShellPiece[] = [];
  for (let last = out.at(-1); last !== undefined; last = out.at(-1)) {
    if (last.kind === 'hole') {
      const { assumed, lines } = last;
      const cut = lines === undefined ? last : { ...last, lines: lines.replace(/(?<!\n)\n+$/, '') };
      holes.unshift(assumed === undefined ? cut : { ...cut, assumed: assumed.replace(/(?<!\n)\n+$/, '') });
      out.pop();
      if (last.nonEmpty === true || last.shape !== 'any') break;
      continue;
    }
    let end = last.text.length;
    while (end > 0 && last.text[end - 1] === '\n') end -= 1;
    if (end === last.text.length) break;
    out.pop();
    if (end > 0) {
      out.push(sliceText(last, 0, end));
      break;
    }
  }
  return [...out, ...holes];
}
