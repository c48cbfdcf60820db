import type { CompiledConstraint, Expression } from '../../expression/compiled.ts';
import { isNode } from '../../expression/tree.ts';

/**
 * The values that a constraint accepts for an option, if it refuses or advises against all others: `a` and `b` for `not (name in ["a", "b"])`.
 * If there are several lists, the longest counts: shorter ones are for special cases.
 * @returns an empty list if no constraint lists them
 */
export function acceptedValues(constraints: readonly CompiledConstraint[], name: string): readonly string[] {
  const lists = constraints.flatMap(({ when }) => conjuncts(when).map((part) => listedFor(part, name)));
  return lists.reduce((longest, list) => (list.length > longest.length ? list : longest), []);
}

/** The parts of an expression that must all hold. */
function conjuncts(expression: Expression): readonly Expression[] {
  return isNode(expression) && expression[0] === 'o' && expression[1] === 'and'
    ? [...conjuncts(expression[2]), ...conjuncts(expression[3])]
    : [expression];
}

function listedFor(expression: Expression, name: string): readonly string[] {
  if (!isNode(expression) || expression[0] !== 'u' || expression[1] !== 'not') return [];
  const inner = expression[2];
  if (!isNode(inner) || inner[0] !== 'o' || inner[1] !== 'in') return [];
  const [, , subject, list] = inner;
  if (!isNode(subject) || subject[0] !== 'n' || subject[1] !== name) return [];
  if (!isNode(list) || list[0] !== 'l') return [];
  const [, ...items] = list;
  return items.flatMap((item) => (typeof item === 'string' || typeof item === 'number' ? [`${item}`] : []));
}
