import ignore from 'ignore';
import picomatch from 'picomatch';
import { dirname, resolvePath } from '../bash/library/paths.ts';
import type { CompiledConstraint, Expression } from '../expression/compiled.ts';
import { expressionsSaid } from '../expression/message.ts';
import type { FrameworkId } from '../frameworks/framework.ts';
import type { KnowledgeSource } from '../frameworks/knowledge.ts';
import { packageName } from '../frameworks/packages.ts';
import { compileConstraint, type Names } from '../rules/compileConstraint.ts';
import type { Span } from '../text/span.ts';
import type { Host } from '../value/host.ts';
import { type MachineProfile, noProfile } from '../value/machine.ts';
import { remembering } from '../value/remember.ts';
import type { ConfigProblem, SettingSource, Settings } from './config.ts';
import { machineProfile } from './machine.ts';
import { expressionProblem } from './pattern.ts';
import { type ReadConfig, readConfig } from './read.ts';
import type { ConfigFile } from './schema.ts';

/** A configuration with everything that it extends: the outermost base first, the file itself last. */
export interface ConfigChain {
  readonly files: readonly { readonly path: string; readonly read: ReadConfig }[];
  readonly problems: readonly ConfigProblem[];
}

/** Reads a configuration and what it extends. Loops and files that do not exist are problems. */
export function readChain(path: string, host: Host): ConfigChain {
  const files: { path: string; read: ReadConfig }[] = [];
  const problems: ConfigProblem[] = [];
  const open = new Set<string>();
  const done = new Set<string>();
  const add = (
    at: string,
    from: { readonly path: string; readonly span: Span; readonly name: string },
  ): void => {
    // A base that two files share holds once, below both.
    if (done.has(at)) return;
    const text = host.read(at);
    if (open.has(at) || text === undefined) {
      const isThere = host.kind(at) === 'file';
      const message = open.has(at)
        ? `extends: ${from.name} comes back to this file`
        : isThere
          ? `${at === path ? 'this file' : `extends: ${from.name}`} cannot be read: it is not UTF-8 text, is too large, or may not be read`
          : `extends: ${from.name} does not exist in the workspace`;
      problems.push({ path: from.path, span: from.span, message });
      return;
    }
    open.add(at);
    const read = readConfig(at, text);
    const bases = read.config.extends ?? [];
    for (const base of typeof bases === 'string' ? [bases] : bases)
      add(resolvePath(dirname(at), base), { path: at, span: read.locate(['extends']), name: base });
    open.delete(at);
    done.add(at);
    problems.push(...read.problems);
    files.push({ path: at, read });
  };
  add(path, { path, span: { start: 0, end: 0 }, name: path });
  return { files, problems };
}

/** The settings without any configuration. */
export const defaultSettings: Settings = {
  machine: noProfile,
  rules: new Map(),
  extraOptions: [],
  framework: undefined,
  constraints: new Map(),
  unsuppressible: [],
  failOn: undefined,
  minCertainty: 'possible',
  baseline: undefined,
  excluded: false,
  sources: [],
};

function mergedMachine(base: MachineProfile, data: unknown): MachineProfile {
  const made = machineProfile(data);
  if (!('profile' in made)) return base;
  return {
    ...base,
    ...made.profile,
    versions: { ...base.versions, ...made.profile.versions },
    variables: { ...base.variables, ...made.profile.variables },
  };
}

/** Patterns as a test of paths: they are asked of every file. */
const isIn = remembering((patterns: string[]) => picomatch(patterns, { dot: true }));
const ignored = remembering((patterns: string[]) => ignore().add(patterns));

/** The settings in force for one file. */
export function settingsFor(path: string, chain: ConfigChain): Settings {
  const rules = new Map<string, 'off' | 'error' | 'warning' | 'info'>();
  const sources: SettingSource[] = [];
  let settings: Settings = { ...defaultSettings, rules };
  for (const { path: at, read } of chain.files) {
    const { config } = read;
    const folder = dirname(at);
    const way = path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path;
    const overrides = (config.overrides ?? []).map((layer, index) => ({
      layer,
      above: ['overrides', index],
    }));
    const layers = [{ layer: config, above: [] }, ...overrides.filter(({ layer }) => isIn(layer.paths)(way))];
    for (const { layer, above } of layers) {
      for (const keys of settingKeys(layer))
        sources.push({ key: nameOf(keys), path: at, span: read.locate([...above, ...keys]) });
      for (const [rule, level] of Object.entries(layer.rules ?? {})) rules.set(rule, level);
      settings = {
        ...settings,
        machine:
          layer.machine === undefined ? settings.machine : mergedMachine(settings.machine, layer.machine),
        extraOptions: [...settings.extraOptions, ...(layer.extra_options ?? [])],
        framework: layer.framework ?? settings.framework,
      };
    }
    settings = withWholeFile(settings, config, way, folder);
  }
  return { ...settings, sources };
}

