/** An exact decimal number: `digits` / 10^`scale`. */
export interface Decimal {
  readonly negative: boolean;
  readonly digits: bigint;
  readonly scale: number;
}

/** Reads `12`, `-1.50`, `2e-5`; undefined for anything else (hexadecimal, `inf`, blanks) and for exponents beyond ±300. */
export function parseDecimal(text: string): Decimal | undefined {
  const parts = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,4}))?$/.exec(text);
  if (parts === null) return undefined;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = parts;
  const shift = Number(exponent);
  if (whole + fraction === '' || Math.abs(shift) > 300 || whole.length + fraction.length > 400)
    return undefined;
  const scale = fraction.length - shift;
  const digits = BigInt(whole + fraction);
  const negative = sign === '-';
  return scale >= 0
    ? { negative, digits, scale }
    : { negative, digits: digits * 10n ** BigInt(-scale), scale: 0 };
}

/** The exact value of a finite double. */
export function decimalOf(value: number): Decimal {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, value);
  const raw = bits.getBigUint64(0);
  const exponentBits = Number((raw >> 52n) & 0x7ffn);
  const fraction = raw & 0xfffffffffffffn;
  const mantissa = exponentBits === 0 ? fraction : fraction | (1n << 52n);
  const exponent = (exponentBits === 0 ? 1 : exponentBits) - 1075;
  const negative = raw >> 63n === 1n;
  if (exponent >= 0) return { negative, digits: mantissa << BigInt(exponent), scale: 0 };
  // m / 2^k = m * 5^k / 10^k
  return { negative, digits: mantissa * 5n ** BigInt(-exponent), scale: -exponent };
}

/** Whether a binary number with a 64-bit mantissa (x86's long double, what Bash computes with) holds the value exactly. */
export function isExactInBinary(value: Decimal): boolean {
  if (value.digits === 0n) return true;
  const fives = 5n ** BigInt(value.scale);
  if (value.digits % fives !== 0n) return false;
  let mantissa = value.digits / fives;
  while (mantissa % 2n === 0n) mantissa /= 2n;
  return mantissa < 1n << 64n;
}

/** Digits of the value rounded to `places` decimal places (negative: tens), half to even; `tie` if it was exactly halfway. */
function roundDecimal(value: Decimal, places: number): { readonly digits: bigint; readonly tie: boolean } {
  const drop = value.scale - places;
  if (drop <= 0) return { digits: value.digits * 10n ** BigInt(-drop), tie: false };
  const unit = 10n ** BigInt(drop);
  const digits = value.digits / unit;
  const rest = (value.digits % unit) * 2n;
  const up = rest > unit || (rest === unit && digits % 2n === 1n);
  return { digits: up ? digits + 1n : digits, tie: rest === unit };
}

/** A number as C's `printf` shows it, without sign, and whether rounding met an exact tie. */
export interface Shown {
  readonly text: string;
  readonly tie: boolean;
}

/** `%.{precision}f`; `point` is the `#` flag: keeps the point even if no digits follow. */
export function showFixed(value: Decimal, precision: number, point: boolean): Shown {
  const { digits, tie } = roundDecimal(value, precision);
  const text = digits.toString().padStart(precision + 1, '0');
  const split = text.length - precision;
  return { text: precision === 0 && !point ? text : `${text.slice(0, split)}.${text.slice(split)}`, tie };
}

/** `%.{precision}e`; `point` as for `showFixed`. */
export function showExponent(value: Decimal, precision: number, point: boolean): Shown {
  const { digits, exponent, tie } = scientific(value, precision);
  const sign = exponent < 0 ? '-' : '+';
  const rest = digits.slice(1);
  const mantissa = rest === '' && !point ? digits : `${digits[0] ?? '0'}.${rest}`;
  return { text: `${mantissa}e${sign}${String(Math.abs(exponent)).padStart(2, '0')}`, tie };
}

/** `%.{precision}g`; `point` is the `#` flag: keeps trailing zeros. */
export function showGeneral(value: Decimal, precision: number, point = false): Shown {
  const significant = precision === 0 ? 1 : precision;
  const { exponent, tie } = scientific(value, significant - 1);
  const shown =
    exponent < -4 || exponent >= significant
      ? showExponent(value, significant - 1, point)
      : showFixed(value, significant - 1 - exponent, point);
  const [mantissa = '', tail] = shown.text.split('e');
  const trimmed =
    point || !mantissa.includes('.') ? mantissa : mantissa.replace(/(?<!0)0+$/, '').replace(/\.$/, '');
  return { text: tail === undefined ? trimmed : `${trimmed}e${tail}`, tie };
}

function scientific(value: Decimal, precision: number): { digits: string; exponent: number; tie: boolean } {
  if (value.digits === 0n) return { digits: '0'.repeat(precision + 1), exponent: 0, tie: false };
  const exponent = value.digits.toString().length - 1 - value.scale;
  const rounded = roundDecimal(value, precision - exponent);
  const digits = rounded.digits.toString();
  // 9.99 rounds up to 10.0: one digit more.
  if (digits.length > precision + 1)
    return { digits: digits.slice(0, -1), exponent: exponent + 1, tie: rounded.tie };
  return { digits, exponent, tie: rounded.tie };
}
