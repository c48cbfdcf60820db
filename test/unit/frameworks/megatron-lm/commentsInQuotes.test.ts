import { describe, expect, it } from 'vitest';
import { lint, model } from './megatronRun.ts';

describe('# inside a quoted string of options', () => {
  const reported = (program: string, options: string) =>
    lint(`OPTIONS="${model} ${options}"\ntorchrun --nproc_per_node 8 ${program} $OPTIONS\n`)
      .findings.filter(({ message }) => message.includes('#'))
      .map(({ severity, message, fixes }) => `${severity} ${fixes.length} ${message}`);
  const said = '0 # is not an option here. Within quotes # begins no comment.';

  it('starts no comment, after a switch or a value', () => {
    expect(reported('pretrain_gpt.py', '--bf16 # --no-save-optim')).toEqual([`error ${said}`]);
    expect(reported('pretrain_gpt.py', '--log-interval 10 # --no-save-optim')).toEqual([`error ${said}`]);
  });

  it('is reported for custom programs too', () => {
    expect(reported('pretrain_own.py', '--bf16 # --no-save-optim')).toEqual([`warning ${said}`]);
    expect(reported('pretrain_own.py', '--bf16 word --no-save-optim')).toEqual([]);
  });

  it('starts one outside quotes', () => {
    const text = `torchrun --nproc_per_node 8 pretrain_gpt.py ${model} --bf16 # --no-save-optim\n`;
    expect(lint(text).findings.filter(({ message }) => message.includes('#'))).toEqual([]);
  });
});
