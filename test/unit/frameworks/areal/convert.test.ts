import { describe, expect, it } from 'vitest';
import { convertScalar } from '../../../../server/src/frameworks/areal/convert.ts';

describe("OmegaConf's conversion of scalars", () => {
  it.each([
    [4, 'int', 'int', 4],
    ['1_000', 'str', 'int', 1000],
    ['８', 'str', 'int', 8],
    [' ٣٠ ', 'str', 'int', 30],
    ['𝟙', 'str', 'bool', true],
    ['１.５e１', 'str', 'float', 15],
    [3, 'int', 'float', 3],
    ['1e-6', 'str', 'float', 1e-6],
    [2, 'int', 'bool', true],
    [0, 'int', 'bool', false],
    ['yes', 'str', 'bool', true],
    ['off', 'str', 'bool', false],
    [true, 'bool', 'str', 'True'],
    [16, 'int', 'str', '16'],
    [2, 'float', 'str', '2.0'],
    [Number.NEGATIVE_INFINITY, 'float', 'str', '-inf'],
    [Number.NaN, 'float', 'str', 'nan'],
  ] as const)('takes %s (%s) for %s', (data, type, wanted, expected) => {
    expect(convertScalar(data, type, wanted)).toEqual({ ok: true, data: expected });
  });

  it.each([
    [64, 'float', 'int'],
    ['16k', 'str', 'int'],
    ['', 'str', 'int'],
    [true, 'bool', 'int'],
    [true, 'bool', 'float'],
    ['long', 'str', 'float'],
    ['maybe', 'str', 'bool'],
    [1.5, 'float', 'bool'],
  ] as const)('refuses %s (%s) for %s', (data, type, wanted) => {
    expect(convertScalar(data, type, wanted).ok).toBe(false);
  });
});
