import type { Data } from '../../value/value.ts';
import { isList, UNKNOWN } from '../result.ts';
import type { FunctionTable } from './table.ts';

/** Longest list that is built; real layer patterns have a few hundred elements. */
const longest = 100_000;

/** Deepest nesting of brackets that is followed. */
const deepest = 50;

/**
 * The list that a Python expression of numbers, `[…]`, `+`, `*` and parentheses stands for: `([0]*3+[1]*58)`.
 * @returns undefined if the text is anything else or the list would be longer than 100,000.
 */
export function evaluatePythonList(text: string): readonly Data[] | undefined {
  const reader = new PythonReader(text.match(/\d+(?:\.\d+)?|[[\](),+*-]|\S/g) ?? []);
  const result = reader.sum(0);
  return reader.isAtEnd() && result !== undefined && isList(result) ? result : undefined;
}

/** Parses an expression by Python's precedence; each step returns undefined for anything else. */
class PythonReader {
  readonly #tokens: readonly string[];
  #at = 0;

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens;
  }

  isAtEnd(): boolean {
    return this.#at === this.#tokens.length;
  }

  /** @param depth how many brackets enclose it */
  sum(depth: number): Data | undefined {
    let left = this.#product(depth);
    while (left !== undefined && (this.#peek() === '+' || this.#peek() === '-')) {
      const add = this.#peek() === '+' ? plus : minus;
      this.#at++;
      left = add(left, this.#product(depth));
    }
    return left;
  }

  #product(depth: number): Data | undefined {
    let left = this.#atom(depth);
    while (left !== undefined && this.#take('*')) left = times(left, this.#atom(depth));
    return left;
  }

  #atom(depth: number): Data | undefined {
    if (depth > deepest) return undefined;
    if (this.#take('(')) {
      const inner = this.sum(depth + 1);
      return this.#take(')') ? inner : undefined;
    }
    if (this.#take('-')) {
      const inner = this.#atom(depth + 1);
      return typeof inner === 'number' ? -inner : undefined;
    }
    if (this.#take('[')) return this.#items(depth + 1);
    const token = this.#tokens[this.#at++];
    return token !== undefined && /^\d/.test(token) ? Number(token) : undefined;
  }

  #items(depth: number): Data | undefined {
    const items: Data[] = [];
    while (!this.#take(']')) {
      const item = this.sum(depth);
      if (item === undefined) return undefined;
      items.push(item);
      if (!this.#take(',') && this.#peek() !== ']') return undefined;
    }
    return items;
  }

  #peek(): string | undefined {
    return this.#tokens[this.#at];
  }

  #take(token: string): boolean {
    if (this.#peek() !== token) return false;
    this.#at++;
    return true;
  }
}

function plus(left: Data, right: Data | undefined): Data | undefined {
  if (typeof left === 'number') return typeof right === 'number' ? left + right : undefined;
  if (right === undefined || !isList(left) || !isList(right)) return undefined;
  return left.length + right.length > longest ? undefined : [...left, ...right];
}

function minus(left: Data, right: Data | undefined): Data | undefined {
  return typeof left === 'number' && typeof right === 'number' ? left - right : undefined;
}

function times(left: Data, right: Data | undefined): Data | undefined {
  if (typeof right === 'number') {
    if (typeof left === 'number') return left * right;
    return isList(left) ? repeat(left, right) : undefined;
  }
  return right !== undefined && isList(right) && typeof left === 'number' ? repeat(right, left) : undefined;
}

function repeat(list: readonly Data[], times: number): readonly Data[] | undefined {
  if (!Number.isInteger(times) || list.length * times > longest) return undefined;
  if (list.length === 0) return [];
  const out: Data[] = [];
  for (let round = 0; round < times; round++) out.push(...list);
  return out;
}

/** `eval_python_list`, which evaluates a list written in Python. */
export const pythonListFunctions: FunctionTable = {
  eval_python_list: ([a]) => (typeof a === 'string' ? (evaluatePythonList(a) ?? UNKNOWN) : UNKNOWN),
};