/** The keys of the settings of a layer, those within maps too. */
function settingKeys(layer: object): string[][] {
  return Object.entries(layer).flatMap(([key, value]): string[][] => {
    if (key === 'overrides' || key === 'paths') return [];
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return [[key]];
    return settingKeys(value).map((keys) =>
      key === 'machine' && keys[0] === 'variables' ? keys : [key, ...keys],
    );
  });
}

/** The name of a setting; a package has the name that settings in force have for it. */
function nameOf(keys: readonly string[]): string {
  const [first, second, ...packages] = keys;
  return first === 'machine' && second === 'versions'
    ? [first, second, ...packages.map(packageName)].join('.')
    : keys.join('.');
}

/** What can be set for all files only. */
function withWholeFile(settings: Settings, config: ConfigFile, way: string, folder: string): Settings {
  const excluded =
    config.exclude !== undefined && !way.startsWith('/') && ignored(config.exclude).ignores(way);
  return {
    ...settings,
    machine: mergedMachine(settings.machine, { variables: config.variables ?? {} }),
    unsuppressible: [...settings.unsuppressible, ...(config.unsuppressible ?? [])],
    failOn: config.fail_on ?? settings.failOn,
    minCertainty: config.min_certainty ?? settings.minCertainty,
    baseline: config.baseline === undefined ? settings.baseline : resolvePath(folder, config.baseline),
    excluded: settings.excluded || excluded,
  };
}

/** Compiles the team's own constraints of a chain. Faulty ones are problems and dropped. */
export function customConstraints(
  chain: ConfigChain,
  knowledgeOf: KnowledgeSource,
): { constraints: Map<FrameworkId, CompiledConstraint[]>; problems: ConfigProblem[] } {
  const constraints = new Map<FrameworkId, CompiledConstraint[]>();
  const problems: ConfigProblem[] = [];
  for (const { path, read } of chain.files)
    (read.config.constraints ?? []).forEach((entry, index) => {
      const { framework, ...rest } = entry;
      const compiled = compileConstraint(
        {
          ...rest,
          phase: rest.phase ?? 'startup',
          why: rest.why ?? 'A rule of this project.',
          bad: rest.bad ?? '',
          good: rest.good ?? '',
        },
        namesOf(framework, knowledgeOf),
      );
      if ('problem' in compiled) {
        const span = read.locate(['constraints', index, ...compiled.problem.path]);
        const hint = otherOwner(compiled.problem.message, framework, knowledgeOf);
        problems.push({ path, span, message: `${entry.id}: ${compiled.problem.message}${hint}` });
        return;
      }
      const problem = slowPattern(compiled.constraints);
      if (problem !== undefined) {
        problems.push({
          path,
          span: read.locate(['constraints', index]),
          message: `${entry.id}: ${problem}`,
        });
        return;
      }
      const own = compiled.constraints.map((constraint) => ({ ...constraint, isOwn: true as const }));
      constraints.set(framework, [...(constraints.get(framework) ?? []), ...own]);
    });
  return { constraints, problems };
}

/** Frameworks that take Megatron-LM's options as they are, and whose launches are held against its constraints. */
const onMegatron: readonly FrameworkId[] = ['slime', 'relax'];

/** What to say of a name that the framework of a constraint does not have, and Megatron-LM has. */
function otherOwner(message: string, framework: FrameworkId, knowledgeOf: KnowledgeSource): string {
  const [, name] = /no option or derived value is called (\S+)/.exec(message) ?? [];
  if (name === undefined || !onMegatron.includes(framework) || !namesOf('megatron-lm', knowledgeOf).has(name))
    return '';
  return `; a constraint about it has framework: megatron-lm, and holds for ${framework} too`;
}

/** Why a pattern in some constraints is refused; patterns must stand there in full, so that they can be judged. */
function slowPattern(constraints: readonly CompiledConstraint[]): string | undefined {
  const inExpression = (expression: Expression): string | undefined => {
    if (typeof expression !== 'object' || expression === null) return undefined;
    if (expression[0] === 'n') return undefined;
    if (expression[0] === 'c' && expression[1] === 'matches') {
      const pattern = expression[3];
      if (typeof pattern !== 'string') return 'the pattern of matches() must be a text in quotes';
      const problem = expressionProblem(pattern);
      if (problem !== undefined) return problem;
    }
    const [, ...parts] = expression;
    return parts.map(inExpression).find((problem) => problem !== undefined);
  };
  const all = constraints.flatMap((constraint) => [
    constraint.when,
    ...expressionsSaid(constraint),
    ...constraint.fixes.flatMap(({ set, env }) => [...Object.values(set), ...Object.values(env)]),
  ]);
  return all.map(inExpression).find((problem) => problem !== undefined);
}

function namesOf(framework: FrameworkId, knowledgeOf: KnowledgeSource): Names {
  const knowledge = knowledgeOf(framework);
  const names = new Set([
    ...knowledge.options.map((option) => option.name),
    ...knowledge.derivations.map((step) => step.set),
  ]);
  const open = knowledge.options.filter((option) => option.open === true).map((option) => `${option.name}.`);
  return { has: (name) => names.has(name) || open.some((prefix) => name.startsWith(prefix)) };
}
