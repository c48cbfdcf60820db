import { describe, expect, it } from 'vitest';
import { remembering, rememberingBy } from '../../../server/src/value/remember.ts';

describe('a memoised function', () => {
  it('computes each result once, even if it is undefined', () => {
    const asked: object[] = [];
    const nothing = remembering((key: object) => {
      asked.push(key);
      return undefined;
    });
    const key = {};
    for (const one of [key, key, {}]) nothing(one);
    expect(asked).toHaveLength(2);
  });

  it('forgets the oldest of many texts, but never the last one', () => {
    const asked: string[] = [];
    const key = {};
    const long = 'l'.repeat(9_000);
    const lengthOf = rememberingBy((_: object, text) => {
      asked.push(text);
      return text.length;
    }, 5_000);
    for (const text of ['a', 'b', 'c', 'd', 'a']) expect(lengthOf(key, text)).toBe(1);
    expect(asked).toEqual(['a', 'b', 'c', 'd']);
    // The fifth text is one too many.
    for (const text of ['e', 'd', 'a']) lengthOf(key, text);
    expect(asked).toEqual(['a', 'b', 'c', 'd', 'e', 'a']);
    expect([lengthOf(key, long), lengthOf(key, long)]).toEqual([9_000, 9_000]);
    expect(asked.filter((text) => text === long)).toHaveLength(1);
  });
});
