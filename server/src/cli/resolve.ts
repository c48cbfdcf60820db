import { installedKnowledge } from '../disk/knowledge.ts';
import { readTextFile, readTextOf } from '../disk/readText.ts';
import { resolveJson, resolveText } from '../report/resolve.ts';
import type { MachineProfile } from '../value/machine.ts';
import { exitCodes } from './check.ts';
import { hostOf, hostOfNameless, namedFile, namelessFile, shortPath } from './inputs.ts';
import { type Output, paletteOf } from './output.ts';
import { openProject } from './project.ts';

/** Prints the launches of one file, with the values that the project's configuration sets. */
export async function resolveFile(
  options: {
    readonly file: string;
    readonly cwd: string;
    readonly format: 'text' | 'json';
    readonly machine: MachineProfile;
    readonly knowledge: string;
  },
  output: Output,
): Promise<number> {
  const isNameless = options.file === '-';
  const path = namedFile(options.cwd, isNameless ? namelessFile : options.file);
  const file = isNameless ? readTextOf(0) : readTextFile(path);
  if (!('text' in file)) {
    output.err(`oomlint: ${isNameless ? 'standard input' : options.file} ${file.problem}\n`);
    return exitCodes.unusable;
  }
  const inputs = [{ path, text: file.text }];
  const workspace = hostOf(inputs, options.cwd);
  const host = isNameless ? hostOfNameless(workspace) : workspace;
  const knowledge = installedKnowledge(options.knowledge);
  const project = await openProject({
    ...options,
    knowledge,
    inputs,
    host,
    useConfig: true,
    anyProgram: true,
  });
  const report = project.makeLinter(host).lint(path, file.text);
  for (const problem of project.problems()) output.err(`oomlint: ${problem}\n`);
  const json = {
    read: (at: string) => host.read(at),
    shorten: (at: string) => shortPath(options.cwd, at),
    knowledgeOf: knowledge.knowledgeOf,
  };
  if (options.format === 'json') output.out(`${JSON.stringify(resolveJson(report, json), null, 2)}\n`);
  else output.show(resolveText(report, { ...json, palette: paletteOf(output), width: output.width }));
  return exitCodes.clean;
}
