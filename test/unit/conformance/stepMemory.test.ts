import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { type MemoryFloor, memoryFloorsOf } from '../../../server/src/rules/memoryFloors.ts';
import { loadKnowledge } from '../../support/knowledge.ts';
import { lintFile } from '../../support/lintFile.ts';

// Steps as in AReaL's FSDP engine and Archon's runner (4aef98d8), SkyRL's FSDP worker (a9564572) and slime's actor (624b824a), rebuilt on one
// H200 with PyTorch 2.11 and transformers 5.17: models of published sizes with random weights, sharded layer by layer, compiled for Archon;
// AReaL's loss over chunks of 1,024 tokens and over the nodes of a tree; for SkyRL, a loss that overwrites the logits with the gradient. For
// slime and for trees, the layers keep no more than those of Transformer Engine. slime and the stages of a pipeline have gradients, a copy and
// averages in fp32, and slime's loss; each stage has as many micro-batches in flight as there are stages from it to the last.
const { knowledgeOf } = loadKnowledge();

const measured = {
  name: z.string(),
  /** Per micro-batch; for SkyRL, per sequence of it. */
  tokens: z.number(),
  after_setup_bytes: z.number(),
  /** The most that is allocated during the second and third steps. */
  peak_allocated_bytes: z.number(),
};
const padded = z.array(
  z.object({
    ...measured,
    model: z.string(),
    engine: z.enum(['fsdp', 'archon']),
    checkpointing: z.boolean(),
    critic: z.boolean(),
    /** With enable_tree_training, over a prefix and two branches. */
    tree: z.literal(true).optional(),
  }),
);
const fullContext = z.array(z.object({ ...measured, model: z.string(), sequences: z.number() }));
const stages = z.array(
  z.object({
    name: z.string(),
    model: z.string(),
    tokens: z.number(),
    stages: z.number(),
    checkpointing: z.boolean(),
    /** Of the fullest stage. */
    peak_allocated_bytes: z.number(),
  }),
);
const fullMicroBatches = z.array(z.object({ ...measured, argv: z.string() }));

const read = <T>(schema: z.ZodType<T>, fixture: string): T =>
  schema.parse(JSON.parse(readFileSync(resolve(import.meta.dirname, '../../fixtures', fixture), 'utf8')));

const floorOf = (path: string, text: string, gpu: string): MemoryFloor => {
  const [run] = lintFile(path, text).runs;
  const floor =
    run === undefined ? undefined : memoryFloorsOf(run, knowledgeOf).find((one) => one.gpu === gpu);
  if (floor === undefined) throw new Error(`no floor of ${gpu}`);
  return floor;
};
const bytesOf = (floor: MemoryFloor, part: string): number =>
  floor.parts.find(({ name }) => name === part)?.bytes ?? 0;

