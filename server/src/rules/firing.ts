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
  /** Whether fixes are looked for of one more finding; absent where that is always so. What one would do is not worth finding out else. */
  readonly mayPlan?: () => boolean;
  /** The runs of the file, as far as they are known: what a fix does to those beside it. Absent where there is only one. */
  readonly runs?: () => readonly Run[];
}

/** A constraint's scope in a run in which it fired, with what tells the rest of its finding. */
export interface Firing {
  readonly run: Run;
  readonly scope: Scope;
  readonly lookup: Lookup;
  /** The elements of files by which it fired, which have names in the scope. */
  readonly elements: Elements;
  /** All constraints that fired in the run, each with its scope (`idIn`). */
  readonly told: ReadonlySet<string>;
  /** Several scopes of the run use the same constraints, so the message says which one it is. */
  readonly shared: boolean;
  readonly context: CheckContext;
}

/** What a constraint that fired rests on. */
export interface Grounds {
  /** The names of options and facts, those that the constraint points at first. */
  readonly names: readonly string[];
  readonly causes: Causes;
}

/** The constraints of a scope's set that may fire there. */
export function candidatesOf(
  scope: Scope,
  { knowledgeOf, optionsOf }: CheckContext,
): readonly CompiledConstraint[] {
  const knowledge = knowledgeOf(scope.set);
  return candidatesIn(scope, knowledge.constraints, optionsOf(knowledge));
}

/** Whether a constraint holds in a scope: an unknown never makes it fire. */
export function isFired(constraint: CompiledConstraint, scope: Scope, lookup: Lookup): boolean {
  return (
    scope.excludes?.has(constraint.id) !== true &&
    evaluateTruth(constraint.when, lookup) === true &&
    scope.isReplaced?.(constraint) !== true
  );
}

/** A constraint's id with the scope in which it is meant. */
export function idIn({ set, role }: Scope, { id }: CompiledConstraint): string {
  return `${set} ${role ?? ''} ${id}`;
}

/** Values of a scope by name, for the expressions of constraints. */
export function lookupIn(scope: Scope, { knowledgeOf, optionsOf }: CheckContext): Lookup {
  return lookupOf(scope, optionsOf(knowledgeOf(scope.set)));
}

/**
 * A text about another framework's flags in the names of this run: Megatron-LM's `--context-parallel-size` is
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
