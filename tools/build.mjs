// Builds everything that is shipped into dist/. Old files go only after the new ones are there, so that a program that
// runs meanwhile does not lose its parts.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { build } from 'esbuild';
import { noticesFor } from './notices.mjs';

const root = resolve(import.meta.dirname, '..');
process.chdir(root);
const dist = join(root, 'dist');
mkdirSync(dist, { recursive: true });

const knowledge = spawnSync(
  process.execPath,
  ['tools/run.mjs', 'tools/buildKnowledge.ts', ...process.argv.slice(2)],
  { stdio: ['ignore', 'ignore', 'inherit'] },
);
if (knowledge.status !== 0) process.exit(knowledge.status ?? 1);
const grammars = spawnSync(process.execPath, ['tools/run.mjs', 'tools/buildGrammars.ts'], {
  stdio: ['ignore', 'ignore', 'inherit'],
});
if (grammars.status !== 0) process.exit(grammars.status ?? 1);

/** Holds facts as texts of JSON, which V8 reads faster than literals of JavaScript: a run over one file takes 2 % less. */
const factsAsTexts = {
  name: 'facts as texts',
  setup: ({ onLoad }) =>
    onLoad({ filter: /[/\\]schemas[/\\].*\.json$/ }, ({ path }) => {
      const facts = JSON.stringify(JSON.parse(readFileSync(path, 'utf8')));
      return { contents: `export default JSON.parse(${JSON.stringify(facts)});`, loader: 'js' };
    }),
};

const common = {
  bundle: true,
  minify: true,
  legalComments: 'none',
  logLevel: 'warning',
  write: false,
  metafile: true,
};
// CommonJS modules, which Node starts a tenth sooner than ES modules (dist/package.json says that they are).
const launcher = build({
  ...common,
  entryPoints: { cli: 'server/src/start/launcher.ts', thread: 'server/src/start/thread.ts' },
  outdir: 'dist',
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  define: { 'import.meta.dirname': '__dirname' },
});
const library = build({
  ...common,
  entryPoints: ['server/src/start/library.ts'],
  outfile: 'dist/api.mjs',
  platform: 'node',
  format: 'esm',
  target: 'node20',
});
/**
 * Leaves a part of Node until something of it is used. Commander takes what starts processes, which takes Node 9 ms to load, for
 * commands that are programs of their own; ours has none.
 */
