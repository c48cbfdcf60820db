import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readBlocks } from '../../../server/src/yaml/blockReader.ts';
import { documentParts } from '../../../server/src/yaml/documentParts.ts';
import { parseYaml, readFully, readPart } from '../../../server/src/yaml/parse.ts';

const indentation = fc.constantFrom('', '', '  ', '  ', '    ', '      ', ' ', '   ');
const keys = [
  'a',
  'b',
  'model',
  '--tensor-model-parallel-size',
  'x.y',
  '-k',
  '9',
  'on',
  '"q"',
  '?',
  '<<',
  'a b',
  '-',
];
const values = [
  '1',
  '-1',
  'true',
  'text',
  'two words',
  'a#b',
  'a # c',
  '# only',
  '"q"',
  "'s'",
  '"q" # c',
  "'it''s'",
  '"\\n"',
  '""',
  "''",
  "'a' b",
  '${a.b}',
  'a: b',
  'a:',
  ':4096:8',
  ': x',
  '?x',
  '? y',
  '-',
  '- x',
  '--flag',
  '---',
  '[]',
  '{}',
  '[a, 1]',
  '[ a,b ] # c',
  '[a',
  '["a b", c]',
  '[\'a\', "1"]',
  '["a": b]',
  '["a" b]',
  '["a"b]',
  '{a: 1}',
  '[-]',
  '[a:b]',
  '[- 1]',
  '[1.5, true, x/y]',
  '|',
  '|-',
  '|+',
  '| # c',
  '>',
  '>-',
  '>+',
  '> # c',
  '|2',
  '&x 1',
  '*x',
  '!!int 3',
  '%x',
  '@x',
  'x, y',
  '1e3',
  '',
  ' ',
  '~',
  'x ',
  'x: ',
  'http://a.b/c',
  'a\tb',
  '😀 x',
  '#x',
  'x #',
  '`x',
  ',x',
  ']',
  'x]',
];
const line = fc.oneof(
  fc
    .tuple(indentation, fc.constantFrom(...keys), fc.constantFrom(...values))
    .map(([i, k, v]) => `${i}${k}: ${v}`),
  fc.tuple(indentation, fc.constantFrom(...keys)).map(([i, k]) => `${i}${k}:`),
  fc.tuple(indentation, fc.constantFrom(...values)).map(([i, v]) => `${i}- ${v}`),
  fc
    .tuple(
      indentation,
      fc.constantFrom('- ', '-  ', '- - '),
      fc.constantFrom(...keys),
      fc.constantFrom(...values),
    )
    .map(([i, d, k, v]) => `${i}${d}${k}: ${v}`),
  fc.tuple(indentation, fc.constantFrom(...values)).map(([i, v]) => `${i}${v}`),
  fc.tuple(indentation, fc.constantFrom('# c', '', '#', '-', 'text')).map(([i, v]) => `${i}${v}`),
);

/** Both readings of a text, if the quick reader can read it. */
function readings(text: string): readonly [unknown, unknown] | undefined {
  const quick = readBlocks('/a.yaml', text, 'omegaconf').root;
  if (quick === undefined) return undefined;
  const full = readFully('/a.yaml', text, 'omegaconf');
  return [[{ root: quick, problems: [] }], full.map(({ root, problems }) => ({ root, problems }))];
}

test('what the quick reader reads, the full reader reads the same way', () => {
  let read = 0;
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 5 }), fc.boolean(), (lines, ended) => {
      const both = readings(lines.join('\n') + (ended ? '\n' : ''));
      if (both === undefined) return;
      read += 1;
      expect(both[0]).toEqual(both[1]);
    }),
    { numRuns: 30_000 },
  );
  expect(read).toBeGreaterThan(500);
});

