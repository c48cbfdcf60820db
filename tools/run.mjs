// Runs a TypeScript program of tools/ without a build step: node tools/run.mjs FILE.ts ARGS…

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';

const [file, ...args] = process.argv.slice(2);
if (file === undefined) {
  console.error('usage: node tools/run.mjs FILE.ts [ARGS…]');
  process.exit(2);
}
const folder = mkdtempSync(join(resolve(import.meta.dirname, '..'), 'node_modules', '.run-'));
try {
  const outfile = join(folder, 'program.mjs');
  await build({
    entryPoints: [resolve(file)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    sourcemap: 'inline',
    logLevel: 'warning',
  });
  // Where node_modules is a link, programs read and write the files of the checkout that they were started in.
  const done = spawnSync(
    process.execPath,
    ['--enable-source-maps', '--preserve-symlinks-main', outfile, ...args],
    { stdio: 'inherit' },
  );
  process.exitCode = done.status ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
