import type { ConfigProblem, Settings } from '../config/config.ts';
import { configPaths } from '../config/discover.ts';
import type { InputProblem } from '../disk/files.ts';
import type { InstalledKnowledge } from '../disk/knowledge.ts';
import { createLinter, emptyReport, type Linter } from '../linter.ts';
import { clean } from '../report/clean.ts';
import { homepage } from '../report/url.ts';
import { LineIndex } from '../text/lines.ts';
import type { Host } from '../value/host.ts';
import type { MachineProfile } from '../value/machine.ts';
import { shortPath } from './inputs.ts';

/** How a command gets its linters: with the project's configurations, if any. */
export interface Project {
  makeLinter(host: Host): Linter;
  settingsOf(path: string): Settings | undefined;
  /**
   * Files that cannot be read (unless the configuration excludes them), errors in the configuration files read so far, and files on which the
   * program itself failed, one line each.
   */
  problems(): readonly string[];
  /** Whether the program itself failed on a file. */
  failed(path: string): boolean;
}

/** What a project is made from. */
export interface ProjectOptions {
  readonly inputs: readonly { readonly path: string }[];
  readonly unread?: readonly InputProblem[];
  readonly host: Host;
  readonly cwd: string;
  readonly machine: MachineProfile;
  readonly knowledge: InstalledKnowledge;
  readonly useConfig: boolean;
  /** Skips what scripts do that cannot start any known program. */
  readonly launchesOnly?: boolean;
  /**
   * Also reads files that name nothing of ours, and reads files that are not YAML as scripts, for what they start; excludes do not apply then.
   */
  readonly anyProgram?: boolean;
}

/**
 * Opens the project of some files. The configuration reader (and the validator that it needs) is loaded only if one of the files has a
 * configuration, since most runs have none.
 */
export async function openProject(options: ProjectOptions): Promise<Project> {
  const { inputs, unread = [], host, machine, cwd, launchesOnly = false, anyProgram = false } = options;
  const failures = new Map<string, string>();
  const guarded = (linter: Linter): Linter => ({
    ruleIds: () => linter.ruleIds(),
    lint: (path, text) => {
      try {
        return linter.lint(path, text);
      } catch (error) {
        failures.set(path, clean(`${shortPath(cwd, path)} ${internalError(error)}`));
        return emptyReport(path, text);
      }
    },
  });
  const { knowledgeOf, commonRules } = options.knowledge;
  const unreadProblems = (excluded: (path: string) => boolean): string[] =>
    unread
      .filter(({ path }) => !excluded(path))
      .map(({ path, message }) => clean(`${shortPath(cwd, path)} ${message}`));
  const folders = new Map(
    [...inputs, ...unread].map(({ path }) => [path.slice(0, path.lastIndexOf('/') + 1), path]),
  );
  const configOf = configPaths(host);
  const configured = options.useConfig && [...folders.values()].some((path) => configOf(path) !== undefined);
  if (!configured)
    return {
      makeLinter: (over) =>
        guarded(createLinter({ host: over, machine, knowledgeOf, commonRules, launchesOnly, anyProgram })),
      settingsOf: () => undefined,
      problems: () => [...unreadProblems(() => false), ...failures.values()],
      failed: (path) => failures.has(path),
    };
  const { createProjectLinter } = await import('../config/project.ts');
  const open = (over: Host): ReturnType<typeof createProjectLinter> =>
    createProjectLinter({ host: over, machine, knowledgeOf, commonRules, launchesOnly, anyProgram });
  const first = open(host);
  return {
    makeLinter: (over) => guarded(over === host ? first : open(over)),
    settingsOf: (path) => first.settingsOf(path),
    problems: () => [
      ...unreadProblems((path) => first.settingsOf(path).excluded),
      ...configProblems(first.problems(), host, cwd),
      ...failures.values(),
    ],
    failed: (path) => failures.has(path),
  };
}

/** Errors in configuration files, one line each, in file order. */
export function configProblems(problems: readonly ConfigProblem[], host: Host, cwd: string): string[] {
  const files = [...new Set(problems.map(({ path }) => path))];
  return files.flatMap((file) => {
    const lines = new LineIndex(host.read(file) ?? '');
    const ordered = problems.filter(({ path }) => path === file).sort((a, b) => a.span.start - b.span.start);
    return ordered.map(({ span, message }) => {
      const at = lines.positionAt(span.start);
      return clean(`${shortPath(cwd, file)}:${at.line + 1}:${at.column + 1} ${message}`);
    });
  });
}

/** The message for an internal error: the file is skipped, the others are still linted. */
function internalError(error: unknown): string {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const lines = text.split('\n').slice(0, 4).join(' ').replace(/\s+/g, ' ');
  return `could not be linted; please report this at ${homepage}/issues: ${lines}`;
}
