import type { Data } from '../value/value.ts';
import type { Expression } from './compiled.ts';
import { evaluate, evaluateTruth, type Lookup, withElement } from './evaluate.ts';
import { isList, isMap, type Result, UNKNOWN } from './result.ts';
import { isNode } from './tree.ts';

/** An element of a list or a map that makes an expression true. */
export interface Element {
  readonly data: Data;
  /** The map whose key it is, if the elements are those of `keys(…)`. */
  readonly owner?: Data;
}

/** Elements by the names that `any_of` gives them; of two with the same name, the outer one. */
export type Elements = ReadonlyMap<string, Element>;

const none: Elements = new Map();

/** The most ways that are collected: nobody reads more. */
const mostWays = 50;

/**
 * The elements that make a true expression true, once for each way in which it is true: each element that makes an `any_of` true, or makes an
 * `all_of` false that must be false.
 * @returns at least one way, which may have no elements
 */
export function elementsOf(expression: Expression, lookup: Lookup): readonly Elements[] {
  return waysOf(expression, lookup, true);
}

function waysOf(expression: Expression, lookup: Lookup, wanted: boolean): readonly Elements[] {
  if (!isNode(expression)) return [none];
  switch (expression[0]) {
    case 'o': {
      const [, operator, left, right] = expression;
      if (operator !== 'and' && operator !== 'or') return [none];
      const sides = [left, right].filter((side) => evaluateTruth(side, lookup) === wanted);
      const ways = sides.map((side) => waysOf(side, lookup, wanted));
      return (operator === 'or') === wanted ? either(ways) : ways.reduce(both, [none]);
    }
    case 'u':
      return expression[1] === 'not' ? waysOf(expression[2], lookup, !wanted) : [none];
    case '?': {
      const test = evaluateTruth(expression[1], lookup);
      if (test === UNKNOWN) return [none];
      return both(waysOf(expression[1], lookup, test), waysOf(expression[test ? 2 : 3], lookup, wanted));
    }
    case 'c':
      return waysOfCall(expression, lookup, wanted);
    default:
      return [none];
  }
}

/** Ways of which one is enough: only those with elements, if there are any. */
function either(ways: readonly (readonly Elements[])[]): readonly Elements[] {
  const some = ways.flat().filter(({ size }) => size > 0);
  return some.length === 0 ? [none] : some.slice(0, mostWays);
}

/** Every combination of a left and a right way. */
function both(left: readonly Elements[], right: readonly Elements[]): readonly Elements[] {
  return left.flatMap((one) => right.map((other) => new Map([...other, ...one]))).slice(0, mostWays);
}

function waysOfCall(
  [, name, list = null, variable, test = null]: readonly ['c', string, ...Expression[]],
  lookup: Lookup,
  wanted: boolean,
): readonly Elements[] {
  if (name !== (wanted ? 'any_of' : 'all_of') || typeof variable !== 'string') return [none];
  const owner =
    isNode(list) && list[0] === 'c' && list[1] === 'keys' ? evaluate(list[2] ?? null, lookup) : null;
  const ways: Elements[] = [];
  for (const data of valuesOf(evaluate(list, lookup))) {
    const within = withElement(lookup, variable, data);
    if (ways.length >= mostWays || evaluateTruth(test, within) !== wanted) continue;
    const element: Element = isMap(owner) ? { data, owner } : { data };
    for (const inner of waysOf(test, within, wanted)) ways.push(new Map([...inner, [variable, element]]));
  }
  return ways.length === 0 ? [none] : ways.slice(0, mostWays);
}

function valuesOf(found: Result): readonly Data[] {
  if (isList(found)) return found;
  return isMap(found) ? Object.values(found) : [];
}
