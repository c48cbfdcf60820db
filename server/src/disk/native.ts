import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { posix, win32 } from 'node:path';
import { shareOf, shares } from '../text/fileNames.ts';

// Everywhere above the disk a path begins with a slash and has slashes between its parts, on Windows too (`/c:/jobs/run.sh`,
// `/unc:/machine/share/run.sh`). Here it becomes what the system takes, and what the system says becomes such a path.

/** Whether paths of this system have drives and backslashes. Asked at each use: tests run the program as if on another system. */
function isWindows(): boolean {
  return process.platform === 'win32';
}

/** A path that Windows has no place for, as those above all drives: its sign stands in no name of a file. */
const nowhere = '?:/';

/** A path of the engine (`/c:/jobs/run.sh`, `/unc:/machine/share/run.sh`) as Windows writes it (`c:/jobs/run.sh`, `//machine/share/run.sh`). */
export function toWindows(path: string): string {
  const [, machine, below] = shareOf.exec(path) ?? [];
  if (machine !== undefined && below !== undefined) return `//${machine}${below}`;
  // Without its slash a drive would be the folder that is the current one there.
  const [, drive, inDrive] = /^\/([a-z]:)(.*)$/is.exec(path) ?? [];
  return drive === undefined ? path : `${drive}${inDrive || '/'}`;
}

/** A path that Windows gave (`C:\jobs\run.sh`, `\\machine\share\run.sh`) as the engine writes it (`/c:/jobs/run.sh`, `/unc:/machine/share/run.sh`). */
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

/** A path of the engine as this system takes it. */
export function onDisk(path: string): string {
  if (!isWindows()) return path;
  const native = toWindows(path);
  return native.startsWith('/') && !native.startsWith('//') ? `${nowhere}${native}` : native;
}

/** An absolute path that this system gave as the engine writes it. */
export function fromDisk(path: string): string {
  return isWindows() ? fromWindows(path) : path;
}

/**
 * What a user calls a file, as a path of the engine.
 * @param cwd the folder that it is relative to, a path of the engine
 */
export function fromArgument(cwd: string, path: string): string {
  return isWindows() ? fromWindows(win32.resolve(toWindows(cwd), path)) : posix.resolve(cwd, path);
}

/** A path of the engine as people of this system know it, with slashes: `C:/jobs/run.sh`, `//machine/share/run.sh`. */
export function shownPath(path: string): string {
  return isWindows() ? toWindows(path).replace(/^[a-z]:/, (drive) => drive.toUpperCase()) : path;
}

/** What an argument says in parts that `/` divides; on Windows a backslash divides too. */
export function withSlashes(argument: string): string {
  return isWindows() ? argument.replaceAll('\\', '/') : argument;
}

/** Whether this system finds a file by its name in letters of any case. */
export function foldsCase(): boolean {
  return isWindows() || process.platform === 'darwin';
}

/**
 * Where a path really leads, behind all links.
 * @throws what the system says where it leads nowhere
 */
export function realPathOf(path: string): string {
  // On Windows this alone tells the letters and the long form of a name that has a short one (`RUNNER~1`).
  return isWindows() ? fromWindows(realpathSync.native(onDisk(path))) : realpathSync(path);
}

/**
 * Makes a function that gives a path the letters that the disk has for it, where names are found in letters of any case: a report, a
 * baseline and Git have one name for a file, however it was typed. Links stay, and so does a path that leads nowhere.
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
