import { readFileSync } from 'node:fs';
import { isAbsolute, relative, resolve } from 'node:path';
import { createTwoFilesPatch } from 'diff';
import { autofix } from '../autofix.ts';
import type { Severity } from '../expression/compiled.ts';
import { createLinter, type FileReport, type Linter } from '../linter.ts';
import { checkJson } from '../report/json.ts';
import { textReport } from '../report/text.ts';
import type { Host } from '../value/host.ts';
import type { MachineProfile } from '../value/machine.ts';
import { diskHost } from './diskHost.ts';
import { findFiles } from './files.ts';
import { diskCommonRules, diskKnowledge } from './knowledge.ts';
import { type Output, paletteOf } from './output.ts';
import { decodeText, readTextFile } from './readText.ts';
import { replaceText } from './write.ts';

/** Options of `oomlint check`. */
export interface CheckOptions {
  readonly paths: readonly string[];
  readonly cwd: string;
  readonly format: 'text' | 'json';
  readonly fix: 'none' | 'safe' | 'suggested';
  readonly diff: boolean;
  readonly failOn: Severity | 'never';
  readonly machine: MachineProfile;
  readonly stdinFilename: string | undefined;
  /** Folder with the compiled knowledge. */
  readonly knowledge: string;
}

/** Exit codes: clean, findings at or above the level, usage error or unreadable input. */
export const exitCodes = { clean: 0, findings: 1, unusable: 2 } as const;

interface Input {
  readonly path: string;
  readonly text: string;
}

/** Lints files, prints the report and says how the process should exit. */
export function check(options: CheckOptions, output: Output): number {
  const { inputs, problems } = readInputs(options);
  for (const problem of problems) output.err(`oomlint: ${problem}\n`);
  const host = hostFor(options, inputs);
  const knowledgeOf = diskKnowledge(options.knowledge);
  const commonRules = diskCommonRules(options.knowledge);
  const makeLinter = (over: Host): Linter =>
    createLinter({ host: over, machine: options.machine, knowledgeOf, commonRules });
  const shorten = (path: string): string => shortPath(options.cwd, path);
  let unusable = problems.length > 0;
  let reports: readonly FileReport[];
  let read = (path: string): string | undefined =>
    inputs.find((input) => input.path === path)?.text ?? host.read(path);
  if (options.fix === 'none' && !options.diff) {
    const linter = makeLinter(host);
    reports = inputs.map(({ path, text }) => linter.lint(path, text));
  } else {
    const fixed = autofix(inputs, host, makeLinter, options.fix === 'suggested');
    const original = read;
    if (options.diff) {
      for (const [path, text] of fixed.texts)
        output.out(unifiedDiff(shorten(path), original(path) ?? '', text));
      const linter = makeLinter(host);
      reports = inputs.map(({ path, text }) => linter.lint(path, text));
    } else if (options.stdinFilename !== undefined && options.paths.includes('-')) {
      const path = inputs[0]?.path ?? '';
      output.out(fixed.texts.get(path) ?? inputs[0]?.text ?? '');
      reports = fixed.reports;
      read = (at) => fixed.texts.get(at) ?? original(at);
    } else {
      for (const [path, text] of fixed.texts) {
        const problem = replaceText(path, original(path) ?? '', text);
        if (problem === undefined) continue;
        output.err(`oomlint: ${shorten(path)} ${problem}\n`);
        unusable = true;
      }
      for (const { path, rule, title } of fixed.applied)
        output.err(`fixed ${shorten(path)}: ${title} (${rule})\n`);
      reports = fixed.reports;
      read = (at) => fixed.texts.get(at) ?? original(at);
    }
  }
  const toPipe =
    (options.diff && fixedToStdout(options)) || (options.paths.includes('-') && options.fix !== 'none');
  const write = toPipe ? output.err : output.out;
  if (options.format === 'json') write(`${JSON.stringify(checkJson(reports, { read, shorten }), null, 2)}\n`);
  else write(textReport(reports, { palette: paletteOf(output), width: output.width, shorten, read }));
  if (unusable) return exitCodes.unusable;
  return fails(reports, options.failOn) ? exitCodes.findings : exitCodes.clean;
}

/** With --diff standard output holds the patch alone, so that `git apply` can take it. */
function fixedToStdout(options: CheckOptions): boolean {
  return options.diff;
}

function fails(reports: readonly FileReport[], level: CheckOptions['failOn']): boolean {
  if (level === 'never') return false;
  const rank = { error: 2, warning: 1, info: 0 };
  return reports.some((report) => report.findings.some((finding) => rank[finding.severity] >= rank[level]));
}

/** A path relative to the current folder when it lies there, with `/`. */
export function shortPath(cwd: string, path: string): string {
  const way = relative(cwd, path);
  return (way === '' || way.startsWith('..') || isAbsolute(way) ? path : way).replaceAll('\\', '/');
}

function readInputs(options: CheckOptions): { inputs: Input[]; problems: string[] } {
  if (options.paths.includes('-')) {
    const name = options.stdinFilename ?? 'stdin.sh';
    const read = decodeText(readFileSync(0));
    if ('text' in read)
      return { inputs: [{ path: resolve(options.cwd, name), text: read.text }], problems: [] };
    return { inputs: [], problems: [`standard input ${read.problem}`] };
  }
  const found = findFiles(options.paths, options.cwd);
  const inputs: Input[] = [];
  const problems = found.problems.map(({ path, message }) => `${shortPath(options.cwd, path)} ${message}`);
  for (const path of found.files) {
    const read = readTextFile(path);
    if ('text' in read) inputs.push({ path, text: read.text });
    else problems.push(`${shortPath(options.cwd, path)} ${read.problem}`);
  }
  return { inputs, problems };
}

function hostFor(options: CheckOptions, inputs: readonly Input[]): Host {
  const disk = diskHost([options.cwd]);
  const given = new Map(inputs.map(({ path, text }) => [path, text]));
  return {
    read: (path) => given.get(path) ?? disk.read(path),
    kind: disk.kind,
    list: disk.list,
    rootOf: disk.rootOf,
  };
}

/** A unified diff of one file that `git apply` takes. */
export function unifiedDiff(path: string, before: string, after: string): string {
  const patch = createTwoFilesPatch(`a/${path}`, `b/${path}`, before, after, undefined, undefined, {
    context: 3,
  });
  return `diff --git a/${path} b/${path}\n${patch.replace(/^=+\n/, '').replace(/^(---|\+\+\+) (.*?)\t?$/gm, '$1 $2')}`;
}
