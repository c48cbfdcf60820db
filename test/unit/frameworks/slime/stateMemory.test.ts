import { describe, expect, it } from 'vitest';
import { lintFile } from '../../../support/lintFile.ts';

/** Model and allocation of a policy of 32 billion parameters, on the GPUs that it requests. */
const findings = (
  extra: string,
  launch = 'python3 train.py --actor-num-nodes 1 --actor-num-gpus-per-node 8 --rollout-num-gpus 8',
) =>
  lintFile(
    '/repository/run-policy.sh',
    `#!/bin/bash
#SBATCH --gres=gpu:h100:8
export CUDA_DEVICE_MAX_CONNECTIONS=1
ray job submit -- ${launch} --num-layers 64 --hidden-size 5120 --ffn-hidden-size 27648 \\
  --num-attention-heads 40 --group-query-attention --num-query-groups 8 --swiglu --disable-bias-linear --add-qkv-bias --normalization RMSNorm \\
  --position-embedding-type rope --rotary-base 1000000 --vocab-size 152064 --untie-embeddings-and-output-weights --hf-checkpoint /models/ours \\
  --load /models/ours_torch_dist --prompt-data /data/prompts.jsonl --label-key label --rm-type deepscaler --num-rollout 100 \\
  --rollout-batch-size 32 --n-samples-per-prompt 8 --global-batch-size 256 --rollout-max-response-len 8192 ${extra}
`,
  ).findings.filter(({ rule }) => rule.includes('model-state') || rule.includes('model-exceeds'));

describe('policy state that does not fit', () => {
  it('is reported, counting what the actor shards', () => {
    const [finding] = findings('--tensor-model-parallel-size 2');
    expect(finding?.rule).toBe('megatron-lm/model-exceeds-memory');
    expect(finding?.severity).toBe('error');
    // (2 + 4 + 4 / 4) bytes for each of 16.4 billion parameters, on an H100.
    expect(finding?.message).toContain('106.8 GiB on each GPU, which has 96 GiB at most');
    expect(
      findings('--tensor-model-parallel-size 2 --pipeline-model-parallel-size 2 --optimizer-cpu-offload'),
    ).toEqual([]);
    expect(findings('--tensor-model-parallel-size 8')).toEqual([]);
  });

  it.each([
    '--debug-rollout-only',
    '--num-rollout 0 --eval-interval 1',
    '--only-train-params-name-list layers.0',
    '--freeze-params-name-list layers',
    '--custom-model-provider-path ours.model',
    '--megatron-config-path roles.yaml',
  ])('is not reported if not all of it is trained: %s', (extra) => {
    expect(findings(`--tensor-model-parallel-size 2 ${extra}`)).toEqual([]);
  });

  it('is reported for Relax, except with adapters', () => {
    const relax = `python3 -m relax.entrypoints.train --resource '{"actor": [1, 8], "rollout": [1, 8]}'`;
    expect(findings('--tensor-model-parallel-size 2', relax)).toHaveLength(1);
    expect(findings('--tensor-model-parallel-size 2 --lora-rank 8', relax)).toEqual([]);
  });
});
