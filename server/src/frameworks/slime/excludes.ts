import data from '../../../../schemas/slime/excludes.json';

/**
 * Constraints of Megatron-LM that do not hold under slime and its descendants: they replace its training loop, its
 * batches and its profiling, train on the lengths of the rollouts instead of `--seq-length`, set the allocator
 * themselves, or their own constraint says it more exactly.
 */
export const megatronConstraintsReplaced: ReadonlySet<string> = new Set(data['megatron-lm']);
