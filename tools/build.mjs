// Builds everything that is shipped into dist/. Old files go only after the new ones are there, so that a program that
// runs meanwhile does not lose its parts.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { build } from 'esbuild';

const root = resolve(import.meta.dirname, '..');
process.chdir(root);
const dist = join(root, 'dist');
mkdirSync(dist, { recursive: true });

const knowledge = spawnSync(
  process.execPath,
  ['tools/run.mjs', 'tools/build-knowledge.ts', ...process.argv.slice(2)],
  { stdio: ['ignore', 'ignore', 'inherit'] },
);
if (knowledge.status !== 0) process.exit(knowledge.status ?? 1);

const { outputFiles } = await build({
  entryPoints: { cli: 'server/src/cli/main.ts', server: 'server/src/lsp/node.ts' },
  outdir: 'dist',
  bundle: true,
  splitting: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  minify: true,
  legalComments: 'none',
  chunkNames: 'chunks/[name]-[hash]',
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
  logLevel: 'warning',
  write: false,
});
const written = new Set();
for (const { path, contents } of [...outputFiles].reverse()) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, contents);
  written.add(path);
}
for (const name of readdirSync(join(dist, 'chunks')))
  if (!written.has(join(dist, 'chunks', name))) rmSync(join(dist, 'chunks', name));
chmodSync(join(dist, 'cli.js'), 0o755);
console.log('built dist/');
