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
import { dirname, join } from 'node:path';

/** Compiled programs of other versions that are kept beside the present one. */
const keptOthers = 3;

/**
 * Where compiled code is kept: in the user's cache folder, apart for each build and each version of Node. Undefined when
 * `NODE_DISABLE_COMPILE_CACHE` is set or there is no such folder.
 * @param build what tells this build of the program from others
 */
export function cacheFile(build: string, environment: NodeJS.ProcessEnv): string | undefined {
  if (environment.NODE_DISABLE_COMPILE_CACHE === '1') return undefined;
  const home = homedir();
  const base =
    environment.XDG_CACHE_HOME || environment.LOCALAPPDATA || (home === '' ? '' : join(home, '.cache'));
  if (base === '') return undefined;
  return join(base, 'oomlint', `code-${build}-${process.version}-${process.arch}`);
}

/** Reads compiled code that only the user can have written; undefined when there is none. */
export function readCode(file: string): Buffer | undefined {
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

/** Keeps compiled code for the next start. Where that cannot be done, the next start compiles again. */
export function writeCode(file: string, code: Uint8Array): void {
  const folder = dirname(file);
  const written = `${file}.${process.pid}`;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(written, code, { mode: 0o600 });
    renameSync(written, file);
    const others = readdirSync(folder)
      .map((name) => join(folder, name))
      .filter((path) => path !== file)
      .map((path) => ({ path, at: statSync(path).mtimeMs }))
      .sort((a, b) => b.at - a.at);
    for (const { path } of others.slice(keptOthers)) rmSync(path, { force: true });
  } catch {
    rmSync(written, { force: true });
  }
}
