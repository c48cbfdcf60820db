import { type Result, UNKNOWN } from '../result.ts';
import type { FunctionTable } from './table.ts';

/** The numbers of a release (`2.11.0a0+nv` → 2, 11, 0); pre-releases count as their release. */
function releaseOf(version: string): number[] | undefined {
  const match = /^\s*v?(\d+(?:\.\d+)*)/.exec(version);
  return match?.[1]?.split('.').map(Number);
}

/** Negative if `a` is older than `b`; undefined if one of them is not a version. */
export function compareVersions(a: string, b: string): number | undefined {
  const x = releaseOf(a);
  const y = releaseOf(b);
  if (x === undefined || y === undefined) return undefined;
  for (let at = 0; at < Math.max(x.length, y.length); at++) {
    const difference = (x[at] ?? 0) - (y[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Declared versions of installed packages. */
export const versionFunctions: FunctionTable = {
  version: ([name], lookup): Result => (typeof name === 'string' ? lookup.value(`version.${name}`) : UNKNOWN),
  older: ([a, b]) => {
    if (typeof a !== 'string' || typeof b !== 'string') return UNKNOWN;
    const order = compareVersions(a, b);
    return order === undefined ? UNKNOWN : order < 0;
  },
};
