import { describe, expect, it } from 'vitest';
import { hasLineOf, lineBefore } from '../../../server/src/text/lines.ts';
import { numbers } from '../../support/random.ts';

describe('long lines', () => {
  it('are found anywhere', () => {
    expect(hasLineOf(4, 'abcd')).toBe(true);
    expect(hasLineOf(4, 'abc\nab\nabcd\n')).toBe(true);
    expect(hasLineOf(4, 'abc\nabc\n')).toBe(false);
    expect(hasLineOf(1, '\n\n')).toBe(false);
    expect(hasLineOf(4, '')).toBe(false);
  });

  it('are found the same as by splitting the text', () => {
    const random = numbers(11);
    let found = 0;
    for (let round = 0; round < 2_000; round += 1) {
      const lines = Array.from({ length: 1 + Math.floor(random() * 6) }, () =>
        'x'.repeat(Math.floor(random() * 9)),
      );
      const expected = lines.some((line) => line.length >= 7);
      if (expected) found += 1;
      expect(hasLineOf(7, lines.join('\n')), lines.join('|')).toBe(expected);
    }
    expect(found).toBeGreaterThan(200);
  });
});

describe('the line up to an offset', () => {
  it('begins after the newline before it', () => {
    expect(lineBefore('a\nbc\nd', 4)).toBe('bc');
    expect(lineBefore('a\nbc\nd', 2)).toBe('');
    expect(lineBefore('abc', 2)).toBe('ab');
  });

  it('is the end of a very long one', () => {
    const text = `first\n${'x'.repeat(5000)} --flag`;
    const line = lineBefore(text, text.length);
    expect(line.length).toBeLessThan(5000);
    expect(line.endsWith('x --flag')).toBe(true);
  });
});