const whenUsed = (importer, part) => ({
  name: `when used: ${part}`,
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: new RegExp(`^${part}$`) }, (asked) =>
      asked.namespace !== 'when-used' && importer.test(asked.importer)
        ? { path: part, namespace: 'when-used' }
        : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'when-used' }, () => ({
      contents: `module.exports = new Proxy({}, { get: (_, name) => require('${part}')[name] });`,
    }));
  },
});
// What both load: one file, so that its compiled code can be kept.
const program = build({
  ...common,
  entryPoints: ['server/src/start/bundle.ts'],
  outfile: 'dist/program.cjs',
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  define: { 'import.meta.url': '__program' },
  banner: {
    js: "(function(module,exports,require,__filename){const __program=require('node:url').pathToFileURL(__filename).href;",
  },
  footer: { js: '})' },
  supported: { 'dynamic-import': false },
  plugins: [whenUsed(/\/commander\//, 'node:child_process'), factsAsTexts],
});
const extension = { ...common, format: 'cjs', external: ['vscode'] };
/** Leaves a module that is loaded late to a file of its own. */
const apart = (module, file) => ({
  name: `apart: ${file}`,
  setup: ({ onResolve }) =>
    onResolve({ filter: module }, ({ kind }) =>
      kind === 'dynamic-import' ? { path: `./${file}`, external: true } : undefined,
    ),
});
/**
 * What both language clients are made of. The browser's program holds it, since an extension of a web window is a single file, and the
 * client for Node takes it from there: a second copy would make the extension a twentieth larger.
 */
const ofBothClients = [
  'vscode-jsonrpc/lib/common/api.js',
  'vscode-languageserver-protocol/lib/common/api.js',
  'vscode-languageclient/lib/common/api.js',
  'vscode-languageclient/lib/common/client.js',
  'vscode-languageclient/lib/common/utils/is.js',
];
const modules = join(root, 'node_modules');
const lends = {
  name: 'lends what both clients are made of',
  setup: ({ onLoad }) =>
    onLoad({ filter: /[/\\]client[/\\]browser\.ts$/ }, ({ path }) => {
      const lent = ofBothClients.map(
        (name) => `${JSON.stringify(name)}:()=>require(${JSON.stringify(join(modules, name))})`,
      );
      const contents = `${readFileSync(path, 'utf8')}\nexport const ofBothClients={${lent}};`;
      return { contents, loader: 'ts', resolveDir: dirname(path) };
    }),
};
const borrows = {
  name: 'borrows what both clients are made of',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^\.\/browser\.cjs$/ }, ({ path }) => ({ path, external: true }));
    onLoad({ filter: /[/\\]vscode-[a-z-]+[/\\]lib[/\\]common[/\\]/ }, ({ path }) => {
      const name = path.replaceAll('\\', '/').split('/node_modules/').at(-1);
      if (!ofBothClients.includes(name))
        throw new Error(`The client for Node needs ${name}: name it among what both are made of.`);
      return {
        contents: `module.exports=require('./browser.cjs').ofBothClients[${JSON.stringify(name)}]();`,
      };
    });
  },
};
const desktop = build({
  ...extension,
  entryPoints: { client: 'client/desktop.ts', languageClient: 'client/nodeClient.ts' },
  outdir: 'dist',
  outExtension: { '.js': '.cjs' },
  // The language client is four times as slow to load as the rest: it comes with the first file that is ours.
  plugins: [apart(/nodeClient\.ts$/, 'languageClient.cjs'), borrows],
  supported: { 'dynamic-import': false },
  platform: 'node',
  target: 'node20',
});
const browser = build({
  ...extension,
  entryPoints: ['client/browser.ts'],
  outfile: 'dist/browser.cjs',
  plugins: [lends],
  platform: 'browser',
  target: 'es2022',
});
// The extension has two servers, a process and a web worker, and one engine for both, since it is most of their size.
const engine = build({
  ...common,
  entryPoints: ['server/src/lsp/service.ts'],
  outfile: 'dist/engine.cjs',
  format: 'cjs',
  platform: 'browser',
  target: 'es2022',
});
const withEngine = {
  ...common,
  plugins: [apart(/\/service\.ts$/, 'engine.cjs')],
  supported: { 'dynamic-import': false },
};
const extensionServer = build({
  ...withEngine,
  entryPoints: ['server/src/lsp/node.ts'],
  outfile: 'dist/extensionServer.cjs',
  format: 'cjs',
  platform: 'node',
  target: 'node20',
  define: { 'import.meta.url': '__program' },
  banner: { js: "const __program=require('node:url').pathToFileURL(__filename).href;" },
});
const worker = build({
  ...withEngine,
  entryPoints: ['server/src/lsp/worker.ts'],
  outfile: 'dist/worker.js',
  format: 'iife',
  platform: 'browser',
  target: 'es2022',
});
const bundles = await Promise.all([
  launcher,
  library,
  program,
  desktop,
  browser,
  engine,
  extensionServer,
  worker,
]);
/** Code with all other characters escaped. The program is read as ASCII, and esbuild leaves others where they stand in regular expressions. */
const inAscii = (code) =>
  code.replace(/[^\0-\x7f]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
const outputFiles = bundles.flatMap((result) => result.outputFiles);
for (const { path, contents, text } of [...outputFiles].reverse()) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, path.endsWith('program.cjs') ? inAscii(text) : contents);
}
// What tells this build from any other: compiled code and results of an earlier run are kept for the very same one. Packages lose the
// times of their files, so that these cannot tell.
const identity = createHash('sha256').update(readFileSync(join(dist, 'program.cjs')));
for (const name of readdirSync(join(dist, 'knowledge')).sort())
  identity.update(name).update(readFileSync(join(dist, 'knowledge', name)));
writeFileSync(join(dist, 'build-id'), identity.digest('hex').slice(0, 16));
chmodSync(join(dist, 'cli.js'), 0o755);
writeFileSync(join(dist, 'package.json'), JSON.stringify({ type: 'commonjs' }));
copyFileSync('server/api.d.ts', join(dist, 'api.d.mts'));
writeFileSync(
  join(dist, 'THIRD-PARTY-NOTICES.txt'),
  noticesFor(bundles.flatMap(({ metafile }) => Object.keys(metafile.inputs))),
);
// The npm package holds the program and the library; what only the editor extension needs stays out of it.
writeFileSync(
  join(dist, '.npmignore'),
  [
    ...['browser.cjs', 'client.cjs', 'languageClient.cjs', 'engine.cjs', 'extensionServer.cjs', 'worker.js'],
    ...['syntaxes', ''],
  ].join('\n'),
);

const schema = spawnSync(process.execPath, ['tools/run.mjs', 'tools/buildConfigSchema.ts'], {
  stdio: ['ignore', 'ignore', 'inherit'],
});
if (schema.status !== 0) process.exit(schema.status ?? 1);
console.log('built dist/');
