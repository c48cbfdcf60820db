import { describe, expect, it } from 'vitest';
import { applyEdits } from '../../../server/src/text/edit.ts';
import { lintFile } from '../../support/lintFile.ts';

const path = '/repository/run.sh';
const script = '#!/bin/bash\npython3 train.py --rollout-batch-size 8 --sglang-mem-fraction-static 0.7\n';

function lint(text: string) {
  return lintFile(path, text).findings;
}

describe('a byte order mark', () => {
  const others = lint(script).map(({ rule }) => rule);

  it('is reported with the word after it, and removed', () => {
    const text = `\ufeff${script}`;
    const found = lint(text);
    const [finding] = found.filter(({ rule }) => rule === 'byte-order-mark');
    expect(finding?.message).toContain('that and #!/bin/bash.');
    expect(finding?.place.span).toEqual({ start: 0, end: 12 });
    expect(applyEdits(text, finding?.fixes[0]?.edits ?? [])).toBe(script);
    expect(found.filter((each) => each !== finding).map(({ rule }) => rule)).toEqual(others);
  });

  it('is not reported for a script without one, or one that starts none of our frameworks', () => {
    expect(others).not.toContain('byte-order-mark');
    expect(lint('\ufeff#!/bin/bash\npython3 other.py\n')).toEqual([]);
  });
});
