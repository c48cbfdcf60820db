import { describe, expect, it } from 'vitest';
import { applyEdits } from '../../../server/src/text/edit.ts';
import { lintFile } from '../../support/lintFile.ts';
import { evaluate, shown } from './support.ts';

const path = '/repository/run.sh';
const launch = 'python3 train.py --num-rollout 1\n';

function lint(text: string) {
  return lintFile(path, text).findings.filter(({ rule }) => rule === 'missing-bracket');
}

describe('missing-bracket', () => {
  it.each([
    ['if "$1" == "" ]; then A=1; fi', 'if [ "$1" == "" ]; then A=1; fi'],
    ['if  -z "$X" ]; then A=1; fi', 'if  [ -z "$X" ]; then A=1; fi'],
    ['N=$(nproc)\nif "$N" -gt 1 ]]; then A=1; fi', 'N=$(nproc)\nif [[ "$N" -gt 1 ]]; then A=1; fi'],
    ['if ["$1" == "" ]; then A=1; fi', 'if [ "$1" == "" ]; then A=1; fi'],
    ['if [["$1" == a ]]; then A=1; fi', 'if [[ "$1" == a ]]; then A=1; fi'],
    ['MODE=train\nif $MODE != train ]; then A=1; fi', 'MODE=train\nif [ $MODE != train ]; then A=1; fi'],
  ])('is found and fixed: %s', (broken, mended) => {
    const text = `${broken}\n${launch}`;
    const [finding, ...more] = lint(text);
    expect(more).toEqual([]);
    expect(finding).toMatchObject({ severity: 'warning', certainty: 'certain' });
    const fixed = applyEdits(text, finding?.fixes[0]?.edits ?? []);
    expect(fixed).toBe(`${mended}\n${launch}`);
    expect(lint(fixed ?? '')).toEqual([]);
  });

  it('says what Bash does', () => {
    expect(lint(`if "$1" == a ]; then A=1; fi\n${launch}`)[0]?.message).toBe(
      'This test has no [: Bash runs "$1" as a program instead, so the test is false.',
    );
  });

  it.each([
    'if [ "$1" == a ]; then A=1; fi',
    'if [[ $1 == a ]]; then A=1; fi',
    'if test "$1" = ]; then A=1; fi',
    'if expr "$1" = ]; then A=1; fi',
    'echo a == b ]',
    '"$1" ]',
    'python3 other.py == ]',
  ])('is not found: %s', (line) => {
    const found = lint(`${line}\n${launch}`);
    expect(found).toEqual([]);
  });

  it('takes the condition as false', () => {
    const started = (text: string): readonly string[] =>
      evaluate(text).commands.map(({ words }) => words.map(shown).join(' '));
    expect(started('if "$1" == "" ]; then python a.py; else python b.py; fi\n')).toEqual(['python b.py']);
    expect(started('if -z "$X" ]; then exit 1; fi\npython b.py\n')).toEqual(['python b.py']);
  });

  it.each([
    'if ["$X" = "y"]; then',
    'if ["$X" = y ]; then',
    'if [["$X" == y ]]; then',
    'if [$X -gt 3 ]; then',
  ])('takes an unknown value after the bracket as false: %s', (line) => {
    const { commands } = evaluate(`${line} python a.py; else python b.py; fi\n`);
    expect(commands.map(({ words }) => words.map(shown).join(' '))).toEqual(['python b.py']);
    expect(commands[0]?.assumptions).toEqual([]);
  });

  it('leaves open what may be a test', () => {
    const { commands } = evaluate('if ["$X" ]; then python a.py; fi\n');
    expect(commands.map(({ words }) => words.map(shown).join(' '))).toContain('python a.py');
  });

  it('takes a bracket after a value as one if the value is empty', () => {
    const text =
      'if [ -n "${X}"]; then A=1; else A=2; fi\nif [ -z "$X"]; then B=1; else B=2; fi\n' +
      'if [ "$X" = "y"]; then C=1; else C=2; fi\npython $A $B $C\n';
    const first = (variables: { readonly [name: string]: string }) => {
      const [command] = evaluate(text, { machine: { versions: {}, variables } }).commands;
      return {
        words: command?.words.map(shown).join(' '),
        rests: command?.assumptions.map((each) => each.text),
      };
    };
    expect(first({})).toEqual({ words: 'python 1 1 2', rests: ['X is not set'] });
    expect(first({ X: 'y' })).toEqual({ words: 'python 2 2 2', rests: [] });
  });
});
