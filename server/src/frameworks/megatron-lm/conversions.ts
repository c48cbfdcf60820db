import { evaluatePythonList } from '../../expression/functions/pythonList.ts';
import { pythonInt } from '../../value/python-number.ts';
import type { Value } from '../../value/value.ts';
import { known, unknown } from '../../value/value.ts';
import type { Conversion } from '../argparse/convert.ts';

/** A whole number, or a Python list expression of digits, brackets, `+` and `*` (megatron/training/arguments.py:244). */
function layerPattern(text: string): Value | undefined {
  if (!text.includes('[')) {
    const number = pythonInt(text);
    return number === undefined ? undefined : known(number);
  }
  if (/[^,\d[\]()+*]/.test(text)) return undefined;
  const list = evaluatePythonList(text);
  return list === undefined ? unknown('too-complex', text) : known(list);
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

/** The converters that Megatron-LM gives to its parser (`type=`), by option name. */
export const conversions: ReadonlyMap<string, Conversion> = new Map([
  ['moe_layer_freq', layerPattern],
  ['window_attn_skip_freq', layerPattern],
  ['no_rope_freq', layerPattern],
  ['linear_attention_freq', layerPattern],
  ['window_size', integerTuple],
]);
