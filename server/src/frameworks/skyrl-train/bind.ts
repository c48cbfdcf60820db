import data from '../../../../schemas/skyrl-train/recognise.json';
import type { Launch } from '../../launch/launch.ts';
import type { Host } from '../../value/host.ts';
import { known, unknown } from '../../value/value.ts';
import { makeFacts } from '../facts.ts';
import type { BindingContext, BindingProblem, Effective, Run, Scope } from '../framework.ts';
import { importPaths } from '../importPaths.ts';
import type { Knowledge, OptionFact } from '../knowledge.ts';
import type { Override } from '../omegaconf/overrides.ts';
import { readTree, type TreeReading } from '../omegaconf/tree.ts';
import { decidedIn, withoutCertainty } from '../otherVersion.ts';
import { keysOf } from '../ownChecks.ts';
import { withChoicesOf } from '../ownChoices.ts';
import { asWarning } from '../problem.ts';
import { makeScope } from '../scope.ts';
import { isKind, moduleOf, type Program, programFromSource, programOf } from '../skyrl/programs.ts';
import { sourceOf } from '../skyrl/source.ts';
import { variablesOf } from '../variables.ts';
import { configurationOf, type PackageTree, settableOptions, treeOf } from './configuration.ts';
import { isWithin, neededKeys, refusedDeletions, withoutSections } from './deletions.ts';
import { readWords } from './words.ts';

const numeric: ReadonlySet<string> = new Set(['int', 'float', 'bool']);
const nonNumbers: ReadonlySet<string> = new Set(['str', 'list', 'dict']);

/** Binds a launch of SkyRL's first package: the overrides of its Hydra configuration, and the scope to which constraints apply. */
export function bindSkyrlTrain(launch: Launch, because: string, context: BindingContext): Run {
  const isNamed = programOf(moduleOf(launch.entry) ?? '', []).older;
  const tree = treeOf(importPaths(launch), isNamed, context);
  const source = sourceOf(launch, context, tree === undefined ? [] : [tree.folder]);
  const program = programOfLaunch(launch, source);
  const { options, isRead } = configurationOf(tree, context);
  const words = readWords(launch.args);
  const isOwn = source !== undefined && namesOtherConfiguration(source);
  // A dotless name that the configuration lacks may be that of a config group.
  const isOther =
    words.isOther || isOwn || words.deletions.some(({ key }) => !options.has(key) && !key.includes('.'));
  const read = readTree(words.overrides, options, {
    unknown: 'refused',
    // Hydra's tree is untyped; a value that is not a number fails only where it is first used, if at all.
    wrongType: ({ type }, leaf) =>
      numeric.has(type) && nonNumbers.has(leaf.type ?? '') ? 'warning' : undefined,
    wrongChoice: () => undefined,
    closedMaps: true,
    extra: [...context.extraOptions, 'hydra'],
    about: 'The configuration does not have it, and Hydra takes new keys only as +key=….',
  });
  const reading: TreeReading = {
    problems: read.problems,
    floats: read.floats,
    opaque: read.opaque,
    settings: isOwn ? read.settings : withoutSections(read.settings, words, options),
  };
  // If a tree's configuration cannot be read, its defaults may differ from those of the releases.
  const hidesDefaults = isOther || (tree !== undefined && !isRead);
  const isLost = (name: string): boolean => words.deletions.some(({ key }) => isWithin(name, key));
  const scope = scopeOf({ launch, context, program, options, reading, hidesDefaults, isLost });
  const names = isOther
    ? []
    : namesRefused(words.overrides, reading, options, isRead).map((problem) =>
        ofRelease(problem, context.knowledge),
      );
  const following = new Set(context.knowledge.derivations.map((step) => step.set));
  const deletions = isOwn ? [] : refusedDeletions(words.deletions, words.overrides, options, following);
  const { kind } = program;
  const needed = isOwn || kind === undefined ? [] : neededKeys(words.deletions, words.overrides, kind);
  const problems = kind === undefined ? [] : [...words.problems, ...names, ...deletions, ...needed];
  const run: Run = {
    framework: 'skyrl-train',
    because,
    launch,
    documents: [],
    place: launch.place,
    settings: [...reading.settings.values()],
    problems: isRead ? problems : problems.map(asWarning),
    scopes: [scope],
    env: variablesOf(launch.env),
    worldSize: scope.lookup('job_gpus')?.value ?? launch.worldSize,
    open: launch.open.length > 0 || words.isOpen,
    upstreamEntry: program.upstream,
  };
  if (tree === undefined) return run;
  if (tree.repository === undefined) return withoutCertainty(run);
  const declared = settableOptions(context.knowledge);
  const given = keysOf([...reading.settings.keys()].filter((name) => !declared.has(name)));
  const sources = { folder: tree.repository, host: hostOf(tree, context.host), given };
  const decided = decidedIn(sources, run, context.knowledge);
  const registry = context.host.read(`${tree.folder}/${data.registry}`);
  return withChoicesOf(decided, context.knowledge, registry === undefined ? [] : [registry]);
}

/** A view of the workspace in which the sources of a tree are where those of the first package are. */
function hostOf({ repository, moved }: PackageTree, host: Host): Host {
  if (repository === undefined || moved === undefined) return host;
  const from = `${repository}/${moved.from}`;
  const to = `${repository}/${moved.to}`;
  const at = (path: string): string => (path.startsWith(from) ? to + path.slice(from.length) : path);
  return {
    read: (path) => host.read(at(path)),
    kind: (path) => host.kind(at(path)),
    list: (path) => host.list(at(path)),
    rootOf: (path) => host.rootOf(path),
  };
}

