import type { Expression } from './compiled.ts';

/** An expression that is not a literal. */
export type ExpressionNode = Exclude<Expression, number | string | boolean | null>;

/** Whether an expression is more than a literal. */
export function isNode(expression: Expression): expression is ExpressionNode {
  return Array.isArray(expression);
}

/** Functions that bind a name for their last argument: `any_of(list, "x", x > 1)`. */
const binders: ReadonlySet<string> = new Set(['any_of', 'all_of']);

/** Which side of a choice (`test ? a : b`) counts; undefined if both do. */
type Side = (test: Expression) => boolean | undefined;

const bothSides: Side = () => undefined;

/** Calls `visit` with every name that an expression reads or asks about, in order of appearance, repeats included. */
function visitNames(
  expression: Expression,
  visit: (name: string) => void,
  side: Side,
  bound: readonly string[] = [],
): void {
  if (!isNode(expression)) return;
  const node = expression;
  switch (node[0]) {
    case 'n':
      if (!bound.includes(node[1])) visit(node[1]);
      return;
    case 'l': {
      const [, ...items] = node;
      for (const item of items) visitNames(item, visit, side, bound);
      return;
    }
    case 'c': {
      const [, name, ...args] = node;
      const variable = args[1];
      const inner = binders.has(name) && typeof variable === 'string' ? [...bound, variable] : bound;
      for (const arg of args) visitNames(arg, visit, side, inner);
      return;
    }
    case 'o':
      visitNames(node[2], visit, side, bound);
      visitNames(node[3], visit, side, bound);
      return;
    case 'u':
      visitNames(node[2], visit, side, bound);
      return;
    case '?': {
      const taken = side(node[1]);
      visitNames(node[1], visit, side, bound);
      if (taken !== false) visitNames(node[2], visit, side, bound);
      if (taken !== true) visitNames(node[3], visit, side, bound);
    }
  }
}

/** All names of an expression, in order of first appearance. */
export function namesOf(expression: Expression): string[] {
  return namesTaken(expression, bothSides);
}

/**
 * The names of an expression, except those in sides of choices (`test ? a : b`) that do not count.
 * @param side whether the test of a choice holds; undefined if that is unknown
 */
export function namesTaken(expression: Expression, side: Side): string[] {
  const names = new Set<string>();
  visitNames(expression, (name) => names.add(name), side);
  return [...names];
}

/** Whether an expression contains a choice (`test ? a : b`). */
export function hasChoice(expression: Expression): boolean {
  return (
    isNode(expression) &&
    (expression[0] === '?' || expression.some((part) => Array.isArray(part) && hasChoice(part)))
  );
}

/** Calls `visit` with the name and number of arguments of every function call. */
export function visitCalls(
  expression: Expression,
  visit: (name: string, args: readonly Expression[]) => void,
): void {
  if (!isNode(expression)) return;
  const node = expression;
  if (node[0] === 'c') {
    const [, name, ...args] = node;
    visit(name, args);
  }
  for (const part of node) if (Array.isArray(part)) visitCalls(part, visit);
}

/** The names that an expression gives to elements of lists. */
export function boundBy(expression: Expression): ReadonlySet<string> {
  const bound = new Set<string>();
  visitCalls(expression, (name, [, variable]) => {
    if (binders.has(name) && typeof variable === 'string') bound.add(variable);
  });
  return bound;
}
