import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  compilePattern,
  hasPatternCharacters,
  type PatternPart,
  replacePattern,
} from '../../../../server/src/bash/library/pattern.ts';
import { processorTime } from '../../../support/processorTime.ts';
import { bashCases } from './real.ts';

const script = `v=$1 p=$2
if [[ $v == $p ]]; then printf 'y|'; else printf 'n|'; fi
printf '%s|' "\${v#$p}" "\${v##$p}" "\${v%$p}" "\${v%%$p}" "\${v/$p/<>}" "\${v//$p/<>}" "\${v/#$p/<>}" "\${v/%$p/<>}"`;

function ours(text: string, parts: readonly PatternPart[]): string {
  const pattern = compilePattern(parts, { extglob: true });
  const isEmpty = parts.every((part) => part.text === '');
  const prefix = (length: number | undefined) => text.slice(length ?? 0);
  const suffix = (length: number | undefined) => text.slice(0, text.length - (length ?? 0));
  return [
    pattern.matches(text) ? 'y' : 'n',
    prefix(pattern.shortestPrefix(text)),
    prefix(pattern.longestPrefix(text)),
    suffix(pattern.shortestSuffix(text)),
    suffix(pattern.longestSuffix(text)),
    ...(['first', 'all', 'prefix', 'suffix'] as const).map((mode) =>
      replacePattern(text, pattern, isEmpty, mode, () => '<>'),
    ),
    '',
  ].join('|');
}

const unquoted = (text: string): readonly PatternPart[] => [{ text, quoted: false }];

const table: readonly (readonly [string, string])[] = [
  ['model.tar.gz', '.*'],
  ['model.tar.gz', '*.'],
  ['/a/b/c.sh', '*/'],
  ['/a/b/c.sh', '/*'],
  ['aaa', 'a*'],
  ['a[b', '[b'],
  ['a]b', '[]]'],
  ['a-c', '[a-]'],
  ['abc', '[!b]'],
  ['abc', '[^b]'],
  ['B7x', '[[:upper:]][[:digit:]]'],
  ['a b', '[[:space:]]'],
  ['foo.bar', '@(foo|bar)*'],
  ['foobar', '!(foo)'],
  ['foobar', '!(foo)bar'],
  ['aabb', '+(a)*(b)'],
  ['abab', '+(ab)'],
  ['x', '?(x)y'],
  ['a*b', 'a\\*b'],
  ['qwen3-30B', '*-'],
  ['', ''],
  ['', '*'],
  ['abc', ''],
  ['abc', '*([0-9])'],
  ['a(b', 'a(b'],
  ['é€x', '?'],
  ['4,2,1', ','],
  ['abc', '[z-a]'],
];

describe('shell patterns', () => {
  test('agree with Bash on a table', () => {
    const answers = bashCases(script, table);
    table.forEach(([text, pattern], index) => {
      expect(`${text} ${pattern}: ${ours(text, unquoted(pattern))}`).toBe(
        `${text} ${pattern}: ${answers[index]}`,
      );
    });
  });

  test('agree with Bash on generated patterns', () => {
    const piece = fc.constantFrom(
      'a',
      'b',
      '-',
      '*',
      '?',
      '[ab]',
      '[!a]',
      '[a-b]',
      '@(a|b)',
      '+(a|ab)',
      '!(a)',
      '*(b)',
      '?(-)',
      '\\*',
      '!(a*|b)',
    );
    const pattern = fc.array(piece, { maxLength: 4 }).map((pieces) => pieces.join(''));
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '-', '*'), minLength: 1, maxLength: 6 });
    const cases = fc.sample(fc.tuple(text, pattern), { numRuns: 1500, seed: 7 });
    const answers = bashCases(script, cases);
    const bad: string[] = [];
    cases.forEach(([text, pattern], index) => {
      const whole = compilePattern(unquoted(pattern), { extglob: true });
      if (!whole.certain) {
        expect([text, pattern, whole.matches(text)]).toEqual([
          text,
          pattern,
          answers[index]?.startsWith('y'),
        ]);
        return;
      }
      const mine = ours(text, unquoted(pattern));
      if (mine !== answers[index]) bad.push(`${text}  ${pattern}  ${mine}  ${answers[index]}`);
    });
    expect(bad).toEqual([]);
  });

  test('a quoted part is literal', () => {
    const pattern = compilePattern(
      [
        { text: 'a', quoted: false },
        { text: '*', quoted: true },
        { text: '*', quoted: false },
      ],
      { extglob: false },
    );
    expect(pattern.matches('a*bc')).toBe(true);
    expect(pattern.matches('abc')).toBe(false);
  });

  test('case is ignored when asked', () => {
    expect(compilePattern(unquoted('h[A-B]*'), { extglob: false, ignoreCase: true }).matches('Hbx')).toBe(
      true,
    );
  });

  test('never takes exponential time', () => {
    const milliseconds = processorTime(() => {
      expect(compilePattern(unquoted('*(*(a)|+(a|aa))b'), { extglob: true }).matches('a'.repeat(400))).toBe(
        false,
      );
      expect(compilePattern(unquoted('+('.repeat(300)), { extglob: true }).matches('x')).toBe(false);
      expect(compilePattern(unquoted('*a'.repeat(50)), { extglob: true }).matches('a'.repeat(2000))).toBe(
        true,
      );
    });
    expect(milliseconds).toBeLessThan(10_000);
  });

  test('distinguishes words with patterns from words without', () => {
    expect(hasPatternCharacters(unquoted('a*'), false)).toBe(true);
    expect(hasPatternCharacters(unquoted('a[0]'), false)).toBe(true);
    expect(hasPatternCharacters(unquoted('a[0'), false)).toBe(false);
    expect(hasPatternCharacters([{ text: '*', quoted: true }], false)).toBe(false);
    expect(hasPatternCharacters(unquoted('@(a)'), true)).toBe(true);
    expect(hasPatternCharacters(unquoted('@(a)'), false)).toBe(false);
  });
});
