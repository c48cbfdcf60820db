import { describe, expect, it } from 'vitest';
import { collectionFunctions } from '../../../server/src/expression/functions/collections.ts';
import { UNKNOWN } from '../../../server/src/expression/result.ts';
import type { Data } from '../../../server/src/value/value.ts';
import { unknownLookup } from '../../support/unknownLookup.ts';

const repeats = (...args: readonly Data[]) => collectionFunctions.repeats?.(args, unknownLookup);

describe('repetitions in a list', () => {
  const [first, second, other] = [{ name: 'a', size: 1 }, { name: 'a', size: 2 }, { name: 'b' }];

  it('are the maps that have the value of an earlier one', () => {
    expect(repeats([first, other, second], 'name')).toEqual([second]);
    expect(repeats([first, first], 'name')).toEqual([first]);
    expect(repeats([first, second], 'size')).toEqual([]);
  });

  it('exclude maps without a value, and are unknown for other data', () => {
    expect(repeats([{ name: null }, { name: null }, {}, {}, 'a', 'a'], 'name')).toEqual([]);
    expect(repeats({ name: 'a' }, 'name')).toBe(UNKNOWN);
    expect(repeats(null, 'name')).toBe(UNKNOWN);
  });
});

describe('texts with one character replaced by another', () => {
  const replaced = (...args: readonly Data[]) => collectionFunctions.replaced?.(args, unknownLookup);

  it('have it replaced everywhere', () => {
    expect(replaced(['a/b/c', 'd', ''], '/', '_')).toEqual(['a_b_c', 'd', '']);
  });

  it('are unknown for other data', () => {
    expect(replaced(['a', 1], '/', '_')).toBe(UNKNOWN);
    expect(replaced('a/b', '/', '_')).toBe(UNKNOWN);
    expect(replaced(['a/b'], 1, '_')).toBe(UNKNOWN);
  });
});

describe('the values of one key in a list of maps', () => {
  const column = (...args: readonly Data[]) => collectionFunctions.column?.(args, unknownLookup);

  it('are in order, with a default if there is none', () => {
    expect(column([{ gpus: 4 }, {}, { gpus: 2, name: 'a' }], 'gpus', 0)).toEqual([4, 0, 2]);
    expect(column([], 'gpus', 0)).toEqual([]);
  });

  it('are unknown for other data, or without a default', () => {
    expect(column([{ gpus: 4 }, 'a'], 'gpus', 0)).toBe(UNKNOWN);
    expect(column([{ gpus: 4 }, {}], 'gpus')).toBe(UNKNOWN);
    expect(column(null, 'gpus', 0)).toBe(UNKNOWN);
  });
});
