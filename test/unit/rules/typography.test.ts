import { describe, expect, it } from 'vitest';
import { applyEdits } from '../../../server/src/text/edit.ts';
import { lintFile } from '../../support/lintFile.ts';

const path = '/repository/run.sh';

function findings(text: string) {
  return lintFile(path, text).findings;
}

function lint(text: string) {
  return findings(text).filter(({ rule }) => rule === 'typographic-character');
}

const launch = 'torchrun --nproc_per_node 8 pretrain_gpt.py --num-layers 4 --hidden-size 64';

describe('typographic-character', () => {
  it.each([
    [
      '--seed\u00a01',
      '--seed 1',
      'A no-break space (U+00A0) is an ordinary letter for Bash, so --seed 1 is one',
    ],
    ['--seed\u30001', '--seed 1', 'An ideographic space (U+3000)'],
    ['\u00a0--seed 1', '--seed 1', 'so --seed is one word with it'],
    ['--seed\u20091 --bf16', '--seed 1 --bf16', 'A typographic space (U+2009)'],
    ['—seed 1', '--seed 1', '— is a dash, with which no option begins: two hyphens do.'],
    ['–-seed 1', '--seed 1', '– is a dash'],
    ['―seed=1', '--seed=1', '― is a dash'],
    ['－－seed 1', '--seed 1', '－ is a dash'],
    ['--bf16 —seed 1', '--bf16 --seed 1', '— is a dash'],
    ['--seed “1”', '--seed 1', 'For Bash “ and ” are letters, not quotes: they become part of the value.'],
    ['--seed=‘1’', '--seed=1', 'For Bash ‘ and ’ are letters'],
    ['--wandb-project “my run”', '--wandb-project "my run"', 'For Bash “ and ” are letters'],
  ])('is the only finding, and fixed: %s', (written, mended, message) => {
    const text = `${launch} ${written}\n`;
    const [finding, ...more] = lint(text);
    expect(more).toEqual([]);
    expect(finding?.message).toContain(message);
    expect(finding?.severity).toBe('error');
    const fixed = applyEdits(text, finding?.fixes[0]?.edits ?? []) ?? '';
    expect(fixed.replace(/ {2,}/g, ' ')).toBe(`${launch} ${mended}\n`);
    const others = (all: ReturnType<typeof findings>): readonly string[] =>
      all.flatMap(({ rule }) => (rule === 'typographic-character' ? [] : [rule]));
    expect(others(findings(text))).toEqual(others(findings(fixed)));
  });

  it.each([
    ['A="--seed\u00a01"', 'A="--seed 1"'],
    ['A=“1”', 'A=1'],
  ])('is fixed where it is written: %s', (assignment, mended) => {
    const use = assignment.includes('seed') ? '$A' : '--seed $A';
    const text = `${assignment}\n${launch} ${use}\n`;
    const [finding] = lint(text);
    expect(applyEdits(text, finding?.fixes[0]?.edits ?? [])).toBe(text.replace(assignment, mended));
  });

  it('is reported for launcher options', () => {
    const [finding] = lint(launch.replace('_node 8', '_node\u00a08'));
    expect(finding).toMatchObject({ severity: 'error' });
  });

  it('is a warning if the value is used with the quotes', () => {
    const [finding] = lint(`${launch} --save “/checkpoints”\n`);
    expect(finding).toMatchObject({ severity: 'warning' });
  });

  it.each(['“$DATA/checkpoints”', '“${DATA}”', '“/data/$RUN/checkpoints”'])(
    'is reported for quotes around an expansion: %s',
    (quoted) => {
      const text = `DATA=/root\n${launch} --seed 1 --save ${quoted} --bf16\n`;
      const [finding, ...more] = lint(text);
      expect(more).toEqual([]);
      const { start, end } = finding?.place.span ?? { start: 0, end: 0 };
      expect(text.slice(start, end)).toBe(quoted);
      expect(finding).toMatchObject({ severity: 'warning', fixes: [{ title: 'Remove “ and ”' }] });
      expect(applyEdits(text, finding?.fixes[0]?.edits ?? [])).toBe(text.replace(/[“”]/g, ''));
      expect(lint(text.replace(/[“”]/g, '"'))).toEqual([]);
    },
  );

  it.each([
    `${launch} --seed 1\u00a0`,
    `${launch} --seed ２`,
    `${launch} --wandb-project "a\u00a0b"`,
    `${launch} --wandb-project "“quoted”"`,
    `${launch} --wandb-project "—dash"`,
    `${launch} --wandb-project “open`,
    `${launch} # —seed\u00a01`,
    `echo “1”\n${launch}`,
  ])('is not reported: %s', (text) => {
    expect(lint(`${text}\n`)).toEqual([]);
    expect(findings(`${text}\n`).filter(({ rule }) => /^(?:invalid|unknown)/.test(rule))).toEqual([]);
  });
});
