import { describe, expect, it } from 'vitest';
import { slime } from '../../../../server/src/frameworks/slime/framework.ts';
import { bound, effective, found, problems } from '../trainerRun.ts';

const job =
  'python3 train.py --rollout-batch-size 4 --n-samples-per-prompt 4 --num-rollout 10 --rollout-num-gpus 8';

const run = (option: string, text: string) =>
  bound(slime, `${job} ${option} /w/settings.yaml`, { files: { '/w/settings.yaml': text } });

/** Where a string stands for a number, with what to write instead. */
const reported = (option: string, text: string): readonly string[] =>
  problems(run(option, text)).filter((problem) => problem.includes('text-for-number'));

describe('numbers of YAML 1.1', () => {
  it.each([
    ['lr: 1e-5', ['warning text-for-number lr; write 1.0e-5']],
    ['lr: 2.5e6', ['warning text-for-number lr; write 2.5e+6']],
    ['lr: "0.5"', ['warning text-for-number lr; write 0.5']],
    ['rollout_batch_size: 1e3', ['warning text-for-number rollout_batch_size; write 1000']],
    ['rollout_batch_size: 0o17', ['warning text-for-number rollout_batch_size']],
    ['lr: 1.0e-5', []],
    ['rollout_batch_size: 1_000', []],
    ['our_knob: 1e-5', []],
    ['lr: ~', []],
  ])('in a file of settings: %s', (text, expected) => {
    expect(reported('--custom-config-path', `${text}\n`)).toEqual(expected);
  });

  it('are converted for a role if Python does so', () => {
    const roles = (overrides: string) =>
      reported('--megatron-config-path', `megatron:\n  - {role: actor, overrides: {${overrides}}}\n`);
    expect(roles('lr: 1e-5')).toEqual([]);
    expect(roles('seq_length: "4096"')).toEqual([]);
    expect(roles('seq_length: 4e3')).toEqual(['warning text-for-number seq_length; write 4000']);
  });

  it('are unknown if a string is given for one', () => {
    expect(effective(run('--custom-config-path', 'rollout_batch_size: 1e3\n'), 'rollout_batch_size')).toBe(
      '?',
    );
    expect(effective(run('--custom-config-path', 'rollout_batch_size: 1_000\n'), 'rollout_batch_size')).toBe(
      1000,
    );
    expect(effective(run('--custom-config-path', 'rollout_batch_size: 017\n'), 'rollout_batch_size')).toBe(
      15,
    );
  });

  it('are those of OmegaConf in a file of evaluations', () => {
    const samples = (count: string) =>
      found(
        run('--eval-config', `datasets:\n  - {name: a, path: /d/a.jsonl, min_eval_samples: ${count}}\n`),
      ).includes('error slime/evaluation-samples-not-positive');
    expect(samples('1e2')).toBe(false);
    expect(samples('0o17')).toBe(true);
  });
});
