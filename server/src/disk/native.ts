import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { posix, win32 } from 'node:path';
import { shareOf, shares } from '../text/fileNames.ts';

// Everywhere above the disk a path starts with a slash and has slashes between its parts, on Windows too (`/c:/jobs/run.sh`,
// `/unc:/machine/share/run.sh`). This file converts between such paths and those of the system.

/** Whether paths of this system have drives and backslashes. Evaluated on each call: tests run the program as if on another system. */
function isWindows(): boolean {
  return process.platform === 'win32';
}

/** Stands for paths that cannot exist on Windows, such as those above all drives: no file name contains this character. */
const nowhere = '?:/';

/** An engine path (`/c:/jobs/run.sh`, `/unc:/machine/share/run.sh`) in Windows form (`c:/jobs/run.sh`, `//machine/share/run.sh`). */
export function toWindows(path: string): string {
  const [, machine, below] = shareOf.exec(path) ?? [];
  if (machine !== undefined && below !== undefined) return `//${machine}${below}`;
  // Without its slash a drive would mean the current folder on it.
  const [, drive, inDrive] = /^\/([a-z]:)(.*)$/is.exec(path) ?? [];
  return drive === undefined ? path : `${drive}${inDrive || '/'}`;
}

/** A Windows path (`C:\jobs\run.sh`, `\\machine\share\run.sh`) as an engine path (`/c:/jobs/run.sh`, `/unc:/machine/share/run.sh`). */
export function fromWindows(path: string): string {
  const written = path
    .replaceAll('\\', '/')
    .replace(/^\/\/\?\/UNC\//i, '//')
    .replace(/^\/\/\?\/(?=[a-z]:)/i, '');
  if (/^\/\/[^/]/.test(written)) return `${shares}${written.slice(1)}`;
  return written
    .replace(/^([a-z]):\/?/i, (_, letter: string) => `/${letter.toLowerCase()}:/`)
    .replace(/(?<=:)\/$/, '');
}

/** An engine path in the form of this system. */
export function onDisk(path: string): string {
  if (!isWindows()) return path;
  const native = toWindows(path);
  return native.startsWith('/') && !native.startsWith('//') ? `${nowhere}${native}` : native;
}

/** An absolute path of this system as an engine path. */
export function fromDisk(path: string): string {
  return isWindows() ? fromWindows(path) : path;
}

/**
 * A path given by the user, as an engine path.
 * @param cwd the folder that it is relative to, an engine path
 */
export function fromArgument(cwd: string, path: string): string {
  return isWindows() ? fromWindows(win32.resolve(toWindows(cwd), path)) : posix.resolve(cwd, path);
}

/** An engine path as users of this system know it, with slashes: `C:/jobs/run.sh`, `//machine/share/run.sh`. */
export function shownPath(path: string): string {
  return isWindows() ? toWindows(path).replace(/^[a-z]:/, (drive) => drive.toUpperCase()) : path;
}

/** An argument with its parts separated by `/`; on Windows a backslash separates too. */
export function withSlashes(argument: string): string {
  return isWindows() ? argument.replaceAll('\\', '/') : argument;
}

/** Whether this system ignores case when it looks up a file. */
export function foldsCase(): boolean {
  return isWindows() || process.platform === 'darwin';
}

/**
 * The real path behind all links.
 * @throws the system's error if the path leads nowhere
 */
export function realPathOf(path: string): string {
  // On Windows only this gives the case and the long form of a name that has a short one (`RUNNER~1`).
  return isWindows() ? fromWindows(realpathSync.native(onDisk(path))) : realpathSync(path);
}

/**
 * Makes a function that gives a path the upper and lower case that it has on disk, on systems that ignore case: so a report, a baseline and Git
 * have one name for a file, however it was typed. Links stay, and so does a path that leads nowhere.
 */
export function spelledOnDisk(): (path: string) => string {
  if (!foldsCase()) return (path) => path;
  const known = new Map<string, string>();
  const names = new Map<string, readonly string[]>();
  const namesIn = (folder: string): readonly string[] => {
    const listed = names.get(folder) ?? listOrNothing(folder);
    names.set(folder, listed);
    return listed;
  };
  const spelled = (path: string): string => {
    const above = posix.dirname(path);
    if (above === path || onDisk(above).startsWith(nowhere)) return path;
    const before = known.get(path);
    if (before !== undefined) return before;
    const folder = spelled(above);
    const name = posix.basename(path);
    const listed = namesIn(folder);
    const folded = name.toLowerCase();
    const found = listed.includes(name) ? name : listed.find((other) => other.toLowerCase() === folded);
    const answer = posix.join(folder, found ?? name);
    known.set(path, answer);
    return answer;
  };
  return (path) => (existsSync(onDisk(path)) ? spelled(path) : path);
}

function listOrNothing(folder: string): readonly string[] {
  try {
    return readdirSync(onDisk(folder));
  } catch {
    return [];
  }
}
