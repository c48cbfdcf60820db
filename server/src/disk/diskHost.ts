import { existsSync, lstatSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { configNames, isConfig } from '../config/discover.ts';
import type { Host } from '../value/host.ts';
import { readTextFile } from './readText.ts';

/** Whether `path` is `folder` or lies below it. */
export function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === '' || (!way.startsWith('..') && !isAbsolute(way));
}

/** The nearest folder above a path that holds a `.git`, or undefined. */
export function repositoryOf(path: string, known: Map<string, string | undefined>): string | undefined {
  const folder = dirname(path);
  if (known.has(folder)) return known.get(folder);
  const found = existsSync(join(folder, '.git'))
    ? folder
    : folder === path
      ? undefined
      : repositoryOf(folder, known);
  known.set(folder, found);
  return found;
}

function kindOnDisk(path: string): ReturnType<Host['kind']> {
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat === undefined) return 'absent';
    return stat.isFile() ? 'file' : stat.isDirectory() ? 'directory' : 'unknown';
  } catch {
    // A loop of links or a folder without permission: it may be readable where the job runs.
    return 'unknown';
  }
}

/** The nearest folder that holds a configuration of ours: the given one or one above it. Undefined when there is none. */
function configuredFolder(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const here = at;
    const holds = configNames.some((name) => {
      const path = join(here, name);
      if (kindOnDisk(path) !== 'file') return false;
      return isConfig(name, () => {
        const file = readTextFile(path);
        return 'text' in file ? file.text : undefined;
      });
    });
    if (holds) return at;
    if (at === dirname(at)) return undefined;
  }
}

/**
 * The workspace on disk: repositories of the files that are linted, and the folders that the user named. A folder outside any repository
 * belongs to the project whose configuration holds for it. Everything outside is unknown, also when a symbolic link leads there. Texts are
 * read once.
 */
export function diskHost(named: readonly string[]): Host {
  const texts = new Map<string, string | undefined>();
  const repositories = new Map<string, string | undefined>();
  const kinds = new Map<string, ReturnType<Host['kind']>>();
  const folders = named.map((folder) =>
    repositoryOf(join(folder, '.git'), repositories) === undefined
      ? (configuredFolder(folder) ?? folder)
      : folder,
  );
  const rootOf = (path: string): string | undefined =>
    repositoryOf(path, repositories) ?? folders.find((folder) => isWithin(folder, path));
  const realFolders = new Map<string, string>();
  const realFolder = (folder: string): string => {
    let real = realFolders.get(folder);
    if (real === undefined) {
      real = realpathSync(folder);
      realFolders.set(folder, real);
    }
    return real;
  };
  const inside = (path: string): boolean => {
    const root = rootOf(path);
    if (root === undefined) return false;
    if (path === root) return true;
    try {
      const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
      return isWithin(realFolder(root), isLink ? realpathSync(path) : realFolder(dirname(path)));
    } catch {
      return true;
    }
  };
  const kind = (path: string): ReturnType<Host['kind']> => {
    const known = kinds.get(path);
    if (known !== undefined) return known;
    let answer: ReturnType<Host['kind']> = 'unknown';
    if (inside(path)) {
      answer = kindOnDisk(path);
    }
    kinds.set(path, answer);
    return answer;
  };
  return {
    kind,
    rootOf,
    read: (path) => {
      if (!texts.has(path)) {
        const text = kind(path) === 'file' ? readTextFile(path) : undefined;
        texts.set(path, text !== undefined && 'text' in text ? text.text : undefined);
      }
      return texts.get(path);
    },
    list: (path) => {
      if (kind(path) !== 'directory') return undefined;
      try {
        return readdirSync(path).sort();
      } catch {
        return undefined;
      }
    },
  };
}
