import { existsSync } from 'node:fs';
import { posix } from 'node:path';
import { configNames, isConfig } from '../config/discover.ts';
import { kindOnDisk } from './kind.ts';
import { onDisk } from './native.ts';
import { readTextFile } from './readText.ts';

const { dirname, join, normalize, relative } = posix;

/** Whether a relative path leads out of its folder; ordinary names may start with two dots as well. */
export function leadsUp(way: string): boolean {
  return way === '..' || way.startsWith('../');
}

/** Whether `path` is `folder` or below it. */
export function isWithin(folder: string, path: string): boolean {
  // Most paths are normalized; only the others need the slower comparison.
  if (path.startsWith(folder) && path[folder.length] === '/' && !path.includes('/..')) return true;
  const way = relative(folder, path);
  return !leadsUp(way);
}

/**
 * Makes a function that returns the first of some folders that contains a path (or is it). Its cost does not depend on the number of folders.
 */
function holderAmong(folders: readonly string[]): (path: string) => string | undefined {
  const ranks = new Map<string, number>();
  for (const [rank, folder] of folders.entries()) if (!ranks.has(folder)) ranks.set(folder, rank);
  const known = new Map<string, number>();
  const rankOf = (path: string): number => {
    let rank = known.get(path);
    if (rank !== undefined) return rank;
    const above = dirname(path);
    rank = Math.min(
      ranks.get(path) ?? Number.POSITIVE_INFINITY,
      above === path ? Number.POSITIVE_INFINITY : rankOf(above),
    );
    known.set(path, rank);
    return rank;
  };
  return (path) => {
    const normal = normalize(path);
    return folders[Math.min(ranks.get(normal) ?? Number.POSITIVE_INFINITY, rankOf(dirname(normal)))];
  };
}

/** Files at the top of a published project: an unpacked archive has no `.git` there. */
const projectFiles = ['pyproject.toml', 'setup.py', 'LICENSE'];

/** The highest folder with such a file, from the given folder up to `top` (by default the root of the disk). */
function projectAbove(
  folder: string,
  known: Map<string, string | undefined>,
  top: string | undefined,
): string | undefined {
  if (known.has(folder)) return known.get(folder);
  const parent = dirname(folder);
  // The root of the disk is nobody's project.
  if (parent === folder) return undefined;
  const above = folder === top ? undefined : projectAbove(parent, known, top);
  const holds = (name: string): boolean => kindOnDisk(join(folder, name)) === 'file';
  const found = above ?? (projectFiles.some(holds) ? folder : undefined);
  known.set(folder, found);
  return found;
}

/** The nearest folder above a path that contains a `.git`, or undefined. */
export function repositoryOf(path: string, known: Map<string, string | undefined>): string | undefined {
  const folder = dirname(path);
  if (known.has(folder)) return known.get(folder);
  const found = existsSync(onDisk(join(folder, '.git')))
    ? folder
    : folder === path
      ? undefined
      : repositoryOf(folder, known);
  known.set(folder, found);
  return found;
}

/** The repository that contains a path, or whose top the path is: a script in a named folder may go up there. */
function repositoryAt(path: string, known: Map<string, string | undefined>): string | undefined {
  return repositoryOf(path, known) ?? (existsSync(onDisk(join(path, '.git'))) ? path : undefined);
}

/** The nearest folder with an oomlint configuration: the given one or one above it. Undefined if there is none. */
function configuredFolder(folder: string, known: Map<string, string | undefined>): string | undefined {
  if (known.has(folder)) return known.get(folder);
  const holds = configNames.some((name) => {
    const path = join(folder, name);
    if (kindOnDisk(path) !== 'file') return false;
    return isConfig(name, () => {
      const file = readTextFile(path);
      return 'text' in file ? file.text : undefined;
    });
  });
  const above = dirname(folder);
  const found = holds ? folder : above === folder ? undefined : configuredFolder(above, known);
  known.set(folder, found);
  return found;
}

/** What the paths of a workspace belong to. */
export interface Projects {
  /** The repository of a path, or the folder that the user named; undefined if it is in none. */
  boundaryOf(path: string): string | undefined;
  /**
   * The folder where the scripts of a path are assumed to be started: its repository, or the top of its project; undefined if it is in none.
   */
  rootOf(path: string): string | undefined;
}

/**
 * The repositories of files, and the projects of the folders that the user named. A folder outside any repository belongs to the project whose
 * configuration applies to it, or else to the one whose files it is among; projects inside it are roots of their own.
 */
export function projectsOf(named: readonly string[]): Projects {
  const repositories = new Map<string, string | undefined>();
  const configured = new Map<string, string | undefined>();
  const folders = named.map((folder) =>
    repositoryOf(join(folder, '.git'), repositories) === undefined
      ? (configuredFolder(folder, configured) ?? projectAbove(folder, new Map(), undefined) ?? folder)
      : folder,
  );
  const holder = holderAmong(folders);
  const projects = new Map(folders.map((folder) => [folder, new Map<string, string | undefined>()]));
  /** The project of a path among those inside a folder; if its settings come from a folder that is also inside, that folder. */
  const projectIn = (folder: string, path: string): string | undefined => {
    const known = projects.get(folder);
    const project =
      known === undefined || path === folder ? undefined : projectAbove(dirname(path), known, folder);
    if (project === undefined) return undefined;
    const settings = configuredFolder(project, configured);
    return settings !== undefined && isWithin(folder, settings) ? settings : project;
  };
  return {
    boundaryOf: (path) => repositoryAt(path, repositories) ?? holder(path),
    rootOf: (path) => {
      const repository = repositoryAt(path, repositories);
      if (repository !== undefined) return repository;
      const folder = holder(path);
      return folder === undefined ? undefined : (projectIn(folder, path) ?? folder);
    },
  };
}
