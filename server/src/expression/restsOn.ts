import type { Data } from '../value/value.ts';
import type { Expression } from './compiled.ts';
import { evaluateTruth, type Lookup } from './evaluate.ts';
import { type Result, UNKNOWN } from './result.ts';
import { isNode, namesOf, visitCalls } from './tree.ts';

/** The most names that are tried in all combinations. */
const mostNames = 3;

/** The state of names that nobody sets. */
export interface Untouched {
  /** Defaults of the options. */
  readonly defaults: ReadonlyMap<string, Data>;
  /** Further names that upstream's steps set; untouched while they are null, false or unknown. */
  readonly derived: ReadonlySet<string>;
}

/** Names of which at least one must be touched. */
export type NameGroup = readonly string[];

/**
 * What must be touched for an expression to be true: one name of each group. While all of a group is untouched (options at their defaults or
 * with an unknown value), the expression is false or unknown.
 * @param untouched other names (facts of the launch) may have any value
 * @returns no groups if it may be true in any case
 */
export function restsOn(expression: Expression, untouched: Untouched): readonly NameGroup[] {
  if (isNode(expression) && expression[0] === 'o') {
    const [, operator, left, right] = expression;
    if (operator === 'and' || operator === 'or') {
      const a = restsOn(left, untouched);
      const b = restsOn(right, untouched);
      const parts = operator === 'and' ? distinct([...a, ...b]) : eitherOf(a, b);
      return parts.length > 0 ? parts : ofWhole(expression, untouched);
    }
  }
  return ofWhole(expression, untouched);
}

function distinct(groups: readonly NameGroup[]): readonly NameGroup[] {
  const byNames = new Map(groups.map((group) => [[...group].sort().join(' '), group]));
  return [...byNames.values()].sort((x, y) => x.length - y.length);
}

/** What either of two tests rests on: the smallest group of each, combined. */
function eitherOf(a: readonly NameGroup[], b: readonly NameGroup[]): readonly NameGroup[] {
  const [first] = a;
  const [second] = b;
  return first === undefined || second === undefined ? [] : [[...new Set([...first, ...second])]];
}

function ofWhole(expression: Expression, untouched: Untouched): readonly NameGroup[] {
  const names = namesOf(expression);
  const isKnown = (name: string): boolean => untouched.defaults.has(name) || untouched.derived.has(name);
  if (names.length === 0 || names.length > mostNames || !names.every(isKnown)) return [];
  let readsOthers = false;
  visitCalls(expression, (name) => {
    if (name === 'version') readsOthers = true;
  });
  if (readsOthers) return [];
  return everyState(names, untouched, (lookup) => evaluateTruth(expression, lookup) !== true) ? [names] : [];
}

/** Whether a test holds in every state that the names can have while nobody sets them. */
function everyState(
  names: readonly string[],
  { defaults }: Untouched,
  test: (lookup: Lookup) => boolean,
): boolean {
  const values = new Map<string, Result>();
  const lookup: Lookup = {
    value: (name) => values.get(name) ?? null,
    given: () => false,
    asked: () => null,
    fallback: (name) => defaults.get(name) ?? null,
    hasValue: () => false,
    spelling: (name) => name,
  };
  const from = (index: number): boolean => {
    const name = names[index];
    if (name === undefined) return test(lookup);
    const states: readonly Result[] = defaults.has(name)
      ? [defaults.get(name) ?? null, UNKNOWN]
      : [null, false, UNKNOWN];
    return states.every((value) => {
      values.set(name, value);
      return from(index + 1);
    });
  };
  return from(0);
}
