import { expect, test } from 'vitest';
import { fixed, megatron, titles } from '../../support/firstFix.ts';

test('an option that takes the value of another uses the same variable', () => {
  const recipe = (...words: readonly string[]): string =>
    [
      'LENGTH=16384\ntorchrun --nproc_per_node 8 scripts/training/run_recipe.py --recipe my_sft_config',
      ...words,
      'dataset.pad_to_max_length=true',
    ].join(' \\\n  ');
  const rule = 'megatron-bridge/model-sequence-length-is-copied';
  const after = fixed(rule, recipe('model.seq_length=$LENGTH'));
  expect(after?.text).toBe(recipe('model.seq_length=$LENGTH', 'dataset.seq_length=$LENGTH'));
  expect(after?.rules).not.toContain(rule);
});

test('an old name that is replaced by its new one unless that is given keeps the text of its value', () => {
  const recipe = (key: string, ...words: readonly string[]): string =>
    [
      'LENGTH=16384\ntorchrun --nproc_per_node 8 scripts/training/run_recipe.py --recipe my_pretrain_config',
      `dataset.${key}=$LENGTH`,
      ...words,
    ].join(' \\\n  ');
  const rule = 'megatron-bridge/core-sequence-length-is-replaced';
  const after = fixed(rule, recipe('sequence_length'));
  expect(after?.text).toBe(recipe('seq_length'));
  expect(after?.rules).not.toContain(rule);
  expect(titles(rule, recipe('sequence_length', 'dataset.seq_length=4096'))).toEqual([]);
});

test('an option follows a variable used further on in the same command, but no expansion with side effects', () => {
  const rule = 'skyrl/evaluation-length-lost';
  const command = (length: string, ...more: readonly string[]): string =>
    [
      'LENGTH=8192\npython -m skyrl.train.entrypoints.main_base',
      'generator.eval_sampling_params.temperature=0.6',
      ...more,
      `generator.sampling_params.max_generate_length=${length}`,
    ].join(' \\\n  ');
  const evaluated = 'generator.eval_sampling_params.max_generate_length';
  for (const [written, expected] of [
    ['"${LENGTH}"', '"${LENGTH}"'],
    ['$((LENGTH += 1))', '8193'],
  ] as const)
    expect(fixed(rule, command(written))?.text).toBe(command(written, `${evaluated}=${expected}`));
});

test('an array with an element that is split at blanks is quoted, unless others are meant to be split', () => {
  const rule = 'unknown-option';
  const passing = (elements: string, expansion: string): string =>
    `NONE=\nMORE='--lr 1'\nARGS=(\n  --bf16\n  ${elements}\n)\n${megatron().trimEnd()} ${expansion}\n`;
  const schedule = '--step-batch-size-schedule "0:16 2.4B:320"';
  const after = fixed(rule, passing(schedule, '${ARGS[@]}'));
  expect(after?.text).toBe(passing(schedule, '"${ARGS[@]}"'));
  expect(after?.rules).not.toContain(rule);
  for (const other of [`${schedule} "--lr 1"`, `${schedule} $MORE`, `${schedule} --save "$NONE"`])
    expect(titles(rule, passing(other, '${ARGS[@]}')), other).toEqual([]);
  expect(titles(rule, passing(schedule, '--save x${ARGS[@]}'))).toEqual([]);
});

test('a list of fixed length in one word becomes that many words', () => {
  const rule = 'missing-value';
  const after = fixed(rule, megatron('--rampup-batch-size "16 16 1000"'));
  expect(after?.text).toBe(megatron('--rampup-batch-size 16 16 1000'));
  expect(after?.rules).not.toContain(rule);
  expect(titles(rule, megatron('--rampup-batch-size "16 16"'))).toEqual([]);
});
