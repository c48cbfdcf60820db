import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build as bundle } from 'esbuild';
import { build } from './paths.mjs';

/** Bundles the tests for a kind of window; mocha and vscode come from where the tests run. */
export async function buildTests(kind) {
  const host = join(import.meta.dirname, 'host');
  const out = join(build, 'host', kind);
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const tests = readdirSync(join(host, kind)).filter((name) => name.endsWith('.test.ts'));
  await bundle({
    entryPoints: [
      { in: join(host, 'index.ts'), out: 'index' },
      ...tests.map((name) => ({ in: join(host, kind, name), out: name.replace(/\.ts$/, '') })),
    ],
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
