// npm run site: builds docs/ and the playground into build/site. Fails on broken links. dist/knowledge must be built.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix, relative, resolve } from 'node:path';
import { build } from 'esbuild';
import { Marked, type Tokens } from 'marked';
import { homepage } from '../../server/src/report/url.ts';

const root = resolve('.');
const out = resolve('build/site');

/** Pages that every page links to, in order. */
const navigation = [
  ['playground.html', 'Playground'],
  ['docs/rules/index.html', 'Rules'],
  ['docs/configuration.html', 'Configuration'],
  ['docs/suppressions.html', 'Suppressions'],
  ['docs/recipes.html', 'Recipes'],
  ['docs/ci.html', 'CI'],
  ['docs/editors.html', 'Editors'],
  ['docs/api.html', 'Library'],
] as const;

/** Pages for readers who want more, linked at the foot of every page. */
const more = [
  ['docs/faq.html', 'Questions'],
  ['docs/windows.html', 'Windows'],
  ['docs/constraints.html', 'Rules of your own'],
  ['docs/json.html', 'JSON'],
  ['docs/coverage.html', 'Coverage'],
  ['docs/found-in-the-wild.html', 'Found in the wild'],
  ['docs/performance.html', 'Performance'],
  ['docs/versioning.html', 'Versions'],
  ['CHANGELOG.html', 'Changes'],
  ['docs/architecture.html', 'Architecture'],
  ['CONTRIBUTING.html', 'Contributing'],
  ['SECURITY.html', 'Security'],
] as const;

function* markdownFiles(folder: string): Generator<string> {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = posix.join(folder, entry.name);
    if (entry.isDirectory()) yield* markdownFiles(path);
    else if (entry.name.endsWith('.md')) yield path;
  }
}

const sources = [
  ...['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md'].filter((name) => existsSync(name)),
  ...markdownFiles('docs'),
];
const problems: string[] = [];

