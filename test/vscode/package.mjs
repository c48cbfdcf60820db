// Packages what is built in dist/ as build/oomlint.vsix of the harness. The files are gathered first, so that packaging does not
// build again.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, modules, node, root, vsix } from './paths.mjs';

/** Largest package in bytes. */
const largest = 1_500_000;

const stage = join(build, 'package');
rmSync(stage, { recursive: true, force: true });
mkdirSync(stage, { recursive: true });
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
delete manifest.scripts['vscode:prepublish'];
for (const path of manifest.files) cpSync(join(root, path), join(stage, path), { recursive: true });
writeFileSync(join(stage, 'package.json'), JSON.stringify(manifest, null, 2));
const done = spawnSync(node, [join(modules, '@vscode/vsce/vsce'), 'package', '--out', vsix], {
  cwd: stage,
  encoding: 'utf8',
});
rmSync(stage, { recursive: true, force: true });
if (done.status !== 0) throw new Error(`vsce: ${done.stdout}${done.stderr}`);
if (/WARNING/.test(`${done.stdout}${done.stderr}`))
  throw new Error(`vsce warns: ${done.stdout}${done.stderr}`);
const { size } = statSync(vsix);
if (size > largest) throw new Error(`the extension has ${size} bytes, more than ${largest}`);
console.log(`packaged oomlint.vsix (${Math.round(size / 1024)} KiB)`);
