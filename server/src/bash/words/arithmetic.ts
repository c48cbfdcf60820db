import type { Reason } from '../../value/value.ts';
import { union } from '../state/needs.ts';
import { compute } from './arithmeticOperators.ts';

/** A number of shell arithmetic: known, assumed (what Bash with nothing set would have), or unknown. */
export interface Amount {
  /** Undefined if it is entirely unknown. */
  readonly value: bigint | undefined;
  /** Whether the value depends on assumptions. */
  readonly soft: boolean;
  /** Absent names that it depends on. */
  readonly needs: readonly string[];
  /** Why it is unknown. */
  readonly reason?: Reason;
}

/** Resolves the variables and holes of an expression. */
export interface ArithmeticScope {
  /** Undefined if the value is certainly not valid arithmetic. */
  read(name: string, subscript: string | undefined): Amount | undefined;
  /** False when Bash refuses it. */
  write(name: string, subscript: string | undefined, value: Amount): boolean;
  hole(mark: string): Amount;
  /** False when the budget is used up. */
  spend(): boolean;
}

/** An unknown number. */
export const unknownAmount: Amount = { value: undefined, soft: true, needs: [] };

/** A known number. */
export function exactly(value: bigint): Amount {
  return { value: BigInt.asIntN(64, value), soft: false, needs: [] };
}

const deepest = 120;

/** Binary operators by precedence. */
const strengths: ReadonlyMap<string, number> = new Map(
  [
    ['||'],
    ['&&'],
    ['|'],
    ['^'],
    ['&'],
    ['==', '!='],
    ['<=', '>=', '<', '>'],
    ['<<', '>>'],
    ['+', '-'],
    ['*', '/', '%'],
  ].flatMap((operators, strength) => operators.map((operator): [string, number] => [operator, strength])),
);
const assignments: ReadonlySet<string> = new Set([
  '<<=',
  '>>=',
  '+=',
  '-=',
  '*=',
  '/=',
  '%=',
  '&=',
  '^=',
  '|=',
  '=',
]);

/** The next token: an operator of several characters or any single character, after blanks; empty at the end. */
const nextOperator = /[ \t\n]*(<<=|>>=|\*\*|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&^|]=|.?)/sy;
const nextName = /[ \t\n]*([A-Za-z_]\w{0,199})/y;
const plainNumber = /^(?:0|[1-9]\d{0,14})$/;

/** Thrown only within this file: the expression is not valid arithmetic. */
class Malformed extends Error {}

/** Thrown if the expression is too expensive to evaluate: its value is unknown. */
class TooMuch extends Error {}

/** Evaluates an arithmetic expression; undefined when Bash would refuse it (syntax, division by zero). */
export function evaluateArithmetic(text: string, scope: ArithmeticScope): Amount | undefined {
  const plain = text.replace(/^[ \t\n]+|(?<![ \t\n])[ \t\n]+$/g, '');
  if (plain === '') return exactly(0n);
  if (plainNumber.test(plain)) return exactly(BigInt(plain));
  try {
    return new Evaluation(text, scope).whole();
  } catch (error) {
    if (error instanceof Malformed) return undefined;
    if (error instanceof TooMuch) return unknownAmount;
    throw error;
  }
}

interface Target {
  readonly name: string;
  readonly subscript: string | undefined;
}

class Evaluation {
  readonly #text: string;
  readonly #scope: ArithmeticScope;
  #at = 0;
  /** The last result of `#peek`, and its position. */
  #peeked = '';
  #peekedAt = -1;
  #depth = 0;
  /** Greater than 0 while reading an operand that is not evaluated (`0 && x++`). */
  #skipping = 0;
  /** Greater than 0 while reading an operand that may or may not be evaluated (`UNKNOWN && x++`). */
  #doubting = 0;

  constructor(text: string, scope: ArithmeticScope) {
    this.#text = text;
    this.#scope = scope;
  }

  whole(): Amount {
    const value = this.#comma();
    if (this.#peek() !== '') throw new Malformed();
    return value;
  }

  #comma(): Amount {
    let value = this.#assignment();
    while (this.#take(',')) value = this.#assignment();
    return value;
  }

  /** The next operator or character; empty at the end. Advances to its start. */
  #peek(): string {
    if (this.#at !== this.#peekedAt) {
      nextOperator.lastIndex = this.#at;
      this.#peeked = nextOperator.exec(this.#text)?.[1] ?? '';
      this.#at = this.#peekedAt = nextOperator.lastIndex - this.#peeked.length;
    }
    return this.#peeked;
  }

  #take(operator: string): boolean {
    if (this.#peek() !== operator) return false;
    this.#at += operator.length;
    return true;
  }

