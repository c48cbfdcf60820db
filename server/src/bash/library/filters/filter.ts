import type { Meter } from '../automaton.ts';
import type { Output } from '../printf.ts';

/** What a filter may ask: the text of a file, undefined when it cannot be had. */
export interface FilterContext {
  read(path: string): string | undefined;
}

/** A command as a pure function of its arguments and its standard input; undefined when the answer is not certain. */
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

/** Splits text at newlines, or at what else ends its lines; empty text has no lines. */
export function splitLines(text: string, end = '\n'): Lines {
  if (text === '') return { lines: [], closed: true };
  const closed = text.endsWith(end);
  return { lines: (closed ? text.slice(0, -1) : text).split(end), closed };
}

/** Lines with a newline, or what else ends them, behind each. */
export function joinLines(lines: readonly string[], end = '\n'): string {
  return lines.length === 0 ? '' : lines.join(end) + end;
}

/** A successful result. */
export function success(output: string): Output {
  return { output, status: 0 };
}

/** The texts of the operands, `-` and no operand being standard input; undefined when one cannot be had, or has a NUL. */
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

/** The work that one command may do to search its input: a few tens of milliseconds. */
export function searchMeter(): Meter {
  return { left: 1_000_000 };
}
