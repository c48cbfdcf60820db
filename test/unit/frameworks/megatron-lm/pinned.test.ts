import { describe, expect, it } from 'vitest';
import { nameRules } from '../../../../server/src/frameworks/nameRules.ts';
import { lint, model } from './megatronRun.ts';

describe('flags that are gone, of a Megatron that a submodule pins', () => {
  const weights = (
    program: string,
    more: Readonly<Record<string, string>> = {},
    flags = '--data-impl mmap',
  ) => {
    const modules = '[submodule "m"]\n\tpath = lib/megatron\n\turl = https://github.com/other/Megatron-LM\n';
    const files = { '/repository/.gitmodules': modules, ...more };
    return lint(`torchrun --nproc_per_node 8 ${program} ${model} ${flags}\n`, files)
      .findings.filter(({ rule }) => nameRules.has(rule))
      .map(({ severity }) => severity);
  };

  it('weigh nothing where it is not checked out', () => {
    expect(weights('lib/megatron/pretrain_gpt.py')).toEqual(['info']);
    expect(weights('../lib/megatron/pretrain_gpt.py')).toEqual(['info']);
  });

  it('weigh as anywhere where it is, and for a program beside it', () => {
    const there = { '/repository/lib/megatron/setup.py': '' };
    expect(weights('lib/megatron/pretrain_gpt.py', there)).toEqual(['warning']);
    expect(weights('lib/other/pretrain_gpt.py')).toEqual(['warning']);
  });

  it('leave slips as they are', () => {
    expect(weights('lib/megatron/pretrain_gpt.py', {}, '--data-impl mmap --train-itrs 5')).toEqual([
      'info',
      'warning',
    ]);
  });
});
