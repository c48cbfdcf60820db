import { describe, expect, it } from 'vitest';
import { customConstraints } from '../../../server/src/config/ownConstraints.ts';
import { readConfig } from '../../../server/src/config/read.ts';
import { loadKnowledge } from '../../support/knowledge.ts';

/** The constraints that configurations define, the outermost base first, and the problems with them. */
function made(...texts: readonly string[]): { ids: string[]; problems: string[] } {
  const files = texts.map((text, index) => {
    const path = `/repository/${index}.yaml`;
    return { path, read: readConfig(path, text) };
  });
  const { constraints, problems } = customConstraints({ files, problems: [] }, loadKnowledge().knowledgeOf);
  return {
    ids: [...constraints].flatMap(([framework, own]) =>
      own.map(({ id, severity }) => `${framework}/${id} ${severity}`),
    ),
    problems: problems.map(({ path, span, message }) => {
      const text = texts[Number(/\d+/.exec(path))] ?? '';
      return `${text.slice(span.start, span.end)}: ${message}`;
    }),
  };
}

function constraint(id: string, when: string, framework = 'megatron-lm', severity = 'error'): string {
  return `constraints: [${entry(id, when, framework, severity)}]\n`;
}

function entry(id: string, when: string, framework = 'megatron-lm', severity = 'error'): string {
  return `{id: ${id}, framework: ${framework}, severity: ${severity}, when: '${when}', message: "No such job here."}`;
}

describe('a constraint of the project', () => {
  it('replaces one of the same name in an extended file, but not above it in the same file', () => {
    const base = constraint('few', 'seed == 1');
    expect(made(base, constraint('few', 'seed == 2', 'megatron-lm', 'info'))).toEqual({
      ids: ['megatron-lm/few info'],
      problems: [],
    });
    expect(made(base, constraint('few', 'rollout_batch_size == 2', 'slime')).ids).toEqual([
      'megatron-lm/few error',
      'slime/few error',
    ]);
    const twice = `constraints: [${entry('few', 'seed == 1')}, ${entry('few', 'seed == 2', 'megatron-lm', 'info')}]\n`;
    expect(made(twice)).toEqual({
      ids: ['megatron-lm/few error'],
      problems: ['few: few: a constraint above has that name, and applies'],
    });
  });

  it.each([
    ['num_layer > 3', 'num_layer (character 1 of "num_layer > 3") (did you mean num_layers?)'],
    ['seed > num-layers', 'num; num-layers is written num_layers here (character 8 of "seed > num-layers")'],
    ['seed - num > 3', 'num (character 8 of "seed - num > 3")'],
  ])('names the option that was meant: %s', (when, said) => {
    expect(made(constraint('few', when)).problems).toEqual([
      `'${when}': few: no option or derived value is called ${said}`,
    ]);
  });

  it('has only known tags', () => {
    const text = constraint('few', 'num_layers > 3').replace('}]', ', tags: [no-efect, memory]}]');
    expect(readConfig('/repository/0.yaml', text).problems.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^constraints\.0\.tags\.0 takes .+ "no-efect" \(did you mean no-effect\?\)$/),
    ]);
  });

  it('is reported where its expression breaks off, counted from one', () => {
    expect(made(constraint('few', 'num_layers = 3')).problems).toEqual([
      `'num_layers = 3': few: Unexpected "="; what is equal is compared with == (character 12 of "num_layers = 3")`,
    ]);
  });

  it.each([
    ['num_layers == "30"', 'num_layers is a number and never the text "30"; write 30 without quotes'],
    ['lr > "auto"', 'lr is a number and never the text "auto"'],
    ['bf16 == "true"', 'bf16 is true or false and never the text "true"; write true without quotes'],
    [
      'fp16 and position_embedding_type in ["rope", "ropee"]',
      'position_embedding_type is never "ropee" (did you mean "rope"?)',
    ],
  ])('compares an option with nothing that it never is: %s', (when, said) => {
    expect(made(constraint('few', when)).problems).toEqual([`'${when}': few: ${said}`]);
  });

  it.each([
    'num_layers == 30 or num_layers == null',
    'bf16 == true',
    'position_embedding_type == "our_fork"',
    'env.MODE == "3"',
    'starts_with(save, "30")',
  ])('compares what may be: %s', (when) => {
    expect(made(constraint('few', when)).problems).toEqual([]);
  });

  it('may compare with what a newer release takes', () => {
    expect(made(constraint('few', 'actor.gae_lambda == "ours.schedule"', 'areal')).problems).toEqual([]);
  });

  it.each([
    ['bf16 && fp16', '"&"; write `and`'],
    ['bf16 || fp16', '"|"; write `or`'],
    ['!bf16', '"!"; write `not`'],
  ])('is told how operators of other languages are written: %s', (when, said) => {
    expect(made(constraint('few', when)).problems).toEqual([expect.stringContaining(`Unexpected ${said}`)]);
  });

  it('has a name that no rule of oomlint has', () => {
    expect(made(constraint('layers-divide-stages', 'num_layers > 3'))).toEqual({
      ids: [],
      problems: [expect.stringMatching(/^layers-divide-stages: .+ or choose another name$/)],
    });
  });

  it('about an option that slime takes from Megatron-LM is reported with its framework', () => {
    expect(made(constraint('few', 'num_layers > 3', 'slime')).problems).toEqual([
      expect.stringMatching(/; a constraint about it has framework: megatron-lm, and holds for slime too$/),
    ]);
  });
});
