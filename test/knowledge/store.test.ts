import { expect, it } from 'vitest';
import type { CompiledConstraint } from '../../server/src/expression/compiled.ts';
import { knowledgeIn, type StoredKnowledge } from '../../server/src/frameworks/storedKnowledge.ts';
import { asciiJson, storedText } from '../../tools/knowledge/store.ts';
import { loadKnowledge } from '../support/knowledge.ts';

const { frameworks } = loadKnowledge();

/** A constraint with the fields that it otherwise reads on demand. */
const whole = (constraint: CompiledConstraint): CompiledConstraint => {
  const { when, message, why, fixes } = constraint;
  return { ...constraint, when, message, why, fixes };
};

/** The part of a file that is read right away. */
function firstLine(text: string): StoredKnowledge {
  return JSON.parse(text.slice(0, text.indexOf('\n')));
}

it.each([...frameworks].map(([id, { knowledge }]) => [id, knowledge] as const))(
  'the knowledge of %s survives a round trip through its file',
  (_, knowledge) => {
    const read = knowledgeIn(storedText(knowledge));
    expect({ ...read, constraints: read.constraints.map(whole) }).toEqual(knowledge);
  },
);

it('an expression is the same object on every access', () => {
  const known = frameworks.get('skyrl')?.knowledge ?? expect.fail();
  for (const constraint of knowledgeIn(storedText(known)).constraints)
    expect(constraint.when).toBe(constraint.when);
});

it('a flag is written only if it is not the name with dashes', () => {
  const known = frameworks.get('megatron-lm')?.knowledge ?? expect.fail();
  const { options: written, optionColumns } = firstLine(storedText(known));
  const flagsOf = (name: string): unknown => written[optionColumns.name.indexOf(name)]?.flags;
  expect(flagsOf('tensor_model_parallel_size')).toBe('usual');
  expect(flagsOf('perform_initialization')).toEqual(['--no-initialization']);
  expect(written.filter(({ flags }) => flags === 'usual').length).toBeGreaterThan(written.length / 2);
});

it('texts and parts that are read late are stored separately, in the order of what they belong to', () => {
  const known = frameworks.get('megatron-lm')?.knowledge ?? expect.fail();
  const text = storedText(known);
  const { options, optionColumns, constraints, constraintColumns } = firstLine(text);
  expect(options.some((option) => 'name' in option || 'describe' in option || 'source' in option)).toBe(
    false,
  );
  expect(optionColumns.source).toEqual(known.options.map(({ source }) => source));
  expect(constraints.some((constraint) => 'why' in constraint || 'when' in constraint)).toBe(false);
  const index = constraintColumns.id.indexOf('cpu-offload-needs-one-stage');
  const lines = text.split('\n').slice(1);
  const message = lines[constraints.length + index] ?? expect.fail();
  expect(JSON.parse(message)).toMatch(/one pipeline stage/);
  expect(lines.length).toBe(4 * constraints.length + 1);
});

it('JSON is written in ASCII, whatever it contains', () => {
  const value = { why: '2 × “n” 🦙 \u0080é', kéy: [1] };
  expect(asciiJson(value)).toMatch(/^[ -~]*$/);
  expect(JSON.parse(asciiJson(value))).toEqual(value);
});
