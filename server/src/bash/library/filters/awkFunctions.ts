import { compileRegex } from '../regex.ts';
import {
  arrayOf,
  type Cell,
  createRecord,
  fieldsOf,
  format,
  type Machine,
  numberOf,
  textOf,
  unset,
} from './awkRun.ts';
import { searchMeter } from './filter.ts';

/** Functions with their minimum and maximum number of arguments. */
export const functions: ReadonlyMap<string, readonly [number, number]> = new Map([
  ['length', [0, 1]],
  ['substr', [2, 3]],
  ['index', [2, 2]],
  ['int', [1, 1]],
  ['toupper', [1, 1]],
  ['tolower', [1, 1]],
  ['sprintf', [1, 50]],
  ['split', [2, 3]],
  ['match', [2, 2]],
]);

/** The value of a function call. */
export function callFunction(machine: Machine, name: string, args: readonly Cell[]): Cell {
  if (name === 'sprintf') return { kind: 'string', text: format(machine, args) };
  const [first = { kind: 'string', text: machine.fields[0] ?? '' }, second = unset, third] = args;
  if (name === 'int') return { kind: 'number', number: Math.trunc(numberOf(machine, first)) };
  const text = textOf(machine, first);
  if (name === 'length') return { kind: 'number', number: text.length };
  if (name === 'index') return { kind: 'number', number: text.indexOf(textOf(machine, second)) + 1 };
  if (name === 'toupper') return { kind: 'string', text: text.toUpperCase() };
  if (name === 'tolower') return { kind: 'string', text: text.toLowerCase() };
  const from = numberOf(machine, second);
  const count = third === undefined ? text.length : numberOf(machine, third);
  if (!Number.isInteger(from) || !Number.isInteger(count) || from < 1 || count < 0) machine.failed = true;
  return { kind: 'string', text: text.slice(from - 1, from - 1 + count) };
}

/** `split(TEXT, ARRAY, SEPARATOR)`: fills the array from index 1 and returns the number of parts. */
export function splitInto(machine: Machine, text: string, name: string, separator: string): Cell {
  const array = arrayOf(machine, name);
  const parts = fieldsOf(machine, text, separator);
  machine.steps += parts.length;
  array.clear();
  parts.forEach((part, index) => {
    array.set(String(index + 1), { kind: 'input', text: part });
  });
  return { kind: 'number', number: parts.length };
}

/** `+ - * / %` of two values. */
export function calculate(machine: Machine, operator: string, left: Cell, right: Cell): Cell {
  const [a, b] = [numberOf(machine, left), numberOf(machine, right)];
  if (b === 0 && (operator === '/' || operator === '%')) machine.failed = true;
  if (operator === '+') return { kind: 'number', number: a + b };
  if (operator === '-') return { kind: 'number', number: a - b };
  if (operator === '*') return { kind: 'number', number: a * b };
  return { kind: 'number', number: operator === '/' ? a / b : a % b };
}

/** Whether the text matches an extended regular expression. */
export function matches(machine: Machine, text: string, source: string): boolean {
  const regex = compileRegex(source, 'extended');
  if (regex === undefined) machine.failed = true;
  return regex?.test(text) === true;
}

/** `match(TEXT, REGEX)`: where the first match begins, which `RSTART` then holds, and `RLENGTH` its length. */
export function findMatch(machine: Machine, text: string, source: string): Cell {
  const regex = compileRegex(source, 'extended');
  if (regex === undefined) machine.failed = true;
  const meter = searchMeter();
  const [start, end] = regex?.find(text, 0, meter) ?? [-1, -2];
  if (meter.left < 0) machine.failed = true;
  const begin: Cell = { kind: 'number', number: start + 1 };
  machine.variables.set('RSTART', begin);
  machine.variables.set('RLENGTH', { kind: 'number', number: end - start });
  return begin;
}

/** Assigns `$index` and rebuilds the record. */
export function writeField(machine: Machine, index: number, text: string): void {
  if (index === 0) {
    createRecord(machine, text);
    return;
  }
  while (machine.fields.length <= index) machine.fields.push('');
  machine.fields[index] = text;
  const separator = textOf(machine, machine.variables.get('OFS') ?? { kind: 'string', text: ' ' });
  machine.fields[0] = machine.fields.slice(1).join(separator);
}
