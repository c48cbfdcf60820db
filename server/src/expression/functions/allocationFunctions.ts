import type { Data } from '../../value/value.ts';
import { UNKNOWN } from '../result.ts';
import { type Allocation, parseAllocation, parseAllocationMode, withEngines } from './allocation.ts';
import type { FunctionTable } from './table.ts';

const nothing: { readonly [key: string]: Data } = {
  backend: null,
  name: null,
  d: null,
  t: null,
  p: null,
  c: null,
  e: null,
  etp: null,
  world: null,
};

function allocationData(one: Allocation): { readonly [key: string]: Data } {
  const { backend, name, d, t, p, c, e, etp, world } = one;
  return { backend, name, d, t, p, c, e, etp, world };
}

/** A whole string parsed, or why it is refused. */
function modeData(text: string): { readonly [key: string]: Data } {
  const parsed = parseAllocationMode(text);
  if (!parsed.ok) {
    const { message, kind } = parsed.error;
    return { type: null, world: null, generation: null, training: null, error: message, error_kind: kind };
  }
  const { type, world, generation, training } = parsed.value;
  return {
    type,
    world,
    generation: generation === undefined ? null : allocationData(generation),
    training: training === undefined ? null : allocationData(training),
    error: null,
    error_kind: null,
  };
}

/**
 * `allocation(text)`: a per-engine backend string as a map {backend, name, d, t, p, c, e, etp, world, error, error_kind}; if there is an error,
 * the sizes are null. `allocation_mode(text)`: {type, world, generation, training, error, error_kind}, with one such map (or null) for the only
 * generation and the only training component. `earlier_allocation_mode(text)`: the same, as releases up to v1.0.2 read it. All return null for
 * null.
 */
export const allocationFunctions: FunctionTable = {
  allocation: ([text]) => {
    if (text === null) return null;
    if (typeof text !== 'string') return UNKNOWN;
    const parsed = parseAllocation(text);
    return parsed.ok
      ? { ...allocationData(parsed.value), error: null, error_kind: null }
      : { ...nothing, error: parsed.error.message, error_kind: parsed.error.kind };
  },
  allocation_mode: ([text]) => (text === null ? null : typeof text === 'string' ? modeData(text) : UNKNOWN),
  earlier_allocation_mode: ([text]) =>
    text === null ? null : typeof text === 'string' ? modeData(withEngines(text)) : UNKNOWN,
};
