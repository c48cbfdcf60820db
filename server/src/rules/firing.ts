import type { CompiledConstraint } from '../expression/compiled.ts';
import type { Elements } from '../expression/elements.ts';
import { evaluateTruth, type Lookup } from '../expression/evaluate.ts';
import type { Run, Scope } from '../frameworks/framework.ts';
import type { Knowledge, KnowledgeSource, OptionFact } from '../frameworks/knowledge.ts';
import { lookupOf } from '../frameworks/lookups.ts';
import { candidatesIn } from './candidates.ts';
import type { Causes } from './places.ts';
import type { FixPlanner } from './plannedChange.ts';

/** What a check of runs needs. */
export interface CheckContext {
  readonly knowledgeOf: KnowledgeSource;
  /** Options of each framework by name, for defaults. */
  readonly optionsOf: (knowledge: Knowledge) => ReadonlyMap<string, OptionFact>;
  readonly planFix: FixPlanner;
  /** Whether to look for fixes of one more finding; absent if always. If not, finding out what one would do is not worthwhile. */
  readonly mayPlan?: () => boolean;
  /** The known runs of the file, for what a fix does to the other ones. Absent if there is only one. */
  readonly runs?: () => readonly Run[];
}

/** A constraint's scope in a run in which it fired, with what the rest of its finding needs. */
export interface Firing {
  readonly run: Run;
  readonly scope: Scope;
  readonly lookup: Lookup;
  /** The elements of files by which it fired; they have names in the scope. */
  readonly elements: Elements;
  /** All constraints that fired in the run, each with its scope (`idIn`). */
  readonly firedIds: ReadonlySet<string>;
  /** Several scopes of the run use the same constraints, so the message names the one it is about. */
  readonly shared: boolean;
  readonly context: CheckContext;
}

/** What a fired constraint rests on. */
export interface Grounds {
  /** The names of options and facts, beginning with those that the constraint points at. */
  readonly names: readonly string[];
  readonly causes: Causes;
}

/** The constraints of a scope's set that may fire in it. */
export function candidatesOf(
  scope: Scope,
  { knowledgeOf, optionsOf }: CheckContext,
): readonly CompiledConstraint[] {
  const knowledge = knowledgeOf(scope.set);
  return candidatesIn(scope, knowledge.constraints, optionsOf(knowledge));
}

/** Whether a constraint holds in a scope; unknown values never make it fire. */
export function isFired(constraint: CompiledConstraint, scope: Scope, lookup: Lookup): boolean {
  return (
    scope.excludes?.has(constraint.id) !== true &&
    evaluateTruth(constraint.when, lookup) === true &&
    scope.isReplaced?.(constraint) !== true
  );
}

/** A constraint's id together with the scope it applies to. */
export function idIn({ set, role }: Scope, { id }: CompiledConstraint): string {
  return `${set} ${role ?? ''} ${id}`;
}

/** Values of a scope by name, for evaluating the expressions of constraints. */
export function lookupIn(scope: Scope, { knowledgeOf, optionsOf }: CheckContext): Lookup {
  return lookupOf(scope, optionsOf(knowledgeOf(scope.set)));
}

/**
 * A text about another framework's flags, with the names of this run: Megatron-LM's `--context-parallel-size` is
 * `trainer.policy.megatron_config.context_parallel_size` to somebody who writes for SkyRL.
 */
export function inOwnNames(text: string, { run, scope, context }: Firing): string {
  if (scope.set === run.framework || !text.includes('--')) return text;
  const options = context.optionsOf(context.knowledgeOf(scope.set));
  return text.replace(/--[a-z][a-z0-9-]+/g, (flag) => {
    const name = flag.slice(2).replaceAll('-', '_');
    const option = options.get(name);
    return option?.flags?.includes(flag) === true ? scope.spelling(name) : flag;
  });
}
