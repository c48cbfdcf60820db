import { describe, expect, it } from 'vitest';
import { keepingLast } from '../../../server/src/disk/lastTexts.ts';

describe('recently read texts', () => {
  it('are kept up to a total length, and older ones are read again', () => {
    const asked: string[] = [];
    const texts: { readonly [path: string]: string } = {
      a: '12345',
      b: '12345',
      c: '12345',
      long: '1'.repeat(20),
    };
    const read = keepingLast((path) => {
      asked.push(path);
      return texts[path];
    }, 10);
    for (const path of ['a', 'b', 'a', 'c', 'a', 'none', 'none']) expect(read(path)).toBe(texts[path]);
    expect(asked).toEqual(['a', 'b', 'c', 'none']);
    expect(read('b')).toBe('12345');
    expect(asked.at(-1)).toBe('b');
    for (let time = 0; time < 2; time++) expect(read('long')).toHaveLength(20);
    expect(asked.filter((path) => path === 'long')).toHaveLength(1);
    expect(read('a')).toBe('12345');
    expect(asked.at(-1)).toBe('a');
  });
});
