import { expect, it } from 'vitest';
import { pythonFloat, pythonInt } from '../../../server/src/value/pythonNumber.ts';
import { processorTime } from '../../support/processorTime.ts';

it.each([
  ['1', 1],
  ['1.', 1],
  ['.5', 0.5],
  ['1_000.2_5e1_0', 1000.25e10],
  ['-2e-3', -0.002],
  [' ２.5\n', 2.5],
  ['1__0', undefined],
  ['1_', undefined],
  ['_1', undefined],
  ['1._5', undefined],
  ['.', undefined],
  ['', undefined],
  ['1e', undefined],
])('float(%j) is %j', (text, value) => {
  expect(pythonFloat(text)).toBe(value);
});

it('a long text that is no number is rejected as fast as a number', () => {
  const digits = '0'.repeat(200_000);
  const took = processorTime(() => {
    expect(pythonInt(`${digits}x`)).toBeUndefined();
    expect(pythonFloat(`${digits}x`)).toBeUndefined();
    expect(pythonFloat(`1.${digits}x`)).toBeUndefined();
  });
  expect(took).toBeLessThan(2000);
});
