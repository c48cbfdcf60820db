import { describe, expect, it } from 'vitest';
import { mended } from '../../support/mended.ts';

const reported = (text: string, rule: string) => mended('/repository/run.sh', text, rule);

const training = (words: string): string =>
  `torchrun --nproc_per_node 8 pretrain_gpt.py --num-layers 4 --micro-batch-size 1 ${words}\n`;

describe('a refused number', () => {
  it.each([
    ['--seed 1.0', '--seed 1'],
    ['--train-samples 5e5', '--train-samples 500000'],
    ['--train-samples=1,000,000', '--train-samples=1000000'],
    ['--seed 8,', '--seed 8'],
    ['--lr 1e-4,', '--lr 1e-4'],
    ['--lr 1e−4', '--lr 1e-4'],
    ['--rampup-batch-size 16, 16, 1000', '--rampup-batch-size 16 16, 1000'],
    ['--train-samples 4k', undefined],
    ['--train-samples 1,000', undefined],
    ['--lr 1,5', undefined],
    ['--lr high', undefined],
  ])('is rewritten plainly if that is clear: %s', (words, meant) => {
    const { after, safety, message } = reported(training(words), 'invalid-value');
    expect(message).toBeDefined();
    expect(after).toBe(meant === undefined ? undefined : training(meant));
    expect(safety).toBe(meant === undefined ? undefined : 'suggested');
  });

  it.each(['--seed 1_000', '--seed +4', '--lr 1_0.5e-4'])('does not include %s', (words) => {
    expect(reported(training(words), 'invalid-value').message).toBeUndefined();
  });
});

describe('a refused override value', () => {
  const overrides = (words: string): string =>
    `uv run --isolated --extra fsdp -m skyrl.train.entrypoints.main_base trainer.strategy=fsdp ${words}\n`;

  it.each([
    ['trainer.placement.colocate_all=True,', 'trainer.placement.colocate_all=True'],
    ['trainer.epochs=3;', undefined],
    ["'trainer.epochs=3;'", "'trainer.epochs=3'"],
    ['trainer.epochs=three,', undefined],
    ['trainer.epochs=$N,', undefined],
    ['trainer.epochs=1e3', 'trainer.epochs=1000'],
    ['trainer.placement.colocate_all=ture', 'trainer.placement.colocate_all=true'],
    ['trainer.gradient_checkpointing=Flase', 'trainer.gradient_checkpointing=false'],
  ])('is rewritten plainly if that is clear: %s', (words, meant) => {
    const { title, after } = reported(overrides(words), 'invalid-value');
    const isPlain = title?.startsWith('Write ') === true;
    expect(isPlain ? after : undefined).toBe(meant === undefined ? undefined : overrides(meant));
  });
});

describe('an array that becomes one word', () => {
  it.each(['', '--bf16 '])('is split into its elements: %s', (before) => {
    const text = `A=(--seed 1 --lr 1e-4)\n${training(`${before}"\${A[*]}"`)}`;
    expect(reported(text, 'unknown-option')).toMatchObject({
      after: text.replace('*', '@'),
      safety: 'suggested',
      left: 0,
    });
  });

  it('is left alone beside other words in the quotes', () => {
    const text = `A=(--seed 1 --lr 1e-4)\n${training('"${A[*]} --bf16"')}`;
    expect(reported(text, 'unknown-option').after).toBeUndefined();
  });
});

describe('an option by its name within the program', () => {
  it('is written as a flag', () => {
    const text = training('--fp8 hybrid');
    const { message, after, left } = reported(text, 'unknown-option');
    expect(message).toContain('Did you mean --fp8-format?');
    expect([after, left]).toEqual([text.replace('--fp8', '--fp8-format'), 0]);
  });

  it('is reported with the values it takes', () => {
    const { message, after } = reported(training('--fp8 --bf16'), 'unknown-option');
    expect(message).toContain('Did you mean --fp8-format, which takes e4m3 or hybrid?');
    expect(after).toBeUndefined();
  });

  it('is not suggested if the flag turns it off', () => {
    expect(reported(training('--add-bias-linear'), 'unknown-option').message).not.toContain(
      '--disable-bias-linear',
    );
  });
});
