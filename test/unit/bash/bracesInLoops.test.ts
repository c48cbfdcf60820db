import { expect, test } from 'vitest';
import { evaluate } from './support.ts';

test('a loop over braces that make too many words ends soon', () => {
  const braces = `${'{a,'.repeat(4000)}b${'}'.repeat(4000)}`;
  const start = performance.now();
  evaluate(`while read x; do echo ${braces}; done`);
  expect(performance.now() - start).toBeLessThan(5000);
});
