import { describe, expect, it } from 'vitest';
import { lintFile } from '../../../support/lintFile.ts';

const target = '  _target_: megatron.bridge.recipes.qwen.qwen3_8b_finetune_config\n';

/** The findings in a configuration, and how many runs are recognised. */
function reported(rest: string, recipe = `recipe:\n${target}  packed_sequence: true\n`) {
  const { findings, runs } = lintFile('/repository/config/own.yaml', `${recipe}${rest}`);
  return { runs: runs.length, findings: findings.map(({ rule, message }) => `${rule}: ${message}`) };
}

describe('an override file that names a recipe for a custom program', () => {
  it('is recognised by the recipe, and the program’s own sections are left alone', () => {
    const rest = [
      'run: {data: x, wandb: y}',
      'data: {path: x}',
      'dataset: {packed_dir: x, seq_lenght: 4096}',
      'train: {train_iters: 5}',
      'logger: {wandb_project: "${run.wandb.project}"}\n',
    ].join('\n');
    expect(reported(rest)).toEqual({ runs: 1, findings: [] });
  });

  it('is checked in the sections that Bridge merges', () => {
    const { findings } = reported('checkpoint:\n  save: /x\n  save_intervall: 20\n');
    expect(findings).toEqual([
      'unknown-option: checkpoint.save_intervall is not an option here. Did you mean checkpoint.save_interval?',
    ]);
  });

  it('may name mixed precision that the program makes for its model', () => {
    const train = 'train: {train_iters: 5}\n';
    expect(reported(`mixed_precision: our_model_bf16_with_nvfp4_mixed\n${train}`).findings).toEqual([]);
    expect(reported(`mixed_precision: bf16\n${train}`).findings).toEqual([
      'megatron-bridge/unfamiliar-mixed-precision: Bridge has no mixed-precision recipe called bf16.',
    ]);
  });

  it('must not contain a broken interpolation', () => {
    const { findings } = reported('logger:\n  wandb_project: ${run.a\ntrain: {train_iters: 5}\n');
    expect(findings.map((one) => one.split(':', 1)[0])).toEqual(['invalid-interpolation']);
  });

  it.each([
    ['without sections of Bridge', 'run: {train_iters: 5}\n', undefined],
    [
      'of another package',
      'train: {train_iters: 5}\n',
      'recipe:\n  _target_: ours.recipes.qwen3_8b_config\n',
    ],
    ['of no function', 'train: {train_iters: 5}\n', 'recipe: megatron.bridge.recipes.qwen\n'],
  ])('is not one %s', (_, rest, recipe) => {
    expect(reported(rest, recipe)).toEqual({ runs: 0, findings: [] });
  });
});
