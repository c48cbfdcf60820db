import type { Data } from '../value/value.ts';
import type { Expression } from './compiled.ts';
import { evaluateTruth, type Lookup } from './evaluate.ts';
import { type Result, UNKNOWN } from './result.ts';
import { isNode, namesOf, visitCalls } from './tree.ts';

/** More names than this are not tried in all combinations. */
const mostNames = 3;

/**
 * Names of options of which at least one must differ from its default for the expression to be true: while all of them have
 * their default, or no value, or one that is not known, it is false or unknown. Undefined when there are no such names.
 * @param defaults the options' defaults; other names (facts of the launch, derived values) may have any value
 */
export function restsOn(
  expression: Expression,
  defaults: ReadonlyMap<string, Data>,
): readonly string[] | undefined {
  if (isNode(expression) && expression[0] === 'o') {
    const [, operator, left, right] = expression;
    if (operator === 'and' || operator === 'or') {
      const a = restsOn(left, defaults);
      const b = restsOn(right, defaults);
      if (operator === 'or')
        return a === undefined || b === undefined ? undefined : [...new Set([...a, ...b])];
      if (a !== undefined && b !== undefined) return b.length < a.length ? b : a;
      return a ?? b ?? ofWhole(expression, defaults);
    }
  }
  return ofWhole(expression, defaults);
}

function ofWhole(expression: Expression, defaults: ReadonlyMap<string, Data>): readonly string[] | undefined {
  const names = namesOf(expression);
  if (names.length === 0 || names.length > mostNames || !names.every((name) => defaults.has(name)))
    return undefined;
  let readsOthers = false;
  visitCalls(expression, (name) => {
    if (name === 'version') readsOthers = true;
  });
  if (readsOthers) return undefined;
  return everyState(names, defaults, (lookup) => evaluateTruth(expression, lookup) !== true)
    ? names
    : undefined;
}

/** Whether a test holds however the names stand as long as nobody sets them: at their default, at nothing, not known. */
function everyState(
  names: readonly string[],
  defaults: ReadonlyMap<string, Data>,
  test: (lookup: Lookup) => boolean,
): boolean {
  const values = new Map<string, Result>();
  const lookup: Lookup = {
    value: (name) => values.get(name) ?? null,
    given: () => false,
    asked: () => null,
    fallback: (name) => defaults.get(name) ?? null,
  };
  const from = (index: number): boolean => {
    const name = names[index];
    if (name === undefined) return test(lookup);
    const states: readonly Result[] = [defaults.get(name) ?? null, null, UNKNOWN];
    return states.every((value) => {
      values.set(name, value);
      return from(index + 1);
    });
  };
  return from(0);
}
