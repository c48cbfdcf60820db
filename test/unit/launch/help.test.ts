import { describe, expect, it } from 'vitest';
import { lintFile } from '../../support/lintFile.ts';

const path = '/repository/run.sh';

const rules = (text: string): readonly string[] => lintFile(path, text).findings.map(({ rule }) => rule);

describe('a launch that asks for help', () => {
  it.each([
    'torchrun --nproc-per-node 8 pretrain_gpt.py --num-layers 4 --fooo 1',
    'python train.py --num-rollout 3 --rm-type mathh --fooo 1',
    'python -m relax.entrypoints.train --fooo 1',
    'python scripts/training/run_recipe.py --recipe llama32_1b_pretrain_config --fooo 1',
    'python -m skyrl.tinker.api --fooo 1',
    'python -m skyrl_train.entrypoints.main_base trainer.fooo=1',
  ])('starts nothing: %s', (launch) => {
    expect(rules(`${launch}\n`)).not.toEqual([]);
    expect(rules(`${launch} --help\n`)).toEqual([]);
    expect(rules(`${launch} -h\n`)).toEqual([]);
  });

  it('is reported for SkyRL, which takes it for a setting', () => {
    expect(rules('python -m skyrl.train.entrypoints.main_base --help\n')).toContain('unknown-option');
  });
});
