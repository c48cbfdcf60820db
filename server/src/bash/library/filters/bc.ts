import { type Filter, splitLines } from './filter.ts';

/** A number as in `bc`: `digits` / 10^`scale`. */
interface Exact {
  readonly digits: bigint;
  readonly scale: number;
}

const zero: Exact = { digits: 0n, scale: 0 };
/** More decimal places, or larger powers, are not computed. */
const mostPlaces = 60;
/** The length at which `bc` breaks a line. */
const longestLine = 68;

/** `bc` on numbers: `+ - * / % ^`, comparisons, variables, `scale`, `sqrt`; no strings, statements or user-defined functions. */
export const bc: Filter = (args, input) => {
  const isKnown = args.every((arg) => /^-[lq]+$|^--(?:quiet|mathlib)$/.test(arg));
  // How an unterminated last line is treated depends on the version.
  if (!isKnown || input === undefined || !splitLines(input).closed || input.length > 2_000) return undefined;
  const calculator = new Calculator(args.some((arg) => arg.startsWith('-') && arg.includes('l')) ? 20 : 0);
  const output: string[] = [];
  for (const statement of input.split(/[;\n]/)) {
    if (statement.trim() === '') continue;
    const shown = calculator.run(statement);
    if (shown === undefined || shown.length > longestLine) return undefined;
    if (shown !== '') output.push(`${shown}\n`);
  }
  return { output: output.join(''), status: 0 };
};

