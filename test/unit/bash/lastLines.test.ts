import { expect, test } from 'vitest';
import { lines } from './support.ts';

const file = 'echo a > f; echo "b=$HOST" >> f; echo "c d" >> f; echo e >> f; ';

/** The last lines of a text of which others are unknown. */
test.each([
  ['$(tail -n 1 f)', 'e'],
  ['$(tail -2 f)', 'c d\ne'],
  ['$(tail -n2 f | head -1)', 'c d'],
  ['$(cat f | tail -n 1)', 'e'],
  ['$(head -1 f)', 'a'],
  ['$(tail -n +2 f)', 'b=<$HOST>\nc d\ne'],
  // The unknown part may have several lines.
  ['$(tail -n 3 f)', '<$(tail -n 3 f)>'],
  ['$(tail -n +3 f)', '<$(tail -n +3 f)>'],
  ['$(head -2 f)', '<$(head -2 f)>'],
])('%s', (text, expected) => {
  expect(lines(`${file}python "${text}"`)).toEqual([`python ${expected}`]);
});

test('what may be empty at the end hides which line is the last one', () => {
  expect(lines('printf "a\\nb\\n" > f; printf %s "$X" >> f; python "$(tail -1 f)"')).toEqual([
    'python <$(tail -1 f)>',
  ]);
});
