// npm run fuzz -- [--minutes N] [--seed N]
// Lints mutated scripts and configurations (examples, fixtures, examples of all rules) the way the command line does and the way the language server
// does. A crash, a lint that takes more than 200 ms of processor time twice, or a difference between the two is a fault; its text goes to build/fuzz.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { createProjectLinter } from '../server/src/config/project.ts';
import { Session } from '../server/src/lsp/session.ts';
import { SettingsStore } from '../server/src/lsp/settings.ts';
import { noColours } from '../server/src/report/palette.ts';
import { resolveText } from '../server/src/report/resolve.ts';
import { textReport } from '../server/src/report/text.ts';
import { loadKnowledge } from '../test/support/knowledge.ts';
import { memoryHost } from '../test/support/memoryHost.ts';
import { numbers } from '../test/support/random.ts';
import { ruleExamples } from '../test/support/ruleExamples.ts';
import { readFlags } from './flags.ts';

const values = readFlags('npm run fuzz -- [--minutes N] [--seed N]', () =>
  parseArgs({
    options: {
      minutes: { type: 'string', default: '1' },
      seed: { type: 'string', default: '1' },
    },
  }),
);
const until = performance.now() + Number(values.minutes) * 60_000;
/** Processor time in milliseconds that one lint may take. */
const bound = 200;
/** Maximum length of a generated text; real ones are shorter. */
const longest = 20_000;

interface Seed {
  readonly kind: 'sh' | 'yaml';
  readonly text: string;
}

function* seedFiles(folder: string): Generator<Seed> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* seedFiles(path);
    else if (entry.name.endsWith('.sh')) yield { kind: 'sh', text: readFileSync(path, 'utf8') };
    else if (/\.ya?ml$/.test(entry.name)) yield { kind: 'yaml', text: readFileSync(path, 'utf8') };
  }
}

const knowledge = loadKnowledge();
const seeds: readonly Seed[] = [
  ...seedFiles(resolve('examples')),
  ...seedFiles(resolve('test/fixtures')),
  ...ruleExamples(knowledge).flatMap(({ files }) =>
    Object.entries(files).map(([path, text]): Seed => ({ kind: path.endsWith('.sh') ? 'sh' : 'yaml', text })),
  ),
];
const pieces = [
  ...[
    '"',
    "'",
    '\\',
    '\\\n',
    '`',
    '$',
    '${',
    '}',
    '$((',
    '))',
    '$(',
    ')',
    '(',
    '{',
    '[[',
    ']]',
    '<<EOF\n',
    'EOF\n',
    '|',
    '&',
    ';',
    '>',
    '#',
  ],
  ...[
    '\r\n',
    '\t',
    '\u0000',
    '\ufeff',
    '\u202e',
    '𝕏',
    ' ',
    '\n',
    '---\n',
    '- ',
    ': ',
    '&a ',
    '*a',
    '<<: ',
    '!!str ',
    '|\n',
    '{{',
    '@',
    '%',
    '~',
    '--',
    '=',
    '+',
    '++',
  ],
  ...[
    '${X:-1}',
    '${A[@]}',
    '"$@"',
    '$1',
    '{1..9}',
    'if true; then\n',
    'fi\n',
    'for i in 1 2; do\n',
    'done\n',
    'source ./a.sh\n',
    'eval ',
    'set -euo pipefail\n',
    'exit 1\n',
    '__proto__',
    'null',
    '1e400',
    '0x',
    '09',
    '.inf',
  ],
  ...['# oomlint-disable-next-line ', '<<<<<<< a\n', '=======\n', '>>>>>>> b\n'],
];

/** Length of a run in characters: enough for anything quadratic to exceed the time that a lint may take. */
const runLength = 6_000;

/** One or two pieces or characters repeated: searching from each of them to the end takes quadratic time. */
function runOf(random: () => number): string {
  const one = (): string =>
    random() < 0.5
      ? (pieces[Math.floor(random() * pieces.length)] ?? '')
      : String.fromCharCode(33 + Math.floor(random() * 94));
  const unit = one() + (random() < 0.6 ? one() : '');
  return unit.repeat(Math.ceil(runLength / unit.length));
}

