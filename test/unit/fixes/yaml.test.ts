import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Data } from '../../../server/src/value/value.ts';
import { parseYaml } from '../../../server/src/yaml/parse.ts';
import type { Proposed } from './proposal.ts';
import { fixedYaml, planYaml } from './yamlRun.ts';

const cases: readonly [name: string, before: string, change: Proposed, after: string | undefined][] = [
  [
    'a scalar, with its comment',
    'a:\n  tp: 4  # ranks\n  pp: 2\n',
    { set: { 'a.tp': 2 } },
    'a:\n  tp: 2  # ranks\n  pp: 2\n',
  ],
  ['a quoted text keeps its quotes', "a: 'x' # c\n", { set: { a: "it's" } }, "a: 'it''s' # c\n"],
  ['a text that would be a number', 'a: x\n', { set: { a: '8' } }, 'a: "8"\n'],
  ['a list over a block list', 'a:\n  - 1\n  - 2\nb: 1\n', { set: { a: [3] } }, 'a: [3]\nb: 1\n'],
  ['no list over one with comments', 'a:\n  - 1 # one\n  - 2\nb: 1\n', { set: { a: [3] } }, undefined],
  [
    'a value that was left out',
    'a: # nothing yet\nb: 1\n',
    { set: { a: true } },
    'a: true # nothing yet\nb: 1\n',
  ],
  ['a flow map', 'a: {tp: 4, pp: 2} # c\n', { set: { 'a.pp': 1 } }, 'a: {tp: 4, pp: 1} # c\n'],
  [
    'a new key beside its like',
    'a:\n  recompute_method: x\n  lr: 1\n',
    { set: { 'a.recompute_num_layers': 1 } },
    'a:\n  recompute_method: x\n  recompute_num_layers: 1\n  lr: 1\n',
  ],
  [
    'a new key behind a block',
    'a:\n    b:\n        c: 1 # c\n\n# end\nz: 1\n',
    { set: { 'a.d': 2 } },
    'a:\n    b:\n        c: 1 # c\n    d: 2\n\n# end\nz: 1\n',
  ],
  [
    'missing parents with the indentation found',
    'a:\n    b: 1\n',
    { set: { 'a.m.n.o': 2 } },
    'a:\n    b: 1\n    m:\n        n:\n            o: 2\n',
  ],
  ['missing parents in a flow map', 'a: {b: 1}\n', { set: { 'a.m.n': 2 } }, 'a: {b: 1, m: {n: 2}}\n'],
  [
    "no key without a colon, whose next colon is another key's",
    'a: {x, y: 2}\n',
    { set: { 'a.x': 3 } },
    undefined,
  ],
  ['an empty flow map', 'a: {}\nb: 1\n', { set: { 'a.m': 2 } }, 'a: {m: 2}\nb: 1\n'],
  [
    'a map that was left out',
    'a: # todo\nb: 1\n',
    { set: { 'a.m.n': 2 } },
    'a: # todo\n  m:\n    n: 2\nb: 1\n',
  ],
  ['without a last line break', 'a: 1', { set: { b: 2 } }, 'a: 1\nb: 2'],
  [
    'CRLF',
    'a:\r\n  b: 1\r\nc: 2\r\n',
    { set: { 'a.d': 3, c: 4 }, unset: ['a.b'] },
    'a:\r\n  d: 3\r\nc: 4\r\n',
  ],
  ['a byte-order mark', '\uFEFFa: 1\nb: 2\n', { unset: ['a'], set: { c: 3 } }, '\uFEFFc: 3\nb: 2\n'],
  [
    'a removed key with its block',
    'a: 1\n# about b\nb:\n  c: 1\n  d: [1]\n\ne: 2\n',
    { unset: ['b.c', 'b.d'] },
    'a: 1\n# about b\n\ne: 2\n',
  ],
  [
    'the only key of a map goes with the map',
    'a: 1\nb:\n  c:\n    d: 1\ne: 2\n',
    { unset: ['b.c.d'] },
    'a: 1\ne: 2\n',
  ],
  ['the last section', 'a: 1\n\nb:\n  c: 1\n  d: 2\n', { unset: ['b.c', 'b.d'] }, 'a: 1\n'],
  ['a section between others', 'a: 1\r\n\r\nb: 1\r\n\r\nc: 1\r\n', { unset: ['b'] }, 'a: 1\r\n\r\nc: 1\r\n'],
  ['blank lines that a value ends with', 'a: |+\n  x\n\nb: 1\n', { unset: ['b'] }, 'a: |+\n  x\n\n'],
  ['a small number', 'a: 1.0e-6\n', { set: { a: 0.000005 } }, 'a: 5.0e-6\n'],
  ['the last key of the text', 'a: 1\nb: 2', { unset: ['b'] }, 'a: 1'],
  ['keys of a flow map', 'a: {b: 1, c: 2, d: 3}\n', { unset: ['a.b', 'a.d'] }, 'a: {c: 2}\n'],
  [
    'keys of a flow map, with comments about others',
    'a: {b: 1, # about c\n  c: 2, # about d\n  d: 3}\n',
    { unset: ['a.b', 'a.d'] },
    'a: { # about c\n  c: 2, # about d\n  }\n',
  ],
  ['not the only key of the text', 'a: 1\n', { unset: ['a'] }, undefined],
  [
    'the origin of an interpolation',
    'tp: 4\nactor:\n  tp: ${tp}\n',
    { set: { 'actor.tp': 2 } },
    'tp: 4\nactor:\n  tp: 2\n',
  ],
  [
    'a text in pieces is replaced where it stands',
    'n: 8\nalloc: d${n}t2 # x\n',
    { set: { alloc: 'd4t4' } },
    'n: 8\nalloc: d4t4 # x\n',
  ],
  [
    'an alias is overridden where it is used',
    'a: &x 4\nb: *x # c\n',
    { set: { b: 2 } },
    'a: &x 4\nb: 2 # c\n',
  ],
  ['no value that others repeat', 'a: &x 4\nb: *x\n', { set: { a: 2 } }, undefined],
  ['no list that others repeat', 'a: &x [4]\nb: *x\n', { set: { a: [2] } }, undefined],
  ['no value with a tag that others repeat', 'a: &x !!int 4\nb: *x\n', { set: { a: 2 } }, undefined],
  ['no value below its anchor', 'a: &x # c\n  4\nb: *x\n', { set: { a: 2 } }, undefined],
  [
    'the tag of what stands behind in a flow map stays there',
    'a: {b: 1, !!str c: 2}\n',
    { unset: ['a.b'] },
    'a: {!!str c: 2}\n',
  ],
  ['an anchor that nobody uses', 'a: &x 4\nb: "*xy"\n', { set: { a: 2 } }, 'a: &x 2\nb: "*xy"\n'],
  ['no key whose value others repeat', 'a: &x 4\nb: *x\n', { unset: ['a'] }, undefined],
  [
    'no key of a flow map that carries an anchor',
    'a: {&x b: 1, c: 2, d: *x}\n',
    { unset: ['a.b'] },
    undefined,
  ],
  [
    'a merged key is overridden where it is used',
    'd: &d {tp: 4}\na:\n  <<: *d\n  pp: 1\n',
    { set: { 'a.tp': 2 } },
    'd: &d {tp: 4}\na:\n  <<: *d\n  pp: 1\n  tp: 2\n',
  ],
  ['nothing within an alias', 'd: &d {tp: 4}\na: *d\n', { set: { 'a.tp': 2 } }, undefined],
  ['a key that is there twice stays', 'a: 1\nb: 1\na: 2\n', { unset: ['a'] }, undefined],
  [
    'several changes at once',
    'a:\n  x: 1\n  y: 2\n  z: 3\n',
    { set: { 'a.x': 9, 'a.w': 5 }, unset: ['a.y', 'a.z'] },
    'a:\n  x: 9\n  w: 5\n',
  ],
  ['a block text is replaced whole', 'a: |\n  x\n  y\nb: 1\n', { set: { a: 'z' } }, 'a: z\nb: 1\n'],
  ['what is so already needs no fix', 'a: 1\n', { set: { a: 1 } }, undefined],
];

