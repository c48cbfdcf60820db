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

/** The folder of ours in the user's cache folder; undefined when there is none. Nothing is made yet. */
export function cacheFolder(environment: NodeJS.ProcessEnv): string | undefined {
  const base = environment.XDG_CACHE_HOME || environment.LOCALAPPDATA || cacheOfHome();
  return base === undefined ? undefined : join(base, 'oomlint');
}

/** The cache folder below the home folder; undefined where there is none, as for a user whom the system does not know in a container. */
function cacheOfHome(): string | undefined {
  try {
    const home = homedir();
    return home === '' ? undefined : join(home, '.cache');
  } catch {
    return undefined;
  }
}

/** What tells a build of the program from all others, by the folder that the build wrote; undefined when it cannot be told. */
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
 * Writes a file in one step, and removes the oldest of its family (names up to the first `-`). Where that cannot be done nothing is
 * kept, which costs the next run only time.
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

/** Removes a file that may not be there, also where what should be its folder is none. */
function removeIfPossible(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // Then it was never written.
  }
}
