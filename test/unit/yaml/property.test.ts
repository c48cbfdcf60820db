import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { YamlNode } from '../../../server/src/yaml/document.ts';
import { embedded } from '../../../server/src/yaml/embedded.ts';
import { interpolated } from '../../../server/src/yaml/interpolate.ts';
import { parseYaml } from '../../../server/src/yaml/parse.ts';

type Tree =
  | { kind: 'scalar'; text: string; style: number }
  | { kind: 'list'; items: Tree[]; flow: boolean }
  | { kind: 'map'; entries: [string, Tree][]; flow: boolean };

const scalarText = fc.oneof(
  fc.stringMatching(/^[a-zA-Z0-9_./-]{1,8}$/),
  fc.string({ unit: 'binary', maxLength: 6 }),
  fc.constantFrom(
    '😀 it\'s "x"',
    'a # b',
    'a: b',
    '- x',
    '${a.b}',
    ' lead',
    'line\nnext\n\n  deeper\n',
    'tab\there',
    '[',
    '\\',
    '#',
  ),
);
const key = fc.stringMatching(/^[a-z][a-z0-9_]{0,6}$/);
const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    fc.record({ kind: fc.constant('scalar' as const), text: scalarText, style: fc.nat(3) }),
    fc.record({
      kind: fc.constant('list' as const),
      items: fc.array(tie('tree'), { minLength: 1, maxLength: 4 }),
      flow: fc.boolean(),
    }),
    fc.record({
      kind: fc.constant('map' as const),
      entries: fc.uniqueArray(fc.tuple(key, tie('tree')), {
        minLength: 1,
        maxLength: 4,
        selector: ([k]) => k,
      }),
      flow: fc.boolean(),
    }),
  ),
}));

const doubleQuoted = (text: string): string =>
  `"${[...text].map((c) => (/^[ !#-[\]-~]$/.test(c) || c > '\u{1f000}' ? c : c === '"' || c === '\\' ? `\\${c}` : c === '\n' ? '\\n' : [...Array(c.length).keys()].map((i) => `\\u${c.charCodeAt(i).toString(16).padStart(4, '0')}`).join(''))).join('')}"`;
const printable = (text: string): boolean => /^[\x20-\x7e\u{1f600}]*$/u.test(text);

function scalar(text: string, style: number, indent: string | undefined): string {
  if (style === 0 && /^[a-zA-Z][a-zA-Z0-9_./-]*$/.test(text)) return text;
  if (style === 1 && printable(text)) return `'${text.replaceAll("'", "''")}'`;
  const block = /^(?:[a-zA-Z][\x20-\x7e]*\n)(?:[\x20-\x7e]*[\x21-\x7e]\n|\n(?!$))*$/;
  if (style === 2 && indent !== undefined && block.test(text))
    return `|\n${text
      .slice(0, -1)
      .split('\n')
      .map((line) => (line === '' ? '' : `${indent}  ${line}`))
      .join('\n')}`;
  return doubleQuoted(text);
}

function flow(node: Tree): string {
  if (node.kind === 'scalar') return scalar(node.text, node.style, undefined);
  if (node.kind === 'list') return `[${node.items.map(flow).join(', ')}]`;
  return `{${node.entries.map(([name, value]) => `${name}: ${flow(value)}`).join(', ')}}`;
}

function block(node: Tree, indent: string): string {
  if (node.kind === 'scalar') return ` ${scalar(node.text, node.style, indent)}\n`;
  if (node.flow) return ` ${flow(node)} # flow\n`;
  const inner = `${indent}  `;
  const lines =
    node.kind === 'list'
      ? node.items.map((item) => `${inner}-${block(item, inner)}`)
      : node.entries.map(([name, value]) => `# about ${name}\n${inner}${name}:${block(value, inner)}`);
  return `\n${lines.join('')}`;
}

