import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileRegex } from '../../../../server/src/bash/library/regex.ts';
import { bashCases } from './real.ts';

/** The match and its groups according to Bash's own `=~`. */
const script = `if [[ $1 =~ $2 ]]; then printf '%s|' "\${BASH_REMATCH[@]}"; else printf none; fi`;

function ours(text: string, source: string): string | undefined {
  const regex = compileRegex(source, 'extended');
  if (regex === undefined) return undefined;
  const match = regex.find(text, 0);
  if (match === undefined) return 'none';
  return regex
    .groups(text, match)
    ?.map((group) => `${group ?? ''}|`)
    .join('');
}

const table: readonly (readonly [string, string])[] = [
  ['sft', '^(sft|rl)$'],
  ['rl-8b', '^(sft|rl)-([0-9]+)b$'],
  ['qwen3-30B-A3B', '([0-9]+)B-A([0-9]+)B'],
  ['v1.10.3', '^v?([0-9]+)\\.([0-9]+)(\\.([0-9]+))?$'],
  ['v1.10', '^v?([0-9]+)\\.([0-9]+)(\\.([0-9]+))?$'],
  ['--key=value=x', '^--([^=]+)=(.*)$'],
  ['node[01-04]', '^([a-z]+)\\[([0-9-]+)\\]$'],
  ['true', '^(true|false|[01])$'],
  ['hidden-size 2048', 'size ([0-9]+)'],
  ['a.b.c', '([a-z])\\.([a-z])'],
  ['100k', '^([0-9]+)([kKmM]?)$'],
  ['/a/b/c.yaml', '^(.*)/([^/]*)\\.ya?ml$'],
];

describe('regular expressions', () => {
  test('match and groups agree with Bash on a table', () => {
    const answers = bashCases(script, table);
    table.forEach(([text, source], index) => {
      expect([text, source, ours(text, source)]).toEqual([text, source, answers[index]]);
    });
  });

  test('match and groups agree with Bash on generated expressions', () => {
    const piece = fc.constantFrom(
      'a',
      'b',
      '1',
      '.',
      '[ab]',
      '[0-9]+',
      '(a)',
      '(b|1)',
      '(a|ab)',
      '(ab|b1)',
      '(a*)',
      '([ab]+)',
      '(a|b)?',
      '(1b)?',
      '*',
      '+',
      '?',
      '{2}',
      '^',
      '$',
      '((a)b|1)',
    );
    const source = fc.array(piece, { minLength: 1, maxLength: 5 }).map((pieces) => pieces.join(''));
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '1', 'c'), maxLength: 7 });
    const cases = fc.sample(fc.tuple(text, source), { numRuns: 4000, seed: 43 });
    const answers = bashCases(script, cases);
    let computed = 0;
    cases.forEach(([text, source], index) => {
      const mine = ours(text, source);
      if (mine === undefined) return;
      computed++;
      expect([text, source, mine]).toEqual([text, source, answers[index]]);
    });
    expect(computed).toBeGreaterThan(1500);
  });

  test('is not compiled when its meaning is uncertain', () => {
    for (const source of ['(a)\\1', '[[.a.]]', '[z-a]', 'a{3', '(a', 'a)', '*a', 'a{300}']) {
      expect([source, compileRegex(source, 'extended')]).toEqual([source, undefined]);
    }
    expect(compileRegex('(((a{50}){50}){50})', 'extended')).toBeUndefined();
  });

  test('knows when the locale matters', () => {
    expect(compileRegex('NV[0-9]*', 'basic')?.anyLocale).toBe(true);
    expect(compileRegex('a.b', 'basic')?.anyLocale).toBe(false);
    expect(compileRegex('[^a]', 'basic')?.anyLocale).toBe(false);
  });
});
