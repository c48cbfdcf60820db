import { readFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { globSync } from 'tinyglobby';
import { expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

it('the page about knowledge names every file of schemas/', () => {
  const page = readFileSync(resolve(root, 'docs/constraints.md'), 'utf8');
  const files = globSync(['*/*.{json,yaml}'], { cwd: resolve(root, 'schemas') });
  const shown = (file: string): string => (/^(?:common|models)\//.test(file) ? file : basename(file));
  expect(files.length).toBeGreaterThan(40);
  expect([...new Set(files.map(shown))].filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});
