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
  const written = stored(frameworks.get('megatron-lm')?.knowledge ?? expect.fail()).options;
  const flagsOf = (name: string): unknown => written.find((option) => option.name === name)?.flags;
  expect(flagsOf('tensor_model_parallel_size')).toBe('usual');
  expect(flagsOf('perform_initialization')).toEqual(['--no-initialization']);
  expect(written.filter(({ flags }) => flags === 'usual').length).toBeGreaterThan(written.length / 2);
});

it('sources stand apart from the options, in their order', () => {
  const known = frameworks.get('areal')?.knowledge ?? expect.fail();
  const { options, sources } = stored(known);
  expect(options.some((option) => 'source' in option)).toBe(false);
  expect(sources).toEqual(known.options.map(({ source }) => source));
});

it('is written in ASCII, whatever it holds', () => {
  const value = { why: '2 × “n” 🦙 \u0080é', kéy: [1] };
  expect(asciiJson(value)).toMatch(/^[ -~]*$/);
  expect(JSON.parse(asciiJson(value))).toEqual(value);
});
