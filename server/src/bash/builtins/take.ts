import { knownText, type Pieces, type ShellPiece, sliceText } from '../state/pieces.ts';
import type { Shell } from '../state/shell.ts';
import type { leadingOptions } from './builtin.ts';
import { isContinued } from './readEscapes.ts';

/** What was read, and whether it is complete: up to the delimiter, or with as many characters as asked for. */
export interface Taken {
  readonly line: Pieces;
  readonly complete: boolean;
}

/**
 * Takes the pieces up to a delimiter from the input; a backslash escapes the delimiter unless the input is `raw`. Undefined at the end of the
 * input.
 */
export function takeLine(shell: Shell, delimiter: string, raw: boolean): Taken | undefined {
  let taken = takeUpTo(shell, delimiter);
  while (!raw && taken?.complete === true && isContinued(taken.line)) {
    const more = takeUpTo(shell, delimiter);
    const line = joint(taken.line, delimiter);
    taken = { line: [...line, ...(more?.line ?? [])], complete: more?.complete ?? false };
  }
  return taken;
}

/** A line that ends in a backslash, ready to be continued: an escaped newline is removed, any other delimiter becomes an ordinary character. */
function joint(line: Pieces, delimiter: string): Pieces {
  const last = line.at(-1);
  if (last?.kind !== 'text') return line;
  if (delimiter !== '\n')
    return [...line, { ...last, text: delimiter, origin: { ...last.origin, verbatim: false } }];
  return [...line.slice(0, -1), sliceText(last, 0, last.text.length - 1)];
}

/** Takes text from standard input up to a delimiter; undefined if none is left. */
export function takeUpTo(shell: Shell, delimiter: string): Taken | undefined {
  const { stdin } = shell;
  if (stdin === undefined || stdin.pieces.length === 0) return undefined;
  const line: ShellPiece[] = [];
  const { pieces } = stdin;
  for (let index = 0; index < pieces.length; index += 1) {
    const piece = pieces[index];
    if (piece === undefined) break;
    if (piece.kind === 'hole') {
      line.push(piece);
      continue;
    }
    const at = piece.text.indexOf(delimiter === '' ? '\0' : delimiter);
    if (at < 0) {
      line.push(piece);
      continue;
    }
    if (at > 0) line.push(sliceText(piece, 0, at));
    const rest = at + 1 < piece.text.length ? [sliceText(piece, at + 1, piece.text.length)] : [];
    stdin.pieces = [...rest, ...pieces.slice(index + 1)];
    return { line, complete: true };
  }
  stdin.pieces = [];
  return { line, complete: false };
}

/** Takes this many characters from standard input, or fewer up to a delimiter or its end; undefined if they are unknown. */
export function takeCount(shell: Shell, count: number, delimiter: string | undefined): Taken | undefined {
  const { stdin } = shell;
  const line: ShellPiece[] = [];
  let left = count;
  for (const [index, piece] of (stdin?.pieces ?? []).entries()) {
    if (left === 0) break;
    if (stdin === undefined || piece.kind === 'hole') return undefined;
    const found = delimiter === undefined ? -1 : piece.text.indexOf(delimiter === '' ? '\0' : delimiter);
    const isDelimited = found >= 0 && found < left;
    const end = isDelimited ? found : Math.min(left, piece.text.length);
    // It might split a surrogate pair.
    if (/[\ud800-\udfff]/.test(piece.text.slice(0, end))) return undefined;
    if (end > 0) line.push(sliceText(piece, 0, end));
    left = isDelimited ? 0 : left - end;
    if (left > 0) continue;
    const from = isDelimited ? end + 1 : end;
    const rest = from < piece.text.length ? [sliceText(piece, from, piece.text.length)] : [];
    stdin.pieces = [...rest, ...stdin.pieces.slice(index + 1)];
  }
  if (left > 0 && stdin !== undefined) stdin.pieces = [];
  return { line, complete: left === 0 };
}

/** How many characters `read -n` and `read -N` ask for. */
export interface Limit {
  readonly count: number;
  /** Exactly this many, whatever characters they are, for one variable. */
  readonly exact: boolean;
}

/** Undefined if there is no limit; `unknown` if the limit is unknown. */
export function limitOf({ values }: ReturnType<typeof leadingOptions>): Limit | 'unknown' | undefined {
  const [some, exact] = [values.get('n'), values.get('N')];
  const given = exact ?? some;
  if (given === undefined) return undefined;
  const text = knownText(given.pieces) ?? '';
  return /^\d{1,6}$/.test(text) ? { count: Number(text), exact: exact !== undefined } : 'unknown';
}
