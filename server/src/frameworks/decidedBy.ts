import type { CompiledDerivation, Expression } from '../expression/compiled.ts';
import { evaluateTruth, type Lookup, resultOf } from '../expression/evaluate.ts';
import { UNKNOWN } from '../expression/result.ts';
import { hasChoice, namesTaken } from '../expression/tree.ts';
import { remembering } from '../value/remember.ts';
import type { Effective, Sides } from './framework.ts';

/** A name that a step has set, with what stood there before. */
export interface Change {
  readonly name: string;
  readonly before: Effective | undefined;
}

/** Whether what a step sets, or whether it sets anything, is a choice between several things (`test ? a : b`). */
export const makesChoice = remembering(
  ({ to, when }: CompiledDerivation) => hasChoice(to) || hasChoice(when),
);

/**
 * Tells of the names that a step reads which ones are on sides of choices that are taken. Few ask, so that it is worked out then.
 * @param reads the names that the step reads besides the one that it sets
 * @param lookup what is found at the end of all steps
 * @param changes what steps have set in their order, this one and later ones among them once they have run
 * @param at the position of this step's own change
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

/** The names that decide a value as things stand, and those that would have decided it if other sides of choices had been taken. */
export function decidedBy({ sides, from }: Effective): Sides {
  return sides?.() ?? { taken: from, untaken: [] };
}
