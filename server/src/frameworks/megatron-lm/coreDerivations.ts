import type { CompiledDerivation } from '../../expression/compiled.ts';
import { remembering } from '../../value/remember.ts';
import type { Knowledge } from '../knowledge.ts';

/**
 * The steps by which Megatron-core itself computes names that are not options, for frameworks that build on it without Megatron-LM's argument
 * checks. Steps that replace options are omitted: where most options are unknown, so would be their replacements.
 */
export const coreDerivations: (knowledge: Knowledge) => readonly CompiledDerivation[] = remembering(
  ({ derivations, options }) => {
    const names = new Set(options.map(({ name }) => name));
    return derivations.filter(({ core, set }) => core === true && !names.has(set));
  },
);
