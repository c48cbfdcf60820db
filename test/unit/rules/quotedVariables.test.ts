import { describe, expect, it } from 'vitest';
import { applyEdits } from '../../../server/src/text/edit.ts';
import { lintFile } from '../../support/lintFile.ts';

const path = '/repository/run.sh';

function lint(text: string) {
  return lintFile(path, text).findings.filter(({ rule }) => rule === 'variable-in-single-quotes');
}

const training = (words: string): string => `python -m skyrl.train.entrypoints.main_base ${words}\n`;

describe('variable-in-single-quotes', () => {
  it('is reported and fixed', () => {
    const text = `DATA_DIR=/d\n${training(`data.train_data='["$DATA_DIR/a","\${DATA_DIR}/b"]'`)}`;
    const [finding, ...more] = lint(text);
    expect(more).toEqual([]);
    expect(finding).toMatchObject({ severity: 'warning' });
    expect(text.slice(finding?.place.span.start, finding?.place.span.end)).toBe('$DATA_DIR');
    const fixed = applyEdits(text, finding?.fixes[0]?.edits ?? []);
    expect(fixed).toContain(`data.train_data='["'"$DATA_DIR"'/a","'"\${DATA_DIR}"'/b"]'`);
    expect(lint(fixed ?? '')).toEqual([]);
  });

  it('changes the quotes to double for a variable on its own', () => {
    const text = `TP=2\n${training("trainer.epochs='$TP' trainer.seed='$TP-1'")}`;
    const [alone, first] = lint(text);
    const fixed = applyEdits(text, [...(alone?.fixes[0]?.edits ?? []), ...(first?.fixes[0]?.edits ?? [])]);
    expect(fixed).toBe(`TP=2\n${training(`trainer.epochs="$TP" trainer.seed="$TP"'-1'`)}`);
  });

  it.each([
    ['another variable', training(`data.train_data='["$ELSEWHERE/a"]'`)],
    ['what is exported', `export DATA_DIR=/d\n${training(`data.train_data='["$DATA_DIR/a"]'`)}`],
    ['a value that the configuration fills in', `seed=1\n${training(`trainer.seed='\${seed}'`)}`],
    ['double quotes', `D=/d\n${training('data.train_data="[\'$D/a\']"')}`],
    ['text that another shell reads', `D=/d\nbash -c 'D=/e; ${training('data.val_data=$D').trim()}'\n`],
    [
      'a job whose words another shell reads',
      `N=1\nray job submit -- python3 train.py --rollout-batch-size '$N'\n`,
    ],
  ])('is silent for %s', (_, text) => {
    expect(lint(text)).toEqual([]);
  });
});
