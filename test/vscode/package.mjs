// Packages what is built in dist/ as the extension, build/oomlint.vsix of the harness. The extension's parts are gathered first: the
// npm package has the same manifest and holds other parts.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { crc32, deflateRawSync } from 'node:zlib';
import { build, harness, modules, node, root, vsix } from './paths.mjs';

const require = createRequire(join(harness, 'package.json'));
const { deflateAsync } = require('@gfx/zopfli');
const { minifySync } = require('@swc/core');
const { Uint8ArrayReader, Uint8ArrayWriter, ZipReader, ZipWriter } = require('@zip.js/zip.js');

/** Largest package in bytes. */
const largest = 1_500_000;

/** Ways to minify a program: which one compresses best varies, since shorter code may repeat itself less. */
const ways = [{ passes: 3 }, { passes: 3, reduce_vars: false, inline: 0 }];

/** What the extension is made of. */
const parts = [
  ...['README.md', 'CHANGELOG.md', 'LICENSE', 'assets/icon.png', 'assets/walkthrough'],
  ...['dist/client.cjs', 'dist/languageClient.cjs', 'dist/browser.cjs', 'dist/worker.js'],
  ...['dist/extensionServer.cjs', 'dist/engine.cjs'],
  ...['dist/knowledge', 'dist/syntaxes', 'dist/config.schema.json', 'dist/THIRD-PARTY-NOTICES.txt'],
];

const stage = join(build, 'package');
rmSync(stage, { recursive: true, force: true });
mkdirSync(stage, { recursive: true });
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
manifest.files = ['assets', 'dist', 'README.md', 'CHANGELOG.md', 'LICENSE'];
for (const field of ['scripts', 'bin', 'exports', 'dependencies', 'devDependencies']) delete manifest[field];
for (const path of parts) cpSync(join(root, path), join(stage, path), { recursive: true });
for (const path of parts.filter((part) => /\.c?js$/.test(part))) makeSmaller(join(stage, path));
writeFileSync(join(stage, 'package.json'), JSON.stringify(manifest, null, 2));
const done = spawnSync(
  node,
  [join(modules, '@vscode/vsce/vsce'), 'package', '--no-dependencies', '--out', vsix],
  {
    cwd: stage,
    encoding: 'utf8',
  },
);
rmSync(stage, { recursive: true, force: true });
if (done.status !== 0) throw new Error(`vsce: ${done.stdout}${done.stderr}`);
if (/WARNING/.test(`${done.stdout}${done.stderr}`))
  throw new Error(`vsce warns: ${done.stdout}${done.stderr}`);
writeFileSync(vsix, await smallest(readFileSync(vsix)));
const { size } = statSync(vsix);
if (size > largest) throw new Error(`the extension has ${size} bytes, more than ${largest}`);
console.log(`packaged oomlint.vsix (${Math.round(size / 1024)} KiB)`);

/**
 * Minifies a program for the best compression: a twelfth smaller than the output of the build, which has to be quick. Top-level names are
 * mangled as well: each program is a module or a function whose names nobody knows.
 */
function makeSmaller(path) {
  const program = readFileSync(path, 'utf8');
  const options = { mangle: { toplevel: true }, module: false, format: { asciiOnly: true, comments: false } };
  const written = ways.map(
    (way) => minifySync(program, { ...options, compress: { ...way, toplevel: true } }).code,
  );
  const sizes = written.map((code) => deflateRawSync(code, { level: 9 }).length);
  writeFileSync(path, written[sizes.indexOf(Math.min(...sizes))]);
}

/** The same archive, compressed as well as its format allows: zlib at its best leaves it 4 % larger, and vsce uses zlib at a fast level. */
async function smallest(archive) {
  const zip = new ZipWriter(new Uint8ArrayWriter(), { passThrough: true, extendedTimestamp: false });
  for (const entry of await new ZipReader(new Uint8ArrayReader(archive)).getEntries()) {
    const contents = await entry.getData(new Uint8ArrayWriter());
    await zip.add(entry.filename, new Uint8ArrayReader(await deflateAsync(contents, { numiterations: 5 })), {
      uncompressedSize: contents.length,
      signature: crc32(contents),
      compressionMethod: 8,
    });
  }
  return zip.close();
}
