import { join } from 'node:path';
import type { RecordingHost } from '../disk/answers.ts';
import type { FileReport } from '../linter.ts';
import type { Host } from '../value/host.ts';
import type { CheckOptions, OpenedRun } from './check.ts';
import { limitedNewObjects } from './collecting.ts';
import type { Input } from './inputs.ts';
import type { KeptReports } from './keptReports.ts';
import type { Linted } from './threads/messages.ts';
import { threadsFor } from './threads/threadCount.ts';
import { withoutEditorData } from './withoutEditorData.ts';

/**
 * Minimum number of files for keeping reports: fewer are linted faster than the reports of an earlier run are read and compared with the disk.
 */
const fewestKept = 40;

/** Where a run keeps its reports, and the host that records what they are made from. */
export interface Keeping {
  readonly file: string;
  readonly noting: RecordingHost;
  /** The same workspace, without recording. */
  readonly workspace: Host;
}

/** How a run over some files keeps its reports; undefined if that does not pay off or is not wanted. */
export async function keepingFor(
  options: CheckOptions,
  inputs: readonly Input[],
  host: Host,
): Promise<Keeping | undefined> {
  if (!options.cache || inputs.length < fewestKept) return undefined;
  const { cwd, machine, useConfig, knowledge, environment } = options;
  const { reportsFile } = await import('./keptReports.ts');
  const { recordingHost } = await import('../disk/answers.ts');
  const file = reportsFile({ program: join(knowledge, '..'), cwd, machine, useConfig }, environment);
  return file === undefined ? undefined : { file, noting: recordingHost(host), workspace: host };
}

/** Lints all inputs, on several threads if that pays off, except those whose report of an earlier run is still valid. */
export async function lintInputs(run: OpenedRun): Promise<FileReport[]> {
  const { inputs, project, keeping } = run;
  // Also reads the configurations that only helper threads would read: this reports their errors and records what every report depends on.
  for (const { path } of inputs) project.settingsOf(path);
  const kept = keeping === undefined ? undefined : await openKept(keeping);
  const found = inputs.map((input) => kept?.find(input));
  const missing = inputs.filter((_, at) => found[at] === undefined);
  const linted = await lintAll(missing, run);
  missing.forEach((input, at) => {
    const one = linted[at];
    if (one !== undefined && !project.failed(input.path)) kept?.keep(input, one.report, one.answers);
  });
  kept?.save();
  const fresh = linted.values();
  return found.flatMap((report) => report ?? fresh.next().value?.report ?? []);
}

async function openKept({ file, noting, workspace }: Keeping): Promise<KeptReports> {
  const { KeptReports } = await import('./keptReports.ts');
  return new KeptReports(file, workspace, noting.taken());
}

async function lintAll(
  inputs: readonly Input[],
  { options, host, project, keeping }: OpenedRun,
): Promise<Linted[]> {
  const linter = project.makeLinter(host);
  const lint = ({ path, text }: Input): Linted => ({
    report: withoutEditorData(linter.lint(path, text)),
    answers: keeping?.noting.taken() ?? [],
  });
  if (threadsFor(inputs.length) === 1 || options.paths.includes('-')) return lintInTurn(inputs, lint);
  const { cwd, paths: named, machine, knowledge, useConfig } = options;
  const { lintInParallel } = await import('./threads/parallel.ts');
  return lintInParallel(inputs, lint, {
    cwd,
    named,
    machine,
    knowledge,
    useConfig,
    noting: keeping !== undefined,
  });
}

function lintInTurn(inputs: readonly Input[], lint: (input: Input) => Linted): Linted[] {
  const limitNewObjects = limitedNewObjects();
  return inputs.map((input) => {
    limitNewObjects();
    return lint(input);
  });
}