  #assignment(): Amount {
    this.#depth += 1;
    if (this.#depth > deepest || !this.#scope.spend()) throw new TooMuch();
    const start = this.#at;
    const target = this.#target();
    if (target !== undefined) {
      const operator = this.#peek();
      if (assignments.has(operator)) {
        this.#at += operator.length;
        // The old value is read before the right side, which may also change it.
        const left = operator === '=' ? undefined : this.#read(target);
        const right = this.#assignment();
        const value = left === undefined ? right : this.#apply(operator.slice(0, -1), left, right);
        this.#write(target, value);
        this.#depth -= 1;
        return value;
      }
    }
    this.#at = start;
    const value = this.#conditional();
    // Only a variable on its own can be assigned to.
    if (assignments.has(this.#peek())) throw new Malformed();
    this.#depth -= 1;
    return value;
  }

  #conditional(): Amount {
    const test = this.#binary(0);
    if (!this.#take('?')) return test;
    const chosen = test.value === undefined ? undefined : test.value !== 0n;
    const left = this.#counted(chosen === true, test, () => this.#comma());
    if (!this.#take(':')) throw new Malformed();
    const right = this.#counted(chosen === false, test, () => this.#deeper(() => this.#conditional()));
    if (chosen === undefined) return unknownAmount;
    return softened(chosen ? left : right, test);
  }

  #deeper(read: () => Amount): Amount {
    this.#depth += 1;
    if (this.#depth > deepest || !this.#scope.spend()) throw new TooMuch();
    const value = read();
    this.#depth -= 1;
    return value;
  }

  /** Reads an operand that is evaluated or not, depending on `test`; if that is uncertain, what it assigns becomes unknown. */
  #counted(counts: boolean, test: Amount, read: () => Amount): Amount {
    if (counts) return read();
    const isOpen = test.soft && (this.#skipping === 0 || this.#doubting > 0);
    this.#skipping += 1;
    if (isOpen) this.#doubting += 1;
    const value = read();
    this.#skipping -= 1;
    if (isOpen) this.#doubting -= 1;
    return value;
  }

  /** @param weakest operators with lower precedence end the operand */
  #binary(weakest: number): Amount {
    let left = this.#power();
    for (;;) {
      const next = this.#peek();
      // `2--1` is a difference: after an operand that is not a variable, they are two signs.
      const operator = next === '++' || next === '--' ? next.charAt(0) : next;
      const strength = strengths.get(operator);
      if (strength === undefined || strength < weakest) return left;
      this.#at += operator.length;
      if (operator === '&&' || operator === '||') {
        const decided = left.value === undefined ? undefined : (left.value !== 0n) === (operator === '||');
        const right = this.#counted(decided === false, left, () => this.#binary(strength + 1));
        if (decided === undefined) left = unknownAmount;
        else if (decided) left = softened(exactly(operator === '||' ? 1n : 0n), left);
        else if (right.value === undefined) left = unknownAmount;
        else left = softened(softened(exactly(right.value !== 0n ? 1n : 0n), right), left);
      } else left = this.#apply(operator, left, this.#binary(strength + 1));
    }
  }

  #power(): Amount {
    const base = this.#unary();
    if (!this.#take('**')) return base;
    this.#depth += 1;
    if (this.#depth > deepest) throw new TooMuch();
    const exponent = this.#power();
    this.#depth -= 1;
    return this.#apply('**', base, exponent);
  }

  #unary(): Amount {
    this.#depth += 1;
    if (this.#depth > deepest) throw new TooMuch();
    const value = this.#prefixed();
    this.#depth -= 1;
    return value;
  }

  #prefixed(): Amount {
    const operator = this.#peek();
    if (operator === '++' || operator === '--') {
      const start = this.#at;
      this.#at += 2;
      const target = this.#target();
      if (target !== undefined) return this.#step(target, operator, true);
      // `--5` is two signs.
      this.#at = start + 1;
      return this.#signed(operator.charAt(0));
    }
    if (operator === '+' || operator === '-' || operator === '!' || operator === '~') {
      this.#at += 1;
      return this.#signed(operator);
    }
    return this.#primary();
  }

  #signed(sign: string): Amount {
    const operand = this.#unary();
    const { value } = operand;
    if (value === undefined) return operand;
    if (sign === '-') return softened(exactly(-value), operand);
    if (sign === '!') return softened(exactly(value === 0n ? 1n : 0n), operand);
    return sign === '~' ? softened(exactly(~value), operand) : operand;
  }

  #step(target: Target, operator: string, before: boolean): Amount {
    const old = this.#read(target);
    const fresh = this.#apply(operator.charAt(0), old, exactly(1n));
    this.#write(target, fresh);
    return before ? fresh : old;
  }

