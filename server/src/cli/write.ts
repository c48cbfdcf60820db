import {
  chmodSync,
  closeSync,
  fchownSync,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { posix } from 'node:path';
import { onDisk, realPathOf } from '../disk/native.ts';
import { codeOf, readTextFile, systemProblem } from '../disk/readText.ts';

const { basename, dirname, join } = posix;

/** Marks our temporary files, so that a later run can remove those of a killed run. */
export const temporaryMark = '.oomlint-tmp-';

/** Milliseconds after which another machine's temporary file (on a shared disk) must be a leftover. */
const leftOverAfter = 60 * 60 * 1000;

/** Distinguishes the temporary files of this machine from those of others. */
function machineName(): string {
  return hostname().replace(/[^\w.]/g, '_');
}

/** The target of a path after following all symbolic links; the path itself if nothing is there. */
export function realPath(path: string): string {
  try {
    return realPathOf(path);
  } catch {
    return path;
  }
}

/**
 * Checks whether a file's text can be replaced, without changing anything.
 * @param expected the text that the new one was made from
 * @returns why not, or undefined if there is no known obstacle
 */
export function replacementProblem(path: string, expected: string, text: string): string | undefined {
  try {
    const target = realPathOf(path);
    const now = readTextFile(target);
    if (!('text' in now)) return now.problem;
    // Already written through another name of the file.
    if (now.text === text) return undefined;
    if (now.text !== expected)
      return 'was changed by another program in the meantime, and was not overwritten';
    // Renaming only needs permission for the folder; a file that nobody may write is meant to stay.
    return (statSync(onDisk(target)).mode & 0o222) === 0 ? 'cannot be written: it is read-only' : undefined;
  } catch (error) {
    return writingProblem(error);
  }
}

function writingProblem(error: unknown): string {
  return systemProblem(error, 'written');
}

/**
 * Replaces a file's text atomically: a temporary file beside it is written, synced and renamed over it, with the same permissions and, if the
 * system allows it, the same owner. A symbolic link stays; its target is written.
 * @param expected the text that the new one was made from; a file with a different text is left alone
 * @returns why the file could not be written, or undefined on success
 */
export function replaceText(path: string, expected: string, text: string): string | undefined {
  const problem = replacementProblem(path, expected, text);
  if (problem !== undefined) return problem;
  let temporary: string | undefined;
  try {
    const target = realPathOf(path);
    const stats = statSync(onDisk(target));
    temporary = temporaryBeside(target);
    writeAll(temporary, Buffer.from(text, 'utf8'), stats);
    chmodSync(onDisk(temporary), stats.mode);
    renameSync(onDisk(temporary), onDisk(target));
    return undefined;
  } catch (error) {
    if (temporary !== undefined) rmSync(onDisk(temporary), { force: true });
    return writingProblem(error);
  }
}

/**
 * Writes a file of our own, such as a report, atomically, so that nobody ever sees a partial one. Devices, pipes, and files that cannot be
 * replaced (a mount of their own, or in a folder without write permission) are written directly.
 * @throws the system's error if it cannot be written
 */
export function writeWhole(path: string, text: string): void {
  const native = onDisk(path);
  const old = statSync(native, { throwIfNoEntry: false });
  const isLink = lstatSync(native, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  const isPlain = old === undefined ? !isLink : old.isFile();
  if (!isPlain || !replaced(old === undefined ? path : realPathOf(path), text, old))
    writeFileSync(native, text);
}

/** Replaces a file with a new one; false if the system does not allow it. */
function replaced(target: string, text: string, old: Stats | undefined): boolean {
  const temporary = temporaryBeside(target);
  removeLeftOvers([dirname(target)]);
  try {
    writeAll(temporary, Buffer.from(text, 'utf8'), old);
    if (old !== undefined) chmodSync(onDisk(temporary), old.mode);
    renameSync(onDisk(temporary), onDisk(target));
    return true;
  } catch (error) {
    rmSync(onDisk(temporary), { force: true });
    if (/^(?:EACCES|EPERM|EBUSY|EXDEV)$/.test(codeOf(error))) return false;
    throw error;
  }
}

function temporaryBeside(target: string): string {
  return join(dirname(target), `.${basename(target)}${temporaryMark}${machineName()}-${process.pid}`);
}

/** Writes a new file to the disk, with the permissions and the owner of the one that it is to replace. */
function writeAll(path: string, bytes: Uint8Array, old: Stats | undefined): void {
  const file = openSync(onDisk(path), 'wx', old?.mode);
  try {
    if (old !== undefined) keepOwner(file, old.uid, old.gid);
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Root in a container must not take over the user's files; other users cannot give files away, so the writer owns the new file. */
function keepOwner(file: number, uid: number, gid: number): void {
  if (process.getuid?.() !== 0) return;
  try {
    fchownSync(file, uid, gid);
  } catch {
    // Some shared disks have no owners.
  }
}

/** Removes what killed runs left in some folders; files of active runs stay. */
export function removeLeftOvers(folders: Iterable<string>): void {
  for (const folder of folders) {
    let names: string[];
    try {
      names = readdirSync(onDisk(folder));
    } catch {
      continue;
    }
    for (const name of names)
      if (name.startsWith('.') && name.includes(temporaryMark)) removeLeftOver(join(folder, name));
  }
}

function removeLeftOver(path: string): void {
  const [, machine, pid] = /-([\w.]+)-(\d+)$/.exec(path) ?? [];
  try {
    const old = Date.now() - statSync(onDisk(path)).mtimeMs > leftOverAfter;
    const dead = machine === machineName() && !isRunning(Number(pid));
    if (old || dead) rmSync(onDisk(path), { force: true });
  } catch {
    // Another run was faster.
  }
}

function isRunning(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}
