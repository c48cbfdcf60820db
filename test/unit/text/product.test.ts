import { describe, expect, it } from 'vitest';
import { productIn } from '../../../server/src/text/product.ts';

describe('a product of plain numbers', () => {
  it.each([
    ['4*1024', 4096],
    ['512 * 1024 * 1024', 536_870_912],
    ['2**20', 1_048_576],
    ['3 * 2**3**2', 1536],
    [' 8 *8 ', 64],
  ])('is computed: %s', (text, product) => {
    expect(productIn(text)).toBe(product);
  });

  it.each([
    '4096',
    '4-8',
    '1/2',
    '4*',
    '*4',
    '4**',
    'a*4',
    '1.5*2',
    '4 1024',
    '9999999999*9999999999',
    '010 * 2',
    '4***2',
    '',
  ])('is not seen in other text, or if it is not exact: %s', (text) => {
    expect(productIn(text)).toBeUndefined();
  });
});
