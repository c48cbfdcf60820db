import { describe, expect, it } from 'vitest';
import { nameRules } from '../../../../server/src/frameworks/nameRules.ts';
import { lint, model } from './megatronRun.ts';

describe('removed flags of a Megatron pinned by a submodule', () => {
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

  it('are only an info if it is not checked out', () => {
    expect(weights('lib/megatron/pretrain_gpt.py')).toEqual(['info']);
    expect(weights('../lib/megatron/pretrain_gpt.py')).toEqual(['info']);
  });

  it('are warnings if it is checked out, and for a program beside it', () => {
    const there = { '/repository/lib/megatron/setup.py': '' };
    expect(weights('lib/megatron/pretrain_gpt.py', there)).toEqual(['warning']);
    expect(weights('lib/other/pretrain_gpt.py')).toEqual(['warning']);
  });

  it('do not affect misspelt flags', () => {
    expect(weights('lib/megatron/pretrain_gpt.py', {}, '--data-impl mmap --train-itrs 5')).toEqual([
      'info',
      'warning',
    ]);
  });
});