describe('YAML changes', () => {
  test.each(cases)('%s', (_, before, change, after) => {
    expect(fixedYaml(before, change)).toBe(after);
  });

  test.each([
    ['set', { set: { 'd.tp': 2 } }, 'd: &d\n  tp: 2\n  pp: 1\na: *d\n'],
    ['added', { set: { 'd.cp': 2 } }, 'd: &d\n  tp: 4\n  pp: 1\n  cp: 2\na: *d\n'],
    ['removed', { unset: ['d.tp'] }, 'd: &d\n  pp: 1\na: *d\n'],
  ])(
    'a key of an aliased map is %s there too: the title says so, and it is a suggestion',
    (_, change, after) => {
      const text = 'd: &d\n  tp: 4\n  pp: 1\na: *d\n';
      const fix = planYaml(text, change, 'safe');
      expect(fix).toMatchObject({ title: 'Fix it (also where *d stands)', safety: 'suggested' });
      expect(fixedYaml(text, change)).toBe(after);
      expect(planYaml(text.replace('*d', '{}'), change, 'safe')).toMatchObject({
        title: 'Fix it',
        safety: 'safe',
      });
    },
  );

  test('an interpolation used by only one setting is followed, and the title says so', () => {
    const text = 'x-common: [4]\nactor:\n  tp: ${x-common[0]}\n';
    const fix = planYaml(text, { set: { 'actor.tp': 2 } });
    expect(fix?.title).toBe('Fix it (through x-common.0 on line 1)');
    expect(fixedYaml(text, { set: { 'actor.tp': 2 } })).toBe('x-common: [2]\nactor:\n  tp: ${x-common[0]}\n');
  });
});

const key = fc.constantFrom('a', 'b', 'c', 'd');
type Tree = { [key: string]: Tree | number | number[] };
const { tree } = fc.letrec<{ tree: Tree; value: Tree | number | number[] }>((tie) => ({
  tree: fc.dictionary(key, tie('value'), { minKeys: 1, maxKeys: 4, noNullPrototype: true }),
  value: fc.oneof({ maxDepth: 2 }, fc.nat(9), fc.array(fc.nat(9), { maxLength: 3 }), tie('tree')),
}));

