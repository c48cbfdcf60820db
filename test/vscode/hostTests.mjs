import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build as bundle } from 'esbuild';
import { build } from './paths.mjs';

/** Bundles the tests; mocha and vscode come from where they run. */
export async function buildTests() {
  const host = join(import.meta.dirname, 'host');
  const out = join(build, 'host');
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  await bundle({
    entryPoints: readdirSync(host)
      .filter((name) => name === 'index.ts' || name.endsWith('.test.ts'))
      .map((name) => join(host, name)),
    outdir: out,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    sourcemap: 'inline',
    external: ['vscode', 'mocha'],
    logLevel: 'warning',
  });
  return join(out, 'index.cjs');
}
