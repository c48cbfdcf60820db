import hub from '../../../../schemas/models/hub.json';
import type { Data } from '../../value/value.ts';
import { UNKNOWN } from '../result.ts';
import type { FunctionTable } from './table.ts';

const models: { readonly [id: string]: Data } = hub;

/**
 * `hub_model(id)`: what config.json of a public model says, by its id on the Hugging Face hub: {layers, heads, kv_heads, hidden,
 * ffn, vocab, tied, experts (null when dense), model_type, architecture}. Unknown for every other text, a local folder among them.
 */
export const modelFunctions: FunctionTable = {
  hub_model: ([id]) =>
    typeof id === 'string' && Object.hasOwn(models, id) ? (models[id] ?? UNKNOWN) : UNKNOWN,
};
