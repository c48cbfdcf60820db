// Builds everything that is shipped into dist/.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { build } from 'esbuild';

const root = resolve(import.meta.dirname, '..');
process.chdir(root);
const dist = join(root, 'dist');
mkdirSync(dist, { recursive: true });
for (const name of readdirSync(dist))
  if (name !== 'knowledge') rmSync(join(dist, name), { recursive: true, force: true });

const knowledge = spawnSync(
  process.execPath,
  ['tools/run.mjs', 'tools/build-knowledge.ts', ...process.argv.slice(2)],
  {
    stdio: ['ignore', 'ignore', 'inherit'],
  },
);
if (knowledge.status !== 0) process.exit(knowledge.status ?? 1);

await build({
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
});
chmodSync(join(dist, 'cli.js'), 0o755);
console.log(`built ${dirname(join(dist, 'cli.js')).replace(`${root}/`, '')}/`);
