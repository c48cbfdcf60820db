import checkpoints from '../../../../schemas/models/checkpoints.json';
import type { Data } from '../../value/value.ts';
import { UNKNOWN } from '../result.ts';
import type { FunctionTable } from './table.ts';

const models: { readonly [folder: string]: Data } = checkpoints.models;

/**
 * `checkpoint_model(path)`: what config.json of a model folder says, identified by the folder's name (`/root/Qwen3-4B`), in the keys of
 * config.json that trainers compare: hidden_size, num_attention_heads, num_hidden_layers, intermediate_size, moe_intermediate_size,
 * shared_expert_intermediate_size, rms_norm_eps, rope_theta, tie_word_embeddings, vocab_size; and sparse_attention. Unknown for every other
 * folder.
 */
export const checkpointFunctions: FunctionTable = {
  checkpoint_model: ([path]) => {
    if (typeof path !== 'string') return UNKNOWN;
    const folder =
      path
        .replace(/(?<!\/)\/+$/, '')
        .split('/')
        .at(-1)
        ?.toLowerCase() ?? '';
    return Object.hasOwn(models, folder) ? (models[folder] ?? UNKNOWN) : UNKNOWN;
  },
};
