import { describe, expect, test } from 'vitest';
import { applyEdits } from '../../../server/src/text/edit.ts';
import type { YamlDocument, YamlNode } from '../../../server/src/yaml/document.ts';
import { parseYaml, scalarValue } from '../../../server/src/yaml/parse.ts';
import { processorTime } from '../../support/processorTime.ts';

const only = (text: string): YamlDocument => {
  const [document, ...more] = parseYaml('/c.yaml', text);
  if (document === undefined || more.length > 0) throw new Error('expected one document');
  return document;
};
const at = (document: YamlDocument, ...path: (string | number)[]): YamlNode => {
  const node = document.at(path);
  if (node === undefined) throw new Error(`nothing at ${path.join('.')}`);
  return node;
};
const slice = (document: YamlDocument, node: YamlNode): string =>
  document.text.slice(node.place.span.start, node.place.span.end);
const data = (node: YamlNode) => (node.value.kind === 'known' ? node.value.data : node.value);
const text = (node: YamlNode): string =>
  node.pieces.map((piece) => (piece.kind === 'text' ? piece.text : piece.label)).join('');

test.each([
  ['a: |\n  x', 'x'],
  ['a: >-\n  x', 'x'],
  ['a: |+\n  x', 'x'],
  ['a: |2\n   x\n  y', ' x\ny'],
  ['a: |\r\n  x\r\n', 'x\n'],
  ['a: |\n  x\n', 'x\n'],
])('multi-line text ends in a line break only if the file does: %j', (written, value) => {
  expect(data(at(only(written), 'a'))).toBe(value);
  expect(text(at(only(written), 'a'))).toBe(value);
});

describe('places', () => {
  test('cover keys and values, quotes included, comments not', () => {
    const document = only('actor: # main\n  lr: "1e-6" # rate\n  list: [1, two]\n  none:\nlast: 5');
    expect(slice(document, at(document, 'actor', 'lr'))).toBe('"1e-6"');
    expect(slice(document, at(document, 'actor', 'list', 1))).toBe('two');
    expect(slice(document, at(document, 'actor'))).toBe('lr: "1e-6" # rate\n  list: [1, two]\n  none:');
    expect(data(at(document, 'actor', 'none'))).toBeNull();
    expect(at(document, 'actor', 'none').style).toBe('none');
    const [entry] = document.root?.entries ?? [];
    expect(entry?.keyPlace.span).toEqual({ start: 0, end: 5 });
  });

  test('hold after a byte-order mark, CRLF and emoji', () => {
    const document = only('\uFEFFa: "😀"\r\nb:\r\n  c: 7\r\n');
    expect(slice(document, at(document, 'a'))).toBe('"😀"');
    expect(slice(document, at(document, 'b', 'c'))).toBe('7');
  });

  test('of the pieces of folded and escaped text are exact', () => {
    const document = only(
      "a: \"x\\n\n  y\"\nb: 'it''s'\nc: >\n  one\n  two\n\n  three\nd: |-\n    p\n      q\n",
    );
    expect(text(at(document, 'a'))).toBe('x\n y');
    expect(text(at(document, 'b'))).toBe("it's");
    expect(text(at(document, 'c'))).toBe('one two\nthree\n');
    expect(text(at(document, 'd'))).toBe('p\n  q');
    const words = at(document, 'c').pieces.filter((piece) => piece.origin.verbatim);
    expect(
      words.map((piece) => document.text.slice(piece.origin.place.span.start, piece.origin.place.span.end)),
    ).toEqual(['one', 'two\n', 'three\n']);
  });
});

describe('duplicate keys, aliases and merges', () => {
  test('the last of equal keys wins and refers to the other', () => {
    const document = only('a: 1\nb: 2\na: 3\n');
    expect(document.root?.entries.map((entry) => entry.key)).toEqual(['b', 'a']);
    expect(data(at(document, 'a'))).toBe(3);
    expect(document.root?.entries[1]?.duplicateOf?.keyPlace.span).toEqual({ start: 0, end: 1 });
  });

  test('an alias has the place of its anchor and records its own', () => {
    const document = only('x: &n 8\ny: *n\n');
    const node = at(document, 'y');
    expect(data(node)).toBe(8);
    expect(slice(document, node)).toBe('8');
    expect(node.alias?.span).toEqual({ start: 11, end: 13 });
    expect(node.pieces[0]?.origin.via).toEqual([node.alias]);
  });

  test('merged keys come first, own keys win, and the first of a list wins', () => {
    const document = only('p: &p {a: 1, b: 1}\nq: &q {b: 2, c: 2}\nr:\n  <<: [*p, *q]\n  a: 3\n');
    const map = at(document, 'r');
    expect(map.entries.map((entry) => [entry.key, data(entry.node)])).toEqual([
      ['b', 1],
      ['c', 2],
      ['a', 3],
    ]);
    expect(map.entries.map((entry) => entry.mergedFrom === undefined)).toEqual([false, false, true]);
  });

  test('an alias without its anchor, or inside it, is a problem and unknown', () => {
    expect(only('a: *b\n').problems).toHaveLength(1);
    const document = only('a: &a [*a]\n');
    expect(document.problems[0]?.message).toContain('within its own anchor');
    expect(at(document, 'a', 0).value.kind).toBe('unknown');
  });
});

