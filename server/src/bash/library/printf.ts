import {
  isExactInBinary,
  parseDecimal,
  type Shown,
  showExponent,
  showFixed,
  showGeneral,
} from './decimal.ts';
import { decodeEscapes } from './escapes.ts';
import { isAscii, quoteForPrintf } from './quote.ts';

/** What a command writes to standard output, and its exit status. */
export interface Output {
  readonly output: string;
  readonly status: number;
}

/** A conversion such as `%-5.2f`, with `*` already replaced by arguments. */
interface Conversion {
  readonly flags: string;
  readonly width: number;
  readonly precision: number | undefined;
  readonly letter: string;
}

type Piece =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'conversion';
      readonly flags: string;
      readonly width: string;
      readonly precision: string | undefined;
      readonly letter: string;
    };

const mostCharacters = 1_000_000;

/**
 * Bash's `printf FORMAT ARGUMENTS…`. The format is reused while arguments remain. Undefined if the result is uncertain: dates, an invalid
 * format, NUL bytes, byte widths of non-ASCII text, digits beyond the precision of a long double.
 */
export function formatPrintf(format: string, args: readonly string[]): Output | undefined {
  const pieces = parseFormat(format);
  if (pieces === undefined) return undefined;
  const state = new Formatter(args);
  const takesArguments = pieces.some((piece) => piece.kind === 'conversion');
  do {
    for (const piece of pieces) {
      if (piece.kind === 'text') state.write(piece.text);
      else state.convert(piece);
      if (state.failed) return undefined;
      if (state.stopped) return state.result();
    }
  } while (takesArguments && state.more());
  return state.result();
}

