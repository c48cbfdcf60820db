import { known, type Value } from '../value/value.ts';
import type { Expression } from './compiled.ts';
import { functions } from './functions/index.ts';
import { applyOperator } from './operators.ts';
import { equal, isList, isMap, type Result, type Truth, truthOf, UNKNOWN } from './result.ts';
import { isNode } from './tree.ts';

/** Where an expression reads its names. */
export interface Lookup {
  /** The effective value of a name; UNKNOWN for names that this lookup does not have. */
  value(name: string): Result;
  /** Whether the user wrote it. */
  given(name: string): boolean;
  /** What the user wrote; null when nothing. */
  asked(name: string): Result;
  /** The option's default. */
  fallback(name: string): Result;
}

/** The result of a value that settings hold. */
export function resultOf(value: Value): Result {
  return value.kind === 'known' ? value.data : UNKNOWN;
}

/** The settings value of a result. */
export function toValue(result: Result, label: string): Value {
  return result === UNKNOWN ? { kind: 'unknown', reason: 'outside', label } : known(result);
}

/** Evaluates an expression to a value. Never throws; what Python would refuse is UNKNOWN. */
export function evaluate(expression: Expression, lookup: Lookup): Result {
  if (!isNode(expression)) return expression;
  switch (expression[0]) {
    case 'n':
      return lookup.value(expression[1]);
    case 'l': {
      const [, ...items] = expression;
      const out = [];
      for (const item of items) {
        const value = evaluate(item, lookup);
        if (value === UNKNOWN) return UNKNOWN;
        out.push(value);
      }
      return out;
    }
    case 'c': {
      const [, name, ...args] = expression;
      return call(name, args, lookup);
    }
    case 'u': {
      if (expression[1] === 'not') {
        const truth = evaluateTruth(expression[2], lookup);
        return truth === UNKNOWN ? UNKNOWN : !truth;
      }
      return applyOperator('-', 0, evaluate(expression[2], lookup));
    }
    case 'o':
      return operate(expression, lookup);
    case '?': {
      const test = evaluateTruth(expression[1], lookup);
      if (test !== UNKNOWN) return evaluate(test ? expression[2] : expression[3], lookup);
      const a = evaluate(expression[2], lookup);
      const b = evaluate(expression[3], lookup);
      return a !== UNKNOWN && b !== UNKNOWN && equal(a, b) ? a : UNKNOWN;
    }
  }
}

/** Evaluates an expression to true, false or unknown, with Python's truth of values. */
export function evaluateTruth(expression: Expression, lookup: Lookup): Truth {
  if (isNode(expression) && expression[0] === 'o') {
    const operator = expression[1];
    if (operator === 'and' || operator === 'or') {
      const settles = operator === 'or';
      const left = evaluateTruth(expression[2], lookup);
      if (left === settles) return settles;
      const right = evaluateTruth(expression[3], lookup);
      if (right === settles) return settles;
      return left === UNKNOWN || right === UNKNOWN ? UNKNOWN : !settles;
    }
  }
  return truthOf(evaluate(expression, lookup));
}

function operate(node: readonly ['o', string, Expression, Expression], lookup: Lookup): Result {
  const [, operator, left, right] = node;
  if (operator === 'and' || operator === 'or') {
    const value = evaluate(left, lookup);
    const truth = truthOf(value);
    const settles = operator === 'or';
    if (truth === settles) return value;
    const other = evaluate(right, lookup);
    if (truth !== UNKNOWN) return other;
    return other === settles ? settles : UNKNOWN;
  }
  if (operator === 'in' && isNode(right) && right[0] === 'l') return memberOfList(left, right, lookup);
  return applyOperator(operator, evaluate(left, lookup), evaluate(right, lookup));
}

/** `x in [a, b]` is true as soon as one known element equals, though another is unknown. */
function memberOfList(left: Expression, list: readonly ['l', ...Expression[]], lookup: Lookup): Truth {
  const value = evaluate(left, lookup);
  if (value === UNKNOWN) return UNKNOWN;
  const [, ...items] = list;
  let doubtful = false;
  for (const item of items) {
    const element = evaluate(item, lookup);
    if (element === UNKNOWN) doubtful = true;
    else if (equal(value, element)) return true;
  }
  return doubtful ? UNKNOWN : false;
}

function call(name: string, args: readonly Expression[], lookup: Lookup): Result {
  const first = args[0];
  switch (name) {
    case 'given':
    case 'asked':
    case 'default': {
      if (first === undefined || !isNode(first) || first[0] !== 'n') return UNKNOWN;
      if (name === 'given') return lookup.given(first[1]);
      return name === 'asked' ? lookup.asked(first[1]) : lookup.fallback(first[1]);
    }
    case 'known':
      return first !== undefined && evaluate(first, lookup) !== UNKNOWN;
    case 'count':
      return countTrue(args, lookup);
    case 'any_of':
    case 'all_of':
      return overElements(name, args, lookup);
  }
  const apply = functions[name];
  if (apply === undefined) return UNKNOWN;
  const values = [];
  for (const arg of args) {
    const value = evaluate(arg, lookup);
    if (value === UNKNOWN) return UNKNOWN;
    values.push(value);
  }
  return apply(values, lookup);
}

function countTrue(args: readonly Expression[], lookup: Lookup): Result {
  let total = 0;
  for (const arg of args) {
    const truth = evaluateTruth(arg, lookup);
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
    const inner: Lookup = {
      value: (asked) => (asked === variable ? element : lookup.value(asked)),
      given: (asked) => lookup.given(asked),
      asked: (asked) => lookup.asked(asked),
      fallback: (asked) => lookup.fallback(asked),
    };
    const truth = evaluateTruth(test, inner);
    if (truth === settles) return settles;
    if (truth === UNKNOWN) doubtful = true;
  }
  return doubtful ? UNKNOWN : !settles;
}

/**
 * The names that made a true expression true: both sides of `and`, only the true sides of `or`, the taken side of a choice.
 * In order of appearance, without repeats. Findings point at these.
 */
export function causesOf(expression: Expression, lookup: Lookup): string[] {
  const names = new Set<string>();
  collectCauses(expression, lookup, true, names);
  return [...names];
}

function collectCauses(expression: Expression, lookup: Lookup, wanted: boolean, names: Set<string>): void {
  if (!isNode(expression)) return;
  if (expression[0] === 'o' && (expression[1] === 'and' || expression[1] === 'or')) {
    // A true `or` (or a false `and`) is settled by those sides that have the value; otherwise both sides matter.
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
  if (expression[0] === 'n') names.add(expression[1]);
  else for (const part of expression) if (Array.isArray(part)) collectCauses(part, lookup, wanted, names);
}