describe('the least memory a GPU needs while AReaL pads micro-batches', () => {
  it.each(read(padded, 'areal/memory-of-padded-steps.json'))('is no more than $name took', (record) => {
    const role = record.critic ? 'critic' : 'actor';
    const text = `experiment_name: math
trial_name: first
rollout: {backend: "sglang:d1t4"}
sglang: {model_path: Qwen/Qwen3-0.6B}
scheduler: {type: local}
actor: {backend: "fsdp:d1", path: Qwen/Qwen3-0.6B, dtype: bfloat16, optimizer: {type: adam}}
${role}:
  backend: ${record.engine}:d1
  path: ${record.model}
  dtype: bfloat16
  is_critic: ${record.critic}
  gradient_checkpointing: ${record.checkpointing}
  pad_to_maximum: true
  enable_tree_training: ${record.tree === true}
  mb_spec: {max_tokens_per_mb: ${record.tokens}}
  optimizer: {type: adam}
`;
    const own = record.critic ? text : text.replace(/^actor: \{.*\n/m, '');
    const floor = floorOf('/repository/grpo.yaml', own, `the fullest GPU of the ${role}`);
    expect(bytesOf(floor, 'weights')).toBeLessThanOrEqual(record.after_setup_bytes);
    expect(bytesOf(floor, 'weights')).toBeGreaterThan(0.99 * record.after_setup_bytes);
    expect(floor.bytes).toBeLessThanOrEqual(record.peak_allocated_bytes);
    // Of what compiled layers keep without recomputation, only the input is certain.
    if (record.tokens > 1024 && (record.engine === 'fsdp' || record.checkpointing))
      expect(floor.bytes).toBeGreaterThan(0.6 * record.peak_allocated_bytes);
  });
});

describe('the least memory the fullest pipeline stage needs', () => {
  it.each(read(stages, 'areal/memory-of-stages.json'))('is no more than $name took', (record) => {
    const text = `experiment_name: math
trial_name: first
rollout: {backend: "sglang:d1t4"}
sglang: {model_path: Qwen/Qwen3-0.6B}
scheduler: {type: local}
actor:
  backend: megatron:d1p${record.stages}
  path: ${record.model}
  dtype: bfloat16
  gradient_checkpointing: ${record.checkpointing}
  pad_to_maximum: true
  mb_spec: {max_tokens_per_mb: ${record.tokens}}
  optimizer: {type: adam}
`;
    const floor = floorOf('/repository/grpo.yaml', text, 'the fullest GPU of the actor');
    expect(floor.bytes).toBeLessThanOrEqual(record.peak_allocated_bytes);
    expect(bytesOf(floor, 'activations')).toBeGreaterThan(0);
    // The number of layers in each stage is not relied on, and without recomputation only the inputs of layers are certain.
    if (record.checkpointing) expect(floor.bytes).toBeGreaterThan(0.45 * record.peak_allocated_bytes);
  });
});

describe('the least memory a GPU needs in the SkyRL trial at full context', () => {
  it.each(read(fullContext, 'skyrl/memory-of-full-context.json'))('is no more than $name took', (record) => {
    const script = `python -m skyrl.train.main_sft strategy=fsdp model.path=${record.model} placement.num_gpus_per_node=1 batch_size=8 \\
      micro_train_batch_size_per_gpu=${record.sequences} max_length=${record.tokens} dummy_run_full_ctx=true\n`;
    const floor = floorOf('/repository/run.sh', script, 'the fullest training GPU');
    expect(bytesOf(floor, 'weights')).toBeLessThanOrEqual(record.after_setup_bytes);
    expect(bytesOf(floor, 'weights')).toBeGreaterThan(0.99 * record.after_setup_bytes);
    expect(floor.bytes).toBeLessThanOrEqual(record.peak_allocated_bytes);
    if (record.tokens > 1024) expect(floor.bytes).toBeGreaterThan(0.6 * record.peak_allocated_bytes);
  });
});

describe('the least memory a GPU needs in a full micro-batch of slime', () => {
  it.each(read(fullMicroBatches, 'slime/memory-of-full-micro-batches.json'))(
    'is no more than $name took',
    (record) => {
      const script = `ray job submit -- python3 train.py ${record.argv} --group-query-attention --swiglu --disable-bias-linear --normalization RMSNorm --vocab-size 151936 \\
      --accumulate-allreduce-grads-in-fp32 --hf-checkpoint /models/ours --load /models/ours_torch_dist --actor-num-nodes 1 --actor-num-gpus-per-node 1 --rollout-num-gpus 1 \\
      --prompt-data /data/p.jsonl --num-rollout 100 --rollout-batch-size 32 --n-samples-per-prompt 8 --global-batch-size 256 --use-dynamic-batch-size \\
      --rollout-max-response-len ${record.tokens} --max-tokens-per-gpu ${record.tokens}\n`;
      const path = '/repository/run.sh';
      const full = floorOf(path, script, 'the fullest training GPU in a full micro-batch');
      const least = floorOf(path, script, 'the fullest training GPU');
      expect(bytesOf(full, 'weights') + bytesOf(full, 'gradients')).toBeLessThan(record.after_setup_bytes);
      expect(least.bytes).toBeLessThanOrEqual(full.bytes);
      expect(full.bytes).toBeLessThanOrEqual(record.peak_allocated_bytes);
      expect(full.bytes).toBeGreaterThan(0.92 * record.peak_allocated_bytes);
      expect([least.isCertain, full.isCertain]).toEqual([true, false]);
    },
  );
});
