import { describe, expect, it } from 'vitest';
import { applyEdits } from '../../../server/src/text/edit.ts';
import { lintFile } from '../../support/lintFile.ts';
import { processorTime } from '../../support/processorTime.ts';

const path = '/repository/run.sh';
const launch = 'torchrun pretrain_gpt.py --num-layers 2 --hidden-size 64 --num-attention-heads 4 --bf16';

function lint(words: string, before = 'NAME=2\n') {
  const text = `${before}${launch} ${words}\n`;
  const findings = lintFile(path, text).findings.filter(({ rule }) => rule === 'variable-without-dollar');
  return { text, findings };
}

describe('variable-without-dollar', () => {
  it.each([
    ['--save NAME', '--save $NAME'],
    ['--save=NAME', '--save=$NAME'],
    ['--save {NAME}', '--save $NAME'],
    ['--save %NAME%', '--save $NAME'],
  ])('is reported and fixed: %s', (written, mended) => {
    const { text, findings } = lint(written);
    expect(findings).toHaveLength(1);
    expect(findings[0]).toMatchObject({ severity: 'warning', certainty: 'likely' });
    expect(applyEdits(text, findings[0]?.fixes[0]?.edits ?? [])).toBe(text.replace(written, mended));
    expect(lint(mended).findings).toEqual([]);
  });

  it.each([
    ['a name that nothing assigns', '--save OTHER'],
    ['a text in quotes', '--save "NAME"'],
    ['small letters', '--save name', 'name=2\n'],
    ['a word that is no value', '--save a NAME'],
    ['a part of a word', '--save NAME/x'],
  ])('is not reported: %s', (_, words, before = 'NAME=2\n') => {
    expect(lint(words, before).findings).toEqual([]);
  });

  it('is found in time that grows with the text', () => {
    const took = (count: number): number => processorTime(() => lint('--save OTHER '.repeat(count)));
    // The constant allows for garbage collection.
    expect(took(4000)).toBeLessThan(took(1000) * 10 + 1000);
  });
});
