import { hasConfigName } from '../config/discover.ts';
import type { InputProblem } from '../disk/files.ts';
import { installedKnowledge } from '../disk/knowledge.ts';
import type { Severity } from '../expression/compiled.ts';
import type { FileReport } from '../linter.ts';
import { kindOf } from '../recognise.ts';
import { clean } from '../report/clean.ts';
import type { FormatName } from '../report/formats/index.ts';
import type { Host } from '../value/host.ts';
import type { MachineProfile } from '../value/machine.ts';
import { deliver } from './deliver.ts';
import type { Fixed } from './fixing.ts';
import {
  hostOf,
  hostOfNameless,
  type Input,
  namedFile,
  namedFiles,
  readInputs,
  shortPath,
} from './inputs.ts';
import { type Keeping, keepingFor, lintInputs } from './lintInputs.ts';
import type { Output } from './output.ts';
import { openProject, type Project } from './project.ts';
import { refuseUnknownRules } from './ruleFilter.ts';
import { select } from './select.ts';
import { UsageError } from './usage.ts';
import type { Wanted } from './wanted.ts';

/** Options of `oomlint check`. */
export interface CheckOptions extends Wanted {
  readonly paths: readonly string[];
  readonly cwd: string;
  readonly format: 'text' | FormatName;
  /** File to which a summary in Markdown is appended: GitHub's page for the job. */
  readonly summaryFile?: string | undefined;
  /** Further reports, each written to a file. */
  readonly outputs: readonly { readonly format: 'text' | FormatName; readonly file: string }[];
  readonly fix: 'none' | 'safe' | 'suggested';
  readonly diff: boolean;
  /** If undefined: the configuration's level, or else `error`. */
  readonly failOn: Severity | 'never' | undefined;
  /** More warnings than this make the exit code 1. */
  readonly maxWarnings: number | undefined;
  readonly baseline: string | undefined;
  readonly baselineAction: 'apply' | 'update' | 'prune';
  /** Which files to report on. */
  readonly changed: 'all' | 'staged' | { readonly since: string };
  /** Whether comments that suppress nothing are reported as warnings. */
  readonly reportUnused: boolean;
  readonly statistics: boolean;
  /** Whether to list the files that would be linted, without linting. */
  readonly listsFiles: boolean;
  /** Whether project configurations are read. */
  readonly useConfig: boolean;
  readonly machine: MachineProfile;
  readonly stdinFilename: string | undefined;
  /** Whether to use reports of earlier runs and to keep new ones. */
  readonly cache: boolean;
  /** Environment variables, which determine the user's cache folder. */
  readonly environment: NodeJS.ProcessEnv;
  /** Folder with the compiled knowledge. */
  readonly knowledge: string;
  readonly version: string;
}

/** Exit codes: clean, findings at or above the level, usage error or unreadable input. */
export const exitCodes = { clean: 0, findings: 1, unusable: 2 } as const;

/** What a run works on. */
export interface OpenedRun {
  readonly options: CheckOptions;
  readonly inputs: readonly Input[];
  readonly host: Host;
  readonly project: Project;
  readonly keeping: Keeping | undefined;
}

/** Lints files, prints the report and says how the process should exit. */
export async function check(options: CheckOptions, output: Output): Promise<number> {
  const read = readInputs(options.paths, options.cwd, options.stdinFilename);
  const { inputs, problems } = read;
  refuseOverwriting(options, inputs);
  const unread = await unreadChanged(read.unread, options);
  const isNameless = options.paths.includes('-') && options.stdinFilename === undefined;
  const workspace = hostOf(inputs, options.cwd, options.paths);
  const host = isNameless ? hostOfNameless(workspace) : workspace;
  const keeping = await keepingFor(options, inputs, host);
  const noted = keeping?.noting.host ?? host;
  const knowledge = installedKnowledge(options.knowledge);
  const project = await openProject({
    ...options,
    knowledge,
    inputs,
    unread,
    host: noted,
    launchesOnly: true,
  });
  refuseUnknownRules(options.rules, { knowledge: options.knowledge, inputs, project });
  const run: OpenedRun = { options, inputs, host: noted, project, keeping };
  if (options.listsFiles) return listFiles(run, problems, output);
  const all = await lintedOrFixed(run, output);
  const selected = await select(all.reports, options, project);
  const complaints = [...problems, ...all.problems, ...project.problems(), ...selected.problems];
  for (const complaint of complaints) output.err(`oomlint: ${clean(complaint)}\n`);
  for (const line of [...leftOut(run), ...passedOver(run), ...selected.notes]) output.err(`${clean(line)}\n`);
  const { stale } = selected;
  const reports = selected.reports.filter(
    ({ path, findings }) => findings.length > 0 || project.settingsOf(path)?.excluded !== true,
  );
  const undelivered = await deliver(reports, all.read, {
    options,
    output,
    useless: complaints.length > 0,
    allWritten: all.problems.length === 0,
  });
  if (complaints.length > 0 || undelivered) return exitCodes.unusable;
  return stale || fails(reports, options, project) || tooManyWarnings(reports, options)
    ? exitCodes.findings
    : exitCodes.clean;
}

