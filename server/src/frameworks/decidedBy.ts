import type { CompiledDerivation, Expression } from '../expression/compiled.ts';
import { evaluateTruth, type Lookup } from '../expression/evaluate.ts';
import { UNKNOWN } from '../expression/result.ts';
import { hasChoice, namesTaken } from '../expression/tree.ts';
import { remembering } from '../value/remember.ts';
import type { Effective } from './framework.ts';

/** Whether what a step sets, or whether it sets anything, is a choice between several things (`test ? a : b`). */
export const makesChoice = remembering(
  ({ to, when }: CompiledDerivation) => hasChoice(to) || hasChoice(when),
);

/**
 * What a step makes, which comes from the sides of choices that are taken; which these are is worked out when somebody asks, as few do.
 * @param reads the names that the step reads besides the one that it sets
 * @param lookup what it finds there, before it has set anything
 */
export function asDecided(
  effective: Effective,
  step: CompiledDerivation,
  reads: readonly string[],
  lookup: Lookup,
): Effective {
  // The step itself and later ones may change what it read.
  const found = new Map([step.set, ...reads].map((name) => [name, lookup.value(name)] as const));
  const value: Lookup['value'] = (name) => {
    const then = found.get(name);
    return then === undefined ? lookup.value(name) : then;
  };
  const side = (test: Expression): boolean | undefined => {
    const truth = evaluateTruth(test, { ...lookup, value });
    return truth === UNKNOWN ? undefined : truth;
  };
  let names: ReadonlySet<string> | undefined;
  const isTaken = (name: string): boolean => {
    names ??= new Set([...namesTaken(step.to, side), ...namesTaken(step.when, side)]);
    return names.has(name);
  };
  return {
    ...effective,
    get from() {
      return reads.filter(isTaken);
    },
    get untaken() {
      return reads.filter((name) => !isTaken(name));
    },
  };
}
