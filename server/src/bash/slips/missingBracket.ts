import type { Command } from 'unbash';
import { knownText } from '../state/pieces.ts';
import type { Shell } from '../state/shell.ts';
import type { ShellWord } from '../state/shellWord.ts';
import type { Source } from '../text/source.ts';

/** What stands between the two sides of a test, and before the only one. */
const comparison = /^(?:==?|!=|=~|-(?:eq|ne|lt|le|gt|ge))$/;
const question = /^-[a-zA-Z]$/;

/** Programs and builtins that take such words themselves. */
const comparing: ReadonlySet<string> = new Set(['[', '[[', 'test', 'expr']);

/** Whether the words of a command are a test without its opening bracket (`if "$X" = y ]`), so that its first word is taken for a program. */
export function lacksBracket(name: string | undefined, words: readonly ShellWord[]): boolean {
  if (closing(words) === undefined || words.length < 3) return false;
  if (name !== undefined && comparing.has(name)) return false;
  const second = knownText(words[1]?.pieces ?? []);
  return (name !== undefined && question.test(name)) || (second !== undefined && comparison.test(second));
}

function closing(words: readonly ShellWord[]): ']' | ']]' | undefined {
  const last = knownText(words.at(-1)?.pieces ?? []);
  return last === ']' || last === ']]' ? last : undefined;
}

/** Tells of a test without its opening bracket, once for all runs of it. */
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
  shell.run.report({
    kind: 'missing-bracket',
    message: `This test has no ${bracket}: Bash runs ${written} as a program instead, and takes the test for false.`,
    place,
    correction: source.origin(pos, end).verbatim
      ? { place, text: `${bracket} ${written}`, meant: `${bracket} ${written}` }
      : undefined,
  });
}
