import { describe, expect, it } from 'vitest';
import { lintFile } from '../../../support/lintFile.ts';

const path = '/repository/examples/run.sh';
const old = { '/repository/megatron/arguments.py': '', '/repository/pretrain_gpt.py': '' };
const options = '--num-layers 2 --hidden-size 64 --checkpoint-activations --no-such-option 1';

function reported(text: string, files: Readonly<Record<string, string>>): readonly string[] {
  const { runs, findings } = lintFile(path, text, files);
  expect(runs).toEqual([]);
  return findings.map(({ severity, rule }) => `${severity} ${rule}`);
}

describe('a Megatron from before 2024, or one through DeepSpeed', () => {
  it.each([
    ['an old tree', `python pretrain_gpt.py ${options}\n`, old],
    ['the launcher of DeepSpeed', `deepspeed --num_gpus 8 pretrain_gpt.py ${options}\n`, {}],
    ['an option of DeepSpeed', `python pretrain_gpt.py ${options} --deepspeed\n`, {}],
  ])('has options about which nothing is reported: %s', (_, text, files) => {
    expect(reported(text, files)).toEqual([]);
  });

  it.each([
    ['an old tree', 'python pretrain_gpt.py', old],
    ['a trainer of its own in an old tree', 'python pretrain_own.py --train-iters 3 --tokenizer-type x', old],
    ['the launcher of DeepSpeed', 'deepspeed pretrain_gpt.py', {}],
  ])('still gets findings about its Bash script: %s', (_, program, files) => {
    expect(reported(`${program} --num-layers 2 \n  --hidden-size 64 \\\n  --bf16\n`, files)).toEqual([
      'error missing-continuation',
    ]);
    expect(reported(`DATA=<path to data>\n${program} --num-layers 2 --data-path $DATA\n`, files)).toEqual([
      'error shell-syntax',
    ]);
    expect(reported(`ARGS="--bf16"\n${program} --num-layers 2 $ARG\n`, files)).not.toEqual([]);
  });

  it('is not confused with other programs', () => {
    const text = 'deepspeed train.py --deepspeed ds.json \n  --train-iters 64\n';
    expect(reported(text, {})).toEqual([]);
    const own = 'python own.py --train-iters 3 --micro-batch-size 2 \n  --bf16\n';
    const source = 'add_argument("--train-iters")\nadd_argument("--micro-batch-size")\n';
    expect(reported(own, { ...old, '/repository/own.py': source })).toEqual([]);
  });
});
