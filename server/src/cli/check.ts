import { appendFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { autofix } from '../autofix.ts';
import { repositoryOf } from '../disk/diskHost.ts';
import { systemProblem } from '../disk/readText.ts';
import type { Severity } from '../expression/compiled.ts';
import type { FileReport } from '../linter.ts';
import { type FormatName, formats, type ReportOptions } from '../report/formats/index.ts';
import { statistics } from '../report/statistics.ts';
import { textReport } from '../report/text.ts';
import type { Certainty } from '../rules/finding.ts';
import type { MachineProfile } from '../value/machine.ts';
import { allRules } from './allRules.ts';
import { unifiedDiff, writeFixes } from './fixing.ts';
import { hostOf, type Input, readInputs, shortPath } from './inputs.ts';
import { type Output, paletteOf } from './output.ts';
import { lintInParallel, threadsFor } from './parallel.ts';
import { openProject, type Project } from './project.ts';
import { select } from './select.ts';
import { withoutWorkings } from './withoutWorkings.ts';

/** Options of `oomlint check`. */
export interface CheckOptions {
  readonly paths: readonly string[];
  readonly cwd: string;
  readonly format: 'text' | FormatName;
  /** File to which a summary in Markdown is appended: GitHub's page for the job. */
  readonly summaryFile?: string | undefined;
  /** Further reports, each into a file. */
  readonly outputs: readonly { readonly format: 'text' | FormatName; readonly file: string }[];
  readonly fix: 'none' | 'safe' | 'suggested';
  readonly diff: boolean;
  /** Undefined: what the configuration says, else `error`. */
  readonly failOn: Severity | 'never' | undefined;
  /** More warnings than this make the exit code 1. */
  readonly maxWarnings: number | undefined;
  readonly minCertainty: Certainty;
  readonly baseline: string | undefined;
  readonly baselineAction: 'apply' | 'update' | 'prune';
  /** Which files are reported on. */
  readonly changed: 'all' | 'staged' | { readonly since: string };
  /** Whether comments that suppress nothing are warnings. */
  readonly reportUnused: boolean;
  readonly statistics: boolean;
  /** Whether project configurations are read. */
  readonly useConfig: boolean;
  readonly machine: MachineProfile;
  readonly stdinFilename: string | undefined;
  /** Folder with the compiled knowledge. */
  readonly knowledge: string;
  readonly version: string;
}

/** Exit codes: clean, findings at or above the level, usage error or unreadable input. */
export const exitCodes = { clean: 0, findings: 1, unusable: 2 } as const;

/** Lints files, prints the report and says how the process should exit. */
export async function check(options: CheckOptions, output: Output): Promise<number> {
  const { inputs, unread, problems } = readInputs(options.paths, options.cwd, options.stdinFilename);
  const host = hostOf(inputs, options.cwd, options.paths);
  const project = await openProject({ ...options, inputs, unread, host, launchesOnly: true });
  const shorten = (path: string): string => shortPath(options.cwd, path);
  const repositories = new Map<string, string | undefined>();
  // Where there is no repository `git apply` works from the current folder.
  const pathInRepository = (path: string): string =>
    shortPath(repositoryOf(path, repositories) ?? options.cwd, path);
  const complaints = [...problems];
  const fixing = options.fix !== 'none' || options.diff;
  const linted = async (): Promise<FileReport[]> => {
    const linter = project.makeLinter(host);
    const lint = ({ path, text }: Input): FileReport => withoutWorkings(linter.lint(path, text));
    if (threadsFor(inputs.length) === 1 || options.paths.includes('-')) return inputs.map(lint);
    // The configurations that only helpers would read are read here too, so that their faults are told.
    for (const { path } of inputs) project.settingsOf(path);
    const { cwd, paths: named, machine, knowledge, useConfig } = options;
    return lintInParallel(inputs, lint, { cwd, named, machine, knowledge, useConfig });
  };
  let reports: readonly FileReport[];
  let read = host.read;
  // Standard output holds the patch or the fixed text alone, so that it can be piped on.
  const piped = options.diff || (fixing && options.paths.includes('-'));
  if (!fixing) reports = await linted();
  else {
    const fixed = autofix(inputs, host, project.makeLinter, options.fix === 'suggested');
    if (options.diff) {
      for (const [path, text] of fixed.texts)
        output.out(unifiedDiff(pathInRepository(path), host.read(path) ?? '', text));
      reports = await linted();
    } else {
      if (piped) for (const { path, text } of inputs) output.out(fixed.texts.get(path) ?? text);
      else complaints.push(...writeFixes(fixed, host.read, shorten));
      for (const { path, rule, title } of fixed.applied)
        output.err(`fixed ${shorten(path)}: ${title} (${rule})\n`);
      reports = fixed.reports;
      read = (path) => fixed.texts.get(path) ?? host.read(path);
    }
  }
  complaints.push(...project.problems());
  const selected = await select(reports, options, shorten);
  reports = selected.reports;
  complaints.push(...selected.problems);
  for (const complaint of complaints) output.err(`oomlint: ${complaint}\n`);
  for (const line of selected.notes) output.err(`${line}\n`);
  const knowledge = options.knowledge;
  const rules = (): ReturnType<typeof allRules> => allRules(knowledge);
  let rulesById: Map<string, ReturnType<typeof allRules>[number]> | undefined;
  const reportOptions: ReportOptions = {
    read,
    shorten,
    version: options.version,
    rule: (id) => {
      rulesById ??= new Map(rules().map((rule) => [rule.id, rule]));
      return rulesById.get(id);
    },
  };
  const rendered = (format: 'text' | FormatName, out: Output): string =>
    format === 'text'
      ? textReport(reports, { ...reportOptions, palette: paletteOf(out), width: out.width })
      : formats[format](reports, reportOptions);
  (piped ? output.err : output.out)(rendered(options.format, output));
  if (options.statistics) (piped || options.format !== 'text' ? output.err : output.out)(statistics(reports));
  for (const { format, file } of options.outputs) {
    try {
      writeFileSync(resolve(options.cwd, file), rendered(format, { ...output, colour: false, width: 100 }));
    } catch (error) {
      complaints.push(file);
      output.err(`oomlint: ${file} ${systemProblem(error).replace('cannot be read', 'cannot be written')}\n`);
    }
  }
  if (options.summaryFile !== undefined) {
    const problem = await appendSummary(options.summaryFile, reports, reportOptions);
    if (problem !== undefined) output.err(`oomlint: ${problem}\n`);
  }
  if (complaints.length > 0) return exitCodes.unusable;
  const failed = selected.stale || fails(reports, options, project) || tooManyWarnings(reports, options);
  return failed ? exitCodes.findings : exitCodes.clean;
}

/** Adds the summary to a file. @returns what went wrong: a summary that cannot be written does not change the exit code. */
async function appendSummary(
  file: string,
  reports: readonly FileReport[],
  options: ReportOptions,
): Promise<string | undefined> {
  const { githubSummary } = await import('../report/formats/github.ts');
  try {
    appendFileSync(file, githubSummary(reports, options));
    return undefined;
  } catch (error) {
    return `${file} ${systemProblem(error).replace('cannot be read', 'cannot be written')}`;
  }
}

function fails(reports: readonly FileReport[], options: CheckOptions, project: Project): boolean {
  const rank = { error: 2, warning: 1, info: 0, never: 3 };
  return reports.some((report) => {
    const level = options.failOn ?? project.settingsOf(report.path)?.failOn ?? 'error';
    return report.findings.some((finding) => rank[finding.severity] >= rank[level]);
  });
}

function tooManyWarnings(reports: readonly FileReport[], { maxWarnings }: CheckOptions): boolean {
  if (maxWarnings === undefined) return false;
  const warnings = reports
    .flatMap(({ findings }) => findings)
    .filter(({ severity }) => severity === 'warning');
  return warnings.length > maxWarnings;
}
