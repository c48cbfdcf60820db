import { describe, expect, it } from 'vitest';
import type { YamlNode } from '../../../server/src/yaml/document.ts';
import { parsePastFaults } from '../../../server/src/yaml/pastFaults.ts';

/** A tree as plain data, with `?` for what is unknown. */
function data(node: YamlNode | undefined): unknown {
  if (node === undefined) return undefined;
  if (node.kind === 'list') return node.items.map(data);
  if (node.kind === 'map')
    return Object.fromEntries(node.entries.map((entry) => [entry.key, data(entry.node)]));
  return node.value.kind === 'known' ? node.value.data : '?';
}

/** What is read of a text, and the lines that are not. */
function read(text: string) {
  const [document] = parsePastFaults('/c.yaml', text);
  return {
    data: data(document?.root),
    unread: document?.unread.map(({ start, end }) => text.slice(start, end)),
    problems: document?.problems.filter(({ isSyntax }) => isSyntax === true).length,
  };
}

describe('a text that no reader accepts', () => {
  it.each([
    ['a key that is being written', '  b'],
    ['a key without its colon', '  b 1'],
    ['an open quote', '  b: "x'],
    ['an open bracket', '  b: [1, 2'],
    ['an open brace', '  b: {x: 1'],
    ['a second colon', '  b: x: y'],
    ['a character that starts no value', '  b: @x'],
    ['a key that is indented deeper', '    b: 1'],
  ])('is read around the line with %s', (_, line) => {
    const { data, unread, problems } = read(`a:\n  x: 0\n${line}\n  c: 3\nd: 4\n`);
    expect(data).toMatchObject({ a: { x: 0, b: '?', c: 3 }, d: 4 });
    expect(unread).toEqual([line]);
    expect(problems).toBeGreaterThan(0);
  });

  it('is read around a key indented less than its neighbours', () => {
    const { data, unread } = read('a:\n  x: 0\n b: 1\n  c: 3\nd: 4\n');
    expect(data).toMatchObject({ a: { x: 0, b: '?', c: 3 }, b: '?', d: 4 });
    expect(unread).toEqual([' b: 1']);
  });

  it('is read around a dash that is to become a key', () => {
    expect(read('a:\n  --x: 0\n  -\n  --c: 3\n')).toMatchObject({
      data: { a: { '--x': 0, '--c': 3 } },
      unread: ['  -'],
    });
  });

  it('is read around several lines', () => {
    const { data, unread } = read('a: 1\nb: "x\nc: 3\nd: [1\ne: 5\n');
    expect(data).toMatchObject({ a: 1, b: '?', d: '?', e: 5 });
    expect(unread).toHaveLength(2);
  });

  it('makes the value of a repeated key unknown', () => {
    expect(read('a: 1\nb: 2\na: "x\nc: 3\n').data).toEqual({ a: '?', b: 2, c: 3 });
  });

  it('makes a map unknown if its only entry is not read', () => {
    expect(read('a:\n  b: @x\nc: 3\n').data).toMatchObject({ a: '?', c: 3 });
  });

  it.each([
    ['the line is the one that others belong to', 'a\n  b: 1\n  c: 2\nd: 4\n'],
    ['the line is an item of a list', 'a:\n  - "x\n  - y\nb: 2\n'],
    ['there are too many', 'a: @x\nb: @x\nc: @x\nd: @x\ne: @x\nf: 1\n'],
    ['something else may stand for it', 'a: &x 1\nb: @y\nc: *x\n'],
  ])('is not read further if %s', (_, text) => {
    expect(read(text)).toMatchObject({ unread: [], problems: expect.any(Number) });
  });

  it('keeps the places of what it reads', () => {
    const text = 'a: 1\r\nb: "x\r\nc: 3\r\n';
    const [document] = parsePastFaults('/c.yaml', text);
    const { start, end } = document?.at(['c'])?.place.span ?? { start: 0, end: 0 };
    expect(text.slice(start, end)).toBe('3');
    expect(document?.text).toBe(text);
  });
});
