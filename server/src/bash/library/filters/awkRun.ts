import { decimalOf, showGeneral } from '../decimal.ts';
import { formatPrintf } from '../printf.ts';
import { compileRegex } from '../regex.ts';

/** A value: a number, a text, or text from the input, which compares as a number when it looks like one. */
export type Cell =
  | { readonly kind: 'number'; readonly number: number }
  | { readonly kind: 'string' | 'input'; readonly text: string };

/** The state that an awk program changes while it runs. */
export interface Machine {
  readonly variables: Map<string, Cell>;
  /** The arrays by their names. */
  readonly arrays: Map<string, Map<string, Cell>>;
  /** `$0`, `$1`, … */
  fields: string[];
  /** `NR`. */
  number: number;
  readonly output: string[];
  steps: number;
  status: number;
  skips: boolean;
  ended: boolean;
  /** Whether something with an uncertain result occurred. */
  failed: boolean;
}

/** A variable or field that was never assigned. */
export const unset: Cell = { kind: 'input', text: '' };

/** Awks differ in how they show numbers beyond 31 bits. */
const mostInteger = 2 ** 31;

/** Splits a line into fields according to `FS`. */
export function createRecord(machine: Machine, line: string): void {
  machine.steps += 1;
  machine.fields = [line, ...fieldsOf(machine, line, textOf(machine, machine.variables.get('FS') ?? unset))];
}

/** The parts of a text between separators: blanks, one character or a regex. */
export function fieldsOf(machine: Machine, line: string, separator: string): readonly string[] {
  if (separator === ' ') return line.match(/[^ \t\n]+/g) ?? [];
  if (line === '') return [];
  return separator.length === 1 && separator !== '\\'
    ? line.split(separator)
    : splitByRegex(machine, line, separator);
}

/** An array by name; fails for the name of a plain variable. */
export function arrayOf(machine: Machine, name: string): Map<string, Cell> {
  if (machine.variables.has(name)) machine.failed = true;
  const known = machine.arrays.get(name);
  if (known !== undefined) return known;
  const created = new Map<string, Cell>();
  machine.arrays.set(name, created);
  return created;
}

function splitByRegex(machine: Machine, line: string, separator: string): readonly string[] {
  const regex = separator === '' ? undefined : compileRegex(separator, 'extended');
  if (regex === undefined) {
    machine.failed = true;
    return [];
  }
  const fields: string[] = [];
  let at = 0;
  for (let found = regex.find(line, at); found !== undefined; found = regex.find(line, at)) {
    const [start, end] = found;
    if (end === start) {
      machine.failed = true;
      return [];
    }
    fields.push(line.slice(at, start));
    at = end;
  }
  return [...fields, line.slice(at)];
}

/** A value as text. */
export function textOf(machine: Machine, cell: Cell): string {
  if (cell.kind !== 'number') return cell.text;
  const { number } = cell;
  if (!Number.isFinite(number) || Math.abs(number) >= mostInteger) {
    machine.failed = true;
    return '';
  }
  if (Number.isInteger(number)) return String(number === 0 ? 0 : number);
  const shown = showGeneral(decimalOf(number), 6);
  return number < 0 ? `-${shown.text}` : shown.text;
}

/** A value as a number: the digits at the beginning of a text. */
export function numberOf(machine: Machine, cell: Cell): number {
  if (cell.kind === 'number') return cell.number;
  const text = cell.text.trim();
  if (/^[-+]?(0[xX]|nan|inf)/i.test(text)) machine.failed = true;
  return Number(/^[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?/.exec(text)?.[0] ?? 0);
}

/** Whether a value counts as true. */
export function isTrue(machine: Machine, cell: Cell): boolean {
  if (cell.kind === 'number') return cell.number !== 0;
  return cell.kind === 'input' && looksNumeric(cell.text) ? numberOf(machine, cell) !== 0 : cell.text !== '';
}

/** `<`, `==`, …: numeric if both are numbers or look like numbers, else textual. */
export function compare(machine: Machine, operator: string, left: Cell, right: Cell): boolean {
  const numeric = [left, right].every(
    (cell) =>
      cell.kind === 'number' || (cell.kind === 'input' && (cell === unset || looksNumeric(cell.text))),
  );
  if (numeric) {
    const difference = numberOf(machine, left) - numberOf(machine, right);
    return holds(operator, difference);
  }
  const [a, b] = [textOf(machine, left), textOf(machine, right)];
  // The order of texts depends on the locale, equality does not.
  if (operator !== '==' && operator !== '!=') machine.failed = true;
  return holds(operator, a === b ? 0 : 1);
}

function holds(operator: string, difference: number): boolean {
  if (operator === '==') return difference === 0;
  if (operator === '!=') return difference !== 0;
  if (operator === '<') return difference < 0;
  if (operator === '<=') return difference <= 0;
  return operator === '>' ? difference > 0 : difference >= 0;
}

function looksNumeric(text: string): boolean {
  return /^[ \t]*[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?[ \t]*$/.test(text);
}

/** awk's `sprintf`: numbers are doubles; the result of missing arguments is uncertain. */
export function format(machine: Machine, cells: readonly Cell[]): string {
  const [first = unset, ...rest] = cells;
  const template = textOf(machine, first);
  const args: string[] = [];
  for (const [, letter] of template.matchAll(/%(?:%|[-+ 0#]*\d*(?:\.\d+)?([A-Za-z]?))/g)) {
    if (letter === undefined) continue;
    const cell = rest[args.length];
    if (cell === undefined || !'sdifeg'.includes(letter) || letter === '') {
      machine.failed = true;
      return '';
    }
    args.push(
      letter === 's'
        ? textOf(machine, cell)
        : digitsOf(machine, numberOf(machine, cell), 'di'.includes(letter)),
    );
  }
  const result = formatPrintf(template.replaceAll('\\', '\\\\'), args);
  if (result === undefined || template.includes('*')) machine.failed = true;
  return result?.output ?? '';
}

function digitsOf(machine: Machine, number: number, whole: boolean): string {
  if (!Number.isFinite(number) || Math.abs(number) >= mostInteger) {
    machine.failed = true;
    return '0';
  }
  const value = decimalOf(whole ? Math.trunc(number) : number);
  const digits = value.digits.toString().padStart(value.scale + 1, '0');
  const split = digits.length - value.scale;
  const sign = value.negative && value.digits !== 0n ? '-' : '';
  return `${sign}${digits.slice(0, split)}${value.scale === 0 ? '' : `.${digits.slice(split)}`}`;
}