class Calculator {
  #tokens: readonly string[] = [];
  #at = 0;
  #depth = 0;
  #failed = false;
  readonly #variables = new Map<string, Exact>([
    ['ibase', { digits: 10n, scale: 0 }],
    ['obase', { digits: 10n, scale: 0 }],
  ]);

  constructor(scale: number) {
    this.#variables.set('scale', { digits: BigInt(scale), scale: 0 });
  }

  /** Runs one statement and returns its output; undefined if that is uncertain. */
  run(statement: string): string | undefined {
    const tokens = tokensOf(statement);
    if (tokens === undefined) return undefined;
    this.#tokens = tokens;
    this.#at = 0;
    const isSilent = /^[a-z]\w*$/.test(tokens[0] ?? '') && /^[-+*/%^]?=$/.test(tokens[1] ?? '');
    const value = this.#relation();
    if (this.#failed || this.#at < tokens.length) return undefined;
    return isSilent ? '' : this.#show(value);
  }

  #show(value: Exact): string | undefined {
    const base = Number(this.#read('obase').digits);
    if (base === 10) return shown(value);
    if (value.scale > 0 || value.digits < 0n || base < 2 || base > 16) return undefined;
    return value.digits.toString(base).toUpperCase();
  }

  #read(name: string): Exact {
    return this.#variables.get(name) ?? zero;
  }

  get #scale(): number {
    return Number(this.#read('scale').digits);
  }

  #fail(): Exact {
    this.#failed = true;
    return zero;
  }

  #accept(...texts: readonly string[]): string | undefined {
    const token = this.#tokens[this.#at];
    if (token === undefined || !texts.includes(token)) return undefined;
    this.#at += 1;
    return token;
  }

  #relation(): Exact {
    this.#depth += 1;
    if (this.#depth > 40) return this.#fail();
    const left = this.#assignment();
    const operator = this.#accept('<', '<=', '>', '>=', '==', '!=');
    this.#depth -= 1;
    if (operator === undefined) return left;
    const order = add(left, negated(this.#assignment())).digits;
    return { digits: holds(operator, order) ? 1n : 0n, scale: 0 };
  }

  #assignment(): Exact {
    const name = this.#tokens[this.#at] ?? '';
    const operator = this.#tokens[this.#at + 1] ?? '';
    if (!/^[a-z]\w*$/.test(name) || !/^[-+*/%^]?=$/.test(operator)) return this.#sum();
    this.#at += 2;
    const right = this.#assignment();
    const value = operator === '=' ? right : this.#calculate(operator.charAt(0), this.#read(name), right);
    const isBase = name === 'ibase' || name === 'obase';
    if (name === 'last' || (name === 'scale' && !isWithin(value, 0n, BigInt(mostPlaces))))
      return this.#fail();
    if (isBase && !isWithin(value, 2n, 16n)) return this.#fail();
    this.#variables.set(name, value);
    return value;
  }

  #sum(): Exact {
    let left = this.#product();
    for (let operator = this.#accept('+', '-'); operator !== undefined; operator = this.#accept('+', '-'))
      left = this.#calculate(operator, left, this.#product());
    return left;
  }

  #product(): Exact {
    let left = this.#power();
    const next = (): string | undefined => this.#accept('*', '/', '%');
    for (let operator = next(); operator !== undefined; operator = next())
      left = this.#calculate(operator, left, this.#power());
    return left;
  }

  #power(): Exact {
    const base = this.#primary();
    return this.#accept('^') === undefined ? base : this.#calculate('^', base, this.#power());
  }

  #primary(): Exact {
    this.#depth += 1;
    if (this.#depth > 40 || this.#failed) return this.#fail();
    const value = this.#one();
    this.#depth -= 1;
    return value;
  }

  #one(): Exact {
    // Unary minus binds tighter than a power.
    if (this.#accept('-') !== undefined) return negated(this.#primary());
    const isRoot = this.#tokens[this.#at] === 'sqrt' && this.#tokens[this.#at + 1] === '(';
    if (isRoot) this.#at += 1;
    if (this.#accept('(') !== undefined) {
      const inner = this.#relation();
      if (this.#accept(')') === undefined) return this.#fail();
      return isRoot ? this.#root(inner) : inner;
    }
    const token = this.#tokens[this.#at] ?? '';
    this.#at += 1;
    if (/^[\d.A-F]/.test(token)) return this.#number(token);
    const isFunction = this.#tokens[this.#at] === '(' || this.#tokens[this.#at] === '[';
    return /^[a-z]\w*$/.test(token) && !keywords.has(token) && !isFunction ? this.#read(token) : this.#fail();
  }

  #number(text: string): Exact {
    const base = Number(this.#read('ibase').digits);
    if (base !== 10) {
      const values = [...text].map((digit) => Number.parseInt(digit, 16));
      if (!values.every((value) => value < base)) return this.#fail();
      return { digits: values.reduce((all, value) => all * BigInt(base) + BigInt(value), 0n), scale: 0 };
    }
    const [whole = '', fraction = ''] = text.split('.');
    if (!/^\d*\.?\d*$/.test(text) || text === '.' || text.length > 100) return this.#fail();
    return { digits: BigInt(whole + fraction), scale: fraction.length };
  }

  #root(value: Exact): Exact {
    const scale = Math.max(this.#scale, value.scale);
    if (value.digits < 0n) return this.#fail();
    // These are printed without decimal places.
    if (value.digits === 0n || value.digits === 10n ** BigInt(value.scale))
      return { digits: value.digits === 0n ? 0n : 1n, scale: 0 };
    return { digits: wholeRoot(withScale(value, scale * 2).digits), scale };
  }

  #calculate(operator: string, a: Exact, b: Exact): Exact {
    const scale = this.#scale;
    if (operator === '+') return add(a, b);
    if (operator === '-') return add(a, negated(b));
    if (operator === '*') {
      const exact = { digits: a.digits * b.digits, scale: a.scale + b.scale };
      return withScale(exact, Math.min(exact.scale, Math.max(scale, a.scale, b.scale)));
    }
    if (operator === '^') return this.#raised(a, b);
    if (b.digits === 0n) return this.#fail();
    const quotient = divided(a, b, scale);
    if (operator === '/') return quotient;
    const product = { digits: quotient.digits * b.digits, scale: quotient.scale + b.scale };
    return withScale(add(a, negated(product)), Math.max(scale + b.scale, a.scale));
  }

  #raised(a: Exact, b: Exact): Exact {
    const exponent = Number(b.digits);
    if (b.scale > 0 || Math.abs(exponent) > 200 || a.digits.toString().length > 40) return this.#fail();
    const size = Math.abs(exponent);
    const exact = { digits: a.digits ** BigInt(size), scale: a.scale * size };
    if (exponent < 0)
      return exact.digits === 0n ? this.#fail() : divided({ digits: 1n, scale: 0 }, exact, this.#scale);
    return withScale(exact, Math.min(exact.scale, Math.max(this.#scale, a.scale)));
  }
}

const keywords: ReadonlySet<string> = new Set(
  'if else while for define print return auto break continue halt quit last read length sqrt limits'.split(
    ' ',
  ),
);

/** The tokens of a statement; undefined if it contains anything else. */
function tokensOf(statement: string): readonly string[] | undefined {
  const tokens: string[] = [];
  const token = /[ \t]*(?:(\d[\d.A-F]*|\.\d+|[A-F][\dA-F]*|[a-z]\w*|[-+*/%^<>=!]=|[-+*/%^<>=()[\]]))/y;
  let at = 0;
  for (let found = token.exec(statement); found !== null; found = token.exec(statement)) {
    tokens.push(found[1] ?? '');
    at = token.lastIndex;
  }
  const isWhole = /^[ \t\r]*$/.test(statement.slice(at)) && !statement.includes('\r');
  // `x++` and `x--` change the variable.
  return isWhole && !/\+\+|--/.test(statement) ? tokens : undefined;
}

function isWithin({ digits, scale }: Exact, least: bigint, most: bigint): boolean {
  return scale === 0 && digits >= least && digits <= most;
}

function negated({ digits, scale }: Exact): Exact {
  return { digits: -digits, scale };
}

/** The number truncated or extended to this many decimal places. */
function withScale({ digits, scale }: Exact, places: number): Exact {
  if (places >= scale) return { digits: digits * 10n ** BigInt(places - scale), scale: places };
  return { digits: digits / 10n ** BigInt(scale - places), scale: places };
}

function add(a: Exact, b: Exact): Exact {
  const scale = Math.max(a.scale, b.scale);
  return { digits: withScale(a, scale).digits + withScale(b, scale).digits, scale };
}

function divided(a: Exact, b: Exact, scale: number): Exact {
  return {
    digits: withScale(a, scale + b.scale + a.scale).digits / (b.digits * 10n ** BigInt(a.scale)),
    scale,
  };
}

function holds(operator: string, order: bigint): boolean {
  if (operator === '==') return order === 0n;
  if (operator === '!=') return order !== 0n;
  if (operator === '<') return order < 0n;
  if (operator === '<=') return order <= 0n;
  return operator === '>' ? order > 0n : order >= 0n;
}

/** The integer square root, rounded down. */
function wholeRoot(value: bigint): bigint {
  if (value < 2n) return value;
  let root = 1n << BigInt((value.toString(2).length + 1) >> 1);
  for (;;) {
    const next = (root + value / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}

/** A number as `bc` prints it: no 0 before the point, and just 0 for zero. */
function shown({ digits, scale }: Exact): string {
  if (digits === 0n) return '0';
  const text = (digits < 0n ? -digits : digits).toString().padStart(scale, '0');
  const whole = text.slice(0, text.length - scale);
  const fraction = text.slice(text.length - scale);
  return `${digits < 0n ? '-' : ''}${whole}${scale === 0 ? '' : `.${fraction}`}`;
}
