import { evaluateTruth } from '../../expression/evaluate.ts';
import { namesOf } from '../../expression/tree.ts';
import type { Launch } from '../../launch/launch.ts';
import { known, unknown, type Value } from '../../value/value.ts';
import { knownPrefix, textOf, type Word } from '../../value/word.ts';
import { makeFacts } from '../facts.ts';
import type { BindingContext, BindingProblem, Effective, Run, Scope } from '../framework.ts';
import type { Knowledge, OptionFact } from '../knowledge.ts';
import type { TreePolicy, TreeReading } from '../omegaconf/tree.ts';
import { readTree } from '../omegaconf/tree.ts';
import { lookupOf, makeScope } from '../scope.ts';
import { variablesOf } from '../variables.ts';
import { engineArguments } from './engine.ts';
import { environmentsOf } from './environments.ts';
import { missingExtra, startedByUv } from './extras.ts';
import { megatronScopes } from './megatron.ts';
import { megatronArguments } from './megatronArguments.ts';
import { moduleOf, type Program, programFromSource, programOf } from './programs.ts';
import { readWords } from './read.ts';
import { resolveReferences } from './references.ts';
import { freeKey, optionsOf, rootOf } from './roots.ts';
import { sourceOf } from './source.ts';
import { type TinkerWords, tinkerWords } from './tinker.ts';
import { ownJaxOptions, tinkerFlags } from './tinkerFlags.ts';
import { scalarTraps } from './traps.ts';

const overrideEntry = 'trainer.override_entrypoint=';

/** Binds a launch of SkyRL: its overrides against the options of its program, and the scopes that constraints apply to. */
export function bindSkyrl(launch: Launch, because: string, context: BindingContext): Run {
  const { program, args } = programOfLaunch(launch, context);
  const { knowledge } = context;
  const strict = program.upstream;
  const tinker = program.kind === 'tinker' ? serverWords(launch, args, context) : undefined;
  const root = tinker?.root ?? rootOf(program);
  const options = optionsOf(knowledge, root, program);
  const words = readWords(
    tinker?.overrides ?? (program.ownFlags ? withoutFlags(args) : args),
    options,
    root !== 'SkyRLTrainConfig' ? 'left' : program.takesPlus === true ? 'taken off' : 'refused',
    strict ? 'error' : 'warning',
  );
  const open = launch.open.length > 0 || words.open || tinker?.open === true;
  const { overrides, problems: references } =
    strict && !open && tinker === undefined
      ? resolveReferences(words.overrides, options)
      : { overrides: words.overrides, problems: [] };
  const extra = root === 'JaxBackendConfig' ? ownJaxOptions(launch, context) : [];
  const tree = readTree(overrides, options, policyOf(strict, options, context, extra));
  const others = (problem: BindingProblem): readonly BindingProblem[] =>
    ofAnotherProgram(problem, knowledge, strict);
  const own = scopeOf({ launch, context, program, options, tree, tinker });
  const megatronOf = (one: Scope): readonly Scope[] => megatronScopes(one, tree, root, program, context);
  const megatron = megatronOf(own);
  const scope: Scope = { ...own, others: (set, unset) => megatronOf(own.altered?.(set, unset) ?? own) };
  const problems = [
    ...words.problems,
    ...(tinker?.problems ?? []),
    ...scalarTraps(overrides, options),
    ...references,
    ...engineArguments(overrides, knowledge),
    ...(megatron.length === 0
      ? []
      : [...megatronArguments(overrides, context.knowledgeOf), ...missingExtra(launch)]),
    ...tree.problems
      .filter((problem) => !toldByConstraint(problem, knowledge, scope, options))
      .flatMap(others),
  ];
  const scopes = [scope, ...megatron];
  return {
    framework: 'skyrl',
    because,
    launch,
    documents: [],
    place: launch.place,
    settings: [...tree.settings.values()],
    problems,
    // A tinker server takes its settings in one JSON text only.
    scopes: tinker === undefined ? scopes : scopes.map((each) => ({ ...each, addition: () => undefined })),
    env: variablesOf(launch.env),
    worldSize: jobGpus(scope, launch),
    open,
    upstreamEntry: program.upstream,
  };
}

