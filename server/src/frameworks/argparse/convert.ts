import { productIn } from '../../text/product.ts';
import { pythonFloat, pythonInt } from '../../value/pythonNumber.ts';
import type { Data, Value } from '../../value/value.ts';
import { known, unknown } from '../../value/value.ts';
import type { OptionFact, OptionType } from '../knowledge.ts';

/** A conversion function of upstream's own, which its parser calls for an option's value (`type=`). */
export interface Conversion {
  /** The converted value; undefined when the function rejects the text. */
  readonly convert: (text: string) => Value | undefined;
  /** Completes “takes …”. */
  readonly expected: string;
  /** What a rejected text was evidently meant to be. */
  readonly meant: (text: string) => string | undefined;
  /** Whether a release before the known one may accept a text that this one rejects. */
  readonly mayBeEarlier?: (text: string) => boolean;
}

/** `json.loads(text)`; NaN and the infinities, which it also accepts, become unknown. */
function pythonJson(text: string): Value | undefined {
  try {
    const data: Data = JSON.parse(text);
    return known(data);
  } catch {
    return /\b(NaN|Infinity)\b/.test(text) ? unknown('too-complex', text) : undefined;
  }
}

function convertTo(type: OptionType | undefined, text: string): Value | undefined {
  switch (type) {
    case 'int': {
      const number = pythonInt(text);
      return number === undefined ? undefined : known(number);
    }
    case 'float': {
      const number = pythonFloat(text);
      return number === undefined ? undefined : known(number);
    }
    case 'bool':
      return known(text !== '');
    case 'json':
      return pythonJson(text);
    default:
      return known(text);
  }
}

/**
 * Converts the text of one word to an option's value, as argparse's `type=` does (for lists: one element). `bool` is Python's own `bool(text)`,
 * which is true for every non-empty text; parsers with their own converter pass it in.
 * @returns undefined when the text is rejected
 */
export function convertText(
  option: OptionFact,
  text: string,
  conversions: ReadonlyMap<string, Conversion> | undefined,
): Value | undefined {
  const own = conversions?.get(option.name);
  if (own !== undefined) return own.convert(text);
  return convertTo(option.type === 'list' ? option.items : option.type, text);
}

/**
 * What a value that the parser rejects was evidently meant to be: `500000` for `5e5` if an integer is expected, `1e-4` for `1e-4,`. `4k` may be
 * 4000 or 4096, and `1,5` two numbers.
 */
export function plainValue(
  option: OptionFact,
  text: string,
  conversions: ReadonlyMap<string, Conversion> | undefined,
): string | undefined {
  const own = conversions?.get(option.name);
  if (own !== undefined) return own.meant(text);
  const type = option.type === 'list' ? option.items : option.type;
  if (type !== 'int' && type !== 'float') return undefined;
  const written = text
    .trim()
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/^["'\u2018-\u201f]+|["'\u2018-\u201f]+$/g, '')
    .replace(/(?<![,;])[,;]+$/, '');
  // Thousands separators; with a single comma it may be two numbers.
  const ungrouped = /^\d{1,3}(?:,\d{3}){2,}$/.test(written) ? written.replaceAll(',', '') : written;
  const bare = String(productIn(ungrouped) ?? ungrouped);
  const number = pythonFloat(bare);
  const isWhole = type === 'int' && pythonInt(bare) === undefined;
  if (number === undefined || (isWhole && !Number.isSafeInteger(number))) return undefined;
  const plain = isWhole ? String(number) : bare;
  return convertText(option, plain, conversions) === undefined ? undefined : plain;
}

/** What an option expects, in words for a message. */
export function expectation(
  option: OptionFact,
  conversions?: ReadonlyMap<string, Conversion> | undefined,
): string {
  const own = conversions?.get(option.name);
  if (own !== undefined) return own.expected;
  switch (option.type === 'list' ? option.items : option.type) {
    case 'int':
      return 'a whole number';
    case 'float':
      return 'a number';
    case 'json':
      return 'JSON';
    default:
      return 'another value';
  }
}