function mutate(seed: Seed, random: () => number): string {
  const pick = (length: number): number => Math.floor(random() * length);
  let text = seed.text;
  for (let step = 1 + pick(6); step > 0; step--) {
    const lines = text.split('\n');
    const at = pick(text.length + 1);
    const kind = pick(10);
    if (kind === 0) text = text.slice(0, at) + (pieces[pick(pieces.length)] ?? '') + text.slice(at);
    else if (kind === 1) text = text.slice(0, at) + text.slice(at + 1 + pick(20));
    else if (kind === 2) lines.splice(pick(lines.length), 1);
    else if (kind === 3) lines.splice(pick(lines.length), 0, lines[pick(lines.length)] ?? '');
    else if (kind === 4) text = text.slice(0, at);
    else if (kind === 5) {
      const other = (seeds[pick(seeds.length)]?.text ?? '').split('\n');
      const from = pick(other.length);
      lines.splice(pick(lines.length), 0, ...other.slice(from, from + 1 + pick(8)));
    } else if (kind === 6)
      text = text.slice(0, at) + text.slice(at, at + 1 + pick(40)).repeat(2 + pick(30)) + text.slice(at);
    else if (kind === 7) text = text.slice(0, at) + String.fromCharCode(pick(128)) + text.slice(at + 1);
    else if (kind === 9) text = text.slice(0, at) + runOf(random) + text.slice(at);
    else {
      const [a, b] = [pick(lines.length), pick(lines.length)];
      [lines[a], lines[b]] = [lines[b] ?? '', lines[a] ?? ''];
    }
    if (kind === 2 || kind === 3 || kind === 5 || kind === 8) text = lines.join('\n');
  }
  return text.slice(0, longest);
}

const documents = new Map<string, TextDocument>();
let files: { [path: string]: string } = {};
const session = new Session(
  {
    knowledgeOf: knowledge.knowledgeOf,
    commonRules: knowledge.commonRules,
    environment: knowledge.environment,
    version: '0',
    makeHost: () => memoryHost(files),
    listFiles: () => [],
    now: () => performance.now(),
    nextTurn: setImmediate,
  },
  { get: (uri) => documents.get(uri), all: () => [...documents.values()] },
  new SettingsStore({}),
  (message) => {
    throw new Error(message);
  },
);
session.setFolders(['file:///repository']);

/** Processor time of one call in milliseconds. */
function cost(call: () => void): number {
  const before = process.cpuUsage();
  call();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** What is wrong with the linting of a text, or undefined. */
function fault(kind: Seed['kind'], text: string, version: number): string | undefined {
  const path = `/repository/fuzz.${kind}`;
  const host = memoryHost({ [path]: text });
  const make = (): ReturnType<typeof createProjectLinter> =>
    createProjectLinter({ host, knowledgeOf: knowledge.knowledgeOf, commonRules: knowledge.commonRules });
  let report = make().lint(path, text);
  const again = Math.min(
    cost(() => {
      report = make().lint(path, text);
    }),
    cost(() => void make().lint(path, text)),
  );
  if (again > bound) return `took ${again.toFixed(0)} ms`;
  const options = {
    read: () => text,
    shorten: (at: string) => at,
    palette: noColours,
    width: 80,
    knowledgeOf: knowledge.knowledgeOf,
  };
  textReport([report], options);
  resolveText(report, options);
  files = { [path]: text };
  const uri = `file://${path}`;
  documents.set(uri, TextDocument.create(uri, kind === 'sh' ? 'shellscript' : 'yaml', version, text));
  session.refresh();
  const served = session.lint(uri)?.report.findings;
  return isDeepStrictEqual(served, report.findings) ? undefined : 'the server finds something else';
}

const random = numbers(Number(values.seed));
let count = 0;
let faults = 0;
while (performance.now() < until) {
  const seed = seeds[Math.floor(random() * seeds.length)];
  if (seed === undefined) break;
  const text = mutate(seed, random);
  count++;
  let problem: string | undefined;
  try {
    problem = fault(seed.kind, text, count);
  } catch (error) {
    problem = error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
  if (problem === undefined) continue;
  faults++;
  mkdirSync('build/fuzz', { recursive: true });
  const name = `build/fuzz/${values.seed}-${count}.${seed.kind}`;
  writeFileSync(name, text);
  console.error(`${name}: ${problem}`);
  if (faults >= 20) break;
}
console.log(`${count} texts, ${faults} faults`);
process.exitCode = faults > 0 || count === 0 ? 1 : 0;
