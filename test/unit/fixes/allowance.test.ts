import { describe, expect, test } from 'vitest';
import { FixAllowance } from '../../../server/src/fixes/allowance.ts';

/** How many fixes of a text may be planned if each reads `read` characters of it. */
function planned(text: string, kind: 'script' | 'yaml', read = 0): number {
  const allowance = new FixAllowance(text, kind);
  let count = 0;
  for (; count < 100_000 && allowance.take(); count += 1) allowance.spend(read, kind);
  return count;
}

describe('the fixes of one file', () => {
  const long = 'a: 1\n'.repeat(200_000);

  test('may read a limited amount of it: what they change, or a whole script if that cannot be separated', () => {
    expect(planned(long, 'script')).toBe(500);
    expect(planned(long, 'script', long.length)).toBe(46);
    expect(planned(long, 'yaml', long.length)).toBe(2);
    expect(planned(long, 'yaml', 500)).toBe(2000);
  });

  test('are looked for on up to a thousand findings', () => {
    const allowance = new FixAllowance('a\n', 'script');
    for (let asked = 0; asked < 1000; asked += 1) expect(allowance.ask()).toBe(true);
    expect(allowance.ask()).toBe(false);
    expect(allowance.take()).toBe(true);
  });

  test('are none if the file has an endless line, or if the allowance is spent', () => {
    const endless = new FixAllowance(`a: ${'x'.repeat(20_000)}\n`, 'yaml');
    expect([endless.ask(), endless.take()]).toEqual([false, false]);
    const spent = new FixAllowance('a: 1\n', 'yaml');
    spent.spend(3_000_000, 'yaml');
    expect([spent.ask(), spent.take()]).toEqual([false, false]);
  });

  test('count rereading a script less than rereading YAML', () => {
    const left = (kind: 'script' | 'yaml'): boolean => {
      const allowance = new FixAllowance('a: 1\n', 'yaml');
      allowance.spend(3_000_000, kind);
      return allowance.take();
    };
    expect([left('script'), left('yaml')]).toEqual([true, false]);
  });
});
