import { evaluateTruth } from '../expression/evaluate.ts';
import type { Run, Scope, Setting } from '../frameworks/framework.ts';
import { samePlace } from '../text/span.ts';
import type { Data } from '../value/value.ts';
import { candidatesOf, type Firing, isFired, lookupIn } from './firing.ts';

/** Other ways to the same command that are asked what a fix does to them. */
const mostWays = 8;

/** The settings that a fix writes and takes away. */
interface Change {
  readonly set: ReadonlyMap<string, Data>;
  readonly unset: readonly string[];
}

/**
 * Whether a change brings an error to the same command on another way to it: a size that is written into the command for one model of a
 * `case` reaches the others as well.
 */
export function isRefusedElsewhere(change: Change, { run, scope, context }: Firing): boolean {
  const ways = context.runs?.() ?? [];
  return ways
    .filter((other) => other !== run && samePlace(other.place, run.place))
    .slice(0, mostWays)
    .some((other) => isRefusedThere(reaching(change, scope, other), scope, other, context));
}

/** The scope of another run that stands for the same part of it. */
function counterpart({ set, role }: Scope, other: Run): Scope | undefined {
  return other.scopes.find((each) => each.set === set && each.role === role);
}

/** The part of a change that would be written where the other run reads it too. */
function reaching({ set, unset }: Change, scope: Scope, other: Run): Change {
  const there = counterpart(scope, other);
  const isReached = (name: string): boolean =>
    isSameSetting(scope.lookup(name)?.setting, there?.lookup(name)?.setting);
  return { set: new Map([...set].filter(([name]) => isReached(name))), unset: unset.filter(isReached) };
}

/** Whether two runs have a setting from the same text, or both have none, so that it would be written beside what they share. */
function isSameSetting(one: Setting | undefined, other: Setting | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  const [origin, otherOrigin] = [one.origin?.place, other.origin?.place];
  const isSameText =
    origin === undefined || otherOrigin === undefined
      ? origin === otherOrigin
      : samePlace(origin, otherOrigin);
  return isSameText && samePlace(one.keyPlace, other.keyPlace);
}

/** Whether an error comes of a change in the other run that was not there before. */
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
