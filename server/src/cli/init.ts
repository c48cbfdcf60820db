import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { initialConfig } from '../config/initial.ts';
import { systemProblem } from '../disk/readText.ts';
import { exitCodes } from './check.ts';
import type { Output } from './output.ts';

/** Writes the first configuration; an existing one is left alone. */
export function writeInitialConfig(cwd: string, output: Output): number {
  const file = join(cwd, '.oomlint.yaml');
  if (existsSync(file)) {
    output.err('oomlint: .oomlint.yaml is there already and is left as it is\n');
    return exitCodes.unusable;
  }
  try {
    writeFileSync(file, initialConfig, { flag: 'wx' });
  } catch (error) {
    output.err(`oomlint: .oomlint.yaml ${systemProblem(error, 'written')}\n`);
    return exitCodes.unusable;
  }
  output.out('Wrote .oomlint.yaml.\n');
  return exitCodes.clean;
}
