import { posix } from 'node:path';
import type { FixedTexts } from '../autofix.ts';
import { removeLeftOvers, replacementProblem, replaceText } from './write.ts';

const { basename, dirname } = posix;

/** The texts of the written files, before and after. */
interface Written {
  readonly before: (path: string) => string;
  readonly after: (path: string) => string;
}

/**
 * Writes fixed texts, each file atomically. Of files that a fix changes together, either all or none are written.
 * @param original the texts that were fixed
 * @returns why files were not written, by path
 */
export function writeFixes(
  fixed: FixedTexts,
  original: (path: string) => string | undefined,
): Map<string, string> {
  const touched = [
    ...fixed.reports.flatMap(({ path, sources }) => [path, ...sources]),
    ...fixed.texts.keys(),
  ];
  removeLeftOvers(new Set(touched.map((path) => dirname(path))));
  const texts: Written = {
    before: (path) => original(path) ?? '',
    after: (path) => fixed.texts.get(path) ?? original(path) ?? '',
  };
  return new Map(changedTogether(fixed).flatMap((paths) => writeTogether(paths, texts)));
}

/** The changed files, grouped by which fixes changed them together. */
function changedTogether({ texts, applied }: FixedTexts): readonly (readonly string[])[] {
  const groups = new Map<string, Set<string>>([...texts.keys()].map((path) => [path, new Set([path])]));
  for (const { paths } of applied) {
    const [first, ...others] = paths.flatMap((path) => groups.get(path) ?? []);
    if (first === undefined) continue;
    for (const other of others)
      for (const path of other) {
        first.add(path);
        groups.set(path, first);
      }
  }
  return [...new Set(groups.values())].map((group) => [...group]);
}

/** Writes a group of files. @returns why they were not written, by path; empty on success */
function writeTogether(paths: readonly string[], { before, after }: Written): [string, string][] {
  const refused = (problem: (path: string) => string | undefined): [string, string][] | undefined => {
    const [bad, why] = firstProblem(paths, problem);
    if (bad === undefined || why === undefined) return undefined;
    const other = `is left as it is: a fix would change it together with ${basename(bad)}`;
    return paths.map((path) => [path, path === bad ? why : other]);
  };
  const standing = refused((path) => replacementProblem(path, before(path), after(path)));
  if (standing !== undefined) return standing;
  const done: string[] = [];
  const failed = refused((path) => {
    const problem = replaceText(path, before(path), after(path));
    if (problem === undefined) done.push(path);
    return problem;
  });
  if (failed !== undefined) for (const path of done) replaceText(path, after(path), before(path));
  return failed ?? [];
}

function firstProblem(
  paths: readonly string[],
  problemOf: (path: string) => string | undefined,
): [string, string] | [] {
  for (const path of paths) {
    const problem = problemOf(path);
    if (problem !== undefined) return [path, problem];
  }
  return [];
}
