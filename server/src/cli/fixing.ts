import { createTwoFilesPatch } from 'diff';
import type { FixedTexts } from '../autofix.ts';
import { replaceText } from './write.ts';

/** Writes fixed texts, each file in one step. @returns one line for each file that could not be written. */
export function writeFixes(
  fixed: FixedTexts,
  original: (path: string) => string | undefined,
  shorten: (path: string) => string,
): string[] {
  const problems: string[] = [];
  for (const [path, text] of fixed.texts) {
    const problem = replaceText(path, original(path) ?? '', text);
    if (problem !== undefined) problems.push(`${shorten(path)} ${problem}`);
  }
  return problems;
}

/** A unified diff of one file that `git apply` takes. */
export function unifiedDiff(path: string, before: string, after: string): string {
  const patch = createTwoFilesPatch(`a/${path}`, `b/${path}`, before, after, undefined, undefined, {
    context: 3,
  });
  return `diff --git a/${path} b/${path}\n${patch.replace(/^=+\n/, '').replace(/^(---|\+\+\+) (.*?)\t?$/gm, '$1 $2')}`;
}
