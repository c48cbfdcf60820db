import { describe, expect, test } from 'vitest';
import type { YamlDocument } from '../../../server/src/yaml/document.ts';
import { interpolated, withNode } from '../../../server/src/yaml/interpolate.ts';
import { parseYaml } from '../../../server/src/yaml/parse.ts';

const raw = (text: string): YamlDocument => {
  const [document] = parseYaml('/c.yaml', text);
  if (document === undefined) throw new Error('no document');
  return document;
};
const resolved = (text: string): YamlDocument => interpolated(raw(text));
const value = (document: YamlDocument, path: string) => {
  const found = document.at(path.split('.'))?.value;
  return found?.kind === 'known' ? found.data : found;
};

describe('values', () => {
  test('take the type of what they refer to', () => {
    const document = resolved(
      'a: {b: 4, c: true, s: "5"}\nx: ${a.b}\ny: ${a.c}\nz: ${a.s}\nl: [7, 8]\ni: ${l[1]}\nj: ${l.0}\n',
    );
    expect(['x', 'y', 'z', 'i', 'j'].map((key) => value(document, key))).toEqual([4, true, '5', 8, 7]);
  });

  test('join into text as Python prints them', () => {
    const document = resolved('n: 8\nt: true\nf: 1e-6\nm: null\nh: 2.0\nx: d${n}t2-${t}-${f}-${m}-${h}\n');
    expect(value(document, 'x')).toBe('d8t2-True-1e-06-None-2.0');
  });

  test('may be relative, nested and chained', () => {
    const document = resolved(
      'size: big\nmodels: {big: {layers: 80}}\nactor:\n  tp: 2\n  pp: ${.tp}\n  inner: {x: "${..tp}"}\nl: ${models.${size}.layers}\nm: ${l}\n',
    );
    expect(['actor.pp', 'actor.inner.x', 'l', 'm'].map((path) => value(document, path))).toEqual([
      2, 2, 80, 80,
    ]);
  });

  test('of whole maps are shared, with their own interpolations resolved', () => {
    const document = resolved(
      'dtype: bf16\nactor:\n  path: /m\n  opt: {dtype: "${dtype}", lr: 1}\nref:\n  opt: ${actor.opt}\n  lr: ${ref.opt.lr}\n',
    );
    expect(value(document, 'ref.opt.dtype')).toBe('bf16');
    expect(value(document, 'ref.lr')).toBe(1);
  });

  test('that cannot be known are unknown', () => {
    const document = resolved(
      'a: ${oc.env:HOME,/x}\nb: pre-${oc.env:X}\nc: ${no.such}\nd: ${env:Y}\ne: ${\nf: ${a}\n',
    );
    for (const key of ['a', 'b', 'c', 'd', 'e', 'f']) expect(document.at([key])?.value.kind).toBe('unknown');
    expect(document.at(['b'])?.pieces.map((piece) => piece.kind)).toEqual(['text', 'hole']);
    expect(document.problems).toEqual([]);
  });

  test('with an escaped dollar are text', () => {
    expect(value(resolved("a: '\\${b}'\n"), 'a')).toBe('${b}');
    expect(value(resolved("b: 1\na: '\\\\${b}'\n"), 'a')).toBe('\\1');
  });
});

test('origins lead to where the text was first written', () => {
  const text = 'root: /data\nsave: ${root}/ckpt\nagain: ${save}/x\n';
  const pieces = resolved(text).at(['again'])?.pieces ?? [];
  const shown = pieces.map((piece) => [
    piece.kind === 'text' ? piece.text : piece.label,
    text.slice(piece.origin.place.span.start, piece.origin.place.span.end),
    piece.origin.via.map((place) => text.slice(place.span.start, place.span.end)),
  ]);
  expect(shown).toEqual([
    ['/data', '/data', ['${save}', '${root}']],
    ['/ckpt', '/ckpt', ['${save}']],
    ['/x', '/x', []],
  ]);
});

test('cycles are a problem, and unknown', () => {
  const document = resolved('a: ${b}\nb: ${c}\nc: ${a}\nd: {e: "${d}"}\nok: 1\n');
  expect(document.at(['a'])?.value.kind).toBe('unknown');
  expect(document.problems.length).toBeGreaterThan(0);
  expect(value(document, 'ok')).toBe(1);
});

test('a map or list within a text is no cycle, and unknown', () => {
  const document = resolved('a: [1, "${c}"]\nc: x${a}\nd: ${a}\n');
  expect(document.problems).toEqual([]);
  expect(document.at(['c'])?.value.kind).toBe('unknown');
});

test('nothing below a map that refers to itself is taken as written', () => {
  const document = resolved('a: {b: "${a}", c: "${d}"}\nd: 1\n');
  expect(document.problems.length).toBeGreaterThan(0);
  expect(document.at(['a', 'b'])?.entries).toEqual([]);
});

test('a large float is printed as Python does', () => {
  expect(value(resolved('a: 100000000000000000000.0\nb: 3.0e15\nt: ${a} ${b}\n'), 't')).toBe(
    '1e+20 3000000000000000.0',
  );
});

test('long chains and growing maps stay bounded', () => {
  const chain = Array.from({ length: 5000 }, (_, i) => `k${i}: \${k${i + 1}}\n`).join('');
  expect(resolved(`${chain}k5000: 1\n`).root?.entries).toHaveLength(5001);
  const growing = Array.from({ length: 40 }, (_, i) => `m${i + 1}: {a: "\${m${i}}", b: "\${m${i}}"}\n`).join(
    '',
  );
  const document = resolved(`m0: {x: 1}\n${growing}`);
  expect(document.at(['m40'])?.kind).toBe('map');
});

test('an override applied first is seen by what refers to it', () => {
  const [given] = parseYaml('/o', '9\n');
  const document = raw('actor: {tp: 1}\nref: {tp: "${actor.tp}"}\n');
  if (given?.root === undefined) throw new Error('no node');
  expect(value(interpolated(withNode(document, ['actor', 'tp'], given.root)), 'ref.tp')).toBe(9);
  expect(value(withNode(document, ['new', 'key'], given.root), 'new.key')).toBe(9);
});

test('a document without interpolation is returned as it is', () => {
  const document = raw('a: {b: $x}\n');
  expect(interpolated(document)).toBe(document);
});
