import { describe, expect, it } from 'vitest';
import { applyEdits } from '../../../server/src/text/edit.ts';
import { lintFile } from '../../support/lintFile.ts';

const path = '/repository/run.sh';
const script = `export CUDA_DEVICE_MAX_CONNECTIONS=1
TP=3
if [ "$TP" = 3 ]; then
  N=8
fi
torchrun --nproc_per_node $N pretrain_gpt.py \\
  --tensor-model-parallel-size $TP \\
  --num-layers 12 --hidden-size 504 --num-attention-heads 6 --seq-length 64
`;

function lint(text: string) {
  return lintFile(path, text);
}

describe('a script with Windows line endings', () => {
  const windows = script.replaceAll('\n', '\r\n');

  it('is read as intended, and reported once', () => {
    const rules = (text: string): readonly string[] => lint(text).findings.map(({ rule }) => rule);
    const found = rules(windows);
    expect(found.filter((rule) => rule === 'windows-line-ends')).toHaveLength(1);
    expect(found.filter((rule) => rule !== 'windows-line-ends')).toEqual(rules(script));
  });

  it('is fixed', () => {
    const [finding] = lint(windows).findings.filter(({ rule }) => rule === 'windows-line-ends');
    expect(finding).toMatchObject({
      severity: 'warning',
      place: { span: { start: windows.indexOf('\r') - 1 } },
    });
    expect(applyEdits(windows, finding?.fixes[0]?.edits ?? [])).toBe(script);
  });

  it('is not reported if it starts none of our frameworks', () => {
    expect(lint('echo a\r\npython3 train.py\r\n').findings).toEqual([]);
  });
});
