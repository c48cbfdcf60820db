import { describe, expect, it } from 'vitest';
import type { OptionFact } from '../../../server/src/frameworks/knowledge.ts';
import { nearestKey } from '../../../server/src/frameworks/nearest.ts';
import { parseOverride } from '../../../server/src/frameworks/omegaconf/overrides.ts';
import {
  readTree,
  type TreePolicy,
  type TreeReading,
} from '../../../server/src/frameworks/omegaconf/tree.ts';
import { literalWord } from '../../../server/src/value/word.ts';

const source = 'config.py:1';
const facts: readonly OptionFact[] = [
  { name: 'trainer', type: 'group', default: {}, source },
  { name: 'trainer.epochs', type: 'int', default: 1, source },
  { name: 'trainer.lr', type: 'float', default: 1e-6, source },
  { name: 'trainer.name', type: 'str', default: '', source },
  {
    name: 'trainer.mode',
    type: 'str',
    nullable: true,
    default: null,
    choices: ['filter', 'replace'],
    source,
  },
  { name: 'trainer.files', type: 'list', items: 'str', default: [], source },
  { name: 'trainer.kwargs', type: 'dict', open: true, default: {}, source },
  { name: 'trainer.kwargs.gone', type: 'any', default: null, removed: 'replaced by kept', source },
  { name: 'trainer.delta', type: 'group', nullable: true, default: null, source },
  { name: 'trainer.delta.folder', type: 'str', default: null, source },
  { name: 'trainer.size', type: 'int', default: null, renamedTo: 'trainer.epochs', source },
  {
    name: 'trainer.packing',
    type: 'int',
    default: null,
    renamedTo: 'trainer.epochs',
    deprecated: true,
    source,
  },
];
const options = new Map(facts.map((fact) => [fact.name, fact]));

function tree(words: readonly string[], policy: Partial<TreePolicy> = {}): TreeReading {
  let at = 0;
  const overrides = words.flatMap((text) => {
    const place = { path: '/run.sh', span: { start: at, end: at + text.length } };
    at += text.length + 1;
    const read = parseOverride(literalWord(text, place), 'dotlist');
    return read.kind === 'override' ? [read] : [];
  });
  return readTree(overrides, options, {
    unknown: 'refused',
    wrongType: () => 'warning',
    wrongChoice: () => 'error',
    extra: [],
    ...policy,
  });
}

const dataOf = (reading: TreeReading, name: string): unknown => {
  const value = reading.settings.get(name)?.value;
  return value?.kind === 'known' ? value.data : value;
};
const rules = (reading: TreeReading): string[] =>
  reading.problems.map(({ rule, severity }) => `${severity} ${rule}`);

