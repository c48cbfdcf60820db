import { describe, expect, it } from 'vitest';
import { relax } from '../../../../server/src/frameworks/relax/framework.ts';
import { slime } from '../../../../server/src/frameworks/slime/framework.ts';
import { bound, found } from '../trainerRun.ts';

const settings =
  '--num-layers 4 --hidden-size 64 --ffn-hidden-size 128 --num-attention-heads 4 --swiglu --disable-bias-linear ' +
  '--normalization RMSNorm --position-embedding-type rope --vocab-size 1000 ' +
  '--hf-checkpoint /m/ours --ref-load /m/ours_dist --prompt-data /d/p.jsonl --num-rollout 10 --rollout-batch-size 8 ' +
  '--n-samples-per-prompt 4 --global-batch-size 32 --rollout-max-response-len 512';
const env = { CUDA_DEVICE_MAX_CONNECTIONS: '1' };

function severity(trainer: 'relax' | 'slime', extra: string, rule: string): string | undefined {
  const [framework, start] =
    trainer === 'relax'
      ? ([relax, `python3 relax/entrypoints/train.py --resource '{"actor":[1,8],"rollout":[1,8]}'`] as const)
      : ([
          slime,
          'python3 train.py --actor-num-nodes 1 --actor-num-gpus-per-node 8 --rollout-num-gpus 8',
        ] as const);
  const reported = found(bound(framework, `${start} ${settings} ${extra}`, { env }));
  return reported.find((finding) => finding.endsWith(`/${rule}`))?.replace(/ .*/, '');
}

const bridge = '--megatron-to-hf-mode bridge';
const ownFunction = '--custom-model-provider-path ours.model.provide';
const cases = [
  ['a size that the checkpoint has instead', '--moe-ffn-hidden-size 64', 'expert-size-needs-experts'],
  ['an option that is not handed on', '--hidden-dropout -1', 'hidden-dropout-range'],
  [
    'an option that is not handed on, beside one that is',
    '--recompute-granularity selective --recompute-modules core_atn',
    'recompute-modules-known',
  ],
] as const;

describe.each(['relax', 'slime'] as const)('a refused model setting in %s', (trainer) => {
  it.each(cases)('is an error if the arguments build the model: %s', (_, extra, rule) => {
    expect(severity(trainer, extra, rule)).toBe('error');
    expect(severity(trainer, `${extra} --custom-model-provider-path ''`, rule)).toBe('error');
    expect(severity(trainer, `${extra} --megatron-to-hf-mode raw`, rule)).toBe('error');
    expect(severity(trainer, `${extra} --megatron-to-hf-mode=raw`, rule)).toBe('error');
  });

  it.each(cases)('is a warning if the checkpoint builds the model: %s', (_, extra, rule) => {
    expect(severity(trainer, `${extra} ${bridge}`, rule)).toBe('warning');
    expect(severity(trainer, `${extra} --megatron-to-hf-mode "$1"`, rule)).toBe('warning');
  });

  it.each(cases)('is a warning if a function builds the model: %s', (_, extra, rule) => {
    expect(severity(trainer, `${extra} ${ownFunction}`, rule)).toBe('warning');
  });

  it('is an error if it is compared with the checkpoint', () => {
    const shards = '--tensor-model-parallel-size 8';
    expect(severity(trainer, `${shards} ${bridge}`, 'heads-divide-tensor-parallel')).toBe('error');
    expect(severity(trainer, `${shards} ${ownFunction}`, 'heads-divide-tensor-parallel')).toBe('warning');
  });

  it('is an error if other parts of Megatron-LM check it', () => {
    const gradients = '--exp-avg-dtype fp16';
    expect(severity(trainer, `${gradients} ${bridge}`, 'exp-avg-need-precision-aware')).toBe('error');
    expect(severity(trainer, `${gradients} ${ownFunction}`, 'exp-avg-need-precision-aware')).toBe('error');
  });
});

describe('what Relax passes to a model configured by its checkpoint', () => {
  it.each([
    ['--recompute-granularity full', 'full-recompute-needs-method'],
    ['--pipeline-model-parallel-size 2 --decoder-first-pipeline-num-layers 4', 'middle-stages-match-layers'],
  ])('is certain: %s', (extra, rule) => {
    expect(severity('relax', `${extra} ${bridge}`, rule)).toBe('error');
    expect(severity('relax', `${extra} ${ownFunction}`, rule)).toBe('warning');
  });

  it('is likely for sizes not compared with the checkpoint', () => {
    const shards = `--tensor-model-parallel-size 8 ${bridge} --skip-hf-validate`;
    expect(severity('relax', shards, 'heads-divide-tensor-parallel')).toBe('warning');
  });

  it('is likely in slime, whose releases passed less', () => {
    expect(severity('slime', `--recompute-granularity full ${bridge}`, 'full-recompute-needs-method')).toBe(
      'warning',
    );
  });
});
