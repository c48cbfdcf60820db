import families from '../../../../schemas/models/families.json';
import hub from '../../../../schemas/models/hub.json';
import type { Data } from '../../value/value.ts';
import { type Result, UNKNOWN } from '../result.ts';
import type { FunctionTable } from './table.ts';

const models: { readonly [id: string]: Data } = hub;

/**
 * `hub_model(id)`: what config.json of a public model says, by its id on the Hugging Face hub: {layers, heads, kv_heads, hidden, ffn, vocab,
 * tied, experts (null when dense), model_type, architecture, context (for some)}. Unknown for every other text, including local folders.
 * `hub_model_named(path)`: the same by the name of a folder (`/root/Qwen3-4B`), if only one publisher has a model of that name.
 * `hub_parameters(id)`: a lower bound of its parameters, without biases, norms, prediction layers and vision parts, for models published in 16
 * bits; with `true` after the id, also for models published in fewer bits. `hub_expert_parameters(id)`: how many of these are in experts, of
 * which each token uses some; 0 for a dense model. `hub_has_like_layers(id)`: whether in all its layers attention covers all tokens and is
 * followed by three matrices, or by experts of three each, so that the sizes tell what a layer computes.
 */
export const modelFunctions: FunctionTable = {
  hub_model: ([id]) =>
    typeof id === 'string' && Object.hasOwn(models, id) ? (models[id] ?? UNKNOWN) : UNKNOWN,
  hub_model_named: ([path]) => {
    const folder =
      typeof path === 'string'
        ? path
            .replace(/(?<!\/)\/+$/, '')
            .split('/')
            .at(-1)
        : undefined;
    return (folder === undefined ? undefined : byName.get(folder)) ?? UNKNOWN;
  },
  hub_parameters: ([id, inAnyPrecision]) => countOf(id, inAnyPrecision === true, parametersOf),
  hub_expert_parameters: ([id, inAnyPrecision]) => countOf(id, inAnyPrecision === true, expertParametersOf),
  hub_has_like_layers: ([id]) =>
    typeof id === 'string' && isPublished(id) ? families.like_layers.includes(hub[id].model_type) : UNKNOWN,
};

/** Models by their names without the publisher; undefined for names that several models have. */
const byName: ReadonlyMap<string, Data | undefined> = namedAlone();

function namedAlone(): ReadonlyMap<string, Data | undefined> {
  const out = new Map<string, Data | undefined>();
  for (const [id, model] of Object.entries(models)) {
    const name = id.slice(id.indexOf('/') + 1);
    out.set(name, out.has(name) ? undefined : model);
  }
  return out;
}

type Published = keyof typeof hub;

/** The count for a model published in 16 bits, or in any precision; unknown for every other text. */
function countOf(
  id: Data | undefined,
  inAnyPrecision: boolean,
  count: (model: (typeof hub)[Published]) => number,
): Result {
  if (typeof id !== 'string' || !isPublished(id)) return UNKNOWN;
  const model = hub[id];
  return inAnyPrecision || !('quantized' in model) ? count(model) : UNKNOWN;
}

function isPublished(id: string): id is Published {
  return Object.hasOwn(hub, id);
}

function parametersOf(model: (typeof hub)[Published]): number {
  const { layers, hidden, vocab, tied } = model;
  return layers * attentionOf(model) + layersAfterAttention(model) + (tied ? 1 : 2) * vocab * hidden;
}

/** Parameters of the attention of one layer. */
function attentionOf(model: (typeof hub)[Published]): number {
  if ('attention' in model) return model.attention;
  const { hidden, heads, kv_heads } = model;
  const head = 'head' in model ? model.head : hidden / heads;
  return 2 * hidden * head * (heads + kv_heads);
}

/** Parameters of what follows attention, in all layers: three matrices, or experts with a gate that routes each token to its own. */
function layersAfterAttention(model: (typeof hub)[Published]): number {
  const { layers, hidden, ffn, experts } = model;
  const dense = 3 * hidden * ffn;
  const sparseLayers = expertLayersOf(model);
  const shared = 'shared_ffn' in model ? model.shared_ffn : 0;
  const besideExperts = hidden * ((experts ?? 0) + 3 * shared);
  return (layers - sparseLayers) * dense + sparseLayers * besideExperts + expertParametersOf(model);
}

/** Parameters of the experts of all layers, three matrices each. */
function expertParametersOf(model: (typeof hub)[Published]): number {
  if (!('expert_ffn' in model)) return 0;
  return expertLayersOf(model) * (model.experts ?? 0) * 3 * model.hidden * model.expert_ffn;
}

/** How many layers have experts. */
function expertLayersOf(model: (typeof hub)[Published]): number {
  if (!('expert_ffn' in model) || model.experts === null) return 0;
  return model.layers - ('dense_layers' in model ? model.dense_layers : 0);
}