/** The program that really runs: main_base hands over to `trainer.override_entrypoint` before it reads anything else. */
export function programOfLaunch(
  launch: Launch,
  context: BindingContext,
): { readonly program: Program; readonly args: readonly Word[] } {
  const facts = context.knowledge.options;
  const module = moduleOf(launch.entry) ?? '';
  const program = programOf(module, facts);
  const handsOver = (word: Word): boolean => knownPrefix(word).startsWith(overrideEntry);
  const hand = launch.args.find(handsOver);
  const target = hand === undefined ? '' : textOf(hand)?.slice(overrideEntry.length);
  if (program.module.endsWith('entrypoints.main_base') && target !== '') {
    const other = programOf(target ?? '', facts);
    const strips = !other.upstream || other.module.startsWith('integrations.');
    return { program: other, args: strips ? launch.args.filter((word) => !handsOver(word)) : launch.args };
  }
  if (program.kind !== undefined || program.older) return { program, args: launch.args };
  const source = sourceOf(launch, context);
  return {
    program: source === undefined ? program : programFromSource(program, source),
    args: launch.args,
  };
}

function policyOf(
  strict: boolean,
  options: ReadonlyMap<string, OptionFact>,
  context: BindingContext,
  extra: readonly string[],
): TreePolicy {
  // Harbor's programs read folders of tasks instead, and take lists of them only.
  const readsTasks = options.has('harbor_trial_config');
  const { release } = context.knowledge;
  return {
    unknown: strict ? 'refused' : 'fork',
    // Pydantic makes numbers and truth values of texts; what it refuses is told by constraints. A number where a text is expected
    // (a run's name, a tag) is harmless: it is only ever printed.
    wrongType: (option, leaf) =>
      option.parser === 'JaxBackendConfig' ||
      (option.type === 'str' && (leaf.type === 'int' || leaf.type === 'float')) ||
      (!readsTasks && option.alsoTakes?.some((type) => type === leaf.type) === true)
        ? undefined
        : 'warning',
    wrongChoice: () => undefined,
    extra: [...context.extraOptions, ...extra],
    ...(strict && release !== undefined ? { about: `SkyRL ${release} does not know it.` } : {}),
  };
}

interface ScopeInput {
  readonly launch: Launch;
  readonly context: BindingContext;
  readonly program: Program;
  readonly options: ReadonlyMap<string, OptionFact>;
  readonly tree: TreeReading;
  /** What the flags of a tinker server say; its backend replaces trainer.strategy. */
  readonly tinker: TinkerWords | undefined;
}

function scopeOf({ launch, context, program, options, tree, tinker }: ScopeInput): Scope {
  const facts = makeFacts({
    worldSize: unknown('outside', 'the number of GPUs'),
    environment: launch.env,
    machine: context.machine,
  });
  const below = (name: string, prefixes: readonly string[]): boolean =>
    prefixes.some((prefix) => name === prefix || name.startsWith(`${prefix}.`));
  const scope: Scope = makeScope({
    set: 'skyrl',
    role: undefined,
    options,
    derivations: context.knowledge.derivations,
    settings: tree.settings,
    forced: launchFacts(launch, program, tree, tinker, environmentsOf(program, launch, context)),
    facts: (name): Effective | undefined =>
      name === 'world_size' ? scope.lookup('job_gpus') : (facts(name) ?? freeKey(name, options, tree.opaque)),
    unknownDefault: (name) => below(name, tree.opaque) || program.ownDefaults?.(name) === true,
  });
  return scope;
}

