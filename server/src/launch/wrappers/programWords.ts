import { shells } from '../../bash/programs/invocation.ts';
import type { Word } from '../../value/word.ts';
import { calledWrapper, programName } from './called.ts';

/** Whether a program is Python. */
export function isPython(name: string): boolean {
  return /^(python|pypy)[\d.]*$/.test(name);
}

/** Whether a program is a shell that is read. */
export function isShell(name: string): boolean {
  return shells.has(name);
}

/** Whether the end of a word is known and is one of these suffixes. */
export function endsWith(word: Word, suffixes: readonly string[]): boolean {
  const last = word.pieces.at(-1);
  return last?.kind === 'text' && suffixes.some((suffix) => last.text.endsWith(suffix));
}

/** Whether a word is certainly a program: Python, a shell, one of their files, or a program starter. */
export function isProgramLike(words: readonly Word[], at: number): boolean {
  const word = words[at];
  const name = word === undefined ? undefined : programName(word);
  if (word === undefined || name === undefined) return false;
  if (isPython(name) || isShell(name) || endsWith(word, ['.py', '.sh', '.bash'])) return true;
  return calledWrapper(words, at) !== undefined;
}

/** The most words that are examined to interpret an unknown one; no real command has more options in a row. */
export const lookAhead = 200;
