import { compileRegex } from '../regex.ts';
import type { Filter } from './filter.ts';

type Operand = string;

/** `expr` over integers and text: `|  &  = != < <= > >=  + -  * / %  :  ( )  length  substr  index  match  +`. */
export const expr: Filter = (args) => {
  const parser = new Parser(args);
  const value = parser.evaluate();
  if (value === undefined) return undefined;
  return { output: `${value}\n`, status: isNull(value) ? 1 : 0 };
};

const levels: readonly (readonly string[])[] = [
  ['|'],
  ['&'],
  ['=', '==', '!=', '<', '<=', '>', '>='],
  ['+', '-'],
  ['*', '/', '%'],
  [':'],
];
const integer = /^-?\d+$/;

function isNull(value: Operand): boolean {
  return value === '' || /^-?0+$/.test(value);
}

class Parser {
  private at = 0;
  private failed = false;
  private readonly args: readonly string[];

  constructor(args: readonly string[]) {
    this.args = args;
  }

  evaluate(): Operand | undefined {
    if (this.args.length === 0 || this.args.length > 200) return undefined;
    const value = this.level(0);
    return this.failed || this.at < this.args.length ? undefined : value;
  }

  private level(depth: number): Operand {
    const operators = levels[depth];
    if (operators === undefined) return this.primary();
    let left = this.level(depth + 1);
    while (!this.failed && operators.includes(this.args[this.at] ?? '')) {
      const operator = this.args[this.at] ?? '';
      this.at += 1;
      left = this.apply(operator, left, this.level(depth + 1));
    }
    return left;
  }

  private primary(): Operand {
    const word = this.args[this.at];
    this.at += 1;
    if (word === undefined) return this.fail();
    if (word === '(') {
      const value = this.level(0);
      if (this.args[this.at] !== ')') return this.fail();
      this.at += 1;
      return value;
    }
    if (word === 'length') return String([...this.primary()].length);
    if (word === 'substr') {
      const [text, from, count] = [this.primary(), this.primary(), this.primary()];
      if (!integer.test(from) || !integer.test(count) || Number(from) < 1) return '';
      return [...text].slice(Number(from) - 1, Number(from) - 1 + Math.max(0, Number(count))).join('');
    }
    if (word === 'index') {
      const [text, letters] = [[...this.primary()], this.primary()];
      return String(text.findIndex((letter) => letters.includes(letter)) + 1);
    }
    if (word === 'match') return this.match(this.primary(), this.primary());
    if (word === '+') {
      const quoted = this.args[this.at];
      this.at += 1;
      return quoted ?? this.fail();
    }
    return word === ')' ? this.fail() : word;
  }

  private fail(): Operand {
    this.failed = true;
    return '';
  }

  private apply(operator: string, left: Operand, right: Operand): Operand {
    if (operator === '|') return isNull(left) ? (isNull(right) ? '0' : right) : left;
    if (operator === '&') return isNull(left) || isNull(right) ? '0' : left;
    if (operator === ':') return this.match(left, right);
    const numbers = integer.test(left) && integer.test(right);
    if (levels[2]?.includes(operator)) {
      // The order of texts depends on the locale; equality does not.
      if (!numbers && !['=', '==', '!='].includes(operator)) return this.fail();
      const order = numbers ? BigInt(left) - BigInt(right) : left === right ? 0n : 1n;
      return compare(operator, order) ? '1' : '0';
    }
    if (!numbers) return this.fail();
    const [a, b] = [BigInt(left), BigInt(right)];
    if ((operator === '/' || operator === '%') && b === 0n) return this.fail();
    if (operator === '+') return String(a + b);
    if (operator === '-') return String(a - b);
    if (operator === '*') return String(a * b);
    return String(operator === '/' ? a / b : a % b);
  }

  private match(text: Operand, pattern: Operand): Operand {
    const regex = compileRegex(pattern, 'basic');
    const end = regex?.ends(text, 0).at(-1);
    if (regex === undefined || pattern.startsWith('^')) return this.fail();
    const hasGroup = pattern.includes('\\(');
    if (end === undefined) return hasGroup ? '' : '0';
    if (!hasGroup) return String(end);
    const groups = regex.groups(text, [0, end]);
    return groups === undefined ? this.fail() : (groups[1] ?? '');
  }
}

function compare(operator: string, order: bigint): boolean {
  if (operator === '=' || operator === '==') return order === 0n;
  if (operator === '!=') return order !== 0n;
  if (operator === '<') return order < 0n;
  if (operator === '<=') return order <= 0n;
  return operator === '>' ? order > 0n : order >= 0n;
}
