import { describe, expect, it } from 'vitest';
import { dataOf } from '../../../server/src/yaml/data.ts';
import { parseYaml } from '../../../server/src/yaml/parse.ts';

function read(text: string) {
  const [document, ...more] = parseYaml('/c.yaml', text);
  expect(more).toEqual([]);
  return {
    problems: document?.problems.map(({ message }) => message) ?? [],
    data: document?.root === undefined ? undefined : dataOf(document.root),
  };
}

describe('brackets and quotes on lines indented less than their key', () => {
  // What PyYAML makes of them.
  it.each([
    ['a:\n  b: {\n  c: 1\n  }\n', { a: { b: { c: 1 } } }],
    ['a:\n  b: [\n1, # one\n2\n]\n  c: 3\n', { a: { b: [1, 2], c: 3 } }],
    ['- a: [\n  1\n]\n- b\n', [{ a: [1] }, 'b']],
    ['a: "x\ny"\nb: 1\n', { a: 'x y', b: 1 }],
    ["a:\n  b: 'x\ny'\n  c: 1\n", { a: { b: 'x y', c: 1 } }],
    ["a:\n  b: [\n  don't, \"]\n  \", ']'\n  ]\n", { a: { b: ["don't", '] ', ']'] } }],
    ['a: "x\n---y"\n', { a: 'x ---y' }],
    ['a:\n  b: "x\n\ny"\n', { a: { b: 'x\ny' } }],
  ])('are read: %j', (text, expected) => {
    expect(read(text)).toEqual({ problems: [], data: expected });
  });

  it('keep their places', () => {
    const text = 'a:\n  b: {\n  c: 1\n  }\n  d: 2\n';
    const [document] = parseYaml('/c.yaml', text);
    const span = document?.at(['a', 'b', 'c'])?.place.span;
    expect(text.slice(span?.start, span?.end)).toBe('1');
    expect(document?.at(['a', 'd'])?.place.span.start).toBe(text.indexOf('2'));
  });

  it.each(['a: "x\nb: 1\n', 'a: [1,\nb: 2\n', 'a: "x\n--- y"\n', 'a: {\n  b: 1\nc: 2\n'])(
    'are reported if they are not closed: %j',
    (text) => {
      const problems = parseYaml('/c.yaml', text).flatMap((document) => document.problems);
      expect(problems.some(({ isSyntax }) => isSyntax === true)).toBe(true);
    },
  );
});
