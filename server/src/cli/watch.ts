import { posix } from 'node:path';
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
import { hostOf, namedFile, readInputs, shortPath } from './inputs.ts';
import { type Output, paletteOf } from './output.ts';
import { openProject } from './project.ts';
import { refuseUnknownRules } from './ruleFilter.ts';
import { UsageError } from './usage.ts';
import { isWanted, type Wanted } from './wanted.ts';

/** Options of `oomlint watch`. */
export interface WatchOptions extends Wanted {
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
  /** The root of a file's workspace. */
  readonly rootOf: (path: string) => string | undefined;
}

/** Reports of all files; unchanged files that use nothing that changed keep the report of the last round. */
async function lintRound(
  options: WatchOptions,
  knowledge: InstalledKnowledge,
  last: Round | undefined,
  changed: ReadonlySet<string> | undefined,
): Promise<Round> {
  const { inputs, unread, problems } = readInputs(options.paths, options.cwd, undefined);
  const host = hostOf(inputs, options.cwd, options.paths);
  const project = await openProject({ ...options, knowledge, inputs, unread, host, useConfig: true });
  if (last === undefined)
    refuseUnknownRules(options.rules, { knowledge: options.knowledge, inputs, project });
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

/** The files with a different text than before, the new ones and the removed ones. */
export function changedPaths(
  before: ReadonlyMap<string, Pick<FileReport, 'text'>> | undefined,
  after: ReadonlyMap<string, Pick<FileReport, 'text'>>,
): readonly string[] {
  if (before === undefined) return [];
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths].filter((path) => before.get(path)?.text !== after.get(path)?.text);
}

function isSame(one: Round, other: Round): boolean {
  return (
    one.reports.size === other.reports.size &&
    [...one.reports].every(([path, report]) => isSameReport(report, other.reports.get(path))) &&
    one.problems.join('\n') === other.problems.join('\n')
  );
}

/** Whether a report, even if made anew, says the same about the same text. */
function isSameReport(one: FileReport, other: FileReport | undefined): boolean {
  return (
    one === other ||
    (one.text === other?.text && JSON.stringify(one.findings) === JSON.stringify(other.findings))
  );
}

/** Lints, then lints again whenever something below the paths or a used file changes, until the process is stopped. */
export async function watch(options: WatchOptions, output: Output): Promise<void> {
  const watcher = new Watcher(options, output);
  for (const path of options.paths.length === 0 ? ['.'] : options.paths) watcher.follow(path);
  const { inputs, problems } = readInputs(options.paths, options.cwd, undefined);
  if (inputs.length === 0 && problems.length > 0) throw new UsageError(problems.join('\noomlint: '));
  await watcher.lint(undefined);
  await new Promise<void>((done) => {
    const stop = (): void => {
      watcher.close();
      done();
    };
    process.once('SIGINT', stop);
    process.once('SIGTERM', stop);
  });
}

/** Whether a file may affect the report of a file: linted texts, programs, configurations and Git's ignore files. */
function mayMatter(path: string): boolean {
  const kinds = [isShellName, isYamlName, isPythonName, isIgnoreFile];
  return path.endsWith('.toml') || kinds.some((isOfKind) => isOfKind(path));
}

/** Lints in rounds, one after the other, and prints those with something new. */
class Watcher {
  readonly #options: WatchOptions;
  readonly #output: Output;
  readonly #knowledge: InstalledKnowledge;
  readonly #folders: FolderWatch;
  readonly #changed = new Set<string>();
  #last: Round | undefined;
  #timer: NodeJS.Timeout | undefined;
  #running = Promise.resolve();

  constructor(options: WatchOptions, output: Output) {
    this.#options = options;
    this.#output = output;
    this.#knowledge = installedKnowledge(options.knowledge);
    this.#folders = new FolderWatch(
      (path) => this.#note(path),
      (folder, reason) =>
        output.err(`oomlint: ${clean(`${this.#shorten(folder)} cannot be watched: ${reason}`)}\n`),
    );
  }

  /** Watches everything below a path, if it is a folder. */
  follow(path: string): void {
    const full = namedFile(this.#options.cwd, path);
    if (isFolder(full)) this.#folders.add(full, true);
  }

  /** @param now the changed files; undefined for the first round */
  async lint(now: ReadonlySet<string> | undefined): Promise<void> {
    const output = this.#output;
    for (const path of now ?? []) this.#changed.delete(path);
    // A configuration affects every file below it, a program every file that may start it, and what Git ignores may exist where the job runs.
    const all = [...(now ?? [])].some(
      (file) => isPythonName(file) || isIgnoreFile(file) || hasConfigName(file),
    );
    const last = this.#last;
    const round = await lintRound(this.#options, this.#knowledge, last, all ? undefined : now);
    this.#last = round;
    for (const folder of usedFolders(round)) this.#folders.add(folder, false);
    if (last !== undefined && isSame(last, round)) return;
    const { dim } = paletteOf(output);
    if (now !== undefined) {
      // A round may read more changes than were announced so far: a checkout changes one file after another.
      const paths = new Set([...now, ...changedPaths(last?.reports, round.reports)]);
      const changed = [...paths].map((path) => this.#shorten(path)).join(', ');
      output.show(`\n${dim(`── changed: ${clean(changed)}`)}\n\n`);
    }
    for (const problem of round.problems) output.err(`oomlint: ${clean(problem)}\n`);
    this.#show(round);
    output.show(dim('Watching for changes; press Ctrl+C to stop.\n'));
  }

  close(): void {
    this.#folders.close();
    clearTimeout(this.#timer);
  }

  #note(path: string): void {
    if (!mayMatter(path)) return;
    this.#changed.add(path);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#running = this.#running.then(() => this.lint(new Set(this.#changed)));
    }, settle);
  }

  #show({ reports, read }: Round): void {
    const output = this.#output;
    const wanted = distinctFindings([...reports.values()]).map((report) => ({
      ...report,
      findings: report.findings.filter((finding) => isWanted(finding, this.#options)),
    }));
    output.show(
      textReport(wanted, {
        palette: paletteOf(output),
        width: output.width,
        shorten: (path) => this.#shorten(path),
        read,
      }),
    );
  }

  #shorten(path: string): string {
    return shortPath(this.#options.cwd, path);
  }
}

/** The folders of the files and of what they use, and their parents, where a configuration may be. */
function usedFolders({ reports, rootOf }: Round): Set<string> {
  const folders = new Set<string>();
  for (const { path, sources } of reports.values())
    for (const file of [path, ...sources]) {
      const root = rootOf(file);
      for (let folder = posix.dirname(file); !folders.has(folder); folder = posix.dirname(folder)) {
        folders.add(folder);
        if (root === undefined || folder === root || folder === posix.dirname(folder)) break;
      }
    }
  return folders;
}
