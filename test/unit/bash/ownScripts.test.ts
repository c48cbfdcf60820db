import { expect, test } from 'vitest';
import { lines } from './support.ts';

const files = {
  '/repo/jobs/strict.sh': '#!/bin/bash -eu\npython t.py "$#"\nfalse\npython t.py never\n',
  '/repo/jobs/split.sh': '#!/usr/bin/env -S bash -e\nfalse\npython t.py never\n',
  '/repo/jobs/plain.sh': '#!/bin/bash\nfalse\npython t.py plain\n',
};
const started = (text: string): readonly string[] =>
  lines(text, { files }).filter((line) => line.startsWith('python'));

test.each([
  ['jobs/strict.sh', ['python t.py 0']],
  ['./jobs/strict.sh a', ['python t.py 1']],
  ['srun ./jobs/strict.sh', ['python t.py 0']],
  ['jobs/split.sh', []],
  ['jobs/plain.sh', ['python t.py plain']],
  // If the command names the shell, it sets the options itself.
  ['bash jobs/strict.sh', ['python t.py 0', 'python t.py never']],
  ['bash -e jobs/plain.sh', []],
  ['bash -ex jobs/plain.sh', []],
  ['bash -o errexit jobs/plain.sh', []],
])('the options in a shebang apply only if the script is started by itself: %s', (text, expected) => {
  expect(started(text)).toEqual(expected);
});

test('a name without a folder is a program in PATH', () => {
  expect(started('cd jobs; plain.sh')).toEqual([]);
  expect(started('cd jobs; ./plain.sh')).toEqual(['python t.py plain']);
  expect(started('cd jobs; bash plain.sh')).toEqual(['python t.py plain']);
});

test('a function is unset whatever its name is', () => {
  const gone = ['python t.py 1'];
  expect(started('a-b() { python t.py 1; }; a-b; unset -f a-b; a-b')).toEqual(gone);
  expect(started('a.b() { python t.py 1; }; a.b; unset a.b; a.b')).toEqual(gone);
  expect(started('a.b() { python t.py 1; }; unset -v a.b; a.b')).toEqual(gone);
});