/** The path of the page for a Markdown file. */
function pageOf(source: string): string {
  return source.replace(/(^|\/)README\.md$/, '$1index.md').replace(/\.md$/, '.html');
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

function slug(text: string): string {
  return text
    .toLowerCase()
    .replace(/<[^>]*>|[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');
}

/** A page in which option names do not wrap: otherwise browsers break after each hyphen. */
function withWholeOptions(html: string): string {
  const parts = html.split(/(<pre.*?<\/pre>|<[^>]*>)/s);
  return parts.map((part) => (part.startsWith('<') ? part : part.replace(option, wholeOption))).join('');
}

const option = /(?<![\w-])--[a-z][\w-]*/g;
const wholeOption = '<span class="whole">$&</span>';

/** Adds a link to the playground, which needs no installation, to the start page first. */
function withPlayground(source: string, html: string): string {
  if (source !== 'README.md') return html;
  const link = '<p><a class="start" href="playground.html">Try it in the browser</a></p>';
  return html.replace('<h2 ', `${link}\n<h2 `);
}

/** The target of a page's link: other pages as HTML, files of the repository on GitHub. */
function linkFrom(source: string, href: string): string {
  if (/^(?:\w+:|#)/.test(href)) return href;
  const [path = '', anchor] = href.split('#');
  const target = posix.normalize(posix.join(posix.dirname(source), path));
  if (!existsSync(join(root, target))) {
    problems.push(`${source}: ${href} leads nowhere`);
    return href;
  }
  const suffix = anchor === undefined ? '' : `#${anchor}`;
  if (sources.includes(target))
    return `${posix.relative(posix.dirname(pageOf(source)), pageOf(target))}${suffix}`;
  if (/\.(?:png|webp|svg|jpe?g|gif)$/.test(target)) {
    mkdirSync(dirname(join(out, target)), { recursive: true });
    cpSync(join(root, target), join(out, target));
    return posix.relative(posix.dirname(pageOf(source)), target);
  }
  return `${homepage}/blob/main/${target}${suffix}`;
}

function linksTo(pages: readonly (readonly [string, string])[], page: string, up: string): string {
  return pages
    .map(([to, name]) => `<a href="${up}/${to}"${to === page ? ' aria-current="page"' : ''}>${name}</a>`)
    .join('\n    ');
}

function layout(page: string, title: string, body: string, kind = ''): string {
  const up = posix.relative(posix.dirname(page), '.') || '.';
  return `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta http-equiv="Content-Security-Policy" content="default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:">
  <title>${escaped(title)}</title>
  <link rel="icon" href="${up}/assets/icon.png">
  <link rel="stylesheet" href="${up}/assets/style.css">
</head>
<body class="${kind}">
  <a class="skip" href="#main">Skip to the text</a>
  <header>
    <a class="name" href="${up}/index.html">oomlint</a>
    ${linksTo(navigation, page, up)}
  </header>
  <main id="main">
${body}
  </main>
  <footer>
    ${linksTo(more, page, up)}
  </footer>
</body>
</html>
`;
}

function write(page: string, text: string): void {
  mkdirSync(dirname(join(out, page)), { recursive: true });
  writeFileSync(join(out, page), text);
}

rmSync(out, { recursive: true, force: true });
for (const source of sources) {
  const marked = new Marked({
    gfm: true,
    walkTokens: (token) => {
      if (token.type === 'link' || token.type === 'image') token.href = linkFrom(source, String(token.href));
    },
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading) {
        return `<h${depth} id="${slug(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      code({ text }: Tokens.Code) {
        // Long lines scroll, also with the keyboard.
        return `<pre tabindex="0"><code>${escaped(text)}\n</code></pre>\n`;
      },
    },
  });
  const text = readFileSync(join(root, source), 'utf8');
  const title = /^#\s+(.+)$/m.exec(text)?.[1] ?? source;
  write(
    pageOf(source),
    layout(
      pageOf(source),
      title === 'oomlint' ? title : `${title} – oomlint`,
      `${withPlayground(source, withWholeOptions(marked.parse(text, { async: false })))}${source === 'docs/rules/README.md' ? '<script defer src="../../assets/ruleFilter.js"></script>\n' : ''}`,
    ),
  );
}

/** The words of the rules' pages that fewer than half of the pages contain, without duplicates, by the address in the list of rules. */
function ruleWords(): { readonly [page: string]: string } {
  const folder = 'docs/rules';
  const pages = sources.filter((source) => source.startsWith(`${folder}/`) && !source.endsWith('/README.md'));
  const wordsOf = new Map(
    pages.map((source) => {
      const text = readFileSync(join(root, source), 'utf8').toLowerCase().replaceAll('_', '-');
      return [source, new Set(text.match(/[a-z\d][a-z\d.:-]+/g) ?? [])];
    }),
  );
  const counts = new Map<string, number>();
  for (const words of wordsOf.values())
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  const tells = (word: string): boolean => (counts.get(word) ?? 0) < pages.length / 2;
  return Object.fromEntries(
    [...wordsOf].map(([source, words]) => [
      posix.relative(folder, pageOf(source)),
      [...words].filter(tells).join(' '),
    ]),
  );
}

mkdirSync(join(out, 'assets'), { recursive: true });
writeFileSync(join(out, 'assets/ruleWords.js'), `globalThis.ruleWords=${JSON.stringify(ruleWords())}`);
cpSync('site/style.css', join(out, 'assets/style.css'));
cpSync('assets/icon.png', join(out, 'assets/icon.png'));
cpSync('dist/knowledge', join(out, 'assets/knowledge'), { recursive: true });
const examples = [
  'megatron/pretrain_70b.sh',
  'slime/run_qwen3_4b.sh',
  'areal/gsm8k_grpo.yaml',
  'skyrl/run_gsm8k.sh',
];
write(
  'assets/examples.json',
  JSON.stringify(
    Object.fromEntries(examples.map((name) => [name, readFileSync(join('examples', name), 'utf8')])),
  ),
);
await build({
  entryPoints: ['site/playground.ts', 'site/engineWorker.ts', 'site/ruleFilter.ts'],
  outdir: join(out, 'assets'),
  bundle: true,
  minify: true,
  legalComments: 'none',
  // Browsers do not load modules from pages opened as files.
  format: 'iife',
  target: 'es2022',
  platform: 'browser',
  logLevel: 'warning',
});
write(
  'playground.html',
  layout(
    'playground.html',
    'Playground – oomlint',
    `    <h1 class="unseen">Playground</h1>
    <div class="bar">
      <label>Example <select id="example" autocomplete="off"></select></label>
      <button id="fix-all" type="button">Apply all fixes</button>
      <button id="copy-link" type="button">Copy link</button>
      <span id="status" role="status">Loading…</span>
    </div>
    <div id="editor"></div>
    <section id="side" aria-label="Findings"><ul id="findings"></ul></section>
    <section class="wide"><h2>What would start</h2><pre id="resolved" tabindex="0"></pre></section>
    <noscript><style>.playground main > :not(noscript, h1) { display: none; }</style><p>The playground lints in your browser, and needs
    JavaScript for it. The command line needs no browser: see <a href="index.html">the start page</a>.</p></noscript>
    <script defer src="assets/playground.js"></script>`,
    'playground',
  ),
);
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
else console.log(`${sources.length} pages and the playground in ${relative(root, out)}/`);
