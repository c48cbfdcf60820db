import { describe, expect, it } from 'vitest';
import { beginning } from '../../../server/src/text/beginning.ts';

describe('the beginning of a text', () => {
  it('is so long at most, and cuts no character in two', () => {
    expect(beginning('abc', 2)).toBe('ab');
    expect(beginning('abc', 9)).toBe('abc');
    expect(beginning('a🦙b', 2)).toBe('a');
    expect(beginning('a🦙b', 3)).toBe('a🦙');
  });
});
