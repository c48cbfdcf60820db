import { describe, expect, it } from 'vitest';
import { changedPaths } from '../../../server/src/cli/watch.ts';

const files = (texts: { readonly [path: string]: string }): Map<string, { readonly text: string }> =>
  new Map(Object.entries(texts).map(([path, text]) => [path, { text }]));

describe('the files that a round of watching covers', () => {
  it('are the changed, the new and the removed ones', () => {
    const before = files({ same: '1', other: '1', gone: '1' });
    expect(changedPaths(before, files({ same: '1', other: '2', made: '' }))).toEqual([
      'other',
      'gone',
      'made',
    ]);
    expect(changedPaths(undefined, before)).toEqual([]);
  });
});
