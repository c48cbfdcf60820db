import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';

/** Our folder in the user's cache folder; undefined if there is none. Nothing is created yet. */
export function cacheFolder(environment: NodeJS.ProcessEnv): string | undefined {
  const base = environment.XDG_CACHE_HOME || environment.LOCALAPPDATA || cacheOfHome();
  return base === undefined ? undefined : join(base, 'oomlint');
}

/** The cache folder below the home folder; undefined if there is none, for example for a user in a container whom the system does not know. */
function cacheOfHome(): string | undefined {
  try {
    const home = homedir();
    return home === '' ? undefined : join(home, '.cache');
  } catch {
    return undefined;
  }
}

/** Identifies the build of the program, from the folder that the build wrote; undefined if that is impossible. */
export function buildOf(program: string): string | undefined {
  try {
    return readFileSync(join(program, 'build-id'), 'latin1');
  } catch {
    return undefined;
  }
}

/** Reads a file that only the user can have written; undefined when there is none. */
export function readOwn(file: string): Buffer | undefined {
  let opened: number | undefined;
  try {
    opened = openSync(file, 'r');
    const { uid, mode } = fstatSync(opened);
    const others = (mode & 0o022) !== 0 || (process.getuid !== undefined && uid !== process.getuid());
    return others && process.platform !== 'win32' ? undefined : readFileSync(opened);
  } catch {
    return undefined;
  } finally {
    if (opened !== undefined) closeSync(opened);
  }
}

/**
 * Writes a file atomically, and removes the oldest of its family (names up to the first `-`). If that fails nothing is kept, which only costs
 * the next run time.
 * @param keptOthers how many others of the family stay
 */
export function writeOwn(file: string, content: Uint8Array, keptOthers: number): void {
  const folder = dirname(file);
  const family = basename(file).replace(/-.*$/, '-');
  const written = `${file}.${process.pid}`;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(written, content, { mode: 0o600 });
    renameSync(written, file);
    const others = readdirSync(folder)
      .filter((name) => name.startsWith(family))
      .map((name) => join(folder, name))
      .filter((path) => path !== file)
      .map((path) => ({ path, at: statSync(path).mtimeMs }))
      .sort((a, b) => b.at - a.at);
    for (const { path } of others.slice(keptOthers)) rmSync(path, { force: true });
  } catch {
    removeIfPossible(written);
  }
}

/** Removes a file that may not exist, also if its parent is not a folder. */
function removeIfPossible(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // It was never written.
  }
}
