import { describe, expect, it } from 'vitest';
import { expressionProblem, patternProblem } from '../../../server/src/config/pattern.ts';

describe('glob patterns', () => {
  it('that people write are accepted', () => {
    for (const pattern of [
      '**/*.yaml',
      'experiments/**',
      '*.py[cod]',
      '/build/',
      '!keep.sh',
      '{a,b}/*_*_*.sh',
      '**/x/**/y/**',
    ])
      expect(patternProblem(pattern), pattern).toBeUndefined();
  });

  it('that could take long are rejected with the reason', () => {
    for (const pattern of ['*a'.repeat(20), '+(a|b)', '@(a)', '**/'.repeat(9), 'x'.repeat(600)])
      expect(patternProblem(pattern), pattern).toMatch(/pattern/);
  });
});

describe('regular expressions of constraints', () => {
  it('that are simple are accepted', () => {
    for (const source of [
      '^/data/',
      '^[a-z]+/[a-z0-9_.-]+$',
      '^(?:fp8|bf16)$',
      '\\.ya?ml$',
      '^\\d{1,3}$',
      'a\\+b\\*c',
      '[*+(]x',
      '(a|b)?',
      'x'.repeat(500),
    ])
      expect(expressionProblem(source), source).toBeUndefined();
  });

  it('that can take long are rejected', () => {
    for (const source of [
      '(a+)+$',
      '(a|aa)+$',
      '(a*)*',
      '((ab)?c)*',
      '(a{2,}){3}',
      '.*.*.*x',
      '(?=a)b',
      '(?<!a)b',
      '(a)\\1',
      'x'.repeat(501),
    ])
      expect(expressionProblem(source), source).toBeDefined();
  });

  it('that are invalid are rejected', () => {
    expect(expressionProblem('(')).toMatch(/group/i);
    expect(expressionProblem('[z-a]')).toBeDefined();
  });
});
