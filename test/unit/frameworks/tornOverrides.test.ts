import { describe, expect, it } from 'vitest';
import { applyEdits } from '../../../server/src/text/edit.ts';
import { lintFile } from '../../support/lintFile.ts';

function lint(text: string) {
  return lintFile('/repository/run.sh', text).findings.filter(
    ({ rule }) => rule === 'invalid-override' || rule === 'unknown-option',
  );
}

const launchers = {
  SkyRL: 'uv run --isolated --extra fsdp -m skyrl.train.entrypoints.main_base',
  'its first package': 'python -m skyrl_train.entrypoints.main_base',
};
const number = 'trainer.epochs';
const list = 'data.train_data';

describe.each(['SkyRL', 'its first package'] as const)('an override of %s that was split', (name) => {
  const launcher = launchers[name];

  it.each([
    ['by blanks at its equals sign', `${number} = 20`, `${number}=20`, 'make 3 words of it'],
    ['by a colon', `${number}: 20`, `${number}=20`, 'a colon stands where'],
    ['by a blank in a list', `${list}=['/a', '/b']`, `"${list}=[/a, /b]"`, 'make 2 words of it'],
    ['by blanks in a list without quotes', `${list}=[a, b, c]`, `"${list}=[a, b, c]"`, 'make 3 words of it'],
  ])('%s is reported once and fixed', (_, torn, mended, reason) => {
    const text = `${launcher} ${torn}\n`;
    const findings = lint(text);
    expect(findings.map(({ rule }) => rule)).toEqual(['invalid-override']);
    expect(findings[0]?.message).toContain(reason);
    const fixed = applyEdits(text, findings[0]?.fixes[0]?.edits ?? []);
    expect(fixed).toBe(`${launcher} ${mended}\n`);
    expect(lint(fixed ?? '')).toEqual([]);
  });

  it('is not fixed if Bash would expand the quoted part', () => {
    const [finding] = lint(`${launcher} ${list}=['/a', '$HOME/b']\n`);
    expect(finding?.fixes).toEqual([]);
  });

  it('does not absorb other overrides into a list that is never closed', () => {
    const findings = lint(`${launcher} ${list}=[a, ${number}=20\n`);
    expect(findings.map(({ message }) => message).join(' ')).not.toContain('between its brackets');
  });
});
