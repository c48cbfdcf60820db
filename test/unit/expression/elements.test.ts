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

/** The elements by which an expression is true. */
const found = (text: string) => Object.fromEntries(elementsOf(compiled(text), lookup));

describe('the elements by which an expression is true', () => {
  it('are the first ones that do', () => {
    expect(found('any_of(sizes, "size", size > 3)')).toEqual({ size: { data: 5 } });
    expect(found('any_of(sizes, "size", size > 9)')).toEqual({});
  });

  it('are found within others, and among keys with the map that has them', () => {
    const group = { gpus: 0, colour: 'red' };
    expect(
      found('any_of(models, "model", any_of(get(model, "groups"), "group", get(group, "gpus") == 0))'),
    ).toEqual({
      model: { data: { groups: [{ gpus: 4 }, group] } },
      group: { data: group },
    });
    expect(
      found(
        'any_of(models, "model", any_of(get(model, "groups"), "group", any_of(keys(group), "key", key != "gpus")))',
      ).key,
    ).toEqual({ data: 'colour', owner: group });
  });

  it('are those of the sides that hold, of an all_of that does not, and of the way that a choice takes', () => {
    expect(found('any_of(sizes, "a", a > 9) or any_of(sizes, "b", b > 8)')).toEqual({ b: { data: 9 } });
    expect(found('not all_of(sizes, "size", size < 9)')).toEqual({ size: { data: 9 } });
    expect(found('1 > 2 ? any_of(sizes, "a", a > 3) : any_of(sizes, "b", b > 3)')).toEqual({
      b: { data: 5 },
    });
    expect(found('hidden ? any_of(sizes, "a", a > 3) : any_of(sizes, "b", b > 3)')).toEqual({});
  });
});

describe('the nearest word', () => {
  const nearest = (text: string): Result => evaluate(compiled(text), lookup);

  it('has a few other letters, and is not known where none is near', () => {
    expect(nearest('nearest("temprature", ["top_p", "temperature"])')).toBe('temperature');
    expect(nearest('nearest("colour", ["top_p", "temperature"])')).toBe(UNKNOWN);
    expect(nearest('nearest("tp", ["to"])')).toBe(UNKNOWN);
    expect(nearest('nearest(1, ["top_p"])')).toBe(UNKNOWN);
    expect(nearest('nearest("top_k", "top_p")')).toBe(UNKNOWN);
  });
});
