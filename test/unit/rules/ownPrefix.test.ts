import { describe, expect, it } from 'vitest';
import { applyEdits } from '../../../server/src/text/edit.ts';
import { lintFile } from '../../support/lintFile.ts';

const path = '/repository/run.sh';

function lint(text: string) {
  return lintFile(path, text).findings.filter(({ rule }) => rule === 'prefix-not-expanded');
}

const program = 'pretrain_gpt.py --num-layers 4 --hidden-size 64';

describe('prefix-not-expanded', () => {
  it.each([
    [`N=8 torchrun --nproc_per_node $N ${program}\n`, 'N=8; torchrun'],
    [`N="8" torchrun \\\n  --nproc_per_node "\${N}" ${program}\n`, 'N="8"; torchrun'],
  ])('is reported and fixed: %s', (text, mended) => {
    const [finding, ...more] = lint(text);
    expect(more).toEqual([]);
    const { start = 0, end = 0 } = finding?.place.span ?? {};
    expect(text.slice(start, end)).toMatch(/^\$\{?N\}?$/);
    const fixed = applyEdits(text, finding?.fixes[0]?.edits ?? []) ?? '';
    expect(fixed).toContain(mended);
    expect(lint(fixed)).toEqual([]);
  });

  it('has no fix among other assignments', () => {
    expect(lint(`N=8 CUDA_VISIBLE_DEVICES=0 torchrun --nproc_per_node $N ${program}\n`)).toMatchObject([
      { severity: 'warning', fixes: [] },
    ]);
  });

  it.each([
    `N=8; torchrun --nproc_per_node $N ${program}\n`,
    `N=8\nN=$N torchrun --nproc_per_node $N ${program}\n`,
    `export N=8\ntorchrun --nproc_per_node $N ${program}\n`,
    `M=8 torchrun --nproc_per_node $N ${program}\n`,
    `N=8 echo\ntorchrun --nproc_per_node $N ${program}\n`,
    `N=8 bash -c 'torchrun --nproc_per_node $N ${program}'\n`,
  ])('is not reported: %s', (text) => {
    expect(lint(text)).toEqual([]);
  });
});
