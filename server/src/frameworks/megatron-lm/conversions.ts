import { evaluatePythonList } from '../../expression/functions/pythonList.ts';
import { pythonInt } from '../../value/pythonNumber.ts';
import type { Value } from '../../value/value.ts';
import { known, unknown } from '../../value/value.ts';
import type { Conversion } from '../argparse/convert.ts';
import { minorOf } from '../release.ts';

/** An integer, or a Python list expression of digits, brackets, `+` and `*`, which is evaluated (megatron/training/arguments.py:244). */
function layerPattern(text: string): Value | undefined {
  if (!text.includes('[')) {
    const number = pythonInt(text);
    return number === undefined ? undefined : known(number);
  }
  if (/[^,\d[\]()+*]/.test(text) || !isExpression(text)) return undefined;
  const list = evaluatePythonList(text);
  return list === undefined ? unknown('too-complex', text) : known(list);
}

/** Whether a text of digits, brackets and operators may be an expression: its brackets are balanced and it does not end with an operator. */
function isExpression(text: string): boolean {
  const open: string[] = [];
  for (const [letter] of text.matchAll(/[[\]()]/g)) {
    if (letter === '[' || letter === '(') open.push(letter);
    else if (open.pop() !== (letter === ']' ? '[' : '(')) return false;
  }
  return open.length === 0 && !/^\*|[+*]$/.test(text);
}

/** `1,2,3` or `(1,2,3)` (megatron/training/arguments.py:377). */
function integerTuple(text: string): Value | undefined {
  const items: number[] = [];
  for (const part of text.replace(/^[()]+|[()]+$/g, '').split(',')) {
    const number = pythonInt(part);
    if (number === undefined) return undefined;
    items.push(number);
  }
  return known(items);
}

/** The text without blanks and quotes, if it is accepted in that form. */
function bare(convert: Conversion['convert']): Conversion['meant'] {
  return (text) => {
    const written = text.replace(/[\s"']+/g, '');
    return convert(written) === undefined ? undefined : written;
  };
}

const pattern: Conversion = {
  convert: layerPattern,
  expected: 'a whole number or a list such as ([0]*3+[1]*58) without spaces',
  meant: bare(layerPattern),
  mayBeEarlier: (text) => text.includes('[') && isExpression(text),
};

const integers: Conversion = {
  convert: integerTuple,
  expected: 'whole numbers with commas between them',
  // `128 0` without its blank would be another number.
  meant: (text) => bare(integerTuple)(text.trim().replace(/[\s,]+/g, ',')),
};

/** The converters that Megatron-LM gives to its parser (`type=`), by option name. */
export const conversions: ReadonlyMap<string, Conversion> = new Map([
  ['moe_layer_freq', pattern],
  ['window_attn_skip_freq', pattern],
  ['no_rope_freq', pattern],
  ['linear_attention_freq', pattern],
  ['window_size', integers],
]);

/** The first release (0.13) that checks a pattern before evaluating it; earlier ones accepted any expression. */
const firstStrict = 13;

/**
 * The converters of a release.
 *
 * @param release as the project declares it; undefined for the known one
 */
export function conversionsAt(release: string | undefined): ReadonlyMap<string, Conversion> {
  return (minorOf(release) ?? firstStrict) < firstStrict ? earlierConversions : conversions;
}

const earlier: Conversion = {
  ...pattern,
  convert: (text) => (text.includes('[') ? unknown('too-complex', text) : layerPattern(text)),
};

const earlierConversions: ReadonlyMap<string, Conversion> = new Map(
  [...conversions].map(([name, one]) => [name, one === pattern ? earlier : one]),
);

/**
 * Whether a converter accepts a text, given the name under which sources declare the converter.
 *
 * @param source the file that declares it
 * @returns undefined for an unknown converter
 */
export function isConverted(text: string, name: string, source: string): boolean | undefined {
  if (name === 'tuple_type') return integerTuple(text) !== undefined;
  if (!/^(?:moe|la|no_rope)_freq_type$/.test(name)) return undefined;
  const takesAny = text.includes('[') && !source.includes('Invalid pattern');
  return takesAny || layerPattern(text) !== undefined;
}
