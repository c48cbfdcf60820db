import type { CompiledDerivation, Expression } from '../expression/compiled.ts';
import { evaluateTruth, type Lookup, resultOf } from '../expression/evaluate.ts';
import { UNKNOWN } from '../expression/result.ts';
import { hasChoice, namesTaken } from '../expression/tree.ts';
import { remembering } from '../value/remember.ts';
import type { Effective, Sides } from './framework.ts';

/** A name that a step set, with its previous value. */
export interface Change {
  readonly name: string;
  readonly before: Effective | undefined;
}

/** Whether a step's value, or its condition, is a choice between alternatives (`test ? a : b`). */
export const makesChoice = remembering(
  ({ to, when }: CompiledDerivation) => hasChoice(to) || hasChoice(when),
);

/**
 * Tells which of the names that a step reads are on taken branches of its choices. Computed on demand, as it is rarely needed.
 * @param reads the names that the step reads besides the one it sets
 * @param lookup the values after all steps
 * @param changes what the steps set, in order, including this step and, once they have run, later ones
 * @param at the index of this step's own change
 */
export function sidesOf(
  step: CompiledDerivation,
  reads: readonly string[],
  lookup: Lookup,
  changes: readonly Change[],
  at: number,
): () => Sides {
  return () => {
    const value: Lookup['value'] = (name) => {
      const change = changes.find((one, position) => position >= at && one.name === name);
      if (change === undefined) return lookup.value(name);
      return change.before === undefined ? UNKNOWN : resultOf(change.before.value);
    };
    const side = (test: Expression): boolean | undefined => {
      const truth = evaluateTruth(test, { ...lookup, value });
      return truth === UNKNOWN ? undefined : truth;
    };
    const names = new Set([...namesTaken(step.to, side), ...namesTaken(step.when, side)]);
    return {
      taken: reads.filter((name) => names.has(name)),
      untaken: reads.filter((name) => !names.has(name)),
    };
  };
}

/** The names that decide a value now, and those that would have decided it on other branches of its choices. */
export function decidedBy({ sides, from }: Effective): Sides {
  return sides?.() ?? { taken: from, untaken: [] };
}