describe('typing', () => {
  test('quotes and tags decide', () => {
    const document = only('a: "8"\nb: !!str 8\nc: !!int "8"\nd: !custom 8\ne: 1e3\nf: on\n');
    expect(['a', 'b', 'c', 'e', 'f'].map((key) => data(at(document, key)))).toEqual([
      '8',
      '8',
      8,
      1000,
      true,
    ]);
    expect(at(document, 'd').value.kind).toBe('unknown');
    expect(scalarValue(at(document, 'e'), 'pyyaml')).toEqual({ kind: 'known', data: '1e3' });
    expect(scalarValue(at(document, 'f'), 'core')).toEqual({ kind: 'known', data: 'on' });
    expect(scalarValue(at(document, 'a'), 'core')).toEqual({ kind: 'known', data: '8' });
  });
});

describe('broken text', () => {
  test('is reported in plain words and read as far as possible', () => {
    const document = only('a: 1\nb: [1, 2\nc: 3\n');
    expect(document.problems[0]?.message).toContain('is never closed');
    expect(data(at(document, 'a'))).toBe(1);
    expect(data(at(document, 'c'))).toBe(3);
    expect(only('a:\n\tb: 1\n').problems[0]?.message).toContain('tabs');
    expect(only('a: "x\n').problems[0]?.message).toContain('never closed');
    expect(only('a: b: c\n').problems[0]?.message).toContain('quote the value');
  });

  test('a key indented deeper than a key with a value is reported, at itself', () => {
    const text = 'a:\n  b: 1\n    c: 2\n';
    const [problem, ...others] = only(text).problems;
    expect(others).toEqual([]);
    expect(problem?.message).toContain('deeper than the one above it');
    expect(text.slice(problem?.span.start, problem?.span.end)).toBe('c');
  });

  test.each([
    ['a:\n  b: 1\n\tc: 2\n\td: 3\n', 'a:\n  b: 1\n  c: 2\n  d: 3\n'],
    ['a:\n  b: 1\n\t# note\n\n\t\tc: 2\n', 'a:\n  b: 1\n\t# note\n\n  c: 2\n'],
    ['a:\n\tb: 1\n', undefined],
    ['a:\n\tb: 1\n  c: 2\n', 'a:\n  b: 1\n  c: 2\n'],
    ['a:\n  - b\n\tc: 2\n', undefined],
    ['a:\n  b: [1\n\tc: 2\n', undefined],
  ])('tabs become the indentation of the line above if that is clear: %j', (text, mended) => {
    const mends = only(text).problems.flatMap(({ mend }) => mend ?? []);
    expect(mends.map(({ edits }) => applyEdits(text, edits))[0]).toBe(mended);
  });

  test('conflict markers are reported one by one and both sides are read', () => {
    const document = only('a: 1\n<<<<<<< HEAD\nb: 2\n=======\nb: 3\n>>>>>>> other\nc: 4\n');
    expect(
      document.problems.map((problem) => document.text.slice(problem.span.start, problem.span.end)),
    ).toEqual(['<<<<<<< HEAD', '=======', '>>>>>>> other']);
    expect(data(at(document, 'b'))).toBe(3);
    expect(data(at(document, 'c'))).toBe(4);
  });

  test('an empty text and a text of comments have no root', () => {
    expect(only('').root).toBeUndefined();
    expect(only('# nothing\n').root).toBeUndefined();
    expect(
      parseYaml('/c.yaml', 'a: 1\n---\nb: 2\n').map((document) => document.root?.entries[0]?.key),
    ).toEqual(['a', 'b']);
  });
});

describe('bombs', () => {
  test.each(['[', '- ', '? ', '{a: '])('100,000 of %j are refused, not followed', (opening) => {
    const document = only(opening.repeat(100_000));
    expect(document.problems.map((problem) => problem.message).join()).toContain('levels deep');
  });

  test('a billion laughs stays small', () => {
    const levels = Array.from(
      { length: 60 },
      (_, i) => `a${i + 1}: &a${i + 1} [${Array(9).fill(`*a${i}`).join(', ')}]\n`,
    );
    const document = only(`a0: &a0 [x]\n${levels.join('')}`);
    let met = 0;
    const walk = (node: YamlNode): void => {
      met += 1;
      if (met > 1_000_000) throw new Error('too many nodes');
      for (const item of node.items) walk(item);
      for (const entry of node.entries) walk(entry.node);
    };
    if (document.root !== undefined) walk(document.root);
    expect(met).toBeGreaterThan(1000);
    expect(document.problems).toHaveLength(1);
    expect(document.problems[0]?.severity).toBe('warning');
  });

  test('wide maps and many merges take proportional time', () => {
    const wide = (count: number) => Array.from({ length: count }, (_, i) => `key${i}: ${i}\n`).join('');
    const merges = `base: &base {a: 1, b: 2}\n${Array.from({ length: 1000 }, (_, i) => `m${i}:\n  <<: *base\n  c: ${i}\n`).join('')}`;
    const took = (source: string): number => processorTime(() => only(source));
    const least = (source: string): number => Math.min(took(source), took(source), took(source));
    // There would be 800 million pairs of keys; the constant allows for garbage collection.
    expect(least(wide(40_000))).toBeLessThan(least(wide(10_000)) * 12 + 300);
    expect(took(merges)).toBeLessThan(20_000);
  });

  test('a block text within broken brackets ends where the text does', () => {
    const text = 'a: [}>-a: a: ';
    const end = (node: YamlNode): number =>
      Math.max(node.place.span.end, ...node.items.map(end), ...node.entries.map((entry) => end(entry.node)));
    const { root } = only(text);
    expect(root === undefined ? 0 : end(root)).toBe(text.length);
  });
});
