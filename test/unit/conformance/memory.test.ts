import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { floorsOf } from '../../../tools/conformance/memory/floors.ts';
import { type MemoryRecord, readMeasurements } from '../../../tools/conformance/memory/record.ts';
import { loadKnowledge } from '../../support/knowledge.ts';

const { knowledgeOf } = loadKnowledge();
// Training steps of Megatron-LM at d98e8a64 on H200 GPUs. npm run conformance:memory measures a larger sample.
const measured = (name: string): MemoryRecord[] => {
  const fixture = resolve(import.meta.dirname, '../../fixtures/megatron-lm', name);
  return readMeasurements(readFileSync(fixture, 'utf8'));
};
const records = measured('memory.json');
// The same for experts, recomputation of each kind, other optimizers and losses, and two GPUs with each kind of parallelism: one GPU of two ranks each.
const shapes = measured('memory-of-shapes.json');
// PyTorch's and Megatron's FSDP over two GPUs, with each of their ways of dividing weights and gradients.
const sharded = measured('memory-of-fsdp.json');

/** The most that any of a run's ranks held: pipeline stages hold different activations. */
const fullest = (all: readonly MemoryRecord[], name: string): number =>
  Math.max(...all.flatMap((one) => (one.name === name ? (one.peak_allocated_bytes ?? []) : [])));

describe('the least memory a GPU needs', () => {
  it.each(records)(
    'is no more than $name held on rank $rank, and covers all but norms and positions',
    (record) => {
      const { built, trained, stepping } = floorsOf(record, knowledgeOf);
      const setUp = record.after_setup_bytes ?? 0;
      expect(built).toBeLessThanOrEqual(setUp);
      expect(built).toBeGreaterThan(0.99 * setUp);
      expect(trained).toBeLessThanOrEqual(record.peak_allocated_bytes ?? 0);
      expect(trained).toBeGreaterThan(built ?? Number.POSITIVE_INFINITY);
      expect(stepping).toBeLessThanOrEqual(fullest(records, record.name));
      expect(stepping).toBeGreaterThan(0.94 * fullest(records, record.name));
    },
  );

  it.each(shapes)('is no more than $name held on rank $rank', (record) => {
    const { built, trained, stepping } = floorsOf(record, knowledgeOf);
    expect(built).toBeLessThanOrEqual(record.after_setup_bytes ?? 0);
    expect(built).toBeGreaterThan(0.98 * (record.after_setup_bytes ?? 0));
    expect(trained).toBeLessThanOrEqual(fullest(shapes, record.name));
    expect(stepping).toBeLessThanOrEqual(fullest(shapes, record.name));
  });

  it.each(sharded)(
    'is no more than $name held on rank $rank, and covers what it divides of that',
    (record) => {
      const { built, trained } = floorsOf(record, knowledgeOf);
      const setUp = record.after_setup_bytes ?? 0;
      expect(built).toBeLessThanOrEqual(setUp);
      expect(built).toBeGreaterThan(0.66 * setUp);
      expect(trained).toBeLessThanOrEqual(record.peak_allocated_bytes ?? 0);
      expect(trained).toBeGreaterThan(built ?? Number.POSITIVE_INFINITY);
    },
  );

  it('is nearly all of it, except for stages with different layers, whose activations are not counted', () => {
    const isNear = (record: MemoryRecord): boolean =>
      (floorsOf(record, knowledgeOf).stepping ?? 0) > 0.8 * fullest(shapes, record.name);
    const others = shapes.filter((record) => !isNear(record)).map(({ name }) => name);
    expect(new Set(others)).toEqual(new Set(['pp2-standalone']));
  });

  it('is not given for a run whose weights are divided in an unknown way', () => {
    const [record] = records;
    const argv = [...(record?.argv ?? []), '--use-megatron-fsdp', '--megatron-fsdp-version', '2'];
    expect(floorsOf({ argv, world_size: 4 }, knowledgeOf)).toEqual({
      built: undefined,
      trained: undefined,
      stepping: undefined,
    });
  });
});

/** The floor in bytes, with the optimizer state, of a small model with more flags. */
const floor = (flags: string, world_size = 8): number => {
  const base =
    '--num-layers 4 --hidden-size 1024 --num-attention-heads 8 --ffn-hidden-size 4096 --seq-length 64 --max-position-embeddings 64 --micro-batch-size 1 --mock-data --bf16 --train-iters 2 --lr 1e-4';
  return floorsOf({ argv: `${base} ${flags}`.split(/\s+/), world_size }, knowledgeOf).trained ?? -1;
};
const attention = 4 * 1024 * 1024;
const mlp = 2 * 1024 * 4096;

