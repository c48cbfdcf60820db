import { expect, it } from 'vitest';
import { knowledgeIn } from '../../server/src/frameworks/storedKnowledge.ts';
import { stored } from '../../tools/knowledge/store.ts';
import { loadKnowledge } from '../support/knowledge.ts';

const { frameworks } = loadKnowledge();

it.each([...frameworks].map(([id, { knowledge }]) => [id, knowledge] as const))(
  'what is known of %s comes out of its file as it went in',
  (_, knowledge) => {
    expect(knowledgeIn(JSON.stringify(stored(knowledge)))).toEqual(knowledge);
  },
);

it('a flag is written where it is another than the name with dashes', () => {
  const written = stored(frameworks.get('megatron-lm')?.knowledge ?? expect.fail()).options;
  const flagsOf = (name: string): unknown => written.find((option) => option.name === name)?.flags;
  expect(flagsOf('tensor_model_parallel_size')).toBe('usual');
  expect(flagsOf('perform_initialization')).toEqual(['--no-initialization']);
  expect(written.filter(({ flags }) => flags === 'usual').length).toBeGreaterThan(written.length / 2);
});