function written(value: Tree, indent: string, random: () => number): string {
  return Object.entries(value)
    .map(([name, each]) => {
      const comment = random() % 3 === 0 ? ` # about ${name}` : '';
      const above = random() % 4 === 0 ? `${indent}# above ${name}\n` : '';
      if (typeof each === 'number' || Array.isArray(each))
        return `${above}${indent}${name}: ${JSON.stringify(each)}${comment}\n`;
      if (random() % 4 === 0)
        return `${above}${indent}${name}: ${JSON.stringify(each).replaceAll('"', '').replaceAll(':', ': ')}${comment}\n`;
      return `${above}${indent}${name}:${comment}\n${written(each, `${indent}  `, random)}`;
    })
    .join('');
}

function plain(text: string): Data {
  const toData = (node: ReturnType<typeof rootOf>): Data => {
    if (node === undefined) return null;
    if (node.kind === 'map')
      return Object.fromEntries(node.entries.map((entry) => [entry.key, toData(entry.node)]));
    if (node.kind === 'list') return node.items.map(toData);
    return node.value.kind === 'known' ? node.value.data : 'unknown';
  };
  return toData(rootOf(text));
}
const rootOf = (text: string) => parseYaml('/p', text)[0]?.root;

test('a change affects only what it says, and no other key, comment or line', () => {
  fc.assert(
    fc.property(
      tree,
      fc.infiniteStream(fc.nat()),
      fc.array(key, { minLength: 1, maxLength: 3 }),
      fc.boolean(),
      fc.boolean(),
      (value, stream, path, remove, crlf) => {
        const random = (): number => stream.next().value ?? 0;
        const body = written(value, '', random);
        const before = crlf ? body.replaceAll('\n', '\r\n') : body;
        const name = path.join('.');
        const after = fixedYaml(before, remove ? { unset: [name] } : { set: { [name]: 77 } });
        if (after === undefined) return;
        const expected = structuredClone(value);
        let at: Tree = expected;
        const way: Tree[] = [expected];
        for (const step of path.slice(0, -1)) {
          const next = at[step] ?? {};
          if (typeof next === 'number' || Array.isArray(next)) throw new Error('edited below a scalar');
          at[step] = next;
          at = next;
          way.push(at);
        }
        const last = path.at(-1) ?? '';
        if (remove) delete at[last];
        else at[last] = 77;
        if (remove)
          for (let depth = way.length - 1; depth > 0; depth -= 1)
            if (Object.keys(way[depth] ?? {}).length === 0) delete way[depth - 1]?.[path[depth - 1] ?? ''];
        expect(plain(after)).toEqual(expected);
        const comments = (text: string) =>
          [...text.matchAll(/^ *# above.*$/gm)].map((match) => match[0].trim());
        if (!remove) expect(comments(after)).toEqual(comments(before));
        expect(after.includes('\r')).toBe(before.includes('\r'));
        const oldLines = before.split('\n');
        const kept = after.split('\n').filter((line) => oldLines.includes(line)).length;
        const replaced = path
          .slice(0, -1)
          .reduce<Tree | number | number[] | undefined>(
            (each, step) => (typeof each === 'object' && !Array.isArray(each) ? each[step] : undefined),
            value,
          );
        const old = typeof replaced === 'object' && !Array.isArray(replaced) ? replaced[last] : undefined;
        const oneLine = typeof old !== 'object' || Array.isArray(old);
        if (!remove && oneLine) expect(kept).toBeGreaterThanOrEqual(oldLines.length - 1);
      },
    ),
    { numRuns: 1500 },
  );
});

test.each([
  [
    'a block',
    '  scheduling_spec: # one for all\n    - gpu: 1\n      cpu: 0 # none\n      cmd: rpc\n',
    'cpu: 0 #',
    'cpu: 8 #',
  ],
  ['flow', '  scheduling_spec: [{gpu: 1, cpu: 0, cmd: rpc}] # one\n', 'cpu: 0', 'cpu: 8'],
  ['an item without it', '  scheduling_spec:\n    - gpu: 1 # each\n', '# each\n', '# each\n      cpu: 8\n'],
])('a key in a list item changes there: in %s', (_, spec, old, now) => {
  const text = `actor:\n${spec}  path: x\n`;
  const change = { set: { 'actor.scheduling_spec[0].cpu': 8 } };
  expect(fixedYaml(text, change)).toBe(text.replace(old, now));
});

test('an item that is elsewhere or missing is left alone', () => {
  const change = { set: { 'ref.scheduling_spec[0].cpu': 8 } };
  const actor = 'actor:\n  scheduling_spec:\n    - cpu: 0\n';
  expect(fixedYaml(`${actor}ref:\n  scheduling_spec: \${actor.scheduling_spec}\n`, change)).toBeUndefined();
  expect(fixedYaml(`${actor}ref:\n  scheduling_spec: []\n`, change)).toBeUndefined();
});
