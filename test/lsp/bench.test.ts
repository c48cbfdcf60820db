import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';

interface Printed {
  readonly results: readonly {
    readonly server: string;
    readonly file: string;
    readonly change: readonly number[];
  }[];
  readonly along: readonly { readonly edits: number; readonly memory: number }[];
}

test('the server benchmark gets an answer to each of its edits', () => {
  const root = resolve(import.meta.dirname, '../..');
  const done = spawnSync(
    process.execPath,
    ['tools/run.mjs', 'tools/bench/lsp.ts', '--runs', '1', '--edits', '2', '--growth', '2', '--json'],
    { cwd: root, encoding: 'utf8' },
  );
  const { results, along }: Printed = JSON.parse(done.stdout);
  const own = results.filter(({ server }) => server === 'oomlint');
  expect(own.map(({ file }) => file)).toEqual(['run.sh', 'config.yaml', 'long.sh', 'wide.yaml']);
  for (const { change } of own) expect(change).toHaveLength(2);
  expect(along.at(-1)?.edits).toBe(2);
});
