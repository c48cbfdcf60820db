import { describe, expect, it } from 'vitest';
import { applyEdits } from '../../../server/src/text/edit.ts';
import { lintFile } from '../../support/lintFile.ts';

function lint(text: string, rule: string) {
  return lintFile('/repository/run.sh', text).findings.filter((finding) => finding.rule === rule);
}

describe('module-as-file', () => {
  const module = 'skyrl_train.entrypoints.main_base';
  const words = 'trainer.strategy=fsdp2 generator.num_inference_engines=4';

  it.each([
    ['uv run --isolated --extra vllm', 'uv looks for a command'],
    ['uv run --isolated python -u', 'Python looks for a file'],
    ['python3', 'Python looks for a file'],
    ['torchrun --nproc_per_node 8', 'Python looks for a file'],
  ])('is reported and fixed after %s', (launcher, said) => {
    const text = `${launcher} ${module} ${words}\n`;
    const [finding, ...more] = lint(text, 'module-as-file');
    expect(more).toEqual([]);
    expect(finding?.message).toContain(said);
    const mended = applyEdits(text, finding?.fixes[0]?.edits ?? []) ?? '';
    expect(mended).toBe(`${launcher} -m ${module} ${words}\n`);
    expect(lint(mended, 'module-as-file')).toEqual([]);
  });

  it('is not reported for other commands with dots, or if the module is a value', () => {
    expect(lint(`uv run --isolated some.command ${words}\n`, 'module-as-file')).toEqual([]);
    expect(lint(`python3 start.py ${module} ${words}\n`, 'module-as-file')).toEqual([]);
    expect(lint(`echo ${module} ${words}\n`, 'module-as-file')).toEqual([]);
  });
});
