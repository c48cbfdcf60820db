import type { Data } from '../../value/value.ts';
import { equal, isList, isMap, type Result, UNKNOWN } from '../result.ts';
import type { FunctionTable } from './table.ts';

/** The maps of a list that have the same scalar at a key as a map before them. */
function repeatsOf(list: Data | undefined, key: Data | undefined): Result {
  if (list === undefined || !isList(list) || typeof key !== 'string') return UNKNOWN;
  const seen = new Set<Data>();
  return list.filter((item) => {
    const value = isMap(item) ? (item[key] ?? null) : null;
    const isAgain = value !== null && seen.has(value);
    seen.add(value);
    return isAgain;
  });
}

/** A list with `make` applied to each element; unknown if it is not a list or one of its elements cannot be converted. */
function eachOf(list: Data | undefined, make: (item: Data) => Data | undefined): Result {
  if (list === undefined || !isList(list)) return UNKNOWN;
  const out: Data[] = [];
  for (const item of list) {
    const made = make(item);
    if (made === undefined) return UNKNOWN;
    out.push(made);
  }
  return out;
}

function namesAtCommas(list: Data | undefined): Result {
  const parts = eachOf(list, (item) =>
    typeof item === 'string' ? item.split(',').flatMap((part) => part.trim() || []) : undefined,
  );
  return parts !== UNKNOWN && isList(parts) ? parts.flat() : UNKNOWN;
}

/**
 * `unknown`, a value as it is, and functions on whole lists: whether the elements differ, the values at one key of their maps, the
 * comma-separated names in their elements, the last parts of paths as Python's os.path.basename gives them, and texts with one character
 * replaced by another.
 */
export const collectionFunctions: FunctionTable = {
  unknown: () => UNKNOWN,
  aside: ([value]) => (value === undefined ? UNKNOWN : value),
  repeats: ([list, key]) => repeatsOf(list, key),
  distinct: ([list]) => {
    if (list === undefined || !isList(list)) return UNKNOWN;
    return list.every((item, at) => list.findIndex((other) => equal(other, item)) === at);
  },
  column: ([list, key, otherwise]) =>
    eachOf(list, (item) => (typeof key === 'string' && isMap(item) ? (item[key] ?? otherwise) : undefined)),
  at_commas: ([list]) => namesAtCommas(list),
  replaced: ([list, sign, other]) =>
    eachOf(list, (text) =>
      typeof text === 'string' && typeof sign === 'string' && typeof other === 'string'
        ? text.replaceAll(sign, other)
        : undefined,
    ),
  base_names: ([list]) =>
    eachOf(list, (path) =>
      typeof path === 'string' ? path.replace(/(?<!\/)\/+$/, '').replace(/^.*\//s, '') : undefined,
    ),
};