describe('the parts of the memory floor', () => {
  const layers = 4 * (attention + mlp);
  it('counts 18 bytes per parameter, of which the distributed optimizer divides 12', () => {
    expect(floor('')).toBe(18 * layers);
    expect(floor('--use-distributed-optimizer')).toBe(7.5 * layers);
    expect(floor('--use-distributed-optimizer --num-distributed-optimizer-instances 2')).toBe(9 * layers);
    expect(floor('--use-distributed-optimizer --context-parallel-size 4')).toBe(7.5 * layers);
    expect(floor('--use-distributed-optimizer --tensor-model-parallel-size 4')).toBe((12 * layers) / 4);
  });

  it('counts what other precisions and optimizers keep', () => {
    expect(floor('--grad-reduce-in-bf16')).toBe(16 * layers);
    expect(floor('--optimizer sgd')).toBe(10 * layers);
    const precise = '--use-distributed-optimizer --use-precision-aware-optimizer';
    expect(floor(precise)).toBe((6 + 10 / 8) * layers);
    expect(floor(`${precise} --exp-avg-dtype bf16 --exp-avg-sq-dtype fp8`)).toBe((6 + 5 / 8) * layers);
    expect(floor(`${precise} --optimizer-cpu-offload`)).toBe(6 * layers);
  });

  it('counts the vocabulary if it is known, padded, once for each end of the model', () => {
    const embedding = 1024 * 1024;
    const words = '--tokenizer-type NullTokenizer --vocab-size 1000';
    expect(floor(words)).toBe(18 * (layers + embedding));
    expect(floor(`${words} --untie-embeddings-and-output-weights`)).toBe(18 * (layers + 2 * embedding));
    expect(floor(`${words} --pipeline-model-parallel-size 4`)).toBe(18 * (layers / 4 + embedding));
    const uneven = '--pipeline-model-parallel-size 2 --decoder-first-pipeline-num-layers 1';
    expect(floor(`${words} ${uneven}`)).toBe(18 * (layers / 2 + embedding));
    expect(floor('--tokenizer-type HuggingFaceTokenizer --tokenizer-model x --vocab-size 1000')).toBe(
      18 * layers,
    );
  });

  it('divides experts by their own ranks, and keeps router and latent projections on all', () => {
    const experts =
      '--num-experts 16 --moe-ffn-hidden-size 512 --expert-model-parallel-size 8 --moe-router-load-balancing-type none';
    const routed = 4 * 16 * 2 * 1024 * 512;
    const router = 4 * 16 * 1024;
    const shared = 4 * attention + router;
    const distributed = '--use-distributed-optimizer';
    expect(floor(`${experts} ${distributed}`)).toBe(7.5 * shared + (18 * routed) / 8);
    expect(floor(`${experts} ${distributed} --moe-shared-expert-intermediate-size 256`)).toBe(
      7.5 * (shared + 4 * 2 * 1024 * 256) + (18 * routed) / 8,
    );
    expect(floor(`${experts} ${distributed} --moe-latent-size 256`)).toBe(
      7.5 * (shared + 4 * 2 * 1024 * 256) + (18 * routed) / 4 / 8,
    );
  });

  it('counts latent attention', () => {
    const latent =
      '--multi-latent-attention --q-lora-rank 256 --kv-lora-rank 128 --qk-head-dim 64 --qk-pos-emb-head-dim 32 --v-head-dim 64';
    const each = 256 * (1024 + 8 * 96) + 128 * (1024 + 8 * 128) + 1024 * (32 + 8 * 64);
    expect(floor(latent)).toBe(18 * 4 * (each + mlp));
  });
});

/** What the activations add to the small model's floor, in elements for each of 64 tokens. */
const kept = (flags: string, world_size = 8): number => {
  const base =
    '--num-layers 4 --hidden-size 1024 --num-attention-heads 8 --ffn-hidden-size 4096 --seq-length 64 --max-position-embeddings 64 --micro-batch-size 1 --mock-data --bf16 --train-iters 2 --lr 1e-4';
  const { trained, stepping } = floorsOf({ argv: `${base} ${flags}`.split(/\s+/), world_size }, knowledgeOf);
  return ((stepping ?? Number.NaN) - (trained ?? Number.NaN)) / 64 / 2;
};

