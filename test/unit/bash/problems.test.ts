import { describe, expect, test } from 'vitest';
import { evaluate, shown } from './support.ts';

describe('problems', () => {
  test('Bash runs what precedes a syntax error', () => {
    const { commands, problems } = evaluate('python a.py\nX=<some dir>\npython b.py\n');
    expect(commands.map(({ words }) => words.map(shown).join(' '))).toEqual(['python a.py']);
    expect(problems.map(({ kind }) => kind)).toEqual(['syntax']);
  });

  test('a flag whose unquoted value vanishes takes the next one', () => {
    const { problems } = evaluate('python t.py --load $CKPT --save out');
    expect(problems.map(({ kind, message }) => [kind, message])).toEqual([
      ['swallowed-flag', 'Without $CKPT nothing follows --load, so it takes --save as its value.'],
    ]);
  });

  test('an array that is never assigned is reported, one assigned in a branch is not', () => {
    const text = 'if [ "$FP8" = 1 ]; then FP8_ARGS=(--fp8); fi; python "${FP8_ARGS[@]}" "${NONE[@]}"';
    const { problems } = evaluate(text);
    expect(problems.map(({ kind, message }) => [kind, message])).toEqual([
      ['unassigned-array', 'Nothing assigns the array NONE: it expands to nothing.'],
    ]);
  });
});
