import type { Place } from '../../text/span.ts';
import type { Reason } from '../../value/value.ts';
import type { HolePiece, HoleShape, Origin, TextPiece } from '../../value/word.ts';
import type { Fork } from './fork.ts';
import type { Status } from './shell.ts';
import type { ShellFunction } from './shellFunction.ts';

/** What is known about the text of a hole. */
interface Foreknown {
  /** The text that `bash script.sh` with nothing set would put here; used to decide tests. */
  readonly assumed?: string;
  /** Absent variables and positional parameters (`X`, `1`) that `assumed` depends on. */
  readonly needs?: readonly string[];
  /** Whether the text is certainly not empty. */
  readonly nonEmpty?: boolean;
  /** Whether both sides of a test on it are joined rather than followed separately: the machine decides, not the user. */
  readonly joins?: boolean;
  /** Identifies its text if the label does not: an argument of the script, also within functions, or the result of an operator on one. */
  readonly of?: string | undefined;
  /** Whether the text has no newline. */
  readonly oneLine?: boolean;
  /** Whether it is the result of a search in unknown places, and may therefore be empty. */
  readonly mayBeNone?: boolean;
  /** Its lines, if only their order is unknown. */
  readonly lines?: string | undefined;
  /** Whether the text is a single word, without blanks. */
  readonly oneWord?: boolean;
  /** Whether its text, if any, is separate from what precedes it: words of its own under word splitting. */
  readonly apart?: boolean;
  /** Whether it is a word of a text: if it is empty, the blank before it is missing, too, or at the beginning the blank after it. */
  readonly takesBlank?: boolean;
  /** For an open status: the question that decides it, and whether success is followed first. */
  readonly question?: { readonly fork: Fork; readonly first: boolean };
  /**
   * For the number of a background job: how that ends, the nesting depth of the shell that it is a child of, and how often that had waited for
   * all its jobs.
   */
  readonly job?: { readonly end: Status; readonly nesting: number; readonly waits: number };
  /** For functions printed by Bash (`$(declare -f NAME)`): what a shell that runs the text defines. */
  readonly defines?: ReadonlyMap<string, ShellFunction> | undefined;
  /** For the body of a function printed by Bash: as it was written, which means the same. */
  readonly body?: Pieces | undefined;
  /** What the program that printed this path has just made there (`mktemp`). */
  readonly makes?: 'file' | 'folder' | undefined;
  /** Whether it was made from text with blanks: unquoted it may be several words wherever it occurs. */
  readonly blanks?: boolean;
}

/** A hole together with what Bash itself would put there with nothing set, if that is certain. */
export interface ShellHole extends HolePiece, Foreknown {
  /** Whether Bash with nothing set would omit the whole word (a bare positional parameter that nobody gave). */
  readonly vanishes?: boolean;
}

/** Text, or a hole about which the shell knows more than its name. */
export type ShellPiece = TextPiece | ShellHole;

/** The value of a variable, a word or an output: pieces in order. */
export type Pieces = readonly ShellPiece[];

/** The empty text. */
export const nothing: Pieces = [];

/** Maximum number of places remembered along the way that a text took. */
const longestWay = 12;

/** The origin of text that is generated, not copied, at a place (`$#`, the output of `seq`). */
export function madeAt(place: Place): Origin {
  return { place, via: [], verbatim: false };
}

/** Text made at a place; no pieces when it is empty. */
export function made(text: string, place: Place): Pieces {
  return text === '' ? nothing : [{ kind: 'text', text, origin: madeAt(place) }];
}

/** What a hole needs besides its reason and label. */
export interface HoleFacts extends Foreknown {
  readonly shape?: HoleShape;
}

/** A hole at a place. */
export function hole(reason: Reason, label: string, place: Place, facts: HoleFacts = {}): ShellHole {
  const { shape = 'any', ...rest } = facts;
  return { kind: 'hole', reason, label, shape, splits: false, origin: madeAt(place), ...rest };
}

/** Whether a word may be absent or several words, so that what follows it has no certain position. */
export function isUncounted(pieces: Pieces): boolean {
  for (const piece of pieces)
    if (piece.kind === 'hole' && (piece.splits || piece.vanishes === true)) return true;
  return false;
}

/** A value as a single value, however many words it would have been. */
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

/** What distinguishes an unknown value from others: holes with the same identity have the same value. */
export function identityOf({ of, label, reason, origin: { place } }: ShellHole): string {
  if (of !== undefined) return of;
  const isSameAnywhere =
    reason === 'environment' || reason === 'positional'
      ? !label.startsWith('$((')
      : reason !== 'random' && /^\$(?:\((?!\()|PWD$)/.test(label);
  // A value that is read, random, computed or left by joined paths differs each time despite its name.
  return isSameAnywhere ? label : `${label} ${place.path} ${place.span.start}`;
}

/** The identity of the result of an operator on a value (`${x%b}`); undefined if the value itself has no identity. */
export function identityMade(label: string, value: Pieces): string | undefined {
  const isIdentifiable = value.every(
    (piece) => piece.kind === 'text' || piece.reason !== 'positional' || piece.of !== undefined,
  );
  // Other expansions in it may yield a different text each time.
  return isIdentifiable && !/[$`]/.test(label.slice(1)) ? `${label} of ${identified(value)}` : undefined;
}

/** The identity of an unknown array element: at one place, a different key means a different element. */
export function identityOfElement(label: string, key: string, { path, span }: Place): string {
  return `${label} of ${key} ${path} ${span.start}`;
}

/** The text with holes shown as their identities: for a question, which is asked again only about the same value. */
export function identified(pieces: Pieces): string {
  return pieces.map((piece) => (piece.kind === 'hole' ? identityOf(piece) : piece.text)).join('');
}

/** The pieces after an expansion written at `place`: each remembers that it came this way. */
export function through(pieces: Pieces, place: Place): Pieces {
  if (pieces.length === 0) return pieces;
  return pieces.map((piece) => {
    const { origin } = piece;
    const via = origin.via.length >= longestWay ? origin.via : [place, ...origin.via];
    const passed: Origin =
      origin.presumed === true ? { ...origin, via } : { place: origin.place, via, verbatim: origin.verbatim };
    // Spelled out: most pieces are text, and spreading an object of unknown shape costs several times as much.
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

/** Characters `from` up to `to` of a text piece; the origin is narrowed if the text is verbatim. */
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

/** The pieces without NUL bytes (which `xargs -0` splits at): no variable can contain one. */
export function withoutNul(pieces: Pieces): Pieces {
  if (!pieces.some((piece) => piece.kind === 'text' && piece.text.includes('\0'))) return pieces;
  return pieces.flatMap((piece) =>
    piece.kind === 'hole' ? [piece] : made(piece.text.replaceAll('\0', ''), piece.origin.place),
  );
}

/** The pieces up to the first NUL byte, for readers that stop there. */
export function upToNul(pieces: Pieces): Pieces {
  const at = pieces.findIndex((piece) => piece.kind === 'text' && piece.text.includes('\0'));
  const piece = pieces[at];
  if (piece?.kind !== 'text') return pieces;
  const end = piece.text.indexOf('\0');
  return [...pieces.slice(0, at), ...(end === 0 ? [] : [sliceText(piece, 0, end)])];
}

/**
 * The pieces without trailing newlines, as in command substitution. If the last piece is a hole that may be empty, it also stands for the
 * newlines before it.
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
