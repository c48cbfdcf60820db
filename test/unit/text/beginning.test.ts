import { describe, expect, it } from 'vitest';
import { beginning } from '../../../server/src/text/beginning.ts';

describe('the beginning of a text', () => {
  it('has at most the given length, and splits no character', () => {
    expect(beginning('abc', 2)).toBe('ab');
    expect(beginning('abc', 9)).toBe('abc');
    expect(beginning('a🦙b', 2)).toBe('a');
    expect(beginning('a🦙b', 3)).toBe('a🦙');
  });
});
