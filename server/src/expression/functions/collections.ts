import type { Data } from '../../value/value.ts';
import { equal, isList, isMap, type Result, UNKNOWN } from '../result.ts';
import type { FunctionTable } from './table.ts';

/** The maps of a list of which one before them has the same scalar at a key. */
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

/** What stands for nothing, or for itself; and lists as wholes: whether the elements differ, the names that commas hold apart in their elements, the last parts of paths as Python's os.path.basename gives them, and texts with one sign in the place of another. */
export const collectionFunctions: FunctionTable = {
  unknown: () => UNKNOWN,
  aside: ([value]) => (value === undefined ? UNKNOWN : value),
  repeats: ([list, key]) => repeatsOf(list, key),
  distinct: ([list]) => {
    if (list === undefined || !isList(list)) return UNKNOWN;
    return list.every((item, at) => list.findIndex((other) => equal(other, item)) === at);
  },
  at_commas: ([list]) => {
    if (list === undefined || !isList(list)) return UNKNOWN;
    const parts: string[] = [];
    for (const item of list) {
      if (typeof item !== 'string') return UNKNOWN;
      parts.push(...item.split(',').flatMap((part) => part.trim() || []));
    }
    return parts;
  },
  replaced: ([list, sign, other]) => {
    if (list === undefined || !isList(list) || typeof sign !== 'string' || typeof other !== 'string')
      return UNKNOWN;
    const texts: string[] = [];
    for (const text of list) {
      if (typeof text !== 'string') return UNKNOWN;
      texts.push(text.replaceAll(sign, other));
    }
    return texts;
  },
  base_names: ([list]) => {
    if (list === undefined || !isList(list)) return UNKNOWN;
    const names: string[] = [];
    for (const path of list) {
      if (typeof path !== 'string') return UNKNOWN;
      names.push(path.replace(/(?<!\/)\/+$/, '').replace(/^.*\//s, ''));
    }
    return names;
  },
};
