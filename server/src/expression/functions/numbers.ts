import { pythonFloat, pythonInt } from '../../value/pythonNumber.ts';
import type { Data } from '../../value/value.ts';
import { isList, isMap, numberOf, type Result, UNKNOWN } from '../result.ts';
import type { FunctionTable } from './table.ts';

function onNumber(apply: (x: number) => number): (args: readonly Data[]) => Result {
  return ([a]) => {
    const x = a === undefined ? undefined : numberOf(a);
    if (x === undefined) return UNKNOWN;
    const y = apply(x);
    return Number.isFinite(y) ? y : UNKNOWN;
  };
}

function numbersOf(args: readonly Data[]): number[] | undefined {
  const first = args[0];
  const items = args.length === 1 && first !== undefined && isList(first) ? first : args;
  const out: number[] = [];
  for (const item of items) {
    const x = numberOf(item);
    if (x === undefined) return undefined;
    out.push(x);
  }
  return out;
}

function reduce(
  apply: (numbers: readonly number[]) => Result,
  allowEmpty: boolean,
): (args: readonly Data[]) => Result {
  return (args) => {
    const numbers = numbersOf(args);
    return numbers === undefined || (numbers.length === 0 && !allowEmpty) ? UNKNOWN : apply(numbers);
  };
}

/** Whether a value is a whole number. Others have no common divisors: for `.inf` and `.nan` the search would not end. */
function isWhole(value: Data | undefined): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value);
}

function greatestCommonDivisor(a: number, b: number): number {
  let x = Math.abs(a);
  let y = Math.abs(b);
  while (y !== 0) [x, y] = [y, x % y];
  return x;
}

/** Python rounds halves to even. */
function roundHalfEven(x: number): number {
  const floor = Math.floor(x);
  const rest = x - floor;
  if (rest !== 0.5) return Math.round(x);
  return floor % 2 === 0 ? floor : floor + 1;
}

/** Python refuses infinities and `nan` here. */
function toInteger(value: Data | undefined): Result {
  if (typeof value === 'string') return pythonInt(value) ?? UNKNOWN;
  const x = value === undefined ? undefined : numberOf(value);
  return x === undefined || !Number.isFinite(x) ? UNKNOWN : Math.trunc(x);
}

function toFloat(value: Data | undefined): Result {
  const x =
    typeof value === 'string' ? pythonFloat(value) : value === undefined ? undefined : numberOf(value);
  return x === undefined || !Number.isFinite(x) ? UNKNOWN : x;
}

/** Numbers, lists of numbers and conversions, as in Python. */
export const numberFunctions: FunctionTable = {
  len: ([a]) => {
    if (typeof a === 'string') return a.length;
    if (a === undefined) return UNKNOWN;
    return isList(a) ? a.length : isMap(a) ? Object.keys(a).length : UNKNOWN;
  },
  sum: reduce((numbers) => numbers.reduce((total, x) => total + x, 0), true),
  min: reduce((numbers) => numbers.reduce((least, x) => Math.min(least, x)), false),
  max: reduce((numbers) => numbers.reduce((most, x) => Math.max(most, x)), false),
  abs: onNumber(Math.abs),
  ceil: onNumber(Math.ceil),
  floor: onNumber(Math.floor),
  round: onNumber(roundHalfEven),
  log2: onNumber(Math.log2),
  int: ([a]) => toInteger(a),
  float: ([a]) => toFloat(a),
  is_power_of_two: ([a]) => typeof a === 'number' && a > 0 && Number.isInteger(Math.log2(a)),
  divides: ([a, b]) => {
    if (typeof a !== 'number' || typeof b !== 'number' || a === 0) return UNKNOWN;
    return b % a === 0;
  },
  gcd: ([a, b]) => (isWhole(a) && isWhole(b) ? greatestCommonDivisor(a, b) : UNKNOWN),
  lcm: ([a, b]) => {
    if (!isWhole(a) || !isWhole(b)) return UNKNOWN;
    const divisor = greatestCommonDivisor(a, b);
    return divisor === 0 ? 0 : Math.abs(a * b) / divisor;
  },
};