/**
 * The program that runs: upstream's own, or one whose source shows which checks it calls.
 *
 * @param source the source of the program, if the workspace has it: a fork may have rewritten upstream's
 */
function programOfLaunch(launch: Launch, source: string | undefined): Program {
  const module = moduleOf(launch.entry) ?? '';
  const program = programOf(module, []);
  const [, kind] =
    Object.entries(data.programs).find(([name]) => module === name || module.endsWith(`.${name}`)) ?? [];
  const upstream = kind !== undefined;
  if (source !== undefined) return { ...programFromSource(program, source), upstream };
  return isKind(kind)
    ? { ...program, kind, upstream, ownGenerator: false, ownLosses: false, ownRun: false }
    : program;
}

/** Whether a program makes Hydra compose a configuration other than upstream's. */
function namesOtherConfiguration(source: string): boolean {
  const name = /\bconfig_name\s*=\s*["']([^"']*)["']/.exec(source)?.[1];
  const isElsewhere = /\bconfig_path\s*=\s*["']/.test(source);
  return isElsewhere || (name !== undefined && name !== data.configuration.name);
}

/** The keys that Hydra rejects: those missing from the configuration unless added, and those added although they have a value. */
function namesRefused(
  overrides: readonly Override[],
  { problems }: TreeReading,
  options: ReadonlyMap<string, OptionFact>,
  isRead: boolean,
): readonly BindingProblem[] {
  const added = overrides.flatMap(({ operation, key }) => (operation === 'set' ? [] : [key]));
  const isAdded = (name: string): boolean =>
    added.some((key) => `${name}.`.startsWith(`${key}.`) || key.startsWith(`${name}.`));
  const unknown = problems.filter(
    ({ rule, values }) => rule !== 'unknown-option' || !isAdded(values.name ?? ''),
  );
  const twice = overrides.filter(
    (override, at) =>
      addsValue(override) && overrides.slice(0, at).some((earlier) => givesValue(earlier, override)),
  );
  const refused = isRead ? overrides.flatMap((override) => refusedAddition(override, options)) : [];
  return [...unknown, ...twice.map(existingKey), ...refused];
}

/** Adds to the problem of a key that the tree lacks which releases have it. */
function ofRelease(problem: BindingProblem, knowledge: Knowledge): BindingProblem {
  const { name = '' } = problem.values;
  const fact = settableOptions(knowledge).get(name);
  if (problem.rule !== 'unknown-option' || fact === undefined) return problem;
  const came = fact.since === undefined ? '' : ` It came with skyrl_train ${fact.since}.`;
  const went = fact.until === undefined ? '' : ` Its last release was skyrl_train ${fact.until}.`;
  return { ...problem, values: { ...problem.values, hint: `${problem.values.hint ?? ''}${came}${went}` } };
}

/** Hydra's single `+` rejects a key that has a value, unless a map or a list is given, which it merges. */
function refusedAddition(
  override: Override,
  options: ReadonlyMap<string, OptionFact>,
): readonly BindingProblem[] {
  const option = options.get(override.key);
  if (!addsValue(override) || option === undefined || option.type === 'group') return [];
  if (option.open === true || option.defaultUnknown === true || option.default === null) return [];
  return [existingKey(override)];
}

/** Whether an override adds a value that is neither a map nor a list. */
function addsValue({ operation, value }: Override): boolean {
  return (
    operation === 'add' && value.kind === 'known' && (value.data === null || typeof value.data !== 'object')
  );
}

/** Whether an override gives a value to the key of another one. */
function givesValue({ operation, key, value }: Override, other: Override): boolean {
  return key === other.key && operation !== 'delete' && value.kind === 'known' && value.data !== null;
}

function existingKey({ key, keyPlace }: Override): BindingProblem {
  return {
    rule: 'override-key-exists',
    place: keyPlace,
    values: { name: key },
    setting: undefined,
    replacement: undefined,
    severity: 'error',
    related: [],
  };
}

interface ScopeInput {
  readonly launch: Launch;
  readonly context: BindingContext;
  readonly program: Program;
  readonly options: ReadonlyMap<string, OptionFact>;
  readonly reading: TreeReading;
  readonly hidesDefaults: boolean;
  /** Whether an option is deleted, so that its default is not in effect. */
  isLost(name: string): boolean;
}

function scopeOf(input: ScopeInput): Scope {
  const { launch, context, program, options, reading, hidesDefaults, isLost } = input;
  const facts = makeFacts({
    worldSize: unknown('outside', 'the number of GPUs'),
    environment: launch.env,
    machine: context.machine,
  });
  const entryFacts = [
    ['entry.kind', program.kind],
    ['entry.own_generator', program.ownGenerator],
    ['entry.own_losses', program.ownLosses],
    ['entry.own_run', program.ownRun],
  ] as const;
  const entry = new Map(
    entryFacts.map(([name, value]) => [
      name,
      {
        value: value === undefined ? unknown('outside', program.module) : known(value),
        because: `the program is ${program.module}`,
      },
    ]),
  );
  const isOpaque = (name: string): boolean =>
    reading.opaque.some((prefix) => name === prefix || name.startsWith(`${prefix}.`));
  const scope: Scope = makeScope({
    set: 'skyrl-train',
    role: undefined,
    // This version does not read what it lacks, and the checks of later versions allow for its default.
    options: new Map([...settableOptions(context.knowledge), ...options]),
    derivations: context.knowledge.derivations,
    settings: reading.settings,
    forced: entry,
    facts: (name): Effective | undefined => (name === 'world_size' ? scope.lookup('job_gpus') : facts(name)),
    unknownDefault: (name) => hidesDefaults || isLost(name) || isOpaque(name),
  });
  return scope;
}
