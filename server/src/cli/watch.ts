import { type FSWatcher, watch as watchFolder } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { FileReport } from '../linter.ts';
import { textReport } from '../report/text.ts';
import type { MachineProfile } from '../value/machine.ts';
import { hostOf, readInputs, shortPath } from './inputs.ts';
import { type Output, paletteOf } from './output.ts';
import { openProject } from './project.ts';

/** Options of `oomlint watch`. */
export interface WatchOptions {
  readonly paths: readonly string[];
  readonly cwd: string;
  readonly knowledge: string;
  readonly machine: MachineProfile;
}

/** Milliseconds that a change may take to settle: editors write a file in several steps. */
const settle = 40;

/** Reports of all files; those that did not change, and use nothing that changed, are taken from the last round. */
async function lintRound(
  options: WatchOptions,
  last: ReadonlyMap<string, FileReport>,
  changed: ReadonlySet<string> | undefined,
): Promise<{
  readonly reports: Map<string, FileReport>;
  readonly read: (path: string) => string | undefined;
  readonly problems: readonly string[];
}> {
  const { inputs, unread, problems } = readInputs(options.paths, options.cwd, undefined);
  const host = hostOf(inputs, options.cwd, options.paths);
  const project = await openProject({ ...options, inputs, unread, host, useConfig: true });
  const linter = project.makeLinter(host);
  const reports = new Map<string, FileReport>();
  for (const { path, text } of inputs) {
    const known = last.get(path);
    const fresh =
      known !== undefined &&
      changed !== undefined &&
      known.text === text &&
      !known.sources.some((source) => changed.has(source));
    reports.set(path, fresh ? known : linter.lint(path, text));
  }
  return { reports, read: host.read, problems: [...problems, ...project.problems()] };
}

/** Lints, then lints again whenever something below the paths changes, until the process is stopped. */
export async function watch(options: WatchOptions, output: Output): Promise<void> {
  let reports = new Map<string, FileReport>();
  const show = async (changed: ReadonlySet<string> | undefined): Promise<void> => {
    const round = await lintRound(options, reports, changed);
    reports = round.reports;
    for (const problem of round.problems) output.err(`oomlint: ${problem}\n`);
    output.out(
      textReport([...reports.values()], {
        palette: paletteOf(output),
        width: output.width,
        shorten: (path) => shortPath(options.cwd, path),
        read: round.read,
      }),
    );
    output.out('Watching for changes; Ctrl+C ends.\n');
  };
  await show(undefined);
  const changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  const notice = (path: string): void => {
    if (!/\.(sh|bash|slurm|sbatch|slrm|job|ya?ml|toml)$/i.test(path)) return;
    changed.add(path);
    clearTimeout(timer);
    timer = setTimeout(() => {
      const now = new Set(changed);
      changed.clear();
      // A configuration concerns every file below it.
      const all = [...now].some((file) => /(?:^|[\\/])(?:\.oomlint\.ya?ml|pyproject\.toml)$/.test(file));
      running = running.then(() => show(all ? undefined : now));
    }, settle);
  };
  const folders = new Set(
    (options.paths.length === 0 ? ['.'] : options.paths).map((path) => {
      const full = resolve(options.cwd, path);
      return /\.\w+$/.test(full) ? dirname(full) : full;
    }),
  );
  const watchers: FSWatcher[] = [...folders].map((folder) =>
    watchFolder(folder, { recursive: true }, (_, name) => {
      if (name !== null) notice(resolve(folder, name));
    }),
  );
  await new Promise<void>((done) => {
    const stop = (): void => {
      for (const watcher of watchers) watcher.close();
      clearTimeout(timer);
      done();
    };
    process.once('SIGINT', stop);
    process.once('SIGTERM', stop);
  });
}
