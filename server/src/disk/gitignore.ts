import { existsSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { patternProblem } from '../config/pattern.ts';
import { ignoreFile } from '../text/fileNames.ts';
import { type IgnoreRules, ignoreRules } from './ignoreRules.ts';
import { foldsCase, onDisk } from './native.ts';

const { dirname, join } = posix;

/** The rules of a `.gitignore` for what is below its folder. */
export interface IgnoreLevel {
  readonly folder: string;
  readonly rules: IgnoreRules;
}

/** The `.gitignore` of a folder; undefined if it has none or it cannot be read. */
export function readIgnore(folder: string): IgnoreLevel | undefined {
  try {
    const text = readFileSync(onDisk(join(folder, ignoreFile)), 'utf8');
    return {
      folder,
      rules: ignoreRules(
        text.split(/\r?\n/).filter((line) => patternProblem(line) === undefined),
        foldsCase(),
      ),
    };
  } catch {
    return undefined;
  }
}

/** The `.gitignore` files above a folder that apply to it, up to the top of its repository. */
export function ignoresAbove(folder: string): IgnoreLevel[] {
  const levels: IgnoreLevel[] = [];
  for (let at = folder; ; at = dirname(at)) {
    const parent = dirname(at);
    if (existsSync(onDisk(join(at, '.git'))) || parent === at) break;
    const level = readIgnore(parent);
    if (level !== undefined) levels.unshift(level);
  }
  return levels;
}

/** Whether a path is ignored; paths of folders end with a slash. */
export function isIgnored(path: string, levels: readonly IgnoreLevel[]): boolean {
  let answer = false;
  for (const { folder, rules } of levels) {
    const start = folder.endsWith('/') ? folder.length : folder.length + 1;
    if (!path.startsWith(folder) || path[start - 1] !== '/' || path.length === start) continue;
    const tested = rules.test(path.slice(start));
    if (tested.ignored) answer = true;
    if (tested.unignored) answer = false;
  }
  return answer;
}

const mostAnswers = 500;

/**
 * Makes a function that tells whether Git ignores a path, as a file or as a folder: an ignored path that is missing may exist where the job
 * runs, since it is created there and never part of the repository.
 */
export function ignoredByGit(): (path: string) => boolean {
  const known = new Map<string, readonly IgnoreLevel[]>();
  const levelsOf = (folder: string): readonly IgnoreLevel[] => {
    const before = known.get(folder);
    if (before !== undefined) return before;
    const parent = dirname(folder);
    const above = parent === folder || existsSync(onDisk(join(folder, '.git'))) ? [] : levelsOf(parent);
    const own = readIgnore(folder);
    const levels = own === undefined ? above : [...above, own];
    known.set(folder, levels);
    return levels;
  };
  let asked = 0;
  return (path) => {
    // As long as its rules exist, the library caches an answer for every path and all its parents.
    asked += 1;
    if (asked % mostAnswers === 0) known.clear();
    const levels = levelsOf(dirname(path));
    return levels.length > 0 && (isIgnored(path, levels) || isIgnored(`${path}/`, levels));
  };
}
