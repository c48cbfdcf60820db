import { expect, test } from 'vitest';
import { evaluate, lines } from './support.ts';

/** The values that may have been set anew before the last launch, as they are written. */
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
])('a value for a name that is not known: %s', (command, first, second) => {
  const values = doubted(start + command + launch) ?? [];
  expect([values.includes('4'), values.includes('5')]).toEqual([first, second]);
});

test('and nothing is printed then', () => {
  expect(lines('read -r X\nV=$(printf -v "$X" q)\npython t.py "[$V]"').at(-1)).toBe('python t.py []');
});

test('a function that ends as a program did is asked as that is', () => {
  const text =
    'run() { mycheck; local rc=$?; echo $rc; return $rc; }\nif run; then A=1; else A=2; fi\npython t.py $A';
  expect(lines(text).filter((line) => line.startsWith('python'))).toEqual(['python t.py 1', 'python t.py 2']);
});
