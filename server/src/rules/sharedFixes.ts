import { evaluateTruth } from '../expression/evaluate.ts';
import type { Run, Scope, Setting } from '../frameworks/framework.ts';
import { samePlace } from '../text/span.ts';
import type { Data } from '../value/value.ts';
import { candidatesOf, type Firing, isFired, lookupIn } from './firing.ts';

/** The most other paths to the same command for which the effect of a fix is checked. */
const mostWays = 8;

/** The settings that a fix sets and removes. */
interface Change {
  readonly set: ReadonlyMap<string, Data>;
  readonly unset: readonly string[];
}

/**
 * Whether a change causes an error for the same command on another path to it: a size that is written into the command for one model of a
 * `case` also affects the others.
 */
export function isRefusedElsewhere(change: Change, { run, scope, context }: Firing): boolean {
  const ways = context.runs?.() ?? [];
  return ways
    .filter((other) => other !== run && samePlace(other.place, run.place))
    .slice(0, mostWays)
    .some((other) => isRefusedThere(sharedPart(change, scope, other), scope, other, context));
}

/** The scope of another run that corresponds to this one. */
function counterpart({ set, role }: Scope, other: Run): Scope | undefined {
  return other.scopes.find((each) => each.set === set && each.role === role);
}

/** The part of a change that would be written where the other run also reads it. */
function sharedPart({ set, unset }: Change, scope: Scope, other: Run): Change {
  const there = counterpart(scope, other);
  const isReached = (name: string): boolean =>
    isSameSetting(scope.lookup(name)?.setting, there?.lookup(name)?.setting);
  return { set: new Map([...set].filter(([name]) => isReached(name))), unset: unset.filter(isReached) };
}

/** Whether two runs have a setting from the same text, or both lack it, so that it would be added to what they share. */
function isSameSetting(one: Setting | undefined, other: Setting | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  const [origin, otherOrigin] = [one.origin?.place, other.origin?.place];
  const isSameText =
    origin === undefined || otherOrigin === undefined
      ? origin === otherOrigin
      : samePlace(origin, otherOrigin);
  return isSameText && samePlace(one.keyPlace, other.keyPlace);
}

/** Whether a change causes a new error in the other run. */
function isRefusedThere(
  { set, unset }: Change,
  scope: Scope,
  other: Run,
  context: Firing['context'],
): boolean {
  const now = counterpart(scope, other);
  if (now?.altered === undefined || set.size + unset.length === 0) return false;
  const before = lookupIn(now, context);
  const altered = now.altered(set, unset);
  const after = lookupIn(altered, context);
  return candidatesOf(altered, context).some(
    (rule) =>
      rule.severity === 'error' && evaluateTruth(rule.when, before) !== true && isFired(rule, altered, after),
  );
}
