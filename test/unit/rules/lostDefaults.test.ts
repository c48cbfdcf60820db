import { describe, expect, it } from 'vitest';
import { applyEdits } from '../../../server/src/text/edit.ts';
import { lintFile } from '../../support/lintFile.ts';

const launch = 'torchrun --nproc_per_node 8 pretrain_gpt.py --num-layers 4 --hidden-size 64';

function lint(text: string) {
  return lintFile('/repository/run.sh', text).findings.filter(({ rule }) => rule === 'default-without-dash');
}

describe('default-without-dash', () => {
  it.each([
    [`RATIO=\${RATIO:1.0}\n${launch} --lr $RATIO\n`, '${RATIO:-1.0}'],
    [`export LR="\${LR:1e-5}"\n${launch} --lr $LR\n`, '${LR:-1e-5}'],
    [`DATA=\${DATA_DIR:/data/text}\n${launch} --data-path $DATA\n`, '${DATA_DIR:-/data/text}'],
    [`model=\${model:llama3-8b}\n${launch} --save $model\n`, '${model:-llama3-8b}'],
    [`${launch} --lr \${LR:1e-4}\n`, '${LR:-1e-4}'],
  ])('is reported and fixed: %s', (text, mended) => {
    const [finding, ...more] = lint(text);
    expect(more).toEqual([]);
    const fixed = applyEdits(text, finding?.fixes[0]?.edits ?? []) ?? '';
    expect(fixed).toContain(mended);
    expect(lint(fixed)).toEqual([]);
  });

  it('says what the variable expands to', () => {
    expect(lint(`RATIO=\${RATIO:1.0}\n${launch}\n`)[0]?.message).toBe(
      '${RATIO:1.0} gives no default: without a dash after the colon it is a part of RATIO, and nothing where RATIO is not set.',
    );
  });

  it.each([
    `SHA=\${COMMIT:0:12}\n${launch}\n`,
    `REST=\${NAME:4}\n${launch}\n`,
    `from=3\nREST=\${NAME:from}\n${launch}\n`,
    `LR=\${LR:-1e-5} N=\${N:=8}\n${launch}\n`,
    `${launch} '--save \${NOW:run.x}' --load '\${now:%Y}'\n`,
    `# LR=\${LR:1e-5}\n${launch}\n`,
    `out=\${now:run}\n${launch}\n`,
    'LR=${LR:1e-5}\necho $LR\n',
  ])('is not reported for %s', (text) => {
    expect(lint(text)).toEqual([]);
  });
});