/** Prints the files that would be linted, one per line: those named or found that are a script or YAML and not excluded. */
function listFiles(
  { options, inputs, project }: OpenedRun,
  problems: readonly string[],
  output: Output,
): number {
  for (const { path, text } of inputs)
    if (project.settingsOf(path)?.excluded !== true && kindOf(path, text) !== 'other')
      output.out(`${clean(shortPath(options.cwd, path))}\n`);
  const complaints = [...problems, ...project.problems()];
  for (const complaint of complaints) output.err(`oomlint: ${clean(complaint)}\n`);
  return complaints.length > 0 ? exitCodes.unusable : exitCodes.clean;
}

/** Rejects reports that would overwrite a linted file or each other. */
function refuseOverwriting({ cwd, outputs }: CheckOptions, inputs: readonly Input[]): void {
  const taken = new Map(inputs.map(({ path }) => [path, 'is one of the files to lint']));
  for (const { file } of outputs) {
    const path = namedFile(cwd, file);
    const use = taken.get(path);
    if (use !== undefined) throw new UsageError(`--output: ${file} ${use}`);
    taken.set(path, 'is used for two reports');
  }
}

/** The reports of a run, after any fixes, with the texts that they refer to and what went wrong. */
async function lintedOrFixed(run: OpenedRun, output: Output): Promise<Fixed> {
  const { options, host } = run;
  if (options.fix === 'none' && !options.diff)
    return { reports: await lintInputs(run), read: host.read, problems: [] };
  const { fixInputs } = await import('./fixing.ts');
  return fixInputs(run, () => lintInputs(run), output);
}

/** The unreadable files that this run is about. */
async function unreadChanged(
  unread: readonly InputProblem[],
  { cwd, changed }: CheckOptions,
): Promise<readonly InputProblem[]> {
  if (changed === 'all' || unread.length === 0) return unread;
  const { changedFiles } = await import('./changed.ts');
  const listed = changedFiles(cwd, changed === 'staged' ? undefined : changed.since);
  return 'problem' in listed ? [] : unread.filter(({ path }) => listed.has(path));
}

/** Maximum number of skipped files that are named. */
const mostPassedOver = 3;

/** Files that are named on the command line but excluded by the configuration. */
function leftOut({ options, inputs, project }: OpenedRun): string[] {
  const named = new Set(options.paths.map(namedFiles(options.cwd)));
  return inputs
    .filter(({ path }) => named.has(path) && project.settingsOf(path)?.excluded === true)
    .map(({ path }) => `${shortPath(options.cwd, path)} is excluded by the configuration`);
}

/** Named files that count as neither a shell script nor YAML, if there is nothing else to lint: the report would sound as if they were fine. */
function passedOver({ options, inputs }: OpenedRun): string[] {
  const isRead = ({ path, text }: Input): boolean => kindOf(path, text) !== 'other' || hasConfigName(path);
  if (options.paths.includes('-') || inputs.some(isRead)) return [];
  return inputs.slice(0, mostPassedOver).map(({ path }) => {
    const name = shortPath(options.cwd, path);
    return `${name} was skipped: neither its name nor a first line with #! makes it a shell script or YAML. To lint it as a script: oomlint check - < ${name}`;
  });
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
