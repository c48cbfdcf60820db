import { lstatSync, readdirSync, type Stats } from 'node:fs';
import { posix } from 'node:path';
import { configNames } from '../config/discover.ts';
import type { Host } from '../value/host.ts';
import { ignoredByGit } from './gitignore.ts';
import { kindOf, kindOnDisk } from './kind.ts';
import { keepingLast } from './lastTexts.ts';
import { onDisk, realPathOf } from './native.ts';
import { isWithin, projectsOf } from './projects.ts';
import { readTextFile } from './readText.ts';

const { basename, dirname, join } = posix;

const ownNames: ReadonlySet<string> = new Set(configNames);

/** Makes a function that returns a folder's real path; most folders are no links, so their parent determines it. */
function realFolders(): (folder: string) => string {
  const known = new Map<string, string>();
  const realFolder = (folder: string): string => {
    let real = known.get(folder);
    if (real === undefined) {
      const parent = dirname(folder);
      const isOwn = parent !== folder && lstatSync(onDisk(folder)).isDirectory();
      real = isOwn ? join(realFolder(parent), basename(folder)) : realPathOf(folder);
      known.set(folder, real);
    }
    return real;
  };
  return realFolder;
}

/**
 * The workspace on disk: repositories of the linted files, and the folders that the user named. Unknown are everything outside, also through a
 * symbolic link, and missing paths that Git ignores. The kind of a path is determined once, and the texts read last are kept.
 */
export function diskHost(named: readonly string[]): Host {
  const { boundaryOf, rootOf } = projectsOf(named);
  const kinds = new Map<string, ReturnType<Host['kind']>>();
  const isLeftOut = ignoredByGit();
  const realFolder = realFolders();
  const look = (path: string): ReturnType<Host['kind']> => {
    const boundary = boundaryOf(path);
    if (boundary === undefined) return 'unknown';
    if (path === boundary) return kindOnDisk(path);
    let stat: Stats | undefined;
    let isInside = true;
    try {
      stat = lstatSync(onDisk(path), { throwIfNoEntry: false });
      const real = stat?.isSymbolicLink() === true ? realPathOf(path) : realFolder(dirname(path));
      isInside = isWithin(realFolder(boundary), real);
    } catch {
      // If that cannot be determined the path counts as inside, because its name is inside.
      return kindOnDisk(path);
    }
    if (!isInside) return 'unknown';
    return stat?.isSymbolicLink() === true ? kindOnDisk(path) : kindOf(stat);
  };
  const kind = (path: string): ReturnType<Host['kind']> => {
    const known = kinds.get(path);
    if (known !== undefined) return known;
    const seen = look(path);
    // Our configuration files are looked up in every folder, and checking what Git ignores takes longer than checking what exists.
    const answer = seen === 'absent' && !ownNames.has(basename(path)) && isLeftOut(path) ? 'unknown' : seen;
    kinds.set(path, answer);
    return answer;
  };
  return {
    kind,
    rootOf,
    read: keepingLast((path) => {
      const file = kind(path) === 'file' ? readTextFile(path) : undefined;
      return file !== undefined && 'text' in file ? file.text : undefined;
    }),
    list: (path) => {
      if (kind(path) !== 'directory') return undefined;
      try {
        return readdirSync(onDisk(path)).sort();
      } catch {
        return undefined;
      }
    },
  };
}
