import { expect, test } from 'vitest';
import { evaluate, shown } from './support.ts';

/** The Python commands of a script that starts another one, with their assumptions: `WORDS [ASSUMPTIONS]`. */
function started(text: string, child: string): readonly string[] {
  const { commands } = evaluate(text, { files: { '/repo/child.sh': child } });
  return commands
    .filter(({ words }) => words[0] !== undefined && shown(words[0]) === 'python')
    .map(({ words, assumptions }) => {
      const assumed = assumptions.map((assumption) => assumption.text).join(', ');
      return `${words.map(shown).join(' ')} [${assumed}]`;
    });
}

const demanding = '[ -n "$MODEL" ] || exit 1\npython train.py "$MODEL"';
const both = ['python train.py <$MODEL> [MODEL is given]', 'python b.py []'];

test('what a script starts after another one does not depend on what that one requires', () => {
  expect(started('bash child.sh\npython b.py', demanding)).toEqual(both);
  expect(started('set -e\nsbatch child.sh\npython b.py', demanding)).toEqual(both);
  expect(started('bash child.sh\npython b.py', ': "${A:?}" "${B:?}"\npython a.py')).toEqual([
    'python a.py [A is given, B is given]',
    'python b.py []',
  ]);
  expect(started('bash child.sh\npython b.py "$M"', 'set -u\npython a.py "$M"')).toEqual([
    'python a.py <$M> [M is given]',
    'python b.py <$M> []',
  ]);
});

test('under set -e it goes on only if the other one succeeds', () => {
  expect(started('set -e\nbash child.sh\npython b.py', demanding)).toEqual([
    'python train.py <$MODEL> [MODEL is given]',
    'python b.py [MODEL is given]',
  ]);
});

test('an early exit with success ends only the other script', () => {
  const early = (guard: string): string => `${guard} && exit 0\npython train.py`;
  expect(started('set -e\nbash child.sh\npython b.py', early('[ -z "$MODEL" ]'))).toEqual([
    'python train.py [MODEL is given]',
    'python b.py []',
  ]);
  expect(started('set -e\nbash child.sh\npython b.py', early('[ -f /data/done ]'))).toEqual([
    'python train.py [/data/done is not a file]',
    'python b.py []',
  ]);
  expect(started('set -e\nX=$(bash child.sh)\npython b.py "$X"', 'probe && exit 0\nexit 3')).toEqual([
    'python b.py <$(bash child.sh)> [“probe” succeeds]',
  ]);
});

test('what was taken as unset before another script requires it is followed both ways', () => {
  expect(
    started('python p.py "${M:-d}"\nbash child.sh\npython b.py', ': "${M:?}"\npython a.py "$M"'),
  ).toEqual([
    'python p.py <$M> [M is given]',
    'python a.py <$M> [M is given]',
    'python b.py []',
    'python p.py d [M is not set]',
  ]);
});

test('reading its status afterwards changes nothing under set -e', () => {
  const child = ': "${M:?}"\n[ -f /data/a ]';
  expect(started('set -e\nbash child.sh; S=$?\npython b.py $S', child)).toEqual([
    'python b.py <$?> [M is given, /data/a is a file]',
  ]);
});

test('what reads its output continues with the output of each exit', () => {
  const child = '[ -f /data/a ] || exit 1\necho x';
  expect(started('X=$(bash child.sh)\npython b.py "$X"', child)).toEqual([
    'python b.py  [/data/a is not a file]',
    'python b.py x [/data/a is a file]',
  ]);
});
