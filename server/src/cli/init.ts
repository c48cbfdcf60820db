import { closeSync, existsSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { posix } from 'node:path';
import { configNames, isConfig } from '../config/discover.ts';
import { initialConfig } from '../config/initial.ts';
import { onDisk } from '../disk/native.ts';
import { readTextFile, systemProblem } from '../disk/readText.ts';
import { exitCodes } from './check.ts';
import type { Output } from './output.ts';

const { basename, join } = posix;

function isThere(file: string): boolean {
  const read = (): string | undefined => {
    const text = readTextFile(file);
    return 'text' in text ? text.text : undefined;
  };
  return existsSync(onDisk(file)) && isConfig(basename(file), read);
}

/** Writes a new file: completely or not at all. */
function writeNew(file: string, text: string): void {
  const descriptor = openSync(onDisk(file), 'wx');
  try {
    writeFileSync(descriptor, text);
  } catch (error) {
    rmSync(onDisk(file), { force: true });
    throw error;
  } finally {
    closeSync(descriptor);
  }
}

/** Writes the initial configuration; an existing one is left alone. */
export function writeInitialConfig(cwd: string, output: Output): number {
  const file = join(cwd, '.oomlint.yaml');
  // A second one would override the first.
  const there = configNames.find((name) => isThere(join(cwd, name)));
  if (there !== undefined) {
    output.err(`oomlint: ${there} already exists and was not changed\n`);
    return exitCodes.unusable;
  }
  try {
    writeNew(file, initialConfig);
  } catch (error) {
    output.err(`oomlint: .oomlint.yaml ${systemProblem(error, 'written')}\n`);
    return exitCodes.unusable;
  }
  output.out('Wrote .oomlint.yaml.\n');
  return exitCodes.clean;
}
