import type { Command } from 'unbash';
import { knownText } from '../state/pieces.ts';
import type { Shell } from '../state/shell.ts';
import type { ShellWord } from '../state/shellWord.ts';
import type { Source } from '../text/source.ts';

/** Operators between the two operands of a test, and before a single one. */
const comparison = /^(?:==?|!=|=~|-(?:eq|ne|lt|le|gt|ge))$/;
const question = /^-[a-zA-Z]$/;

/** Programs and builtins that take such words themselves. */
const comparing: ReadonlySet<string> = new Set(['[', '[[', 'test', 'expr']);

/** Whether the words of a command are a test without its opening bracket (`if "$X" = y ]`), so that its first word is taken as a program. */
export function lacksBracket(name: string | undefined, words: readonly ShellWord[]): boolean {
  if (closing(words) === undefined || words.length < 3) return false;
  if (name !== undefined && comparing.has(name)) return false;
  const second = knownText(words[1]?.pieces ?? []);
  return (name !== undefined && question.test(name)) || (second !== undefined && comparison.test(second));
}

/**
 * Whether the first word of a command is an opening bracket directly followed by an unknown value (`if ["$X" = y]`): no program has such a
 * name, and with an empty value `[` fails because of the remaining comparison, or because its closing bracket is missing.
 */
export function isBracketWithValue(words: readonly ShellWord[]): boolean {
  const [first] = words[0]?.pieces ?? [];
  if (first?.kind !== 'text' || !first.text.startsWith('[')) return false;
  if (first.text !== '[' || knownText(words.at(-1)?.pieces ?? []) !== ']') return true;
  return words.length > 3 && comparison.test(knownText(words[1]?.pieces ?? []) ?? '');
}

function closing(words: readonly ShellWord[]): ']' | ']]' | undefined {
  const last = knownText(words.at(-1)?.pieces ?? []);
  return last === ']' || last === ']]' ? last : undefined;
}

/** Reports a test without its opening bracket, once for all its runs. */
export function noteMissingBracket(
  shell: Shell,
  source: Source,
  { pos, end, name }: Command,
  words: readonly ShellWord[],
): void {
  const written = name?.text;
  const bracket = closing(words) === ']]' ? '[[' : '[';
  if (written === undefined) return;
  const place = source.place(pos, pos + written.length);
  const rest = written.replace(/^\[{1,2}/, '');
  const lack = rest === written ? `has no ${bracket}` : `needs a space after its ${bracket}`;
  const meant = `${bracket} ${rest}`;
  shell.run.report({
    kind: 'missing-bracket',
    message: `This test ${lack}: Bash runs ${written} as a program instead, so the test is false.`,
    place,
    correction: source.origin(pos, end).verbatim ? { place, text: meant, meant } : undefined,
  });
}
