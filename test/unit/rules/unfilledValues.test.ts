import { describe, expect, it } from 'vitest';
import { lintFile } from '../../support/lintFile.ts';

const script = '/repository/run.sh';
const program = 'torchrun pretrain_gpt.py --num-layers 4 --hidden-size 64';

function reported(path: string, text: string) {
  return lintFile(path, text)
    .findings.filter(({ rule }) => rule === 'unfilled-value')
    .map(({ severity, message, place: { span } }) => [
      `${severity}: ${message}`,
      text.slice(span.start, span.end),
    ]);
}

describe('a value that is still to be filled in', () => {
  it.each([
    [`${program} --load "<path to the checkpoint>"`, '--load', '<path to the checkpoint>'],
    [`${program} --load='<YOUR_CHECKPOINT>/latest'`, '--load', '<YOUR_CHECKPOINT>'],
    [`DIR="<some dir>"\n${program} --save "$DIR" --load "$DIR"`, '--save', '<some dir>'],
  ])('is reported once, where it is written: %s', (text, name, value) => {
    const [only, ...others] = reported(script, `${text}\n`);
    expect(others).toEqual([]);
    expect(only?.[0]).toBe(`warning: ${name} is ${value}, a placeholder that is still to be filled in.`);
    expect(only?.[1]).toContain(value);
  });

  it('is reported in a configuration', () => {
    const text =
      'model:\n  tensor_model_parallel_size: 1\ntrain:\n  train_iters: 20\n  global_batch_size: 8\n  micro_batch_size: 1\nscheduler:\n  lr_warmup_iters: 10\ncheckpoint:\n  pretrained_checkpoint: <path to the quantized checkpoint>\n';
    expect(reported('/repository/conf/pretrain_override.yaml', text)).toEqual([
      [
        'warning: checkpoint.pretrained_checkpoint is <path to the quantized checkpoint>, a placeholder that is still to be filled in.',
        '<path to the quantized checkpoint>',
      ],
    ]);
  });

  it.each([
    `${program} --load "$CHECKPOINT"`,
    `${program} --load "/data/<x>"`,
    `${program} --tokenizer-special-tokens "<image>" --load "<|path|>"`,
    `${program} --wandb-exp-name "<end of turn>"`,
  ])('is none here: %s', (text) => {
    expect(reported(script, `${text}\n`)).toEqual([]);
  });
});
