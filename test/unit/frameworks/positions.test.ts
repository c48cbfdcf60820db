import fc from 'fast-check';
import { expect, it } from 'vitest';
import { positionsIn, textOfPositions } from '../../../server/src/frameworks/positions.ts';

it('positions are written as differences', () => {
  expect(textOfPositions([0, 4, 6, 42])).toBe('0 4 2 10');
  expect(textOfPositions([])).toBe('');
});

it('positions survive a round trip through text', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(5_000)), (numbers) => {
      const rising = numbers.sort((a, b) => a - b);
      expect(positionsIn(textOfPositions(rising))).toEqual(rising);
    }),
  );
});
