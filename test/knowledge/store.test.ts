import { expect, it } from 'vitest';
import { knowledgeIn } from '../../server/src/frameworks/storedKnowledge.ts';
import { asciiJson, stored } from '../../tools/knowledge/store.ts';
import { loadKnowledge } from '../support/knowledge.ts';

const { frameworks } = loadKnowledge();

it.each([...frameworks].map(([id, { knowledge }]) => [id, knowledge] as const))(
  'what is known of %s comes out of its file as it went in',
  (_, knowledge) => {
    expect(knowledgeIn(asciiJson(stored(knowledge)))).toEqual(knowledge);
  },
);

it('a flag is written where it is another than the name with dashes', () => {
  const { options: written, optionColumns } = stored(
    frameworks.get('megatron-lm')?.knowledge ?? expect.fail(),
  );
  const flagsOf = (name: string): unknown => written[optionColumns.name.indexOf(name)]?.flags;
  expect(flagsOf('tensor_model_parallel_size')).toBe('usual');
  expect(flagsOf('perform_initialization')).toEqual(['--no-initialization']);
  expect(written.filter(({ flags }) => flags === 'usual').length).toBeGreaterThan(written.length / 2);
});

it('texts stand apart from the rest, in the order of what they belong to', () => {
  const known = frameworks.get('megatron-lm')?.knowledge ?? expect.fail();
  const { options, optionColumns, constraints, constraintColumns } = stored(known);
  expect(options.some((option) => 'name' in option || 'describe' in option || 'source' in option)).toBe(
    false,
  );
  expect(optionColumns.source).toEqual(known.options.map(({ source }) => source));
  expect(constraints.some((constraint) => 'why' in constraint)).toBe(false);
  const index = constraintColumns.id.indexOf('cpu-offload-needs-one-stage');
  expect(constraintColumns.message[index]).toMatch(/one pipeline stage/);
});

it('is written in ASCII, whatever it holds', () => {
  const value = { why: '2 × “n” 🦙 \u0080é', kéy: [1] };
  expect(asciiJson(value)).toMatch(/^[ -~]*$/);
  expect(JSON.parse(asciiJson(value))).toEqual(value);
});
