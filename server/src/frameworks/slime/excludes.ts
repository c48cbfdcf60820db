/**
 * Constraints of Megatron-LM that do not hold under slime and its descendants: they replace its training loop, its
 * batches and its profiling, train on the lengths of the rollouts instead of `--seq-length`, set the allocator
 * themselves, or their own constraint says it more exactly.
 */
export const megatronConstraintsReplaced: ReadonlySet<string> = new Set([
  'expandable-segments-against-fragmentation',
  'expert-groups-divide',
  'snapshot-without-recording',
  'recording-costs',
  'profiler-options-without-profile',
  'profiler-steps-are-empty',
  'memory-log-without-tensorboard',
  'emptying-the-cache-costs',
  'larger-evaluation-micro-batch',
  'quadratic-attention',
  'long-context-without-recompute',
  'logits-are-large',
  'interleaving-needs-micro-batches',
  'interleaving-remainder',
  'few-micro-batches',
  'mtp-needs-rope',
]);
