import { existsSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { patternProblem } from '../config/pattern.ts';
import { ignoreFile } from '../text/fileNames.ts';
import { type IgnoreRules, ignoreRules } from './ignoreRules.ts';
import { foldsCase, onDisk } from './native.ts';

const { dirname, join } = posix;

/** What a `.gitignore` says of what lies below its folder. */
export interface IgnoreLevel {
  readonly folder: string;
  readonly rules: IgnoreRules;
}

/** The `.gitignore` of a folder; undefined when it has none that can be read. */
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

/** The `.gitignore` files that apply above a folder, up to its repository's top. */
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

/** Whether a path is ignored; that of a folder ends with a slash. */
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
 * Makes a function that tells whether Git ignores a path, as a file or as a folder: what is not there may be where the job runs, since
 * it is made or put there and never part of the repository.
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
    // The library keeps an answer for every path and every folder above it, for as long as its rules are kept.
    asked += 1;
    if (asked % mostAnswers === 0) known.clear();
    const levels = levelsOf(dirname(path));
    return levels.length > 0 && (isIgnored(path, levels) || isIgnored(`${path}/`, levels));
  };
}
