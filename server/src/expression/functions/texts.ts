import { closest } from '../../text/spelling.ts';
import type { Data } from '../../value/value.ts';
import { equal, isList, isMap, type Result, UNKNOWN } from '../result.ts';
import type { FunctionTable } from './table.ts';

function onTexts(apply: (a: string, b: string) => Result): (args: readonly Data[]) => Result {
  return ([a, b]) => (typeof a === 'string' && typeof b === 'string' ? apply(a, b) : UNKNOWN);
}

/** Python's str() of a scalar; lists and maps are not needed and yield unknown. */
function toText(value: Data | undefined): Result {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return value === null ? 'None' : UNKNOWN;
}

/** Longest text that is matched against a pattern: longer ones are not names or paths, and could make a pattern slow. */
const longestMatched = 1000;

function matches(text: string, pattern: string): Result {
  if (text.length > longestMatched) return UNKNOWN;
  try {
    return new RegExp(pattern, 'u').test(text);
  } catch {
    return UNKNOWN;
  }
}

/** Whether a text is a JSON object, as Python's json.loads reads it; Python also takes NaN and Infinity, which stay unknown. */
function isJsonObject(text: string): Result {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return /NaN|Infinity/.test(text) ? UNKNOWN : false;
  }
}

/** `a.b.f` for `a/b.py:f` and the like: the dotted name of a function that a text gives as a file, a colon and a name; unknown for others. */
function dottedFunction(text: string): Result {
  const [module = '', name = '', ...more] = text.replace(/^\.\//, '').split(':');
  const parts = module.replace(/\.py$/, '').split('/').concat(name);
  const isName =
    more.length === 0 && parts.every((part) => /^\w[\w.-]*$/.test(part) && !part.endsWith('.py'));
  return isName ? parts.join('.') : UNKNOWN;
}

/** The word of a list that is nearest to a misspelt one; unknown if none is near. */
function nearest(word: Data | undefined, words: Data | undefined): Result {
  if (typeof word !== 'string' || words === undefined || !isList(words)) return UNKNOWN;
  const texts = words.filter((each) => typeof each === 'string');
  return closest(word, texts, Math.min(3, Math.floor(word.length / 4))) ?? UNKNOWN;
}

/** Texts, types, and access to lists and maps. */
export const textFunctions: FunctionTable = {
  str: ([a]) => toText(a),
  lower: ([a]) => (typeof a === 'string' ? a.toLowerCase() : UNKNOWN),
  strip: ([a]) => (typeof a === 'string' ? a.trim() : UNKNOWN),
  split: onTexts((text, separator) => (separator === '' ? UNKNOWN : text.split(separator))),
  dotted_function: ([a]) => (typeof a === 'string' ? dottedFunction(a) : UNKNOWN),
  starts_with: onTexts((text, start) => text.startsWith(start)),
  ends_with: onTexts((text, end) => text.endsWith(end)),
  matches: onTexts(matches),
  nearest: ([word, words]) => nearest(word, words),
  contains: ([whole, part]) => {
    if (whole === undefined || part === undefined) return UNKNOWN;
    if (isList(whole)) return whole.some((item) => equal(item, part));
    if (typeof part !== 'string') return UNKNOWN;
    if (typeof whole === 'string') return whole.includes(part);
    return isMap(whole) ? Object.hasOwn(whole, part) : UNKNOWN;
  },
  is_json_object: ([a]) => (typeof a === 'string' ? isJsonObject(a) : UNKNOWN),
  is_text: ([a]) => typeof a === 'string',
  is_number: ([a]) => typeof a === 'number',
  is_bool: ([a]) => typeof a === 'boolean',
  is_list: ([a]) => a !== undefined && isList(a),
  is_map: ([a]) => a !== undefined && isMap(a),
  keys: ([a]) => (a !== undefined && isMap(a) ? Object.keys(a) : UNKNOWN),
  values: ([a]) => (a !== undefined && isMap(a) ? Object.values(a) : UNKNOWN),
  get: ([from, key, otherwise]) => {
    const fallback = otherwise === undefined ? UNKNOWN : otherwise;
    if (from === undefined) return UNKNOWN;
    if (isList(from)) {
      if (typeof key !== 'number') return UNKNOWN;
      return from[key < 0 ? from.length + key : key] ?? fallback;
    }
    if (!isMap(from) || typeof key !== 'string') return UNKNOWN;
    return Object.hasOwn(from, key) ? (from[key] ?? null) : fallback;
  },
};
