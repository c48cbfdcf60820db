import { describe, expect, it } from 'vitest';
import { applyEdits } from '../../../server/src/text/edit.ts';
import { lintFile } from '../../support/lintFile.ts';

const path = '/repository/run.sh';
const launch = 'python3 train.py --num-rollout $tp\n';

function lint(text: string) {
  return lintFile(path, text).findings.filter(({ rule }) => rule === 'blank-around-equals');
}

describe('blank-around-equals', () => {
  it.each([
    ['TP = 2', 'TP=2'],
    ['TP =2', 'TP=2'],
    ['TP= 2', 'TP=2'],
    ['TP =', 'TP='],
    ['tp = "a b"', 'tp="a b"'],
    ['export TP = 2', 'export TP=2'],
    ['export A=1 TP =2', 'export A=1 TP=2'],
    ['export TP= 2', 'export TP=2'],
    ['export TP= /data/x', 'export TP=/data/x'],
    ['readonly TP = 2 B=1', 'readonly TP=2 B=1'],
  ])('is found and fixed: %s', (broken, mended) => {
    const text = `${broken} # two\n${launch}`;
    const [finding, ...more] = lint(text);
    expect(more).toEqual([]);
    expect(finding).toMatchObject({ severity: 'error', certainty: 'certain' });
    const fixed = applyEdits(text, finding?.fixes[0]?.edits ?? []);
    expect(fixed).toBe(`${mended} # two\n${launch}`);
    expect(lint(fixed ?? '')).toEqual([]);
  });

  it('is not fixed if the value may be several words', () => {
    const [finding] = lint(`TP = a b\n${launch}`);
    expect(finding?.fixes).toEqual([]);
  });

  it('says what Bash does', () => {
    expect(lint(`TP = 2\n${launch}`)[0]?.message).toBe(
      'An assignment has no spaces around its equals sign: Bash runs TP as a program and assigns nothing.',
    );
    expect(lint(`export TP = 2\n${launch}`)[0]?.message).toContain('export refuses = for a name');
  });

  it.each([
    ['a test', 'test = 2'],
    ['the bracket', '[ = = = ]'],
    ['a program', 'expr = 3'],
    ['a function', 'TP() { :; }\nTP = 2'],
    ['an empty variable for a program', 'CUDA_VISIBLE_DEVICES= python3 other.py'],
    ['names that are exported', 'export A= B'],
    ['an assignment', 'export A=1 B="= 2"'],
    ['a script that starts nothing of ours', 'TP = 2', ''],
  ])('is not found: %s', (_, line, started = launch) => {
    expect(lint(`${line}\n${started}`)).toEqual([]);
  });
});
