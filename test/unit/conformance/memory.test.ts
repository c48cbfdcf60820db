import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { floorsOf } from '../../../tools/conformance/memory/floors.ts';
import { readMeasurements } from '../../../tools/conformance/memory/record.ts';
import { loadKnowledge } from '../../support/knowledge.ts';

const { knowledgeOf } = loadKnowledge();
// Training steps of Megatron-LM at d98e8a64 on H200 GPUs. npm run conformance:memory measures a larger sample.
const fixture = resolve(import.meta.dirname, '../../fixtures/megatron-lm/memory.json');
const records = readMeasurements(readFileSync(fixture, 'utf8'));

describe('what a GPU holds at least', () => {
  it.each(records)('is no more than $name held on rank $rank, and all but norms and positions', (record) => {
    const { built, trained } = floorsOf(record, knowledgeOf);
    const measured = record.after_setup_bytes ?? 0;
    expect(built).toBeLessThanOrEqual(measured);
    expect(built).toBeGreaterThan(0.99 * measured);
    expect(trained).toBeLessThanOrEqual(record.peak_allocated_bytes ?? 0);
    expect(trained).toBeGreaterThan(built ?? Number.POSITIVE_INFINITY);
  });

  it('is not said of a run whose weights are divided otherwise', () => {
    const [record] = records;
    const argv = [...(record?.argv ?? []), '--use-torch-fsdp2'];
    expect(floorsOf({ argv, world_size: 4 }, knowledgeOf)).toEqual({
      built: undefined,
      trained: undefined,
      stepping: undefined,
    });
  });
});

/** The floor with the optimizer state, in bytes, of a small model with more flags. */
const floor = (flags: string, world_size = 8): number => {
  const base =
    '--num-layers 4 --hidden-size 1024 --num-attention-heads 8 --ffn-hidden-size 4096 --seq-length 64 --max-position-embeddings 64 --micro-batch-size 1 --mock-data --bf16 --train-iters 2 --lr 1e-4';
  return floorsOf({ argv: `${base} ${flags}`.split(/\s+/), world_size }, knowledgeOf).trained ?? -1;
};
const attention = 4 * 1024 * 1024;
const mlp = 2 * 1024 * 4096;

describe('the parts of the floor', () => {
  const layers = 4 * (attention + mlp);
  it('counts 18 bytes a parameter, of which the distributed optimizer divides 12', () => {
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

  it('counts the vocabulary where it is known, padded, once for each end of the model', () => {
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
