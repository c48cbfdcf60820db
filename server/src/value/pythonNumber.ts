const integer = /^[+-]?\d+(_\d+)*$/;
const decimal = /^[+-]?(\d+(_\d+)*(\.(\d+(_\d+)*)?)?|\.\d+(_\d+)*)(e[+-]?\d+(_\d+)*)?$/i;
const special = /^([+-]?)(inf|infinity|nan)$/i;

/** Python's `int(text)` for base ten; undefined if it raises ValueError. */
export function pythonInt(text: string): number | undefined {
  const plain = numeral(text);
  return integer.test(plain) ? Number(plain.replaceAll('_', '')) : undefined;
}

/** Python's `float(text)`; undefined if it raises ValueError. */
export function pythonFloat(text: string): number | undefined {
  const plain = numeral(text);
  if (decimal.test(plain)) return Number(plain.replaceAll('_', ''));
  const match = special.exec(plain);
  if (match === null) return undefined;
  if (match[2]?.toLowerCase() === 'nan') return Number.NaN;
  return match[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
}

/**
 * A text in the form in which Python parses a number: without surrounding blanks, and with the digits of all scripts replaced by ASCII digits
 * (`２` is 2).
 */
function numeral(text: string): string {
  return text.trim().replace(/(?![0-9])\p{Nd}/gu, (digit) => String(digitValue(digit)));
}

/** Unicode has the ten digits of a script in a row, sometimes directly after those of another. */
function digitValue(digit: string): number {
  const code = digit.codePointAt(0) ?? 0;
  let before = 0;
  while (/\p{Nd}/u.test(String.fromCodePoint(code - before - 1))) before += 1;
  return before % 10;
}