test('folded text is read the same as by the full reader', () => {
  const header = fc.constantFrom('>', '>-', '>+', '|', '|-', '|+');
  const inner = fc.constantFrom(
    '  one',
    '  two words',
    '  a: b',
    '  - c',
    '  # d',
    '',
    '',
    '    deeper',
    ' shallow',
  );
  const texts = fc
    .tuple(header, fc.array(inner, { minLength: 1, maxLength: 7 }), fc.constantFrom('', '\n', '\nnext: 1\n'))
    .map(([style, lines, end]) => `a: ${style}\n${lines.join('\n')}${end}`);
  let read = 0;
  fc.assert(
    fc.property(texts, (text) => {
      const both = readings(text);
      if (both === undefined) return;
      read += 1;
      expect(both[0]).toEqual(both[1]);
    }),
    { numRuns: 5000 },
  );
  expect(read).toBeGreaterThan(500);
});

test('a long text with an unfinished part is read the same as by the full reader', () => {
  const long = Array.from({ length: 200 }, (_, at) => `key_${at}: ${at}\n`).join('');
  const shown = (text: string): unknown =>
    parseYaml('/a.yaml', text).map(({ root, problems }) => ({ root, problems }));
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 5 }), (lines) => {
      const text = `${long}${lines.join('\n')}\n`;
      const full = readFully('/a.yaml', text, 'omegaconf');
      expect(shown(text)).toEqual(full.map(({ root, problems }) => ({ root, problems })));
    }),
    { numRuns: 300 },
  );
}, 60_000);

describe('the quick reader reads usual configuration syntax', () => {
  test.each([
    [
      'maps, lists and comments',
      '# head\na:\n  b: 1 # one\n  # two\n  c: x y\n\nd:\n- e: 1\n  f: "2"\n- g\n',
    ],
    ['lists on one line', 'a: [1, b.c, d/e]\nb: []\nc: {}\nd: ["x y", \'z\', 1]\n'],
    ['folded text', 'a: >\n  one\n  two\n\n  three\n\n\n  four\nb: >-\n  five\n  six\n'],
    ['literal blocks', 'run: |\n  a\n\n    b\n  c\nnext: |-\n  d\n'],
    ['equal keys', 'a: 1\nb: 2\na: 3\n'],
  ])('%s', (_, text) => {
    const both = readings(text);
    expect(both).toBeDefined();
    expect(both?.[0]).toEqual(both?.[1]);
  });
});

test.each([
  ['an anchor', 'a: &x 1\nb: *x\n'],
  ['a tag', 'a: !!int 3\n'],
  ['two documents', 'a: 1\n---\nb: 2\n'],
  ['text over several lines', 'a: one\n  two\n'],
  ['an error', 'a: 1\n  b: 2\n'],
  ['deep nesting', Array.from({ length: 300 }, (_, depth) => `${' '.repeat(depth)}a:\n`).join('')],
])('%s is left to the full reader', (_, text) => {
  expect(readBlocks('/a.yaml', text, 'omegaconf').root).toBeUndefined();
});

test('separate documents in one text are read the same as by the full reader', () => {
  const first = fc.constantFrom(
    '---',
    '---',
    '---',
    '--- ',
    '--- # c',
    '--- a',
    '----',
    '...',
    '%A',
    '# c',
    '',
  );
  const plain = fc.constantFrom('a: 1', 'b:\n  - x', 'c: |\n  text', 'd: >+\n  a\n', 'e:', '', '# c');
  const document = fc.array(fc.oneof({ weight: 15, arbitrary: plain }, line), { maxLength: 4 });
  const texts = fc.array(fc.tuple(first, document), { minLength: 1, maxLength: 3 });
  let read = 0;
  fc.assert(
    fc.property(texts, fc.boolean(), (parts, ended) => {
      const text = parts.flatMap(([start, lines]) => [start, ...lines]).join('\n') + (ended ? '\n' : '');
      const quick = documentParts(text).map((part) => readPart('/a.yaml', text, part));
      if (quick.includes(undefined)) return;
      if (quick.length > 1) read += 1;
      const full = readFully('/a.yaml', text, 'omegaconf');
      const whole = parseYaml('/a.yaml', text).map(({ root, problems }) => ({ root, problems }));
      expect(whole).toEqual(full.map(({ root, problems }) => ({ root, problems })));
    }),
    { numRuns: 10_000 },
  );
  expect(read).toBeGreaterThan(500);
});
