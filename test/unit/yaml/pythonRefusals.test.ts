import { describe, expect, it } from 'vitest';
import { applyEdits } from '../../../server/src/text/edit.ts';
import { dataOf } from '../../../server/src/yaml/data.ts';
import { parseYaml } from '../../../server/src/yaml/parse.ts';

function problemsOf(text: string, flavour: 'omegaconf' | 'core' = 'omegaconf') {
  return parseYaml('/c.yaml', text, flavour).flatMap(({ problems }) => problems);
}

describe('what PyYAML refuses and YAML accepts', () => {
  // PyYAML 6 raises an error on each of them.
  it.each([
    ['a: [1, ???]\n', '???', "a: [1, '???']\n"],
    ['a: {b: ???}\n', '???', "a: {b: '???'}\n"],
    ['a: =\n', '=', "a: '='\n"],
    ['a:\n  - <<\n', '<<', "a:\n  - '<<'\n"],
    ['a: !x b\n', 'b', undefined],
    ['a: !!x [b]\n', '[b]', undefined],
    ['a: &x 1\nb: &x 2\n', '&x', undefined],
    ['&x a: 1\nb: &x 2\n', '&x', undefined],
    ['[a]: 1\n', '[a]', undefined],
    ['{a: 1}: 2\n', '{a: 1}', undefined],
    ['a: &x [1]\n*x : 2\n', '*x', undefined],
    ['<<: 1\na: 2\n', '1', undefined],
    ['<<: [{a: 1}, b]\n', 'b', undefined],
    ['<<:\na: 2\n', '', undefined],
  ])('is reported: %j', (text, at, mended) => {
    const [problem, ...others] = problemsOf(text);
    expect(others).toEqual([]);
    expect(problem).toMatchObject({ severity: 'error', isPythons: true });
    const { start, end } = problem?.span ?? { start: 0, end: 0 };
    expect(text.slice(start, end)).toBe(at);
    if (at === '&x') expect(start).toBe(text.lastIndexOf(at));
    expect(problem?.mend === undefined ? undefined : applyEdits(text, problem.mend.edits)).toBe(mended);
    if (mended !== undefined) expect(problemsOf(mended)).toEqual([]);
    expect(problemsOf(text, 'core')).toEqual([]);
  });

  // PyYAML 6 loads each of them.
  it.each([
    ['a: ???\n', { a: '???' }],
    ['a: [b?]\n', { a: ['b?'] }],
    ['a: ==\n', { a: '==' }],
    ['=: 1\n', { '=': 1 }],
    ["a: ['???', '=']\n", { a: ['???', '='] }],
    ['a: ! 1\n', { a: '1' }],
    ['a: !!str 1\n', { a: '1' }],
    ['&x a: 1\nb: *x\n', { a: 1, b: 'a' }],
    ['a: &x {b: 1}\nc: {<<: *x}\n', { a: { b: 1 }, c: { b: 1 } }],
    ['a: &x {b: 1}\nc: {<<: [*x]}\n', { a: { b: 1 }, c: { b: 1 } }],
    ['a: "x"#c\nb: [1]#c\nc: {d: 1}# c\n', { a: 'x', b: [1], c: { d: 1 } }],
    ['a: [1,#c\n2]\n', { a: [1, 2] }],
    ['a: ["x #y",\nb\n]\n', { a: ['x #y', 'b'] }],
  ])('is not reported for what PyYAML accepts: %j', (text, data) => {
    const [document] = parseYaml('/c.yaml', text);
    expect(document?.problems).toEqual([]);
    expect(document?.root === undefined ? undefined : dataOf(document.root)).toEqual(data);
  });

  it('is not reported in a template, which is filled in first, or beside a syntax error', () => {
    expect(problemsOf('a: {{ b }}\n')).toEqual([]);
    expect(problemsOf('a: =\nb: @c\n').map(({ isPythons }) => isPythons)).toEqual([undefined]);
  });
});
