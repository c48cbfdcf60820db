import type { Data } from '../../value/value.ts';
import { UNKNOWN } from '../result.ts';
import type { FunctionTable } from './table.ts';

/** The sizes of a component in the order in which they are written out. */
const letters = ['d', 't', 'p', 'c', 'e'] as const;

/**
 * `allocation_text(component, "d", 4, "t", 2)`: a component parsed by `allocation`, written as text with other sizes: `fsdp:d4t2`. Unknown for
 * what was not understood, for sizes that are not positive whole numbers, and if the experts' tensor-parallel size is not 1, unless that is
 * given as "etp".
 */
export const allocationTextFunctions: FunctionTable = {
  allocation_text: ([component, ...changes]) => {
    if (component === null || typeof component !== 'object' || Array.isArray(component)) return UNKNOWN;
    const sizes = new Map<string, Data | undefined>(Object.entries(component));
    for (let at = 0; at < changes.length; at += 2) sizes.set(String(changes[at]), changes[at + 1]);
    const backend = sizes.get('backend');
    if (typeof backend !== 'string' || sizes.get('etp') !== 1) return UNKNOWN;
    let text = '';
    for (const letter of letters) {
      const size = sizes.get(letter);
      if (typeof size !== 'number' || !Number.isInteger(size) || size < 1) return UNKNOWN;
      if (letter === 'd' || size > 1) text += `${letter}${size}`;
    }
    return `${backend}:${text}`;
  },
};