  #primary(): Amount {
    const character = this.#peek().charAt(0);
    if (character === '(') {
      this.#at += 1;
      const value = this.#comma();
      if (!this.#take(')')) throw new Malformed();
      return value;
    }
    const target = this.#target();
    if (target !== undefined) {
      const operator = this.#peek();
      if (operator === '++' || operator === '--') {
        this.#at += 2;
        return this.#step(target, operator, false);
      }
      return this.#read(target);
    }
    if (/[\ue000-\uf8ff]/.test(character)) {
      this.#at += 1;
      return this.#mark(character);
    }
    return this.#number();
  }

  /** A hole together with adjacent digits and letters: `1$X` is a single unknown number. */
  #mark(character: string): Amount {
    const attached = /^[\w\ue000-\uf8ff#@]+/.exec(this.#text.slice(this.#at));
    if (attached === null) return this.#skipping > 0 ? exactly(0n) : this.#scope.hole(character);
    this.#at += attached[0].length;
    return unknownAmount;
  }

  #number(): Amount {
    const match = /^(?:0[xX]([0-9a-fA-F]+)|(\d+)#([0-9a-zA-Z@_]+)|(\d+))/.exec(this.#text.slice(this.#at));
    if (match === null) throw new Malformed();
    this.#at += match[0].length;
    const next = this.#text.charAt(this.#at);
    if (/[\ue000-\uf8ff]/.test(next)) {
      this.#mark(next);
      return unknownAmount;
    }
    // `10#$X`: its digits are not known.
    const [inBaseOf] = /^#[\w@]*[\ue000-\uf8ff][\w@\ue000-\uf8ff]*/.exec(this.#text.slice(this.#at)) ?? [];
    if (inBaseOf !== undefined) {
      this.#at += inBaseOf.length;
      return unknownAmount;
    }
    if (/[\w#@]/.test(next)) throw new Malformed();
    const [, hexadecimal, base, digits, decimal] = match;
    if (hexadecimal !== undefined) return exactly(BigInt(`0x${hexadecimal}`));
    if (base !== undefined && digits !== undefined) return inBase(Number(base), digits);
    if (decimal === undefined) throw new Malformed();
    if (decimal.length > 400) throw new TooMuch();
    if (decimal.startsWith('0') && decimal.length > 1) {
      if (/[89]/.test(decimal)) throw new Malformed();
      return exactly(BigInt(`0o${decimal}`));
    }
    return exactly(BigInt(decimal));
  }

  #target(): Target | undefined {
    nextName.lastIndex = this.#at;
    const name = nextName.exec(this.#text)?.[1];
    if (name === undefined) return undefined;
    this.#at = nextName.lastIndex;
    if (this.#text.charAt(this.#at) !== '[') return { name, subscript: undefined };
    let depth = 0;
    const start = this.#at + 1;
    for (; this.#at < this.#text.length; this.#at += 1) {
      const character = this.#text.charAt(this.#at);
      if (character === '[') depth += 1;
      else if (character === ']') {
        depth -= 1;
        if (depth === 0) break;
      }
    }
    if (depth !== 0) throw new Malformed();
    const subscript = this.#text.slice(start, this.#at);
    this.#at += 1;
    return { name, subscript };
  }

  #read(target: Target): Amount {
    if (this.#skipping > 0) return exactly(0n);
    const value = this.#scope.read(target.name, target.subscript);
    if (value === undefined) throw new Malformed();
    return value;
  }

  #write({ name, subscript }: Target, value: Amount): void {
    if (this.#doubting > 0) this.#scope.write(name, subscript, unknownAmount);
    else if (this.#skipping === 0 && !this.#scope.write(name, subscript, value)) throw new Malformed();
  }

  #apply(operator: string, left: Amount, right: Amount): Amount {
    if (this.#skipping > 0) return exactly(0n);
    const { value: a } = left;
    const { value: b } = right;
    const divides = operator === '/' || operator === '%';
    // Whatever the dividend is.
    if (divides && b === 0n && !right.soft) throw new Malformed();
    if (a === undefined || b === undefined || (divides && b === 0n)) return unknownAmount;
    const result = compute(operator, a, b);
    if (result === undefined) throw new Malformed();
    return softened(softened(exactly(result), left), right);
  }
}

function softened(value: Amount, by: Amount): Amount {
  if (!by.soft) return value;
  const needs = union(value.needs, by.needs);
  return { value: value.value, soft: true, needs };
}

function inBase(base: number, digits: string): Amount {
  if (digits.length > 400) throw new TooMuch();
  if (base < 2 || base > 64) throw new Malformed();
  let value = 0n;
  for (const digit of digits) {
    const lower = '0123456789abcdefghijklmnopqrstuvwxyz'.indexOf(base <= 36 ? digit.toLowerCase() : digit);
    const upper = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ@_'.indexOf(digit);
    const number = lower >= 0 ? lower : upper >= 0 ? 36 + upper : base;
    if (number >= base) throw new Malformed();
    value = value * BigInt(base) + BigInt(number);
  }
  return exactly(value);
}
