import configuredByCheckpoint from '../../../../schemas/slime/configured-by-checkpoint.json';
import data from '../../../../schemas/slime/excludes.json';
import recognise from '../../../../schemas/slime/recognise.json';
import checkedWithOptimizer from '../../../../schemas/slime/without-optimizer.json';
import { remembering } from '../../value/remember.ts';
import type { Knowledge } from '../knowledge.ts';

const { megatronSources } = recognise;

/**
 * Constraints of Megatron-LM that do not apply under slime and its descendants: these replace its training loop, its batches and its profiling,
 * train on the lengths of the rollouts instead of `--seq-length`, set the allocator themselves, or have a more precise constraint of their own.
 */
export const megatronConstraintsReplaced: ReadonlySet<string> = new Set(data['megatron-lm']);

/** Constraints of a trainer that apply only if Megatron-LM trains: those with a source that another backend does not run. */
export const constraintsOfMegatron = remembering(({ constraints }: Knowledge): readonly string[] =>
  constraints.flatMap(({ id, upstream }) =>
    upstream.some((source) => megatronSources.some((beginning) => source.startsWith(beginning))) ? [id] : [],
  ),
);

/** Constraints of Megatron-LM that its optimizer checks, which slime does not create when `--num-rollout 0` only evaluates. */
export const megatronConstraintsOfOptimizer: readonly string[] = checkedWithOptimizer['megatron-lm'];

/**
 * Constraints of Megatron-LM on model configuration fields, which releases of slime with `--megatron-to-hf-mode bridge` take from the
 * checkpoint instead of the command line.
 */
export const megatronConstraintsOfCheckpoint: readonly string[] = configuredByCheckpoint['megatron-lm'];
