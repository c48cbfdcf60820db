import { remembering } from '../value/remember.ts';
import { type Data, known, type Value } from '../value/value.ts';
import type { Expression } from './compiled.ts';
import { functions } from './functions/index.ts';
import { applyOperator } from './operators.ts';
import { equal, isList, isMap, type Result, type Truth, truthOf, UNKNOWN } from './result.ts';
import { type ExpressionNode, isNode, namesOf } from './tree.ts';

/** Where an expression reads its names. */
export interface Lookup {
  /** The effective value of a name; UNKNOWN for names that this lookup lacks. */
  value(name: string): Result;
  /** Whether the user wrote it. */
  given(name: string): boolean;
  /** What the user wrote; null if nothing. */
  asked(name: string): Result;
  /** The option's default. */
  fallback(name: string): Result;
  /** Whether a name certainly has a value, even if that value is unknown. */
  hasValue(name: string): boolean;
  /** The name as a user would write it: `--seq-length`. */
  spelling(name: string): string;
}

/** The result for a value from the settings. */
export function resultOf(value: Value): Result {
  return value.kind === 'known' ? value.data : UNKNOWN;
}

/** A result as a settings value. */
export function toValue(result: Result, label: string): Value {
  return result === UNKNOWN ? { kind: 'unknown', reason: 'outside', label } : known(result);
}

/** Evaluates an expression to a value. Never throws: what Python would refuse is UNKNOWN. */
export function evaluate(expression: Expression, lookup: Lookup): Result {
  return isNode(expression) ? partOf(expression).result(lookup) : expression;
}

/** Evaluates an expression to true, false or unknown, with Python's truth of values. */
export function evaluateTruth(expression: Expression, lookup: Lookup): Truth {
  return isNode(expression) ? partOf(expression).truth(lookup) : truthOf(expression);
}

/** An expression compiled to functions; its parts are compiled on first use, since most tests end at their first part. */
interface Part {
  readonly result: (lookup: Lookup) => Result;
  readonly truth: (lookup: Lookup) => Truth;
}

const partOf = remembering(partOfNode);

function partOfNode(node: ExpressionNode): Part {
  switch (node[0]) {
    case 'n': {
      const name = node[1];
      return ofResult((lookup) => lookup.value(name));
    }
    case 'l': {
      const [, ...items] = node;
      return ofResult(listOf(items));
    }
    case 'c': {
      const [, name, ...args] = node;
      return ofResult(callOf(name, args));
    }
    case 'u': {
      const operand = later(node[2]);
      if (node[1] !== 'not') return ofResult((lookup) => applyOperator('-', 0, operand().result(lookup)));
      const truth = (lookup: Lookup): Truth => {
        const value = operand().truth(lookup);
        return value === UNKNOWN ? UNKNOWN : !value;
      };
      return { result: truth, truth };
    }
    case 'o':
      return operationOf(node);
    case '?': {
      const [test, then, otherwise] = [later(node[1]), later(node[2]), later(node[3])];
      return ofResult((lookup) => {
        const truth = test().truth(lookup);
        if (truth !== UNKNOWN) return (truth ? then() : otherwise()).result(lookup);
        const a = then().result(lookup);
        const b = otherwise().result(lookup);
        return a !== UNKNOWN && b !== UNKNOWN && equal(a, b) ? a : UNKNOWN;
      });
    }
  }
}

function ofResult(result: (lookup: Lookup) => Result): Part {
  return { result, truth: (lookup) => truthOf(result(lookup)) };
}

function later(expression: Expression): () => Part {
  let part: Part | undefined;
  return () => {
    part ??= isNode(expression) ? partOfNode(expression) : ofResult(() => expression);
    return part;
  };
}

function listOf(items: readonly Expression[]): (lookup: Lookup) => Result {
  const parts = items.map(later);
  return (lookup) => {
    const out = [];
    for (const part of parts) {
      const value = part().result(lookup);
      if (value === UNKNOWN) return UNKNOWN;
      out.push(value);
    }
    return out;
  };
}

function operationOf([, operator, left, right]: readonly ['o', string, Expression, Expression]): Part {
  const first = later(left);
  const second = later(right);
  if (operator === 'and' || operator === 'or') {
    const settles = operator === 'or';
    return {
      result: (lookup) => {
        const value = first().result(lookup);
        const truth = truthOf(value);
        if (truth === settles) return value;
        const other = second().result(lookup);
        if (truth !== UNKNOWN) return other;
        return other === settles ? settles : UNKNOWN;
      },
      truth: (lookup) => {
        const a = first().truth(lookup);
        if (a === settles) return settles;
        const b = second().truth(lookup);
        if (b === settles) return settles;
        return a === UNKNOWN || b === UNKNOWN ? UNKNOWN : !settles;
      },
    };
  }
  if (operator === 'in' && isNode(right) && right[0] === 'l') {
    const [, ...items] = right;
    return ofResult(memberOfList(first, items.map(later)));
  }
  const tested = right === null && isNode(left) && left[0] === 'n' ? left[1] : undefined;
  if (tested !== undefined && (operator === '==' || operator === '!='))
    return ofResult((lookup) => {
      const value = lookup.value(tested);
      if (value !== UNKNOWN) return applyOperator(operator, value, null);
      return lookup.hasValue(tested) ? operator === '!=' : UNKNOWN;
    });
  return ofResult((lookup) => applyOperator(operator, first().result(lookup), second().result(lookup)));
}

