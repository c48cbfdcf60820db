import { dirname, resolve } from 'node:path';
import { hasConfigName } from '../config/discover.ts';
import { isFolder } from '../disk/files.ts';
import { type InstalledKnowledge, installedKnowledge } from '../disk/knowledge.ts';
import type { FileReport } from '../linter.ts';
import { clean } from '../report/clean.ts';
import { distinctFindings } from '../report/distinct.ts';
import { textReport } from '../report/text.ts';
import { isIgnoreFile, isPythonName, isShellName, isYamlName } from '../text/fileNames.ts';
import type { MachineProfile } from '../value/machine.ts';
import { FolderWatch } from './folderWatch.ts';
import { hostOf, readInputs, shortPath } from './inputs.ts';
import { type Output, paletteOf } from './output.ts';
import { openProject } from './project.ts';
import { UsageError } from './usage.ts';

/** Options of `oomlint watch`. */
export interface WatchOptions {
  readonly paths: readonly string[];
  readonly cwd: string;
  readonly knowledge: string;
  readonly machine: MachineProfile;
}

/** Milliseconds that a change may take to settle: editors write a file in several steps. */
const settle = 40;

interface Round {
  readonly reports: ReadonlyMap<string, FileReport>;
  readonly read: (path: string) => string | undefined;
  readonly problems: readonly string[];
  /** The top of the workspace of each file. */
  readonly rootOf: (path: string) => string | undefined;
}

/** Reports of all files; those that did not change, and use nothing that changed, are taken from the last round. */
async function lintRound(
  options: WatchOptions,
  knowledge: InstalledKnowledge,
  last: Round | undefined,
  changed: ReadonlySet<string> | undefined,
): Promise<Round> {
  const { inputs, unread, problems } = readInputs(options.paths, options.cwd, undefined);
  const host = hostOf(inputs, options.cwd, options.paths);
  const project = await openProject({ ...options, knowledge, inputs, unread, host, useConfig: true });
  const linter = project.makeLinter(host);
  const reports = new Map<string, FileReport>();
  for (const { path, text } of inputs) {
    const known = last?.reports.get(path);
    const fresh =
      known !== undefined &&
      changed !== undefined &&
      known.text === text &&
      !known.sources.some((source) => changed.has(source));
    reports.set(path, fresh ? known : linter.lint(path, text));
  }
  return {
    reports,
    read: host.read,
    problems: [...problems, ...project.problems()],
    rootOf: (path) => host.rootOf(path),
  };
}

function isSame(one: Round, other: Round): boolean {
  return (
    one.reports.size === other.reports.size &&
    [...one.reports].every(([path, report]) => isSameReport(report, other.reports.get(path))) &&
    one.problems.join('\n') === other.problems.join('\n')
  );
}

/** Whether a report, which may have been made anew, says the same of the same text. */
function isSameReport(one: FileReport, other: FileReport | undefined): boolean {
  return (
    one === other ||
    (one.text === other?.text && JSON.stringify(one.findings) === JSON.stringify(other.findings))
  );
}

/** Lints, then lints again whenever something below the paths, or a file that is used, changes, until the process is stopped. */
export async function watch(options: WatchOptions, output: Output): Promise<void> {
  const palette = paletteOf(output);
  const knowledge = installedKnowledge(options.knowledge);
  const shorten = (path: string): string => shortPath(options.cwd, path);
  const changed = new Set<string>();
  let last: Round | undefined;
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  const folders = new FolderWatch(
    (path) => {
      const kinds = [isShellName, isYamlName, isPythonName, isIgnoreFile];
      if (!(path.endsWith('.toml') || kinds.some((isOfKind) => isOfKind(path)))) return;
      changed.add(path);
      clearTimeout(timer);
      timer = setTimeout(() => {
        running = running.then(() => next(new Set(changed)));
      }, settle);
    },
    (folder, reason) =>
      output.err(`oomlint: changes in ${clean(`${shorten(folder)} are not noticed: ${reason}`)}\n`),
  );
  const next = async (now: ReadonlySet<string> | undefined): Promise<void> => {
    for (const path of now ?? []) changed.delete(path);
    // A configuration concerns every file below it, a program all that may start it, and what Git ignores may be where the job runs.
    const all = [...(now ?? [])].some(
      (file) => isPythonName(file) || isIgnoreFile(file) || hasConfigName(file),
    );
    const round = await lintRound(options, knowledge, last, all ? undefined : now);
    const same = last !== undefined && isSame(last, round);
    last = round;
    for (const folder of usedFolders(round)) folders.add(folder, false);
    if (same) return;
    if (now !== undefined)
      output.show(`\n${palette.dim(`── changed: ${clean([...now].map(shorten).join(', '))}`)}\n\n`);
    for (const problem of round.problems) output.err(`oomlint: ${clean(problem)}\n`);
    const { width } = output;
    output.show(
      textReport(distinctFindings([...round.reports.values()]), {
        palette,
        width,
        shorten,
        read: round.read,
      }),
    );
    output.show(palette.dim('Watching for changes; Ctrl+C ends.\n'));
  };
  for (const path of options.paths.length === 0 ? ['.'] : options.paths) {
    const full = resolve(options.cwd, path);
    if (isFolder(full)) folders.add(full, true);
  }
  const { inputs, problems } = readInputs(options.paths, options.cwd, undefined);
  if (inputs.length === 0 && problems.length > 0) throw new UsageError(problems.join('\noomlint: '));
  await next(undefined);
  await new Promise<void>((done) => {
    const stop = (): void => {
      folders.close();
      clearTimeout(timer);
      done();
    };
    process.once('SIGINT', stop);
    process.once('SIGTERM', stop);
  });
}

/** The folders of the files and of what they use, and those above, where a configuration may stand. */
function usedFolders({ reports, rootOf }: Round): Set<string> {
  const folders = new Set<string>();
  for (const { path, sources } of reports.values())
    for (const file of [path, ...sources]) {
      const root = rootOf(file);
      for (let folder = dirname(file); !folders.has(folder); folder = dirname(folder)) {
        folders.add(folder);
        if (root === undefined || folder === root || folder === dirname(folder)) break;
      }
    }
  return folders;
}
