import { dirname } from 'node:path';
import { formatPatch, structuredPatch } from 'diff';
import type { FixedTexts } from '../autofix.ts';
import { removeLeftOvers, replaceText } from './write.ts';

/** Writes fixed texts, each file in one step. @returns one line for each file that could not be written. */
export function writeFixes(
  fixed: FixedTexts,
  original: (path: string) => string | undefined,
  shorten: (path: string) => string,
): string[] {
  const problems: string[] = [];
  const touched = [
    ...fixed.reports.flatMap(({ path, sources }) => [path, ...sources]),
    ...fixed.texts.keys(),
  ];
  removeLeftOvers(new Set(touched.map((path) => dirname(path))));
  for (const [path, text] of fixed.texts) {
    const problem = replaceText(path, original(path) ?? '', text);
    if (problem !== undefined) problems.push(`${shorten(path)} ${problem}`);
  }
  return problems;
}

/**
 * A unified diff of one file that `git apply` takes.
 * @param path relative to the top of the repository, as Git's own patches have it
 */
export function unifiedDiff(path: string, before: string, after: string): string {
  const patch = structuredPatch(`a/${path}`, `b/${path}`, before, after, undefined, undefined, {
    context: 3,
  });
  return formatPatch({ ...patch, isGit: true });
}
