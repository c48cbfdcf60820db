import { describe, expect, it } from 'vitest';
import { checkedExpression } from '../../../server/src/expression/check.ts';
import { evaluate, type Lookup } from '../../../server/src/expression/evaluate.ts';
import { type Result, UNKNOWN } from '../../../server/src/expression/result.ts';
import { messageText } from '../../../server/src/rules/messageText.ts';
import { unknownLookup } from '../../support/unknownLookup.ts';

const values: { readonly [name: string]: Result } = { off: false, zero: 0, size: 3, hidden: UNKNOWN };
const lookup: Lookup = {
  ...unknownLookup,
  value: (name) => values[name] ?? null,
  given: (name) => name === 'zero' || name === 'size',
  spelling: (name) => `--${name}`,
};

function resultOf(text: string): Result | string {
  const checked = checkedExpression(text, (name) => name !== 'misspelt');
  return 'problem' in checked ? checked.problem.message : evaluate(checked.expression, lookup);
}

describe('the name of the option at fault', () => {
  it('is that of the first given option, as users write it', () => {
    expect(resultOf('first_given(off, size, zero)')).toBe('--size');
    expect(resultOf('first_given(off, hidden)')).toBe(null);
    expect(resultOf('first_given(off) or "none"')).toBe('none');
  });

  it('is that of the first option that is true, or below a number; an unknown one is neither', () => {
    expect(resultOf('first_true(off, zero, hidden, size)')).toBe('--size');
    expect(resultOf('first_below(1, hidden, size, zero)')).toBe('--zero');
    expect(resultOf('first_below(0, off, zero)')).toBe(null);
    expect(resultOf('first_below(hidden, zero)')).toBe(null);
  });

  it('is searched only among option names', () => {
    expect(resultOf('first_given()')).toBe('first_given takes names of options');
    expect(resultOf('first_given(off, size > 1)')).toBe('first_given takes names of options');
    expect(resultOf('first_below(off)')).toBe('first_below takes names of options');
    expect(resultOf('given("size")')).toBe('given takes names of options');
    expect(resultOf('first_true(misspelt)')).toBe('no option or derived value is called misspelt');
  });
});

describe('a message without a run', () => {
  const text = (message: string): string => messageText(message, (expression) => `‹${expression}›`);

  it('names the options that may be at fault, only the first of many', () => {
    expect(text('{first_given(a)} is lost.')).toBe('‹a› is lost.');
    expect(text('{first_below(1, a, b.c)} is low.')).toBe('‹a› or ‹b.c› is low.');
    expect(text('{first_true(a, b, c, d, e, f) or "It"} is lost.')).toBe(
      '‹a›, ‹b›, ‹c›, ‹d› or another is lost.',
    );
  });

  it('joins the texts of a choice, and omits what only some runs have', () => {
    expect(text('{a ? "--a" : (b == "x" ? "--b" : "--c")} is lost.')).toBe('--a, --b or --c is lost.');
    expect(text('lost{a ? "" : ", by default"}.')).toBe('lost.');
    expect(text('{n} pass{n == 1 ? "" : "es"}')).toBe('‹n› passes');
    expect(text('{a ? "--a" : b} and {a ? "x " + b : "y"}')).toBe('… and …');
  });
});