/** What constraints read of the launch itself. */
function launchFacts(
  launch: Launch,
  program: Program,
  tree: TreeReading,
  tinker: TinkerWords | undefined,
  environments: Value,
): ReadonlyMap<string, { readonly value: Value; readonly because: string }> {
  const fact = (value: string | boolean | undefined, because: string) => ({
    value: value === undefined ? unknown('outside', program.module) : known(value),
    because,
  });
  const backend = fact(tinker?.strategy, 'it is the backend of the server');
  return new Map([
    ...(program.kind === 'tinker' ? [['trainer.strategy', backend] as const] : []),
    ['entry.base_model', fact(tinker?.baseModel, 'it is --base-model')],
    ['entry.kind', fact(program.kind, `the program is ${program.module}`)],
    ['entry.own_generator', fact(program.ownGenerator, `the program is ${program.module}`)],
    ['entry.own_losses', fact(program.ownLosses, `the program is ${program.module}`)],
    ['entry.own_run', fact(program.ownRun, `the program is ${program.module}`)],
    ['entry.uv_run', fact(startedByUv(launch), 'so it is written')],
    ['entry.environments', { value: environments, because: 'these are registered' }],
    ['entry.floats', { value: known(tree.floats), because: 'written with a point or an exponent' }],
  ]);
}

/** What the flags of a tinker server come to. */
function serverWords(launch: Launch, args: readonly Word[], context: BindingContext): TinkerWords {
  const usual = context.knowledge.options.find(({ name }) => name === 'tinker.backend')?.default ?? null;
  return tinkerWords(tinkerFlags(args, launch, context), usual);
}

/** The words without `--flag value` pairs, which programs of one's own read before the overrides. */
function withoutFlags(args: readonly Word[]): readonly Word[] {
  return args.filter((word, at) => {
    const before = args[at - 1];
    const isFlag = (one: Word | undefined): boolean => one !== undefined && knownPrefix(one).startsWith('--');
    const text = knownPrefix(word);
    return !isFlag(word) && !(isFlag(before) && !text.includes('='));
  });
}

/** An unknown option that another program of the repository adds says so; a program of the user's own may have taken it over. */
function ofAnotherProgram(
  problem: BindingProblem,
  knowledge: Knowledge,
  isUpstream: boolean,
): readonly BindingProblem[] {
  const { name } = problem.values;
  if (problem.rule !== 'unknown-option' || name === undefined) return [problem];
  const owner = knowledge.options.find(
    (option) => option.name === name && option.parser?.includes('.') === true,
  );
  const program = owner?.parser?.split(' ')[0];
  if (program === undefined) return [problem];
  if (!isUpstream) return [];
  const values = { ...problem.values, hint: ` It belongs to ${program}.` };
  return [{ ...problem, values, replacement: undefined }];
}

/** Whether a constraint says more precisely what a type problem says: it is about that option first, or carries the tag `type`. */
function toldByConstraint(
  problem: BindingProblem,
  knowledge: Knowledge,
  scope: Scope,
  options: ReadonlyMap<string, OptionFact>,
): boolean {
  const name = problem.setting?.name;
  if (problem.rule !== 'invalid-value' || name === undefined) return false;
  const lookup = lookupOf(scope, options);
  return knowledge.constraints.some(
    (constraint) =>
      (mainName(constraint) === name || (constraint.tags.includes('type') && constraint.at.includes(name))) &&
      constraint.severity === 'error' &&
      evaluateTruth(constraint.when, lookup) === true,
  );
}

/** The option that a constraint points at first, or the only one that it reads besides what the launch itself says. */
function mainName({ at, when }: Knowledge['constraints'][number]): string | undefined {
  if (at.length > 0) return at[0];
  const read = namesOf(when).filter((name) => name.includes('.') && !name.startsWith('entry.'));
  return read.length === 1 ? read[0] : undefined;
}

function jobGpus(scope: Scope, launch: Launch): Value {
  return scope.lookup('job_gpus')?.value ?? launch.worldSize;
}
