import { describe, expect, test } from 'vitest';
import { rulePicks } from '../../../client/rulePicks.ts';

const rules = new Map(['slime/b', 'unknown-option', 'slime/a'].map((id) => [id, { id, why: `why ${id}` }]));
const shown = (found: readonly string[]): readonly string[] =>
  rulePicks(rules, found).map((pick) => (pick.kind === 'heading' ? `# ${pick.text}` : pick.id));

describe('the rules to choose from', () => {
  test('are sorted by name if nothing is found', () => {
    expect(shown([])).toEqual(['slime/a', 'slime/b', 'unknown-option']);
    expect(shown(['our-own'])).toEqual(['slime/a', 'slime/b', 'unknown-option']);
  });

  test('begin with those found in the file, each once', () => {
    expect(shown(['unknown-option', 'slime/b', 'unknown-option'])).toEqual([
      '# found in this file',
      'unknown-option',
      'slime/b',
      '# all others',
      'slime/a',
    ]);
  });
});
