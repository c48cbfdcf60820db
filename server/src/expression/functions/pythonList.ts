import type { Data } from '../../value/value.ts';
import { isList, UNKNOWN } from '../result.ts';
import type { FunctionTable } from './table.ts';

/** Longest list that is built; real layer patterns have a few hundred elements. */
const longest = 100_000;

/**
 * The list that a Python expression of numbers, `[…]`, `+`, `*` and parentheses stands for: `([0]*3+[1]*58)`.
 * @returns undefined when the text is anything else or the list would be longer than 100,000.
 */
export function evaluatePythonList(text: string): readonly Data[] | undefined {
  const tokens = text.match(/\d+(?:\.\d+)?|[[\](),+*-]|\S/g) ?? [];
  let at = 0;
  const peek = (): string | undefined => tokens[at];
  const take = (token: string): boolean => {
    if (tokens[at] !== token) return false;
    at++;
    return true;
  };
  function sum(depth: number): Data | undefined {
    let left = product(depth);
    while (left !== undefined && (peek() === '+' || peek() === '-')) {
      const operator = tokens[at++];
      const right = product(depth);
      if (typeof left === 'number' && typeof right === 'number')
        left = operator === '+' ? left + right : left - right;
      else if (operator === '+' && isList(left) && right !== undefined && isList(right)) {
        if (left.length + right.length > longest) return undefined;
        left = [...left, ...right];
      } else return undefined;
    }
    return left;
  }
  function product(depth: number): Data | undefined {
    let left = atom(depth);
    while (left !== undefined && take('*')) {
      const right = atom(depth);
      if (right === undefined) return undefined;
      if (typeof left === 'number' && typeof right === 'number') left *= right;
      else if (isList(left) && typeof right === 'number') left = repeat(left, right);
      else if (isList(right) && typeof left === 'number') left = repeat(right, left);
      else return undefined;
    }
    return left;
  }
  function atom(depth: number): Data | undefined {
    if (depth > 50) return undefined;
    if (take('(')) {
      const inner = sum(depth + 1);
      return take(')') ? inner : undefined;
    }
    if (take('-')) {
      const inner = atom(depth + 1);
      return typeof inner === 'number' ? -inner : undefined;
    }
    if (take('[')) {
      const items: Data[] = [];
      while (!take(']')) {
        const item = sum(depth + 1);
        if (item === undefined) return undefined;
        items.push(item);
        if (!take(',') && peek() !== ']') return undefined;
      }
      return items;
    }
    const token = tokens[at++];
    return token !== undefined && /^\d/.test(token) ? Number(token) : undefined;
  }
  const result = sum(0);
  return at === tokens.length && result !== undefined && isList(result) ? result : undefined;
}

function repeat(list: readonly Data[], times: number): readonly Data[] | undefined {
  if (!Number.isInteger(times) || list.length * times > longest) return undefined;
  if (list.length === 0) return [];
  const out: Data[] = [];
  for (let round = 0; round < times; round++) out.push(...list);
  return out;
}

export const pythonListFunctions: FunctionTable = {
  eval_python_list: ([a]) => (typeof a === 'string' ? (evaluatePythonList(a) ?? UNKNOWN) : UNKNOWN),
};