function parseFormat(format: string): readonly Piece[] | undefined {
  const pieces: Piece[] = [];
  const conversion = /%(?:%|([-+ 0#]*)(\*|\d*)(?:\.(\*|-?\d*))?(?:hh|h|ll|l|j|t|z|L)?([A-Za-z]))/y;
  let at = 0;
  while (at < format.length) {
    const percent = format.indexOf('%', at);
    const end = percent < 0 ? format.length : percent;
    const text = decodeEscapes(format.slice(at, end), 'printf-format');
    if (text === undefined) return undefined;
    if (text.text !== '') pieces.push({ kind: 'text', text: text.text });
    if (percent < 0) break;
    conversion.lastIndex = percent;
    const found = conversion.exec(format);
    if (found === null) return undefined;
    const [whole, flags = '', width = '', precision, letter] = found;
    if (letter === undefined) pieces.push({ kind: 'text', text: '%' });
    else pieces.push({ kind: 'conversion', flags, width, precision, letter });
    at = percent + whole.length;
  }
  return pieces;
}

class Formatter {
  failed = false;
  stopped = false;
  private out = '';
  private status = 0;
  private used = 0;
  private readonly args: readonly string[];

  constructor(args: readonly string[]) {
    this.args = args;
  }

  more(): boolean {
    return this.used < this.args.length;
  }

  result(): Output {
    return { output: this.out, status: this.status };
  }

  write(text: string): void {
    this.out += text;
    if (this.out.length > mostCharacters) this.failed = true;
  }

  convert(piece: Extract<Piece, { kind: 'conversion' }>): void {
    let flags = piece.flags;
    let width = piece.width === '*' ? this.count() : Number(piece.width);
    if (width < 0) {
      flags += '-';
      width = -width;
    }
    const given = piece.precision === '*' ? this.count() : Number(piece.precision ?? -1);
    if (width > mostCharacters || given > mostCharacters) this.failed = true;
    if (this.failed) return;
    const precision = given < 0 ? undefined : given;
    this.one({ flags, width, precision, letter: piece.letter });
  }

  private one(conversion: Conversion): void {
    const { letter } = conversion;
    if (letter === 's') this.text(this.next() ?? '', conversion);
    else if (letter === 'b') this.escaped(conversion);
    else if (letter === 'q') this.quoted(conversion);
    else if (letter === 'c') {
      const first = (this.next() ?? '').slice(0, 1);
      if (first === '') this.failed = true;
      else this.text(first, { ...conversion, precision: undefined });
    } else if ('diuxXo'.includes(letter)) this.integer(conversion);
    else if ('fFeEgG'.includes(letter)) this.float(conversion);
    else this.failed = true;
  }

  private next(): string | undefined {
    return this.args[this.used++];
  }

  private count(): number {
    const value = Number(this.whole());
    if (!Number.isSafeInteger(value)) this.failed = true;
    return value;
  }

  private text(text: string, { flags, width, precision }: Conversion): void {
    // Bash hands the text to C's printf, which counts bytes.
    if ((width > 0 || precision !== undefined) && !isAscii(text)) {
      this.failed = true;
      return;
    }
    this.write(pad(precision === undefined ? text : text.slice(0, precision), width, flags));
  }

  private escaped(conversion: Conversion): void {
    const decoded = decodeEscapes(this.next() ?? '', 'printf-argument');
    if (decoded === undefined) {
      this.failed = true;
      return;
    }
    this.text(decoded.text, conversion);
    this.stopped = decoded.stopped;
  }

  private quoted(conversion: Conversion): void {
    const quoted = quoteForPrintf(this.next() ?? '');
    if (quoted === undefined || conversion.precision !== undefined) this.failed = true;
    else this.text(quoted, conversion);
  }

  /** An integer argument as Bash parses it; anything after the digits is an error, but the digits still count. */
  private whole(): bigint {
    const text = this.next();
    if (text === undefined || text === '') return 0n;
    if (text.startsWith("'") || text.startsWith('"')) return this.character(text);
    const parts = /^[ \t\n]*([+-]?)(0[xX][0-9A-Fa-f]+|0[0-7]*|[1-9]\d*)?(.*)$/s.exec(text);
    const [, sign = '', digits, rest = ''] = parts ?? [];
    if (digits === undefined || rest !== '') this.status = 1;
    if (digits === undefined) return 0n;
    const octal = /^0[0-7]+$/.test(digits);
    const size = BigInt(octal ? `0o${digits.slice(1)}` : digits);
    const value = sign === '-' ? -size : size;
    if (value >= 1n << 63n || value < -(1n << 63n)) this.failed = true;
    return value;
  }

  /** `'a` is the code of the character a. */
  private character(text: string): bigint {
    const code = text.codePointAt(1);
    if (code === undefined || code > 0x7f) this.failed = true;
    return BigInt(code ?? 0);
  }

  private integer({ flags, width, precision, letter }: Conversion): void {
    const value = this.whole();
    const signed = letter === 'd' || letter === 'i';
    const size = signed ? (value < 0n ? -value : value) : BigInt.asUintN(64, value);
    let digits = size.toString(letter === 'o' ? 8 : letter.toLowerCase() === 'x' ? 16 : 10);
    if (letter === 'X') digits = digits.toUpperCase();
    if (size === 0n && precision === 0) digits = '';
    digits = digits.padStart(precision ?? 0, '0');
    let prefix = signed ? signOf(value < 0n, flags) : '';
    if (flags.includes('#') && letter === 'o' && !digits.startsWith('0')) digits = `0${digits}`;
    if (flags.includes('#') && letter.toLowerCase() === 'x' && size !== 0n) prefix = `0${letter}`;
    this.write(padNumber(prefix, digits, width, precision === undefined ? flags : flags.replaceAll('0', '')));
  }

  private float({ flags, width, precision = 6, letter }: Conversion): void {
    const text = this.next() ?? '';
    // Text that cannot begin a number is one error and counts as 0.
    const isNone = !/^\s*[-+]?(?:\.?\d|inf|nan)|^["']/i.test(text) && text !== '';
    if (isNone) this.status = 1;
    const { number, rest } = numberIn(text);
    // Anything after a number is an error, too.
    if (!isNone && rest !== '') this.status = 1;
    const value = parseDecimal(text === '' || isNone ? '0' : number);
    if (value === undefined || precision > 60) {
      this.failed = true;
      return;
    }
    const point = flags.includes('#');
    const lower = letter.toLowerCase();
    const shown: Shown =
      lower === 'f'
        ? showFixed(value, precision, point)
        : lower === 'e'
          ? showExponent(value, precision, point)
          : showGeneral(value, precision, point);
    const significant = shown.text.replace(/e.*$/, '').replace(/^[0.]+|\./g, '').length;
    // Bash rounds the nearest long double, which is the written number only when that is a binary fraction.
    const written = value.digits.toString().replace(/(?<!0)0+$/, '').length;
    if (!isExactInBinary(value) && (shown.tie || significant > 17 || written > 17)) {
      this.failed = true;
      return;
    }
    const digits = letter === lower ? shown.text : shown.text.toUpperCase();
    this.write(padNumber(signOf(value.negative, flags), digits, width, flags));
  }
}

/** The number at the beginning of a text, hexadecimal integers converted to decimal, and the text after it. */
function numberIn(text: string): { readonly number: string; readonly rest: string } {
  const [, sign = '', digits] = /^\s*([-+]?)0x([0-9a-f]{1,12})$/i.exec(text) ?? [];
  if (digits !== undefined) return { number: sign + Number.parseInt(digits, 16), rest: '' };
  if (/^\s*[-+]?0x/i.test(text)) return { number: text, rest: '' };
  const [number = text] = /^\s*[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?/i.exec(text) ?? [];
  return { number: number.trimStart(), rest: text.slice(number.length) };
}

function signOf(negative: boolean, flags: string): string {
  if (negative) return '-';
  if (flags.includes('+')) return '+';
  return flags.includes(' ') ? ' ' : '';
}

function pad(text: string, width: number, flags: string): string {
  return flags.includes('-') ? text.padEnd(width) : text.padStart(width);
}

function padNumber(prefix: string, digits: string, width: number, flags: string): string {
  if (flags.includes('0') && !flags.includes('-'))
    return prefix + digits.padStart(width - prefix.length, '0');
  return pad(prefix + digits, width, flags);
}
