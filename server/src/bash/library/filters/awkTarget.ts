import { writeField } from './awkFunctions.ts';
import { arrayOf, type Cell, type Machine, numberOf, textOf, unset } from './awkRun.ts';

/** A compiled expression: its value in the machine's current state. */
export type Expression = (machine: Machine) => Cell;

/** What an awk program may assign to: a variable or a field. */
export interface Target {
  readonly read: Expression;
  readonly write: (machine: Machine, value: Cell) => void;
}

/** Maximum number of fields per line. */
const mostFields = 10_000;

/** Variables that awk itself sets. */
const special: ReadonlySet<string> = new Set(
  'NF NR FNR RS ORS RT CONVFMT OFMT SUBSEP ENVIRON ARGV ARGC FILENAME IGNORECASE'.split(' '),
);

/** Whether a program that names the variable can be followed. */
export function isFollowed(name: string): boolean {
  return !special.has(name) || name === 'NF' || name === 'NR' || name === 'FNR';
}

/** A variable by name; assigning one of awk's own makes the program fail. */
export function variable(name: string): Target {
  return {
    read: (machine) => {
      if (name === 'NF') return { kind: 'number', number: Math.max(0, machine.fields.length - 1) };
      if (name === 'NR' || name === 'FNR') return { kind: 'number', number: machine.number };
      // Versions of awk differ in what these are before the first `match`.
      const isMatched = machine.variables.has(name) || (name !== 'RSTART' && name !== 'RLENGTH');
      if (machine.arrays.has(name) || !isMatched) machine.failed = true;
      return machine.variables.get(name) ?? unset;
    },
    write: (machine, value) => {
      if (special.has(name) || machine.arrays.has(name)) machine.failed = true;
      machine.variables.set(name, value);
    },
  };
}

/** An array element; reading creates it. */
export function elementOf(name: string, subscript: Expression): Target {
  return {
    read: (machine) => {
      const key = textOf(machine, subscript(machine));
      const array = arrayOf(machine, name);
      const value = array.get(key) ?? unset;
      array.set(key, value);
      return value;
    },
    write: (machine, value) => {
      const key = textOf(machine, subscript(machine));
      arrayOf(machine, name).set(key, value);
    },
  };
}

/** The field whose number is the value of an expression: `$1`, `$NF`. */
export function fieldAt(index: Expression): Target {
  const place = (machine: Machine): number => {
    const value = Math.trunc(numberOf(machine, index(machine)));
    if (value < 0 || value > mostFields) machine.failed = true;
    return value;
  };
  return {
    read: (machine) => ({ kind: 'input', text: machine.fields[place(machine)] ?? '' }),
    write: (machine, value) => writeField(machine, place(machine), textOf(machine, value)),
  };
}
