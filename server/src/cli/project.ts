import type { Settings } from '../config/config.ts';
import { configPathFor } from '../config/discover.ts';
import { diskCommonRules, diskKnowledge } from '../disk/knowledge.ts';
import { createLinter, type Linter } from '../linter.ts';
import { clean } from '../report/clean.ts';
import { LineIndex } from '../text/lines.ts';
import type { Host } from '../value/host.ts';
import type { MachineProfile } from '../value/machine.ts';
import { type Input, shortPath } from './inputs.ts';

/** How a command gets its linters: with the project's configurations where there are any. */
export interface Project {
  makeLinter(host: Host): Linter;
  settingsOf(path: string): Settings | undefined;
  /** Faults of the configuration files read so far, one line each. */
  problems(): readonly string[];
}

/** What a project is made from. */
export interface ProjectOptions {
  readonly inputs: readonly Input[];
  readonly host: Host;
  readonly cwd: string;
  readonly machine: MachineProfile;
  readonly knowledge: string;
  readonly useConfig: boolean;
}

/**
 * Opens the project of some files. The reader of configurations (and the validator that it needs) is loaded only when
 * one of the files has a configuration, since most runs have none.
 */
export async function openProject(options: ProjectOptions): Promise<Project> {
  const { inputs, host, machine } = options;
  const knowledgeOf = diskKnowledge(options.knowledge);
  const commonRules = diskCommonRules(options.knowledge);
  const folders = new Map(inputs.map(({ path }) => [path.slice(0, path.lastIndexOf('/') + 1), path]));
  const configured =
    options.useConfig && [...folders.values()].some((path) => configPathFor(path, host) !== undefined);
  if (!configured)
    return {
      makeLinter: (over) => createLinter({ host: over, machine, knowledgeOf, commonRules }),
      settingsOf: () => undefined,
      problems: () => [],
    };
  const { createProjectLinter } = await import('../config/project.ts');
  const open = (over: Host): ReturnType<typeof createProjectLinter> =>
    createProjectLinter({ host: over, machine, knowledgeOf, commonRules });
  const first = open(host);
  return {
    makeLinter: (over) => (over === host ? first : open(over)),
    settingsOf: (path) => first.settingsOf(path),
    problems: () =>
      first.problems().map(({ path, span, message }) => {
        const at = new LineIndex(host.read(path) ?? '').positionAt(span.start);
        return clean(`${shortPath(options.cwd, path)}:${at.line + 1}:${at.column + 1} ${message}`);
      }),
  };
}
