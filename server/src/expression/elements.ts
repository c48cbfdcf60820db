import type { Data } from '../value/value.ts';
import type { Expression } from './compiled.ts';
import { evaluate, evaluateTruth, type Lookup, withElement } from './evaluate.ts';
import { isList, isMap, type Result, UNKNOWN } from './result.ts';
import { isNode } from './tree.ts';

/** An element of a list or a map by which an expression is true. */
export interface Element {
  readonly data: Data;
  /** The map of which it is a key, where the elements are those of `keys(…)`. */
  readonly owner?: Data;
}

/**
 * The elements by which a true expression is true, by the names that its `any_of` give them (a false `all_of` counts as well). Where several
 * would do, the first one; of two that have the same name, the outer one.
 */
export function elementsOf(expression: Expression, lookup: Lookup): ReadonlyMap<string, Element> {
  const elements = new Map<string, Element>();
  collect(expression, lookup, true, elements);
  return elements;
}

function collect(
  expression: Expression,
  lookup: Lookup,
  wanted: boolean,
  elements: Map<string, Element>,
): void {
  if (!isNode(expression)) return;
  switch (expression[0]) {
    case 'o':
      if (expression[1] !== 'and' && expression[1] !== 'or') return;
      for (const side of [expression[2], expression[3]])
        if (evaluateTruth(side, lookup) === wanted) collect(side, lookup, wanted, elements);
      return;
    case 'u':
      if (expression[1] === 'not') collect(expression[2], lookup, !wanted, elements);
      return;
    case '?': {
      const test = evaluateTruth(expression[1], lookup);
      if (test === UNKNOWN) return;
      collect(expression[1], lookup, test, elements);
      collect(expression[test ? 2 : 3], lookup, wanted, elements);
      return;
    }
    case 'c':
      collectElement(expression, lookup, wanted, elements);
  }
}

function collectElement(
  [, name, list = null, variable, test = null]: readonly ['c', string, ...Expression[]],
  lookup: Lookup,
  wanted: boolean,
  elements: Map<string, Element>,
): void {
  if (name !== (wanted ? 'any_of' : 'all_of') || typeof variable !== 'string') return;
  const data = valuesOf(evaluate(list, lookup)).find(
    (each) => evaluateTruth(test, withElement(lookup, variable, each)) === wanted,
  );
  if (data === undefined) return;
  const owner =
    isNode(list) && list[0] === 'c' && list[1] === 'keys' ? evaluate(list[2] ?? null, lookup) : null;
  if (!elements.has(variable)) elements.set(variable, isMap(owner) ? { data, owner } : { data });
  collect(test, withElement(lookup, variable, data), wanted, elements);
}

function valuesOf(found: Result): readonly Data[] {
  if (isList(found)) return found;
  return isMap(found) ? Object.values(found) : [];
}
