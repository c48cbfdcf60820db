import { expect, test } from 'vitest';
import { evaluate, lines, shown } from './support.ts';

/** As Bash 5.2 does it. */
test.each([
  ['is gone with unset, which shows what it hid', 'f() { unset X; python $X; }; X=1; X=8 f', ['python 1']],
  ['is not what is assigned behind that', 'f() { unset X; X=9; }; X=1; X=8 f; python $X', ['python 9']],
  [
    'is what is assigned before that',
    'f() { X=9; python $X; }; X=1; X=8 f; python $X',
    ['python 9', 'python 1'],
  ],
  [
    'is unset by what that one calls',
    'f() { g; python $X; }; g() { unset X; }; X=1; X=8 f; python $X',
    ['python 1', 'python 1'],
  ],
  [
    'becomes its own with local, value and all',
    'f() { local X; python $X; X=2; }; X=1; X=8 f; python $X',
    ['python 8', 'python 1'],
  ],
  [
    'is what a local variable of what that one calls begins with',
    'f() { X=9; g; python $X; }; g() { local X; python $X; X=2; h; }; h() { local X; python ${X-none}; }; X=1; X=8 f',
    ['python 9', 'python none', 'python 9'],
  ],
  ['stays where it is exported', 'f() { export X=2; }; X=1; X=8 f; python $X', ['python 2']],
  [
    'stays in all that stands around the call',
    'f() { export X=$X:b; }; g() { local X=3; X=8 f; python $X; }; X=1; g; python $X',
    ['python 8:b', 'python 8:b'],
  ],
  [
    'does not stay where it is gone again',
    'f() { export X=2; unset X; }; X=1; X=8 f; python $X',
    ['python 1'],
  ],
])('a variable set for a function call %s', (_, text, expected) => {
  expect(lines(text).filter((line) => line.startsWith('python'))).toEqual(expected);
});

test.each([
  [
    'by text that exports it',
    "f() { X=2 eval 'export X'; python $X; }; X=1; f; python $X",
    ['python 2', 'python 2'],
  ],
  ['by text that makes it readonly', "f() { X=2 eval 'readonly X'; }; X=1; f; python $X", ['python 2']],
  ['not by text outside of functions', "X=1; X=2 eval 'export X'; python $X", ['python 1']],
  ['which declare does everywhere', "X=1; X=2 eval 'declare -x X'; python $X", ['python 2']],
  [
    'and is what local means there',
    "f() { X=2 eval 'local X=3; python $X'; python $X; }; X=1; f",
    ['python 3', 'python 1'],
  ],
  [
    'but not in what the text calls',
    "g() { local X; python $X; X=9; }; f() { X=2 eval 'g; python $X'; }; X=1; f",
    ['python 2', 'python 2'],
  ],
  ['by printf', 'X=1; X=2 printf -v X 5; python $X', ['python 5']],
  ['by let', 'X=1; X=2 let X+=7; python $X', ['python 9']],
  ['by builtin', "X=1; X=2 builtin eval 'X=5'; python $X", ['python 5']],
])('a variable set for one command is kept %s', (_, text, expected) => {
  expect(lines(text).filter((line) => line.startsWith('python'))).toEqual(expected);
});

test.each([
  ['declare -i X=3; X+=4 f; python $X', ['python 7', 'python 3']],
  ['declare -i X=3; X=4+4 f', ['python 4+4']],
  ['X=(a "b  c") f', ['python (a b  c)']],
  ['X=5; X+=(a) f', ['python 5(a)']],
  ['X=(1 2) bash -c \'python "$X"\'', ['python (1 2)']],
])(
  'its value is made from that of the variable that it hides, and a list is a text: %s',
  (text, expected) => {
    const found = lines(`f() { python "$X"; }; ${text}`);
    expect(found.filter((line) => line.startsWith('python'))).toEqual(expected);
  },
);

test.each([
  ['f() { local -I X; X+=b; python $X; }; X=a; f; python $X', ['python ab', 'python a']],
  ['f() { local -I X; X+=3; python $X; }; declare -i X=4; f; python $X', ['python 7', 'python 4']],
  ['f() { declare -I X; X+=(c); python "${X[@]}"; }; X=(a b); f', ['python a b c']],
])('local -I begins with the variable that it hides: %s', (text, expected) => {
  expect(lines(text).filter((line) => line.startsWith('python'))).toEqual(expected);
});

