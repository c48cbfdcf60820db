import { expect, test } from 'vitest';
import { lines } from './support.ts';

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
])('what a function is lent %s', (_, text, expected) => {
  expect(lines(text).filter((line) => line.startsWith('python'))).toEqual(expected);
});