describe('the activations of a step', () => {
  const attended = 4 * 1024;
  const layer = 4 * 1024 + attended + 2 * 4096;
  const last = 2 * 1024;

  it('are inputs and outputs of norms, q, k, v with their result, and both sides of the activation function', () => {
    expect(kept('')).toBe(4 * layer + last);
    expect(kept('--swiglu')).toBe(4 * (layer + 4096) + last);
    expect(kept('--micro-batch-size 3')).toBe(3 * (4 * layer + last));
    expect(kept('--context-parallel-size 2')).toBe((4 * layer + last) / 2);
    expect(kept('--group-query-attention --num-query-groups 2')).toBe(4 * (layer - 1536) + last);
  });

  it('are divided by tensor parallelism, but norms and layer inputs only with sequence parallelism', () => {
    const tensor = '--tensor-model-parallel-size 4';
    expect(kept(tensor)).toBe(4 * (4 * 1024 + (attended + 2 * 4096) / 4) + last);
    expect(kept(`${tensor} --sequence-parallel`)).toBe((4 * layer + last) / 4);
  });

  it('with several stages are those of as many micro-batches as the first has in flight', () => {
    const stages = '--pipeline-model-parallel-size 2';
    expect(kept(`${stages} --global-batch-size 16`)).toBe(4 * layer);
    expect(kept(`${stages} --global-batch-size 4`)).toBe(2 * layer + last);
    expect(kept(`${stages} --decoder-first-pipeline-num-layers 1 --global-batch-size 16`)).toBe(0);
  });

  it('include the logits, with a copy in fp32', () => {
    const words = '--tokenizer-type NullTokenizer --vocab-size 1000';
    expect(kept(words)).toBe(4 * layer + last + 3 * 1024);
    expect(kept(`${words} --cross-entropy-loss-fusion`)).toBe(4 * layer + last + 3 * 1024);
    expect(kept(`${words} --cross-entropy-loss-fusion --cross-entropy-fusion-impl te`)).toBe(
      4 * layer + last + 1024,
    );
  });

  it('exclude what is recomputed', () => {
    const full = '--recompute-granularity full --recompute-method';
    expect(kept(`${full} uniform --recompute-num-layers 1`)).toBe(4 * 1024 + layer - 1024);
    expect(kept(`${full} uniform --recompute-num-layers 2`)).toBe(2 * 1024 + layer - 1024);
    expect(kept(`${full} block --recompute-num-layers 3`)).toBe(3 * 1024 + layer + last);
    expect(kept(`${full} block --recompute-num-layers 9`)).toBe(4 * 1024 + last);
    const parts = '--recompute-granularity selective --recompute-modules';
    expect(kept(`${parts} core_attn`)).toBe(4 * layer + last);
    expect(kept(`${parts} mlp`)).toBe(4 * (3 * 1024 + attended) + last);
    expect(kept(`${parts} layernorm`)).toBe(4 * (layer - 2 * 1024) + 1024);
  });

  it('of experts are those of the average number of tokens per rank', () => {
    const experts =
      '--num-experts 16 --moe-ffn-hidden-size 512 --expert-model-parallel-size 8 --moe-router-load-balancing-type none --moe-router-topk 2';
    const rest = 4 * 1024 + attended;
    const row = 1024 + 2 * 512;
    expect(kept(experts)).toBe(4 * (rest + 2 * row) + last);
    expect(kept(`${experts} --moe-shared-expert-intermediate-size 256`)).toBe(
      4 * (rest + 2 * row + 2 * 256) + last,
    );
    expect(kept(`${experts} --moe-expert-capacity-factor 1.0`)).toBe(4 * rest + last);
    expect(kept(`${experts} --moe-layer-recompute`)).toBe(4 * (rest - 1024) + last);
    expect(kept(`${experts} --moe-latent-size 256`)).toBe(4 * (rest + 2 * (row - 768)) + last);
    expect(kept(`${experts} --moe-layer-freq 2`)).toBe(4 * rest + 2 * (2 * row + 2 * 4096) + last);
  });

  it('are not counted if they may be elsewhere or smaller', () => {
    expect(kept('--fp8-format hybrid')).toBe(0);
    expect(kept('--fine-grained-activation-offloading --offload-modules core_attn')).toBe(0);
    expect(kept('--sft')).toBe(0);
  });
});
