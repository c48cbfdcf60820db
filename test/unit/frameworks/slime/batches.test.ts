import { describe, expect, it } from 'vitest';
import { slime } from '../../../../server/src/frameworks/slime/framework.ts';
import { bound, found } from '../trainerRun.ts';

const job =
  'python3 train.py --num-layers 8 --hidden-size 64 --ffn-hidden-size 128 --num-attention-heads 4 --swiglu --disable-bias-linear ' +
  '--normalization RMSNorm --position-embedding-type rope --vocab-size 1000 --hf-checkpoint /m/ours --load /m/ours_dist ' +
  '--prompt-data /d/p.jsonl --label-key label --rm-type math --num-rollout 10 --rollout-batch-size 16 --n-samples-per-prompt 4 ' +
  '--rollout-max-response-len 512 --actor-num-nodes 1 --actor-num-gpus-per-node 8 --rollout-num-gpus 8';

const refused = (words: string): boolean =>
  found(bound(slime, `${job} ${words}`, { env: { CUDA_DEVICE_MAX_CONNECTIONS: '1' } })).includes(
    'error slime/interleaved-schedule-needs-whole-groups',
  );

/** Two data-parallel ranks with four pipeline stages of two virtual stages each, which take micro-batches in groups of four. */
const interleaved = '--pipeline-model-parallel-size 4 --num-layers-per-virtual-pipeline-stage 1';

describe('micro-batches of the interleaved schedule', () => {
  it.each([
    ['--global-batch-size 32', false],
    ['--global-batch-size 20', true],
    ['--global-batch-size 32 --micro-batch-size 8', true],
    ['--global-batch-size 32 --microbatch-group-size-per-virtual-pipeline-stage 8', false],
    ['--global-batch-size 24 --microbatch-group-size-per-virtual-pipeline-stage 8', true],
    ['--num-steps-per-rollout 2', false],
    ['--num-steps-per-rollout 16', true],
    ['', true],
  ])('must form whole groups if fixed: %s', (words, expected) => {
    expect(refused(`${interleaved} ${words}`)).toBe(expected);
  });

  it('are split until there are enough if packed, down to one sample each', () => {
    const packed = `${interleaved} --use-dynamic-batch-size --max-tokens-per-gpu 1024`;
    expect(refused(`${packed} --global-batch-size 20`)).toBe(false);
    expect(refused(`${packed} --global-batch-size 4`)).toBe(true);
  });

  it('are not checked without virtual stages, or if a user function makes the samples', () => {
    expect(refused('--pipeline-model-parallel-size 4 --global-batch-size 20')).toBe(false);
    expect(
      refused(
        '--pipeline-model-parallel-size 4 --num-virtual-stages-per-pipeline-rank 1 --global-batch-size 20',
      ),
    ).toBe(false);
    expect(refused(`${interleaved} --global-batch-size 20 --custom-generate-function-path agents.run`)).toBe(
      false,
    );
    expect(refused(`${interleaved} --global-batch-size 20 --debug-rollout-only`)).toBe(false);
    expect(refused(`${interleaved} --global-batch-size $BATCH`)).toBe(false);
  });
});

describe('schedules that the optimizer refuses', () => {
  const reported = (words: string): string =>
    found(bound(slime, `${job} ${words}`, { env: { CUDA_DEVICE_MAX_CONNECTIONS: '1' } })).join();

  it.each([
    ['--weight-decay -0.1', 'weight-decay-below-zero'],
    ['--lr-decay-style WSD', 'stable-decay-without-length'],
    ['--global-batch-size 64 --lr-warmup-iters 10', 'warmup-outlasts-the-schedule'],
  ])('stop the actors: %s', (words, rule) => {
    expect(reported(words)).toContain(`error slime/${rule}`);
  });

  it('do not matter if only evaluation runs, or if a role file may change them', () => {
    expect(reported('--weight-decay -0.1 --num-rollout 0')).not.toContain('weight-decay');
    expect(reported('--weight-decay -0.1 --megatron-config-path roles.yaml')).not.toContain('weight-decay');
  });
});
