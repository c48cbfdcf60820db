import type { Lookup } from '../../server/src/expression/evaluate.ts';
import { UNKNOWN } from '../../server/src/expression/result.ts';

/** Lookup for a run about which nothing is known, for functions that are tested by their arguments alone. */
export const unknownLookup: Lookup = {
  value: () => UNKNOWN,
  given: () => false,
  asked: () => null,
  fallback: () => UNKNOWN,
  hasValue: () => false,
  spelling: (name) => name,
};
