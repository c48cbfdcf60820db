import type { KnowledgeSource } from '../frameworks/knowledge.ts';
import { createLinter, emptyReport, type FileReport, type Linter } from '../linter.ts';
import type { FileKind } from '../recognise.ts';
import type { CommonRules } from '../rules/rule.ts';
import type { Host } from '../value/host.ts';
import type { MachineProfile } from '../value/machine.ts';
import { applySettings } from './apply.ts';
import type { ConfigProblem, Settings } from './config.ts';
import { configPaths } from './discover.ts';
import { customConstraints } from './ownConstraints.ts';
import { unknownRules } from './ruleNames.ts';
import { type ConfigChain, defaultSettings, readChain, settingsFor } from './settle.ts';

/** The parts that a project linter is made of. */
export interface ProjectParts {
  readonly host: Host;
  readonly knowledgeOf: KnowledgeSource;
  readonly commonRules: CommonRules;
  /** Fields of the machine given on the command line or in the editor; they override the configuration. */
  readonly machine?: MachineProfile | undefined;
  /** Skips what scripts do that cannot start any known program. */
  readonly launchesOnly?: boolean;
  /**
   * Also reads files that name nothing of ours, and reads files that are not YAML as scripts, for what they start; a configuration's excludes
   * do not apply then.
   */
  readonly anyProgram?: boolean;
  /** Resumes from the evaluation of the script's earlier text. */
  readonly resumes?: boolean;
  /** The kind of a file; by default determined by its name and text. */
  readonly kindOf?: (path: string, text: string) => FileKind;
}

/** Lints each file with the configuration that applies to it. */
export interface ProjectLinter extends Linter {
  settingsOf(path: string): Settings;
  /** The configuration file that applies to a path. */
  configOf(path: string): string | undefined;
  /** Errors in the configuration files used so far. */
  problems(): readonly ConfigProblem[];
}

interface LoadedConfig {
  readonly chain: ConfigChain;
  readonly problems: readonly ConfigProblem[];
  readonly constraints: Settings['constraints'];
}

/** Makes a linter that finds, reads and applies project configurations. Configurations are read once. */
export function createProjectLinter(parts: ProjectParts): ProjectLinter {
  const loaded = new Map<string, LoadedConfig>();
  const linters = new Map<string, Linter>();
  const configOf = configPaths(parts.host);
  const load = (config: string): LoadedConfig => {
    const known = loaded.get(config) ?? loadConfig(config, parts);
    loaded.set(config, known);
    return known;
  };
  const settingsOf = (path: string): Settings => {
    const config = configOf(path);
    const base = config === undefined ? defaultSettings : settingsFor(path, load(config).chain);
    const constraints = config === undefined ? defaultSettings.constraints : load(config).constraints;
    return { ...base, constraints, machine: withMachine(base.machine, parts.machine) };
  };
  const linterFor = (config: string | undefined, settings: Settings): Linter => {
    const { machine, extraOptions, framework, unsuppressible } = settings;
    const key = JSON.stringify([config, machine, extraOptions, framework, unsuppressible]);
    const known = linters.get(key) ?? linterWith(settings, parts);
    linters.set(key, known);
    return known;
  };
  return {
    lint(path, text): FileReport {
      const settings = settingsOf(path);
      if (settings.excluded && parts.anyProgram !== true) return emptyReport(path, text);
      return applySettings(linterFor(configOf(path), settings).lint(path, text), settings);
    },
    settingsOf,
    configOf,
    ruleIds: () => linterFor(undefined, defaultSettings).ruleIds(),
    problems: () => [...loaded.values()].flatMap(({ problems }) => problems),
  };
}

function loadConfig(config: string, parts: ProjectParts): LoadedConfig {
  const chain = readChain(config, parts.host);
  const { constraints, problems } = customConstraints(chain, parts.knowledgeOf);
  return {
    chain,
    problems: [...chain.problems, ...problems, ...unknownRules(chain, { ...parts, constraints })],
    constraints,
  };
}

function linterWith(settings: Settings, parts: ProjectParts): Linter {
  return createLinter({
    host: parts.host,
    machine: settings.machine,
    knowledgeOf: withConstraints(parts.knowledgeOf, settings.constraints),
    commonRules: parts.commonRules,
    extraOptions: settings.extraOptions,
    assumedFramework: settings.framework,
    unsuppressible: settings.unsuppressible,
    launchesOnly: parts.launchesOnly === true,
    anyProgram: parts.anyProgram === true,
    resumes: parts.resumes === true,
    kindOf: parts.kindOf,
  });
}

function withMachine(base: MachineProfile, over: MachineProfile | undefined): MachineProfile {
  if (over === undefined) return base;
  return {
    ...base,
    ...over,
    versions: { ...base.versions, ...over.versions },
    variables: { ...base.variables, ...over.variables },
  };
}

function withConstraints(
  knowledgeOf: KnowledgeSource,
  constraints: Settings['constraints'],
): KnowledgeSource {
  if (constraints.size === 0) return knowledgeOf;
  const merged = new Map<string, ReturnType<KnowledgeSource>>();
  return (framework) => {
    const own = constraints.get(framework);
    const base = knowledgeOf(framework);
    if (own === undefined) return base;
    const known = merged.get(framework) ?? { ...base, constraints: [...base.constraints, ...own] };
    merged.set(framework, known);
    return known;
  };
}
