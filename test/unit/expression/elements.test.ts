import { describe, expect, it } from 'vitest';
import { checkedExpression } from '../../../server/src/expression/check.ts';
import { elementsOf } from '../../../server/src/expression/elements.ts';
import { evaluate, type Lookup } from '../../../server/src/expression/evaluate.ts';
import { type Result, UNKNOWN } from '../../../server/src/expression/result.ts';
import type { Data } from '../../../server/src/value/value.ts';
import { unknownLookup } from '../../support/unknownLookup.ts';

const values: { readonly [name: string]: Data } = {
  sizes: [1, 5, 9],
  models: [{ groups: [{ gpus: 2 }] }, { groups: [{ gpus: 4 }, { gpus: 0, colour: 'red' }] }],
};
const lookup: Lookup = { ...unknownLookup, value: (name) => values[name] ?? UNKNOWN };

function compiled(text: string) {
  const checked = checkedExpression(text, () => true);
  if ('problem' in checked) throw new Error(checked.problem.message);
  return checked.expression;
}

/** The elements that make an expression true, one record for each way. */
const found = (text: string) => elementsOf(compiled(text), lookup).map((way) => Object.fromEntries(way));

describe('the elements that make an expression true', () => {
  it('are reported once each', () => {
    expect(found('any_of(sizes, "size", size > 3)')).toEqual([{ size: { data: 5 } }, { size: { data: 9 } }]);
    expect(found('any_of(sizes, "size", size > 9)')).toEqual([{}]);
  });

  it('are found in nested ones, and among keys with the map that has them', () => {
    const group = { gpus: 0, colour: 'red' };
    expect(
      found('any_of(models, "model", any_of(get(model, "groups"), "group", get(group, "gpus") == 0))'),
    ).toEqual([{ model: { data: { groups: [{ gpus: 4 }, group] } }, group: { data: group } }]);
    expect(
      found(
        'any_of(models, "model", any_of(get(model, "groups"), "group", any_of(keys(group), "key", key != "gpus")))',
      ).map(({ key }) => key),
    ).toEqual([{ data: 'colour', owner: group }]);
  });

  it('are those of each true side of an or, and of all sides of an and', () => {
    expect(found('any_of(sizes, "a", a > 8) or any_of(sizes, "b", b < 5)')).toEqual([
      { a: { data: 9 } },
      { b: { data: 1 } },
    ]);
    expect(found('1 < 2 or any_of(sizes, "b", b > 8)')).toEqual([{ b: { data: 9 } }]);
    expect(found('any_of(sizes, "a", a > 8) and any_of(sizes, "b", b > 1)')).toEqual([
      { a: { data: 9 }, b: { data: 5 } },
      { a: { data: 9 }, b: { data: 9 } },
    ]);
  });

  it('are those of an all_of that is false, and of the branch that a condition selects', () => {
    expect(found('not all_of(sizes, "size", size < 9)')).toEqual([{ size: { data: 9 } }]);
    expect(found('1 > 2 ? any_of(sizes, "a", a > 3) : any_of(sizes, "b", b > 8)')).toEqual([
      { b: { data: 9 } },
    ]);
    expect(found('hidden ? any_of(sizes, "a", a > 3) : any_of(sizes, "b", b > 3)')).toEqual([{}]);
  });
});

describe('the nearest word', () => {
  const nearest = (text: string): Result => evaluate(compiled(text), lookup);

  it('differs by a few letters, and is unknown if none is near', () => {
    expect(nearest('nearest("temprature", ["top_p", "temperature"])')).toBe('temperature');
    expect(nearest('nearest("colour", ["top_p", "temperature"])')).toBe(UNKNOWN);
    expect(nearest('nearest("tp", ["to"])')).toBe(UNKNOWN);
    expect(nearest('nearest(1, ["top_p"])')).toBe(UNKNOWN);
    expect(nearest('nearest("top_k", "top_p")')).toBe(UNKNOWN);
  });
});
