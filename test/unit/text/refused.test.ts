import { expect, test } from 'vitest';
import { refusedText } from '../../../server/src/text/refused.ts';

test.each([
  ['many', 'many'],
  ['2 2', '“2 2”'],
  [' 4', '“ 4”'],
  ['', 'an empty text'],
  ['[1, 2]', '[1, 2]'],
  ['"2 2"', '"2 2"'],
])('a refused %j is shown as %s', (text, shown) => {
  expect(refusedText(text)).toBe(shown);
});
