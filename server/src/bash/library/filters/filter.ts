import type { Meter } from '../automaton.ts';
import type { Output } from '../printf.ts';

/** What a filter may request: the text of a file, undefined if unavailable. */
export interface FilterContext {
  read(path: string): string | undefined;
}

/** A command as a pure function of its arguments and standard input; undefined if the result is uncertain. */
export type Filter = (
  args: readonly string[],
  input: string | undefined,
  context: FilterContext,
) => Output | undefined;

/** Text split into lines. */
export interface Lines {
  readonly lines: readonly string[];
  /** Whether the last line ends with a newline. */
  readonly closed: boolean;
}

/** Splits text at newlines, or at another terminator; empty text has no lines. */
export function splitLines(text: string, end = '\n'): Lines {
  if (text === '') return { lines: [], closed: true };
  const closed = text.endsWith(end);
  return { lines: (closed ? text.slice(0, -1) : text).split(end), closed };
}

/** Joins lines, with a newline or another terminator after each. */
export function joinLines(lines: readonly string[], end = '\n'): string {
  return lines.length === 0 ? '' : lines.join(end) + end;
}

/** A successful result. */
export function success(output: string): Output {
  return { output, status: 0 };
}

/** The texts of the operands (`-` or no operand is standard input); undefined if one is unavailable or contains a NUL. */
export function readOperands(
  operands: readonly string[],
  input: string | undefined,
  context: FilterContext,
  takesNul = false,
): readonly string[] | undefined {
  const texts: string[] = [];
  for (const operand of operands.length === 0 ? ['-'] : operands) {
    const text = operand === '-' ? input : context.read(operand);
    if (text === undefined || (!takesNul && text.includes('\0'))) return undefined;
    texts.push(text);
  }
  return texts;
}

/** A count in plain decimal digits. */
export function parseCount(text: string): number | undefined {
  const value = Number(text);
  return /^\d{1,15}$/.test(text) ? value : undefined;
}

/** The search budget of one command: a few tens of milliseconds. */
export function searchMeter(): Meter {
  return { left: 1_000_000 };
}