function check(expected: Tree, actual: YamlNode | undefined, text: string): void {
  expect(actual?.kind).toBe(expected.kind);
  if (actual === undefined) return;
  const covered = text.slice(actual.place.span.start, actual.place.span.end);
  if (expected.kind === 'scalar') {
    expect(actual.pieces.map((p) => (p.kind === 'text' ? p.text : '')).join('')).toBe(expected.text);
    const alone = parseYaml('/alone', `k: ${covered}\n`)[0]?.at(['k']);
    if (actual.style !== 'block') expect(alone?.value).toEqual(actual.value);
    for (const piece of actual.pieces) {
      const { start, end } = piece.origin.place.span;
      expect(start >= actual.place.span.start && end <= actual.place.span.end + 2).toBe(true);
      if (piece.kind === 'text' && piece.origin.verbatim) expect(text.slice(start, end)).toBe(piece.text);
    }
  } else if (expected.kind === 'list') {
    expect(actual.items).toHaveLength(expected.items.length);
    expected.items.forEach((item, index) => {
      check(item, actual.items[index], text);
    });
  } else {
    expect(actual.entries.map((entry) => entry.key)).toEqual(expected.entries.map(([name]) => name));
    expected.entries.forEach(([name, value], index) => {
      const entry = actual.entries[index];
      expect(text.slice(entry?.keyPlace.span.start, entry?.keyPlace.span.end)).toBe(name);
      check(value, entry?.node, text);
    });
  }
}

test('places cover exactly what was written, in every style', () => {
  fc.assert(
    fc.property(tree, fc.boolean(), fc.boolean(), (value, crlf, mark) => {
      const root: Tree = { kind: 'map', entries: [['root', value]], flow: false };
      const body = block(root, '').slice(1).replaceAll(/^ {2}/gm, '');
      const text = (mark ? '\uFEFF' : '') + (crlf ? body.replaceAll('\n', '\r\n') : body);
      const [document] = parseYaml('/t', text);
      expect(document?.problems).toEqual([]);
      check(root, document?.root, text);
    }),
    { numRuns: 600 },
  );
});

test('no input makes the reader throw, or leave the text', () => {
  const fragment = fc.constantFrom(
    'a: ',
    '- ',
    '[',
    ']',
    '{',
    '}',
    ', ',
    '\n',
    '\n  ',
    '\r\n',
    '"',
    "'",
    '|',
    '>-',
    '&a ',
    '*a',
    '<<: ',
    '? ',
    '# c',
    '${',
    '}',
    '${a.b}',
    '..',
    '!!int ',
    '---\n',
    '\t',
    '😀',
    '%',
    '@',
    'run: |\n  x $(y)\n',
    'command: [bash, -c, "x y"]\n',
    'env: {A: b}\n',
    'image: i\n',
    ': ',
    '1',
  );
  fc.assert(
    fc.property(fc.array(fragment, { maxLength: 40 }), (fragments) => {
      const text = fragments.join('');
      for (const document of parseYaml('/t', text)) {
        for (const problem of document.problems) {
          expect(problem.span.start).toBeLessThanOrEqual(problem.span.end);
          expect(problem.span.end).toBeLessThanOrEqual(text.length);
        }
        const walk = (node: YamlNode): void => {
          expect(node.place.span.end).toBeLessThanOrEqual(text.length);
          for (const piece of node.pieces)
            if (piece.kind === 'text' && piece.origin.verbatim)
              expect(text.slice(piece.origin.place.span.start, piece.origin.place.span.end)).toBe(piece.text);
          for (const entry of node.entries) walk(entry.node);
          for (const item of node.items) walk(item);
        };
        const resolved = interpolated(document);
        if (resolved.root !== undefined) walk(resolved.root);
        for (const part of embedded(document))
          if (part.kind === 'script')
            expect(part.toPlace({ start: 0, end: part.text.length }).span.end).toBeLessThanOrEqual(
              text.length,
            );
      }
    }),
    { numRuns: 3000 },
  );
});
