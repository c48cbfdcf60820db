import hub from '../../../../schemas/models/hub.json';
import type { Data } from '../../value/value.ts';
import { UNKNOWN } from '../result.ts';
import type { FunctionTable } from './table.ts';

const models: { readonly [id: string]: Data } = hub;

/**
 * `hub_model(id)`: what config.json of a public model says, by its id on the Hugging Face hub: {layers, heads, kv_heads, hidden,
 * ffn, vocab, tied, experts (null when dense), model_type, architecture, context (of some)}. Unknown for every other text, a local
 * folder among them.
 * `hub_model_named(path)`: the same by the name of a folder (`/root/Qwen3-4B`), where one publisher has a model of that name.
 * `hub_parameters(id)`: how many parameters it has at least, without biases, norms and what sees images; their weights are in bf16.
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
  hub_parameters: ([id]) => (typeof id === 'string' && isPublished(id) ? parametersOf(hub[id]) : UNKNOWN),
};

/** Models by their names without the publisher; undefined for names of several. */
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

function isPublished(id: string): id is Published {
  return Object.hasOwn(hub, id);
}

function parametersOf(model: (typeof hub)[Published]): number {
  const { layers, hidden, ffn, heads, kv_heads, vocab, tied, experts } = model;
  const head = 'head' in model ? model.head : hidden / heads;
  const attention = 2 * hidden * head * (heads + kv_heads);
  // A gate tells each token its experts.
  const mlp =
    'expert_ffn' in model && experts !== null
      ? experts * hidden * (3 * model.expert_ffn + 1)
      : 3 * hidden * ffn;
  return layers * (attention + mlp) + (tied ? 1 : 2) * vocab * hidden;
}
