import { describe, expect, it } from 'vitest';
import { lintFile } from '../../support/lintFile.ts';

const path = '/repository/run.sh';
const id = 'megatron-lm/fine-tuning-loads-nothing';

const launch =
  'torchrun --nproc_per_node 1 pretrain_gpt.py --num-layers 2 --hidden-size 64 --num-attention-heads 4 --seq-length 64 ' +
  '--max-position-embeddings 64 --micro-batch-size 1 --bf16 --lr 1e-4 --train-iters 10 --eval-interval 10 --mock-data --finetune';

function reported(text: string): readonly string[] {
  return lintFile(path, text).findings.map(({ rule }) => rule);
}

describe('a rule for launches without unknown words', () => {
  it('is reported if the launch says all', () => {
    expect(reported(`${launch}\n`)).toContain(id);
  });

  it.each([
    ['the arguments of the script', '"$@"'],
    ['a variable that may hold options', '$EXTRA'],
    ['what it asks for', '--load /checkpoints'],
  ])('is not reported if %s follow', (_, words) => {
    expect(reported(`${launch} ${words}\n`)).not.toContain(id);
  });
});
