import { describe, expect, test } from 'vitest';
import { evaluate, lines } from './support.ts';

/** The values, as written, that may have been reassigned before the last launch. */
function doubted(text: string): readonly string[] | undefined {
  const { commands } = evaluate(text);
  return commands.at(-1)?.doubtful?.map(({ span }) => text.slice(span.start, span.end));
}

const start = 'CFG_A=4 B=5\nread -r X\n';
const launch = '\npython t.py $CFG_A $B';

test.each([
  ['printf -v "$X" q', true, true],
  ['read -r "$X" <<< q', true, true],
  ['read -ra "$X" <<< q', true, true],
  ['mapfile -t "$X" <<< q', true, true],
  ['printf -v "CFG_$X" q', true, false],
  ['export "CFG_$X=1"', true, false],
  ['declare -g "CFG_$X"=1', true, false],
  ['printf -v "D_$X" q', false, false],
  ['printf -v "D[$X]" q', false, false],
  ['declare "D=$X"', false, false],
  ['printf -v "$UNSET" q', false, false],
])('a value for an unknown name: %s', (command, first, second) => {
  const values = doubted(start + command + launch) ?? [];
  expect([values.includes('4'), values.includes('5')]).toEqual([first, second]);
});

test('and then nothing is printed', () => {
  expect(lines('read -r X\nV=$(printf -v "$X" q)\npython t.py "[$V]"').at(-1)).toBe('python t.py []');
});

test('a function that returns the status of a program is followed like it', () => {
  const text =
    'run() { mycheck; local rc=$?; echo $rc; return $rc; }\nif run; then A=1; else A=2; fi\npython t.py $A';
  expect(lines(text).filter((line) => line.startsWith('python'))).toEqual(['python t.py 1', 'python t.py 2']);
});

describe('nested calls that are followed only to a limit', () => {
  test.each([
    'n=0\nf() { n=$((n + 1)); [ $n -lt 60 ] && f; }\nf\npython train.py --n $n',
    'f() { g; }\ng() { f; }\nf\nn=1; python train.py --n $n',
  ])('leave what comes after them in doubt: %s', (text) => {
    const { commands, truncated } = evaluate(text);
    expect(truncated).toBe(true);
    expect(commands.at(-1)?.assumptions.map((assumption) => assumption.text)).toEqual([
      expect.stringMatching(/^calls of [fg] within calls come to an end$/),
    ]);
  });

  test('as do files that source each other', () => {
    const files = { '/repo/a.sh': '. ./b.sh', '/repo/b.sh': '. ./a.sh' };
    const { commands, truncated } = evaluate('cd /repo; (. ./a.sh)\npython train.py', { files });
    expect(truncated).toBe(true);
    expect(commands.at(-1)?.assumptions.map((assumption) => assumption.text)).toEqual([
      expect.stringMatching(/^what \.\/[ab]\.sh reads within itself comes to an end$/),
    ]);
  });

  test('but not if they are counted', () => {
    const text = 'f() { [ $1 -gt 0 ] && f $(($1 - 1)); n=$1; }\nf 20\npython train.py --n $n';
    expect(evaluate(text).commands).toMatchObject([{ assumptions: [], doubtful: undefined }]);
  });
});
