import type { Data } from '../value/value.ts';

/** The third truth value, and any value that cannot be known. */
export const UNKNOWN: unique symbol = Symbol('unknown');
type Unknown = typeof UNKNOWN;
/** What an expression yields. */
export type Result = Data | Unknown;
/** True, false or unknown. */
export type Truth = boolean | Unknown;

/** Python's truth of a value. */
export function truthOf(value: Result): Truth {
  if (value === UNKNOWN) return UNKNOWN;
  if (value === null || value === false || value === 0 || value === '') return false;
  if (Array.isArray(value)) return value.length > 0;
  if (typeof value === 'object') return Object.keys(value).length > 0;
  return true;
}

/** A number for arithmetic: Python counts True as 1. Undefined for everything else. */
export function numberOf(value: Result): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return value ? 1 : 0;
  return undefined;
}

/** Python's `==` over plain data. */
export function equal(a: Data, b: Data): boolean {
  if (a === b) return true;
  // A string only equals the same string.
  if (typeof a === 'string' || typeof b === 'string') return false;
  const x = numberOf(a);
  const y = numberOf(b);
  if (x !== undefined && y !== undefined) return x === y;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item: Data, index) => equal(item, b[index] ?? null));
  if (isMap(a) && isMap(b)) {
    const keys = Object.keys(a);
    return (
      keys.length === Object.keys(b).length &&
      keys.every((key) => Object.hasOwn(b, key) && equal(a[key] ?? null, b[key] ?? null))
    );
  }
  return false;
}

/** Whether data is a map (not a list, not a scalar). */
export function isMap(value: Result | undefined): value is { readonly [key: string]: Data } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether data is a list. */
export function isList(value: Result): value is readonly Data[] {
  return Array.isArray(value);
}