/** What the last command's environment holds for each of the names. */
function environment(script: string, ...names: readonly string[]): readonly string[] {
  const machine = { variables: { GIVEN: 'g' } };
  const env = evaluate(script, { machine }).commands.at(-1)?.env;
  return names.map((name) => {
    const word = env?.get(name);
    return word === undefined ? 'none' : shown(word);
  });
}

test('a variable from the environment stays exported when declared again', () => {
  expect(
    environment(
      'declare GIVEN=1; readonly HOME=/h; OWN=2; declare OTHER=3; python t.py',
      'GIVEN',
      'HOME',
      'OWN',
      'OTHER',
    ),
  ).toEqual(['1', '/h', 'none', 'none']);
  expect(environment('f() { local GIVEN=1 OWN=2; python t.py; }; f', 'GIVEN', 'OWN')).toEqual(['1', 'none']);
});

test('what only the environment gives is gone where a command takes it away, also behind export', () => {
  const inner = `'python "\${GIVEN-none}" "\${OTHER-none}"'`;
  const machine = { variables: { GIVEN: 'g' } };
  const started = (script: string): readonly string[] =>
    lines(`${script} bash -c ${inner}`, { machine }).filter((line) => line.startsWith('python'));
  expect(started('export GIVEN OTHER; env -u GIVEN -u OTHER')).toEqual(['python none none']);
  expect(started('export GIVEN; env -u OTHER')).toEqual(['python g none']);
  expect(started('GIVEN+=a; env -u GIVEN')).toEqual(['python none none']);
  expect(started('export GIVEN=a; env -u GIVEN')).toEqual(['python none none']);
  expect(started('export GIVEN=a; env -u GIVEN GIVEN=b')).toEqual(['python b none']);
});

test.each([
  ['GIVEN+=(a b)', 'g a b'],
  ['GIVEN[1]=a', 'g a'],
  ['GIVEN[0]+=a', 'ga'],
  ['GIVEN[1]+=a; GIVEN+=b', 'gb a'],
  ['declare -a GIVEN; GIVEN+=(a)', 'g a'],
  ['unset GIVEN; GIVEN+=(a b)', 'a b'],
  ['GIVEN=(a); GIVEN+=(b)', 'a b'],
  ['f() { local GIVEN; GIVEN+=(a); }; f', 'g'],
  ['OTHER+=(a b); GIVEN=("${OTHER[@]}")', 'a b'],
])('a list that is made of what the environment gives begins with that: %s', (script, expected) => {
  const machine = { variables: { GIVEN: 'g' } };
  expect(lines(`${script}; python "\${GIVEN[@]}"`, { machine }).at(-1)).toBe(`python ${expected}`);
});

test('what is added to a variable that the script does not set comes behind what the environment has there', () => {
  expect(environment('GIVEN+=:a; export OTHER+=:b; python t.py', 'GIVEN', 'OTHER')).toEqual([
    'g:a',
    '<$OTHER>:b',
  ]);
  expect(
    environment(
      'f() { local -n r=$1; r+=:a; }; f GIVEN; f OTHER; export OTHER; python t.py',
      'GIVEN',
      'OTHER',
    ),
  ).toEqual(['g:a', '<$OTHER>:a']);
  expect(environment('unset GIVEN; OTHER=; GIVEN+=a OTHER+=b python t.py', 'GIVEN', 'OTHER')).toEqual([
    'a',
    'b',
  ]);
});

test('what is assigned before a command may be made of a value from the environment', () => {
  expect(environment('GIVEN=a:$GIVEN python t.py', 'GIVEN')).toEqual(['a:g']);
  expect(environment('f() { python t.py; }; GIVEN=a:$GIVEN f', 'GIVEN')).toEqual(['a:g']);
  expect(environment('OTHER=a:$OTHER python t.py', 'OTHER')).toEqual(['a:<$OTHER>']);
});

test('what is assigned under set -a is not exported after export -n', () => {
  expect(environment('set -a; export -n A=1; B=2; declare +x C=3; python t.py', 'A', 'B', 'C')).toEqual([
    'none',
    '2',
    '3',
  ]);
});
