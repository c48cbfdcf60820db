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

/** The files that have another text than before, that are new, or that are gone. */
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

/** Whether a report, which may have been made anew, says the same of the same text. */
function isSameReport(one: FileReport, other: FileReport | undefined): boolean {
  return (
    one === other ||
    (one.text === other?.text && JSON.stringify(one.findings) === JSON.stringify(other.findings))
  );
}

/** Lints, then lints again whenever something below the paths, or a file that is used, changes, until the process is stopped. */
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

/** What may change the report of a file: texts that are linted, programs, configurations, and what Git ignores. */
function mayMatter(path: string): boolean {
  const kinds = [isShellName, isYamlName, isPythonName, isIgnoreFile];
  return path.endsWith('.toml') || kinds.some((isOfKind) => isOfKind(path));
}

/** Lints in rounds, one behind the other, and prints those that say something new. */
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

  /** Watches all that lies below a path, where that is a folder. */
  follow(path: string): void {
    const full = namedFile(this.#options.cwd, path);
    if (isFolder(full)) this.#folders.add(full, true);
  }

  /** @param now the files that have changed; undefined for the first round */
  async lint(now: ReadonlySet<string> | undefined): Promise<void> {
    const output = this.#output;
    for (const path of now ?? []) this.#changed.delete(path);
    // A configuration concerns every file below it, a program all that may start it, and what Git ignores may be where the job runs.
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
      // A round may read more than was told of so far: a checkout changes one file after another.
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

/** The folders of the files and of what they use, and those above, where a configuration may stand. */
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
