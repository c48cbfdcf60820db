import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sharesOf, takenFrom } from '../../../server/src/cli/threads/shares.ts';

test('every item is taken once, whoever takes in whatever order', () => {
  fc.assert(
    fc.property(fc.nat(60), fc.array(fc.nat(3), { minLength: 80, maxLength: 80 }), (count, turns) => {
      const shares = sharesOf(count);
      const threads = [0, 1, 2, 3].map((thread) => takenFrom(thread % 2 === 0 ? 'front' : 'back', shares));
      const taken: number[] = [];
      for (const turn of turns) {
        const next = threads[turn]?.next();
        if (next?.done === false) taken.push(next.value);
      }
      for (const thread of threads) taken.push(...thread);
      expect(taken.sort((a, b) => a - b)).toEqual(Array.from({ length: count }, (_, at) => at));
    }),
  );
});

test('the ends stay apart while both have items left', () => {
  const shares = sharesOf(40);
  const front = takenFrom('front', shares);
  const back = takenFrom('back', shares);
  const pairs = Array.from({ length: 5 }, () => [front.next().value, back.next().value]);
  expect(pairs).toEqual([
    [0, 39],
    [1, 38],
    [2, 37],
    [3, 36],
    [4, 35],
  ]);
});