describe('overrides in a typed tree', () => {
  it('give settings', () => {
    const reading = tree(['trainer.epochs=3', 'trainer.files=[a,b]', 'trainer.kwargs.x.y=1']);
    expect(rules(reading)).toEqual([]);
    expect(dataOf(reading, 'trainer.epochs')).toBe(3);
    expect(dataOf(reading, 'trainer.files')).toEqual(['a', 'b']);
    expect(dataOf(reading, 'trainer.kwargs.x.y')).toBe(1);
    expect(dataOf(reading, 'trainer.kwargs')).toEqual({ x: { y: 1 } });
  });

  it('merge mappings and keep the last value', () => {
    const reading = tree(['trainer={epochs: 3, lr: 0.5}', 'trainer.epochs=4']);
    expect(dataOf(reading, 'trainer.epochs')).toBe(4);
    expect(dataOf(reading, 'trainer.lr')).toBe(0.5);
    expect(rules(reading)).toEqual(['warning duplicate-option']);
  });

  it('keep the keys of a mapping when an empty one follows', () => {
    expect(dataOf(tree(['trainer.epochs=3', 'trainer={}']), 'trainer.epochs')).toBe(3);
    expect(tree(['trainer.epochs=3', 'trainer=null']).settings.has('trainer.epochs')).toBe(false);
  });

  it('replace an element of a list by its index', () => {
    expect(dataOf(tree(['trainer.files=[a,b]', 'trainer.files.1=c']), 'trainer.files')).toEqual(['a', 'c']);
    expect(dataOf(tree(['trainer.files=[a,b]', 'trainer.files[-1]=c']), 'trainer.files')).toEqual(['a', 'c']);
  });

  it.each(['trainer.files.x=c', 'trainer.files.2=c'])('refuse %s, which is no valid index', (word) => {
    expect(rules(tree(['trainer.files=[a,b]', word]))).toEqual(['error invalid-override']);
  });

  it('name the unknown key inside a mapping', () => {
    const [problem] = tree(['trainer={epoch: 3}']).problems;
    expect(problem).toMatchObject({ rule: 'unknown-option', values: { name: 'trainer.epoch' } });
  });

  it('leave what is below a group unknown when the group is no mapping', () => {
    expect(tree(['trainer=5']).opaque).toEqual(['trainer']);
  });

  it('do not report repeats with the same value', () => {
    expect(rules(tree(['trainer.epochs=3', 'trainer.epochs=3']))).toEqual([]);
  });

  it('refuse a list in place of a mapping', () => {
    expect(rules(tree(['trainer.kwargs.x=1', 'trainer.kwargs=[1]']))).toContain('error invalid-override');
  });

  it.each([
    ['trainer.epochs=abc', 'a whole number'],
    ['trainer.epochs=1e3', 'a whole number'],
    ['trainer.epochs=null', 'a whole number'],
    ['trainer.lr=true', 'a number'],
    ['trainer.files=a', 'a list, each item a text'],
    ['trainer.files=[1]', 'a list, each item a text'],
    ['trainer.kwargs=5', 'a mapping'],
    ['trainer=5', 'keys below it'],
    ['trainer.epochs={a: 1}', 'a whole number'],
  ])('check the type of %s', (word, expected) => {
    const [problem] = tree([word]).problems;
    expect(problem).toMatchObject({ rule: 'invalid-value', values: { expected } });
  });

  it.each(['trainer.lr=1', 'trainer.name=', 'trainer.delta=null', 'trainer.mode=null', 'trainer.kwargs={}'])(
    'accept %s',
    (word) => {
      expect(rules(tree([word]))).toEqual([]);
    },
  );

  it('list floats given for whole numbers', () => {
    expect(tree(['trainer.epochs=4.0', 'trainer.lr=1.0']).floats).toEqual(['trainer.epochs']);
  });

  it('check choices if upstream does', () => {
    const [problem] = tree(['trainer.mode=filtr']).problems;
    expect(problem).toMatchObject({ rule: 'invalid-choice', replacement: 'filter' });
    expect(rules(tree(['trainer.mode=filtr'], { wrongChoice: () => undefined }))).toEqual([]);
  });

  it('suggest what an unknown key was meant to be', () => {
    const [problem] = tree(['trianer.epochs=3']).problems;
    expect(problem).toMatchObject({
      rule: 'unknown-option',
      severity: 'error',
      replacement: 'trainer.epochs',
      place: { span: { start: 0, end: 14 } },
    });
  });

  it('suggest a part only if it accepts what follows', () => {
    expect(tree(['trainerx.other=3']).problems[0]?.replacement).toBeUndefined();
    expect(tree(['trainer.kwarg.some=3']).problems[0]?.replacement).toBe('trainer.kwargs.some');
  });

  it('stay silent for a fork unless a key nearly matches', () => {
    expect(rules(tree(['mine.own=3'], { unknown: 'fork' }))).toEqual([]);
    expect(rules(tree(['trainer.epoch=3'], { unknown: 'fork' }))).toEqual(['warning unknown-option']);
    expect(rules(tree(['mine.own=3'], { extra: ['mine'] }))).toEqual([]);
  });

  it('know names from older versions', () => {
    expect(tree(['trainer.size=3']).problems[0]).toMatchObject({
      rule: 'renamed-option',
      severity: 'error',
      replacement: 'trainer.epochs',
    });
    expect(tree(['trainer.size=3']).opaque).toEqual(['trainer.epochs']);
    expect(tree(['trainer.size=3'], { unknown: 'fork' }).opaque).toEqual(['trainer.epochs']);
    expect(rules(tree(['trainer.packing=3']))).toEqual(['warning renamed-option']);
    expect(rules(tree(['trainer.kwargs.gone=3']))).toEqual(['error removed-option']);
  });
});

describe('the nearest key', () => {
  it('is the same name elsewhere, or a few letters off', () => {
    const known = ['generator.engine.backend', 'trainer.train_batch_size'];
    expect(nearestKey('generator.backend', known)).toBe('generator.engine.backend');
    expect(nearestKey('trainer.train_batch_sizes', known)).toBe('trainer.train_batch_size');
    const deep = ['trainer.algorithm.kl_ctrl.type', 'trainer.policy.optimizer_config.lr'];
    expect(nearestKey('trainer.policy.optimizer.type', deep)).toBeUndefined();
    expect(nearestKey('trainer.policy.optimizer.lr', deep)).toBe('trainer.policy.optimizer_config.lr');
    expect(nearestKey('trainer.policyo.ptimizer.lr', ['trainer.policy.optimizer.lr', 'optimizer.lr'])).toBe(
      'trainer.policy.optimizer.lr',
    );
    expect(nearestKey('something.else', known)).toBeUndefined();
    expect(nearestKey('generator.num_turns', ['generator.max_turns'])).toBeUndefined();
    expect(nearestKey('generator.lang', ['generator.rank'])).toBeUndefined();
    expect(nearestKey('generator.max_turn', ['generator.max_turns'])).toBe('generator.max_turns');
    const sampling = ['generator.sampling.top_k', 'generator.sampling.top_p', 'trainer.top_p'];
    expect(nearestKey('geneartor.sampling.top_p', sampling)).toBe('generator.sampling.top_p');
    const roles = ['ref', 'policy'].map(
      (role) => `trainer.${role}.megatron_config.tensor_model_parallel_size`,
    );
    expect(nearestKey('megatron_config.policy.tensor_model_parallel_size', roles)).toBe(roles[1]);
  });
});
