import { describe, expect, it } from 'vitest';
import type { Lookup } from '../../../server/src/expression/evaluate.ts';
import { render, show } from '../../../server/src/expression/message.ts';
import { UNKNOWN } from '../../../server/src/expression/result.ts';
import { unknownLookup } from '../../support/unknownLookup.ts';

const values = new Map([
  ['a', 3],
  ['b', 4],
]);
const lookup: Lookup = { ...unknownLookup, value: (name) => values.get(name) ?? UNKNOWN };
const filled = (message: string): string => render(message, lookup);

describe('a message', () => {
  it('shows values and doubled braces', () => {
    expect(filled('{a} of {b} {{x}')).toBe('3 of 4 {x}');
  });

  it('evaluates what is more than a name', () => {
    expect(filled('{a * b} is {a > b ? "more" : "less"} than {b ** 2}')).toBe('12 is less than 16');
  });

  it('says when a value is unknown, and omits brackets that only add it', () => {
    expect(filled('{a} over {c}')).toBe('3 over unknown');
    expect(filled('{a} over the ranks ({b}), not ({c}).')).toBe('3 over the ranks (4), not.');
    expect(filled('{a} over the ranks ({c}).')).toBe('3 over the ranks.');
  });

  it('says 1 GPU rather than 1 GPUs, except as a factor', () => {
    expect(filled('{b - a} GPUs and {a} micro-batches of {b - a} micro-batches')).toBe(
      '1 GPU and 3 micro-batches of 1 micro-batch',
    );
    expect(filled('{a} × {b - a} samples, {a} × expert {b - a} GPUs, {b - a} is, {{ × {b - a} tokens')).toBe(
      '3 × 1 samples, 3 × expert 1 GPUs, 1 is, { × 1 tokens',
    );
  });

  it('rounds fractions, but not to a whole number that they are only near', () => {
    expect([show(1 / 3), show(1.000001), show(0.1 * 30)]).toEqual(['0.333333', '1.000001', '3']);
  });

  it('shortens values, but sentences less', () => {
    expect(show('x'.repeat(80))).toHaveLength(58);
    expect(show('a word and '.repeat(10))).toHaveLength(110);
  });

  it('shows the end of a long path', () => {
    expect(show(`/data/${'deep/'.repeat(20)}examples/evaluation.yaml`)).toMatch(
      /^…(?:\/deep)+\/examples\/evaluation\.yaml$/,
    );
    expect(show(`/${'x'.repeat(80)}`)).toMatch(/^\/x{56}…$/);
  });
});
