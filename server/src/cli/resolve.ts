import { resolve } from 'node:path';
import { createLinter } from '../linter.ts';
import { resolveJson, resolveText } from '../report/resolve.ts';
import type { MachineProfile } from '../value/machine.ts';
import { exitCodes } from './check.ts';
import { hostOf, shortPath } from './inputs.ts';
import { diskCommonRules, diskKnowledge } from './knowledge.ts';
import { type Output, paletteOf } from './output.ts';
import { readTextFile } from './readText.ts';

/** Prints the launches of one file. */
export function resolveFile(
  options: {
    readonly file: string;
    readonly cwd: string;
    readonly format: 'text' | 'json';
    readonly machine: MachineProfile;
    readonly knowledge: string;
  },
  output: Output,
): number {
  const path = resolve(options.cwd, options.file);
  const file = readTextFile(path);
  if (!('text' in file)) {
    output.err(`oomlint: ${options.file} ${file.problem}\n`);
    return exitCodes.unusable;
  }
  const host = hostOf([{ path, text: file.text }], options.cwd);
  const report = createLinter({
    host,
    machine: options.machine,
    knowledgeOf: diskKnowledge(options.knowledge),
    commonRules: diskCommonRules(options.knowledge),
  }).lint(path, file.text);
  const json = { read: (at: string) => host.read(at), shorten: (at: string) => shortPath(options.cwd, at) };
  if (options.format === 'json') output.out(`${JSON.stringify(resolveJson(report, json), null, 2)}\n`);
  else output.out(resolveText(report, { ...json, palette: paletteOf(output) }));
  return exitCodes.clean;
}
