import { remembering } from '../../value/remember.ts';
import type { Knowledge } from '../knowledge.ts';

const ofTraining =
  /^megatron\/core\/(?:optimizer\/optimizer_config|distributed\/distributed_data_parallel_config)\.py/;

/**
 * The constraints of the optimizer and data-parallel configurations: programs that only generate text build neither
 * (megatron/training/argument_utils.py:593).
 */
export const trainingRules: (knowledge: Knowledge) => ReadonlySet<string> = remembering(
  ({ constraints }) =>
    new Set(
      constraints
        .filter(({ upstream }) => upstream.length > 0 && upstream.every((source) => ofTraining.test(source)))
        .map(({ id }) => id),
    ),
);
