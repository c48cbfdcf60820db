import {
  chmodSync,
  closeSync,
  fsyncSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { readTextFile, systemProblem } from './readText.ts';

/** Marks our temporary files, so that a later run can remove what a killed one left. */
export const temporaryMark = '.oomlint-tmp-';

/**
 * Replaces a file's text in one step: a temporary file beside it is written, synced and renamed over it, with the same
 * permissions. A symbolic link stays; its target is written.
 * @param expected the text that the new one was made from; a file that says something else now is left alone
 * @returns why the file could not be written, or undefined when it was
 */
export function replaceText(path: string, expected: string, text: string): string | undefined {
  let temporary: string | undefined;
  try {
    const target = realpathSync(path);
    const now = readTextFile(target);
    if (!('text' in now)) return now.problem;
    if (now.text !== expected) return 'was changed by somebody else meanwhile, so it is left as it is';
    const { mode } = statSync(target);
    temporary = join(dirname(target), `.${basename(target)}${temporaryMark}${process.pid}`);
    const file = openSync(temporary, 'wx', mode);
    try {
      const bytes = Buffer.from(text, 'utf8');
      for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    chmodSync(temporary, mode);
    renameSync(temporary, target);
    return undefined;
  } catch (error) {
    if (temporary !== undefined) rmSync(temporary, { force: true });
    return systemProblem(error).replace('cannot be read', 'cannot be written');
  }
}