/** `x in [a, b]` is true as soon as one known element equals `x`, even if another is unknown. */
function memberOfList(left: () => Part, items: readonly (() => Part)[]): (lookup: Lookup) => Truth {
  return (lookup) => {
    const value = left().result(lookup);
    if (value === UNKNOWN) return UNKNOWN;
    let doubtful = false;
    for (const item of items) {
      const element = item().result(lookup);
      if (element === UNKNOWN) doubtful = true;
      else if (equal(value, element)) return true;
    }
    return doubtful ? UNKNOWN : false;
  };
}

function callOf(name: string, args: readonly Expression[]): (lookup: Lookup) => Result {
  const first = args[0];
  const parts = args.map(later);
  switch (name) {
    case 'given':
    case 'asked':
    case 'default': {
      if (first === undefined || !isNode(first) || first[0] !== 'n') return () => UNKNOWN;
      const about = first[1];
      if (name === 'given') return (lookup) => lookup.given(about);
      return name === 'asked' ? (lookup) => lookup.asked(about) : (lookup) => lookup.fallback(about);
    }
    case 'known':
      return (lookup) => {
        const [part] = parts;
        return part !== undefined && part().result(lookup) !== UNKNOWN;
      };
    case 'count':
      return (lookup) => countTrue(parts, lookup);
    case 'first_given':
      return firstOf(args, (option, lookup) => lookup.given(option));
    case 'first_true':
      return firstOf(args, (option, lookup) => truthOf(lookup.value(option)) === true);
    case 'first_below':
      return firstOf(args.slice(1), (option, lookup) => {
        const limit = parts[0]?.().result(lookup) ?? UNKNOWN;
        return applyOperator('<', lookup.value(option), limit) === true;
      });
    case 'any_of':
    case 'all_of':
      return (lookup) => overElements(name, args, lookup);
  }
  const apply = functions[name];
  if (apply === undefined) return () => UNKNOWN;
  return (lookup) => {
    const values = [];
    for (const part of parts) {
      const value = part().result(lookup);
      if (value === UNKNOWN) return UNKNOWN;
      values.push(value);
    }
    return apply(values, lookup);
  };
}

/** The spelling of the first option that passes a test; null if none does. */
function firstOf(
  args: readonly Expression[],
  test: (option: string, lookup: Lookup) => boolean,
): (lookup: Lookup) => Result {
  const options = args.flatMap((arg) => (isNode(arg) && arg[0] === 'n' ? [arg[1]] : []));
  return (lookup) => {
    const found = options.find((option) => test(option, lookup));
    return found === undefined ? null : lookup.spelling(found);
  };
}

function countTrue(parts: readonly (() => Part)[], lookup: Lookup): Result {
  let total = 0;
  for (const part of parts) {
    const truth = part().truth(lookup);
    if (truth === UNKNOWN) return UNKNOWN;
    if (truth) total++;
  }
  return total;
}

function overElements(name: 'any_of' | 'all_of', args: readonly Expression[], lookup: Lookup): Truth {
  const [list, variable, test] = args;
  if (list === undefined || typeof variable !== 'string' || test === undefined) return UNKNOWN;
  const found = evaluate(list, lookup);
  const elements = isList(found) ? found : isMap(found) ? Object.values(found) : undefined;
  if (elements === undefined) return UNKNOWN;
  const settles = name === 'any_of';
  let doubtful = false;
  for (const element of elements) {
    const truth = evaluateTruth(test, withElement(lookup, variable, element));
    if (truth === settles) return settles;
    if (truth === UNKNOWN) doubtful = true;
  }
  return doubtful ? UNKNOWN : !settles;
}

/** A lookup in which `variable` additionally stands for an element of a list. */
export function withElement(lookup: Lookup, variable: string, element: Data): Lookup {
  return {
    value: (asked) => (asked === variable ? element : lookup.value(asked)),
    given: (asked) => lookup.given(asked),
    asked: (asked) => lookup.asked(asked),
    fallback: (asked) => lookup.fallback(asked),
    hasValue: (asked) => asked !== variable && lookup.hasValue(asked),
    spelling: (asked) => lookup.spelling(asked),
  };
}

/**
 * The names that made a true expression true: both sides of `and`, only the true sides of `or`, the branch taken of a choice. In order of
 * appearance, without duplicates, without element names and names that only `aside` reads. Findings point at these.
 */
export function causesOf(expression: Expression, lookup: Lookup): string[] {
  const names = new Set<string>();
  collectCauses(expression, lookup, true, names);
  const free = namesOf(expression);
  return free.filter((name) => names.has(name));
}

function collectCauses(expression: Expression, lookup: Lookup, wanted: boolean, names: Set<string>): void {
  if (!isNode(expression)) return;
  if (expression[0] === 'o' && (expression[1] === 'and' || expression[1] === 'or')) {
    // Only the sides that have the value decide a true `or` (or a false `and`); otherwise both sides matter.
    const settledBySide = (expression[1] === 'or') === wanted;
    for (const side of [expression[2], expression[3]])
      if (!settledBySide || evaluateTruth(side, lookup) === wanted)
        collectCauses(side, lookup, wanted, names);
    return;
  }
  if (expression[0] === 'u' && expression[1] === 'not') {
    collectCauses(expression[2], lookup, !wanted, names);
    return;
  }
  if (expression[0] === '?') {
    const test = evaluateTruth(expression[1], lookup);
    collectCauses(expression[1], lookup, test === true, names);
    if (test !== false) collectCauses(expression[2], lookup, wanted, names);
    if (test !== true) collectCauses(expression[3], lookup, wanted, names);
    return;
  }
  if (expression[0] === 'c' && expression[1] === 'aside') return;
  if (expression[0] === 'n') names.add(expression[1]);
  else for (const part of expression) if (Array.isArray(part)) collectCauses(part, lookup, wanted, names);
}
