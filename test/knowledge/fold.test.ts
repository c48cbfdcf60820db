import { expect, it } from 'vitest';
import type { CompiledConstraint } from '../../server/src/expression/compiled.ts';
import { type Repeated, withWords } from '../../server/src/expression/repeated.ts';
import { folded } from '../../tools/knowledge/fold.ts';
import { loadKnowledge } from '../support/knowledge.ts';

const { frameworks } = loadKnowledge();

const fold = (constraints: readonly CompiledConstraint[]): readonly (CompiledConstraint | Repeated)[] =>
  folded(
    constraints,
    ({ id }) => id,
    (constraint) => JSON.stringify(constraint),
  );

it.each([...frameworks].map(([id, { knowledge }]) => [id, knowledge.constraints] as const))(
  'the rules of %s survive a round trip through their file',
  (_, constraints) => {
    const read = fold(constraints).flatMap((entry) =>
      'repeated' in entry
        ? entry.words.map((words) => withWords(entry.repeated, words))
        : [JSON.stringify(entry)],
    );
    expect(read).toEqual(constraints.map((constraint) => JSON.stringify(constraint)));
  },
);

it('rules that differ only in words are written once', () => {
  const areal = frameworks.get('areal')?.knowledge.constraints ?? [];
  const once = fold(areal);
  expect(once.length).toBeLessThan(areal.length / 2);
  expect(JSON.stringify(once).length).toBeLessThan(JSON.stringify(areal).length / 2);
});

it('rules that differ in more than words stay apart', () => {
  const [rule] = frameworks.get('slime')?.knowledge.constraints ?? [];
  if (rule === undefined) throw new Error('slime has no rules');
  const other = { ...rule, at: [...rule.at, 'lr'] };
  const spaced = { ...rule, message: rule.message.replace(' ', '-') };
  expect(fold([rule, other])).toEqual([rule, other]);
  expect(fold([rule, spaced])).toEqual([rule, spaced]);
});
