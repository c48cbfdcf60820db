import { formatPatch, structuredPatch } from 'diff';
import { autofix } from '../autofix.ts';
import { isWithin, repositoryOf } from '../disk/projects.ts';
import type { FileReport } from '../linter.ts';
import { clean } from '../report/clean.ts';
import { plural } from '../report/text.ts';
import type { OpenedRun } from './check.ts';
import { isPiped } from './deliver.ts';
import { namedFile, shortPath } from './inputs.ts';
import type { Output } from './output.ts';
import { acceptedBy, reportsOfChanged } from './select.ts';
import { isWanted } from './wanted.ts';
import { realPath } from './write.ts';
import { writeFixes } from './writeFixes.ts';

/** The reports to show, for the texts that `read` returns, and what went wrong. */
export interface Fixed {
  readonly reports: readonly FileReport[];
  readonly read: (path: string) => string | undefined;
  readonly problems: readonly string[];
}

/**
 * Fixes what is reported, and nothing else, in one of three ways: as a patch on standard output, as the fixed text of standard input, or in the
 * files.
 * @param lint lints the inputs as they are
 */
export async function fixInputs(
  { options, inputs, host, project }: OpenedRun,
  lint: () => Promise<FileReport[]>,
  output: Output,
): Promise<Fixed> {
  const shorten = (path: string): string => shortPath(options.cwd, path);
  const before = await lint();
  const changed = await reportsOfChanged(before, options);
  // A problem with Git is reported when the reports are selected.
  if ('problem' in changed) return { reports: [], read: host.read, problems: [] };
  const paths = new Set(changed.reports.map(({ path }) => path));
  const chosen = options.changed === 'all' ? inputs : inputs.filter(({ path }) => paths.has(path));
  const named = options.paths.length === 0 ? ['.'] : options.paths;
  const isAccepted = await acceptedBy(before, options, project);
  const fixed = autofix(chosen, host, project.makeLinter, {
    suggested: options.fix === 'suggested',
    wanted: (finding) => isWanted(finding, options) && !isAccepted(finding),
    // For standard input only that text is written out again, so no other file may be edited.
    mayEdit: (path) =>
      options.paths.includes('-')
        ? inputs.some((input) => input.path === path)
        : !leadsOut(path, [host.rootOf(path) ?? '.', ...named], options.cwd),
    known: new Map(before.map((report) => [report.path, report])),
  });
  if (options.diff) {
    output.out(patchOf(fixed.texts, host.read, options.cwd));
    return { reports: before, read: host.read, problems: [] };
  }
  if (isPiped(options)) for (const { path, text } of inputs) output.out(fixed.texts.get(path) ?? text);
  const failures = isPiped(options) ? new Map<string, string>() : writeFixes(fixed, host.read);
  const written = fixed.applied.filter(({ paths }) => paths.every((path) => !failures.has(path)));
  for (const { path, rule, title } of written)
    output.err(clean(`fixed ${shorten(path)}: ${title} [${rule}]`).concat('\n'));
  if (written.length > 0) {
    const files = plural(new Set(written.map(({ path }) => path)).size, 'file');
    output.err(`${plural(written.length, 'finding')} fixed in ${files}\n\n`);
  }
  const texts = new Map([...fixed.texts].filter(([path]) => !failures.has(path)));
  const read = (path: string): string | undefined => texts.get(path) ?? host.read(path);
  const problems = [...failures].map(([path, problem]) => `${shorten(path)} ${problem}`);
  if (failures.size === 0) return { reports: fixed.reports, read, problems };
  // If a file could not be written, its findings remain.
  const linter = project.makeLinter({ ...host, read });
  return {
    reports: chosen.map(({ path, text }) => linter.lint(path, texts.get(path) ?? text)),
    read,
    problems,
  };
}

/** Whether a path leads out of all the given places, through a symbolic link found there: its target is not ours to change. */
function leadsOut(path: string, places: readonly string[], cwd: string): boolean {
  const real = realPath(path);
  return !places.some((place) => isWithin(realPath(namedFile(cwd, place)), real));
}

/** The patch of all files. Each file is in it once and under its real name, since `git apply` follows no symbolic links. */
function patchOf(
  texts: ReadonlyMap<string, string>,
  read: (path: string) => string | undefined,
  cwd: string,
): string {
  const repositories = new Map<string, string | undefined>();
  const diffs = new Map<string, string>();
  for (const [path, text] of texts) {
    const real = realPath(path);
    if (diffs.has(real)) continue;
    // Without a repository `git apply` works from the current folder.
    const root = repositoryOf(real, repositories) ?? realPath(cwd);
    diffs.set(real, unifiedDiff(shortPath(root, real), read(path) ?? '', text));
  }
  return [...diffs.values()].join('');
}

/**
 * A unified diff of one file that `git apply` accepts.
 * @param path relative to the top of the repository, as in Git's own patches; an absolute path loses its leading slash, as there
 */
export function unifiedDiff(path: string, before: string, after: string): string {
  const name = path.replace(/^\//, '');
  const patch = structuredPatch(`a/${name}`, `b/${name}`, before, after, undefined, undefined, {
    context: 3,
  });
  return formatPatch({ ...patch, isGit: true });
}
