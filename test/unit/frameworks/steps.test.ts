import { describe, expect, it } from 'vitest';
import type { CompiledDerivation } from '../../../server/src/expression/compiled.ts';
import type { OptionFact } from '../../../server/src/frameworks/knowledge.ts';
import { makeScope } from '../../../server/src/frameworks/scope.ts';
import { compileDerivation } from '../../../server/src/rules/compileConstraint.ts';

const options: ReadonlyMap<string, OptionFact> = new Map(
  ['size', 'ranks'].map((name) => [name, { name, type: 'int', default: 4, source: 'arguments.py' }]),
);

function derivations(steps: readonly (readonly [set: string, to: string, when?: string])[]) {
  return steps.flatMap(([set, to, when]): readonly CompiledDerivation[] => {
    const compiled = compileDerivation(
      { set, to, ...(when === undefined ? {} : { when }) },
      { has: () => true },
    );
    if ('problem' in compiled) throw new Error(compiled.problem.message);
    return compiled.derivations;
  });
}

function scopeOf(steps: Parameters<typeof derivations>[0]) {
  return makeScope({
    set: 'megatron-lm',
    role: undefined,
    options,
    derivations: derivations(steps),
    settings: new Map(),
    facts: () => undefined,
  });
}

/** The values of names after some steps, queried in this order. */
function values(steps: Parameters<typeof derivations>[0], names: readonly string[]) {
  const { lookup } = scopeOf(steps);
  return Object.fromEntries(
    names.map((name) => {
      const value = lookup(name)?.value;
      return [name, value?.kind === 'known' ? value.data : value?.kind];
    }),
  );
}

describe('what steps set', () => {
  it('is the same in any order of lookup', () => {
    const steps = [
      ['half', 'size // 2'],
      ['quarter', 'half // 2'],
      ['both', 'half + quarter'],
    ] as const;
    const expected = { half: 2, quarter: 1, both: 3 };
    expect(values(steps, ['half', 'quarter', 'both'])).toEqual(expected);
    expect(values(steps, ['both', 'quarter', 'half'])).toEqual(expected);
  });

  it('uses what was in effect at that step, not what later ones change', () => {
    const steps = [
      ['before', 'size'],
      ['size', '8'],
      ['after', 'size'],
    ] as const;
    expect(values(steps, ['after', 'before', 'size'])).toEqual({ before: 4, size: 8, after: 8 });
  });

  it('decides an option even before it is looked up', () => {
    const steps = [
      ['wanted', '2'],
      ['ranks', 'wanted', 'wanted > 1'],
    ] as const;
    expect(values(steps, ['ranks'])).toEqual({ ranks: 2 });
    expect(scopeOf(steps).changed?.(options)).toContain('ranks');
  });

  it('is absent for an earlier step', () => {
    const steps = [
      ['early', 'known(late) ? 1 : 0'],
      ['late', '1'],
    ] as const;
    expect(values(steps, ['late', 'early'])).toEqual({ late: 1, early: 0 });
  });

  it('is the result of the last of several steps, each building on the one before', () => {
    const steps = [
      ['count', 'size'],
      ['seen', 'count'],
      ['count', 'count + 1'],
      ['count', 'count * 10'],
    ] as const;
    expect(values(steps, ['count', 'seen'])).toEqual({ count: 50, seen: 4 });
  });

  it('is null if the condition of the step does not hold', () => {
    expect(values([['extra', '1', 'size > 4']], ['extra'])).toEqual({ extra: null });
  });

  it('is unknown if defined only by itself', () => {
    expect(values([['own', 'own']], ['own'])).toEqual({ own: 'unknown' });
  });
});
