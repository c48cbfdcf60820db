import { expect, it } from 'vitest';
import { unfolded } from '../../server/src/expression/repeated.ts';
import { folded } from '../../tools/knowledge/fold.ts';
import { loadKnowledge } from '../support/knowledge.ts';

const { frameworks } = loadKnowledge();

it.each([...frameworks].map(([id, { knowledge }]) => [id, knowledge.constraints] as const))(
  'the rules of %s come out of their file as they went in',
  (_, constraints) => {
    const written = JSON.stringify(constraints);
    const read = JSON.parse(JSON.stringify(folded(constraints))).flatMap(unfolded);
    expect(JSON.stringify(read) === written).toBe(true);
  },
);

it('rules that differ in words only are written once', () => {
  const areal = frameworks.get('areal')?.knowledge.constraints ?? [];
  const once = folded(areal);
  expect(once.length).toBeLessThan(areal.length / 2);
  expect(JSON.stringify(once).length).toBeLessThan(JSON.stringify(areal).length / 2);
});

it('rules that differ in more than words stay apart', () => {
  const [rule] = frameworks.get('slime')?.knowledge.constraints ?? [];
  if (rule === undefined) throw new Error('slime has no rules');
  const other = { ...rule, at: [...rule.at, 'lr'] };
  const spaced = { ...rule, message: rule.message.replace(' ', '-') };
  expect(folded([rule, other])).toEqual([rule, other]);
  expect(folded([rule, spaced])).toEqual([rule, spaced]);
});
