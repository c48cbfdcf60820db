import { evaluateTruth } from '../../expression/evaluate.ts';
import { namesOf } from '../../expression/tree.ts';
import type { Launch } from '../../launch/launch.ts';
import { known, unknown, type Value } from '../../value/value.ts';
import { makeFacts } from '../facts.ts';
import type { BindingContext, BindingProblem, Effective, Run, Scope } from '../framework.ts';
import type { Knowledge, OptionFact } from '../knowledge.ts';
import { lookupOf } from '../lookups.ts';
import { makeScope } from '../scope.ts';
import { variablesOf } from '../variables.ts';
import { engineArguments } from './engine.ts';
import { environmentsOf } from './environments.ts';
import { missingExtra, startedByUv } from './extras.ts';
import { type Given, readGiven } from './given.ts';
import { megatronScopes } from './megatron.ts';
import { megatronArguments } from './megatronArguments.ts';
import { freeKey } from './roots.ts';

/** Binds a launch of SkyRL: its overrides against the options of its program, and the scopes to which constraints apply. */
export function bindSkyrl(launch: Launch, because: string, context: BindingContext): Run {
  const given = readGiven(launch, context);
  const { program, root, tinker, tree } = given;
  const own = scopeOf(given);
  const megatronOf = (scope: Scope): readonly Scope[] => megatronScopes(scope, tree, root, program, context);
  const megatron = megatronOf(own);
  const scope: Scope = { ...own, others: (set, unset) => megatronOf(own.altered?.(set, unset) ?? own) };
  const scopes = [scope, ...megatron];
  return {
    framework: 'skyrl',
    because,
    launch,
    documents: [],
    place: launch.place,
    settings: [...tree.settings.values()],
    problems: problemsOf(given, scope, megatron.length > 0),
    // A tinker server takes its settings only in one JSON text.
    scopes: tinker === undefined ? scopes : scopes.map((each) => ({ ...each, addition: () => undefined })),
    env: variablesOf(launch.env),
    worldSize: jobGpus(scope, launch),
    open: given.open,
    upstreamEntry: program.upstream,
  };
}

/** What is wrong with a launch, except for what a constraint reports more precisely. */
function problemsOf(given: Given, scope: Scope, runsMegatron: boolean): readonly BindingProblem[] {
  const { launch, context, program, options, overrides, tree, problems } = given;
  const { knowledge, knowledgeOf } = context;
  return [
    ...problems,
    ...engineArguments(overrides, knowledge),
    ...(runsMegatron ? [...megatronArguments(overrides, knowledgeOf), ...missingExtra(launch)] : []),
    ...tree.problems
      .filter((problem) => !isReportedByConstraint(problem, knowledge, scope, options))
      .flatMap((problem) => ofAnotherProgram(problem, knowledge, program.upstream)),
  ];
}

function scopeOf(given: Given): Scope {
  const { launch, context, program, options, tree } = given;
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
    forced: launchFacts(given),
    facts: (name): Effective | undefined =>
      name === 'world_size' ? scope.lookup('job_gpus') : (facts(name) ?? freeKey(name, options, tree.opaque)),
    unknownDefault: (name) => below(name, tree.opaque) || program.ownDefaults?.(name) === true,
  });
  return scope;
}

/** The facts about the launch itself that constraints read. */
function launchFacts({
  launch,
  context,
  program,
  tree,
  tinker,
}: Given): ReadonlyMap<string, { readonly value: Value; readonly because: string }> {
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
    [
      'entry.environments',
      { value: environmentsOf(program, launch, context), because: 'these are registered' },
    ],
    ['entry.floats', { value: known(tree.floats), because: 'written with a point or an exponent' }],
  ]);
}

/** For an unknown option that another program of the repository adds, says so; a custom program may have taken it over. */
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

/** Whether a constraint reports a type problem more precisely: it is primarily about that option, or carries the tag `type`. */
function isReportedByConstraint(
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

/** The option that a constraint points at first, or the only one it reads besides facts of the launch itself. */
function mainName({ at, when }: Knowledge['constraints'][number]): string | undefined {
  if (at.length > 0) return at[0];
  const read = namesOf(when).filter((name) => name.includes('.') && !name.startsWith('entry.'));
  return read.length === 1 ? read[0] : undefined;
}

function jobGpus(scope: Scope, launch: Launch): Value {
  return scope.lookup('job_gpus')?.value ?? launch.worldSize;
}
