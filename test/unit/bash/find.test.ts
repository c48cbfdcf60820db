import { expect, test } from 'vitest';
import { lines } from './support.ts';

const files = {
  '/repo/configs/b.yaml': 'lr: 2\n',
  '/repo/configs/a.yaml': 'lr: 1\n',
  '/repo/configs/.hidden.yaml': '',
  '/repo/configs/deep/c.yaml': '',
  '/repo/configs/deep/d.json': '',
};

const words = (text: string): string | undefined => lines(`python t.py ${text}`, { files }).at(-1)?.slice(12);

test.each([
  ["$(find configs -maxdepth 1 -name '[ab]*.yaml' | sort)", 'configs/a.yaml configs/b.yaml'],
  [
    "$(find configs/ -name '*.yaml' ! -name '.*' | sort -r)",
    'configs/deep/c.yaml configs/b.yaml configs/a.yaml',
  ],
  ["$(find ./configs -type f -name '*.json')", './configs/deep/d.json'],
  ['$(find configs -mindepth 1 -type d)', 'configs/deep'],
  ['$(find configs -mindepth 2 -not -name d.json)', 'configs/deep/c.yaml'],
  ["$(find configs -path '*deep/c*' -print)", 'configs/deep/c.yaml'],
  ['$(find configs -type f | wc -l)', '5'],
  ['$(F=$(find configs -name "?.yaml"); printf %s "$F" | wc -l)', '2'],
  ["[$(find configs -name '*.none')]", '[]'],
  ['$(cd configs && find -maxdepth 1 -iname "A.Y*")', './a.yaml'],
  ["$(find configs -name '?.yaml' | sort | head -n 1)", 'configs/a.yaml'],
])('%s', (text, expected) => {
  expect(words(text)).toBe(expected);
});

test.each([
  'find configs -name "*.yaml"',
  'find configs -name "*.yaml" | head -n 1',
  'find configs -name "*.yaml" | sort -k 2',
  'find configs -newer x | sort',
  'find /data -name x | sort',
  'find $DIR -name x | sort',
  'find nowhere | sort',
])('is unknown: %s', (text) => {
  expect(words(`"$(${text})"`)).toMatch(/^<.*>$/);
});

test('nor is it known after a program that may have created files', () => {
  const text = 'python prepare.py\nF=$(find configs -name a.yaml)\npython t.py "$F"';
  expect(lines(text, { files }).at(-1)).toBe('python t.py <$(find configs -name a.yaml)>');
});

test('a loop visits the found files in unknown order', () => {
  const loop =
    'N=0; for F in $(find configs -name "?.yaml"); do python t.py $F $N; N=1; done; python t.py $N';
  const started = lines(loop, { files });
  for (const name of ['configs/a.yaml', 'configs/b.yaml', 'configs/deep/c.yaml'])
    expect(started.filter((line) => line.startsWith(`python t.py ${name} <$N`))).toHaveLength(1);
  expect(started.at(-1)).toMatch(/^python t.py <\$N/);
});

test.each([
  ['continue', ['configs/a.yaml', 'configs/b.yaml', 'configs/deep/c.yaml']],
  ['[ "$F" = configs/a.yaml ] && continue', ['configs/b.yaml', 'configs/deep/c.yaml']],
  ['case $F in */a.yaml|*/b.yaml) continue;; esac', ['configs/deep/c.yaml']],
])('a loop visits all found files, even if it skips some: %s', (step, expected) => {
  const [before, behind] = step === 'continue' ? ['', step] : [step, ''];
  const loop = `for F in $(find configs -name "?.yaml"); do ${before}\npython t.py $F\n${behind}\ndone`;
  const started = lines(loop, { files }).filter((line) => line.startsWith('python'));
  for (const name of expected) expect(started).toContain(`python t.py ${name}`);
  expect(started.filter((line) => !line.includes('<'))).toHaveLength(expected.length);
});

test('an iteration that continues the outer loop skips what was found after it', () => {
  const inner =
    'for F in $(find configs -name "?.yaml"); do [ $F = configs/b.yaml ] && continue 2; python t.py $F; done';
  const started = lines(`for N in 1; do ${inner}; done`, { files }).filter((line) =>
    line.startsWith('python'),
  );
  expect(started).toHaveLength(1);
  expect(started[0]).toContain('<');
});

test.each([
  ['find configs -name "?.yaml" | while read -r F; do python t.py $F; done'],
  ['while IFS= read -r F; do python t.py "$F"; done < <(find configs -name "?.yaml")'],
  ['find configs -name "?.yaml" -print0 | while IFS= read -r -d "" F; do python t.py "$F"; done'],
])('a loop reads the found files in unknown order: %s', (text) => {
  expect([...lines(text, { files })].sort()).toEqual([
    'python t.py configs/a.yaml',
    'python t.py configs/b.yaml',
    'python t.py configs/deep/c.yaml',
  ]);
});

test('but no further if an iteration may read on itself', () => {
  const text = 'find configs -name "?.yaml" | while read -r F; do read -r G; python t.py "$F"; done';
  expect(lines(text, { files })).toEqual(['python t.py <$F>']);
});

test.each([
  [
    'find configs -name "?.yaml" -print0 | sort -z | xargs -0 python t.py',
    ['configs/a.yaml configs/b.yaml configs/deep/c.yaml'],
  ],
  [
    'find configs -name "?.yaml" -print0 | sort -rz | xargs -0 -n2 python t.py',
    ['configs/deep/c.yaml configs/b.yaml', 'configs/a.yaml'],
  ],
  ["find configs -name 'a*' -print0 | xargs -0 -I{} python t.py {}", ['configs/a.yaml']],
])('paths may be terminated by NUL: %s', (text, wanted) => {
  expect(lines(text, { files })).toEqual(wanted.map((words) => `python t.py ${words}`));
});
