import { describe, expect, it } from 'vitest';
import { hasKnownDefault } from '../../../../server/src/frameworks/argparse/statedDefault.ts';
import type { OptionFact } from '../../../../server/src/frameworks/knowledge.ts';

describe('The declaration of an option', () => {
  const option = (given: Pick<OptionFact, 'default' | 'action'>): OptionFact => ({
    name: 'packs',
    type: 'bool',
    source: 'arguments.py:1',
    ...given,
  });

  it.each([
    [", action='store_true', help='x')", false, true],
    [", action='store_true', help='x')", true, false],
    [", action='store_false')", true, true],
    [', action=argparse.BooleanOptionalAction)', false, false],
    [', action=argparse.BooleanOptionalAction, default=False)', false, true],
  ])('without a default has the one of its own action: %s', (declaration, known, expected) => {
    expect(hasKnownDefault(declaration, option({ default: known, action: 'boolean_optional' }))).toBe(
      expected,
    );
  });
});
