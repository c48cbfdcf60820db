import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type BracePart, expandBraces } from '../../../../server/src/bash/library/braces.ts';
import { processorTime } from '../../../support/processorTime.ts';

function expandText(text: string): readonly string[] | undefined {
  return expandBraces([{ kind: 'text', text }])?.map((word) =>
    word.map((slice) => (slice.kind === 'made' ? slice.text : text.slice(slice.start, slice.end))).join(''),
  );
}

/** Bash's own expansion of words without blanks, quotes or other specials; empty words are not passed on. */
function real(words: readonly string[]): readonly (readonly string[])[] {
  const script = words.map((word) => `printf '%s\\n' ${word}\nprintf '\\0'`).join('\n');
  const done = spawnSync('bash', ['-f'], { input: script, encoding: 'utf8', maxBuffer: 1 << 26 });
  return done.stdout
    .split('\0')
    .slice(0, -1)
    .map((lines) => lines.split('\n').filter(Boolean));
}

const table = [
  'a{b,c}d',
  '{a,b}{1,2}',
  '{1..5}',
  '{5..1}',
  '{1..10..3}',
  '{10..1..3}',
  '{01..10}',
  '{1..010}',
  '{-2..2}',
  '{-02..2}',
  '{a..e}',
  '{e..a..2}',
  '{a,{b,c}d}e',
  '{a}',
  '{}',
  'x{}y',
  '{a,b',
  'a,b}',
  '{{a,b}}',
  '{a},b}',
  '{a,b}}',
  '{a,b}{c',
  '{a..}',
  '{1..a}',
  '{,x}y',
  'x{a,}',
  '{a,,b}',
  '{1..3}{a,b}',
  'p_{1..2..0}',
  '{1..2}..3',
  '{a..c}x{1..2}',
  '{x,{1..3}}',
  '{1.2..3}',
  '{a,b}..{c',
  '{+1..3}',
  '{1..3..-1}',
  'a{}{b,c}',
  '{}{b,c}',
  '{{},a}',
  '{a{},b}',
  '{..,a}',
  '{1...3}',
  '{1..3..}',
  '{1..3..x}',
  'x{1..2}{y',
];

describe('brace expansion', () => {
  test('agrees with Bash on a table', () => {
    const answers = real(table);
    table.forEach((word, index) => {
      expect([word, ...(expandText(word) ?? ['?']).filter(Boolean)]).toEqual([
        word,
        ...(answers[index] ?? []),
      ]);
    });
  });

  test('agrees with Bash on generated words', () => {
    const piece = fc.constantFrom('{', '{', '}', '}', ',', ',', '..', 'a', '1', '03', 'c', '-2', '.');
    const words = fc.sample(
      fc.array(piece, { minLength: 1, maxLength: 10 }).map((pieces) => pieces.join('')),
      { numRuns: 3000, seed: 11 },
    );
    const answers = real(words);
    words.forEach((word, index) => {
      const mine = expandText(word);
      if (mine !== undefined)
        expect([word, ...mine.filter(Boolean)]).toEqual([word, ...(answers[index] ?? [])]);
    });
  });

  test('opaque parts keep their place', () => {
    const parts: readonly BracePart[] = [
      { kind: 'text', text: '{' },
      { kind: 'opaque' },
      { kind: 'text', text: ',b}' },
    ];
    expect(expandBraces(parts)).toEqual([
      [{ kind: 'slice', part: 1, start: 0, end: 1 }],
      [{ kind: 'slice', part: 2, start: 1, end: 2 }],
    ]);
    expect(
      expandBraces([{ kind: 'text', text: '{1..' }, { kind: 'opaque' }, { kind: 'text', text: '}' }]),
    ).toHaveLength(1);
  });

  test('stops at the budget instead of filling the memory', () => {
    const milliseconds = processorTime(() => {
      expect(expandText('{a,b}'.repeat(64))).toBeUndefined();
      expect(expandText('{1..1000000000}')).toBeUndefined();
      expect(expandText('{'.repeat(20_000))).toHaveLength(1);
    });
    expect(milliseconds).toBeLessThan(10_000);
  });
});
