import { expect, test } from 'vitest';
import { runPure } from '../../../../server/src/bash/library/commands.ts';

const nothing = { read: () => undefined };
const answer = (input: string, ...args: readonly string[]): string | undefined =>
  runPure('bc', args, `${input}\n`, nothing)?.output;

// What GNU bc 1.07 prints.
test.each([
  ['8*4', '32\n'],
  ['10/3; 7%4', '3\n3\n'],
  ['scale=2; 1/3', '.33\n'],
  ['scale=1; -1/3', '-.3\n'],
  ['scale=4; 10/4', '2.5000\n'],
  ['1.55*2.25', '3.48\n'],
  ['1.25-1.25', '0\n'],
  ['-2^2', '4\n'],
  ['2^10', '1024\n'],
  ['scale=2; 2^-1', '.50\n'],
  ['3 > 2', '1\n'],
  ['x=3; y=x*2; y+1', '7\n'],
  ['scale=2; sqrt(2); sqrt(1)', '1.41\n1\n'],
  ['obase=16; 255', 'FF\n'],
  ['ibase=16; FF', '255\n'],
  ['scale=2; 7.5%2', '0\n'],
])('bc computes %s', (program, wanted) => {
  expect(answer(program)).toBe(wanted);
});

test('bc -l has twenty decimal places', () => {
  expect(answer('1/3', '-l')).toBe('.33333333333333333333\n');
});

test.each([
  '1/0',
  'print "x"',
  'if (1) 2',
  's(1)',
  'x++',
  '2^0.5',
  '2^9999',
  'a[1]',
  '1 +',
  `${'('.repeat(500)}1`,
])('bc gives no answer for %s', (program) => {
  expect(answer(program)).toBeUndefined();
});

test('bc gives no answer for an unterminated line', () => {
  expect(runPure('bc', [], '1+1', nothing)).toBeUndefined();
});
