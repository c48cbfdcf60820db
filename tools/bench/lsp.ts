// Measures the language server from an edit to the diagnostics that show it, beside bash-language-server and
// yaml-language-server on the same files in the same run.
//
//   npm run bench:lsp -- [--peers DIR] [--runs N] [--edits N] [--growth N] [--json]
//
// The other servers are taken from the path, or from the folder that --peers names, in which both were installed:
// npm install --prefix DIR bash-language-server yaml-language-server
// Wall-clock times depend on what else the machine does: the minimum and the processor time per edit are the trustworthy figures.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { readFlags } from '../flags.ts';
import { LspProcess } from './lspProcess.ts';
import { configText, scriptText } from './lspTexts.ts';

const values = readFlags(
  'npm run bench:lsp -- [--peers DIR] [--runs N] [--edits N] [--growth N] [--json]',
  () =>
    parseArgs({
      options: {
        peers: { type: 'string' },
        runs: { type: 'string', default: '3' },
        edits: { type: 'string', default: '40' },
        growth: { type: 'string', default: '10000' },
        json: { type: 'boolean', default: false },
      },
    }),
);
const runs = Number(values.runs);
const edits = even(Number(values.edits));
/** Number of edits for the servers that wait half a second after each edit. */
const slowEdits = even(edits / 3);
const growth = Number(values.growth);

/** The nearest even number: every second edit undoes the previous one. */
function even(count: number): number {
  return 2 * Math.max(1, Math.round(count / 2));
}

interface Server {
  readonly name: string;
  readonly command: readonly string[];
}
interface Subject {
  readonly file: string;
  readonly text: string;
  readonly language: string;
  /** A line that leaves the file incomplete, which every server for the language reports. */
  readonly probe: string;
}
interface Figures {
  readonly server: string;
  readonly file: string;
  readonly initialize: number[];
  readonly open: number[];
  readonly change: number[];
  /** Milliseconds of processor time per edit, all threads and child processes. */
  readonly processor: number[];
  /** MiB after the last edit. */
  readonly memory: number[];
}

const own: Server = {
  name: 'oomlint',
  command: [process.execPath, resolve('dist/extensionServer.cjs'), '--stdio'],
};

/** Another server, if it is installed. */
function peer(name: string, args: readonly string[]): Server | undefined {
  const folders = [
    ...(values.peers === undefined ? [] : [join(resolve(values.peers), 'node_modules', '.bin')]),
    ...(process.env.PATH ?? '').split(delimiter),
  ];
  const file = folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
  return file === undefined ? undefined : { name, command: [file, ...args] };
}

/** The quantile of numbers at a share between 0 and 1. */
function quantile(numbers: readonly number[], share: number): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** One edit: adds or removes the line at the end. @returns milliseconds until the diagnostics show it */
async function toggle(server: LspProcess, subject: Subject, uri: string, on: boolean): Promise<number> {
  const lines = subject.text.split('\n').length - 1;
  const start = { line: lines, character: 0 };
  const before = server.shown(uri);
  const begin = performance.now();
  server.change(
    uri,
    on ? { start, end: start } : { start, end: { line: lines + 1, character: 0 } },
    on ? subject.probe : '',
  );
  await server.until(uri, (now) => now.key !== before.key && now.count !== before.count);
  return performance.now() - begin;
}

async function open(
  server: LspProcess,
  subject: Subject,
  folder: string,
): Promise<{ uri: string; took: number }> {
  const path = join(folder, subject.file);
  writeFileSync(path, subject.text);
  const uri = pathToFileURL(path).href;
  const begin = performance.now();
  server.open(uri, subject.language, subject.text);
  await server.until(uri, () => true);
  const took = performance.now() - begin;
  await server.quiet(600);
  return { uri, took };
}

async function measure(server: Server, subject: Subject, folder: string, count: number): Promise<Figures> {
  const figures: Figures = {
    server: server.name,
    file: subject.file,
    initialize: [],
    open: [],
    change: [],
    processor: [],
    memory: [],
  };
  for (let run = 0; run < runs; run++) {
    const running = new LspProcess(server.command, folder);
    try {
      figures.initialize.push(await running.initialize());
      const { uri, took } = await open(running, subject, folder);
      figures.open.push(took);
      // The first edits are a warm-up for the compiled code, as the first seconds of typing are.
      for (let edit = 0; edit < Math.min(10, even(count / 2)); edit++)
        await toggle(running, subject, uri, edit % 2 === 0);
      const before = running.usage().processor;
      for (let edit = 0; edit < count; edit++)
        figures.change.push(await toggle(running, subject, uri, edit % 2 === 0));
      const after = running.usage();
      figures.processor.push((after.processor - before) / count);
      figures.memory.push(after.memory);
    } finally {
      await running.stop();
    }
  }
  return figures;
}

function line(figures: Figures): string {
  const { change, initialize } = figures;
  const cell = (value: number, width = 7): string => value.toFixed(value < 10 ? 1 : 0).padStart(width);
  return [
    figures.server.padEnd(22),
    figures.file.padEnd(12),
    cell(quantile(initialize, 0)),
    cell(quantile(initialize, 0.5)),
    cell(quantile(figures.open, 0.5)),
    cell(quantile(change, 0)),
    cell(quantile(change, 0.5)),
    cell(quantile(change, 0.95)),
    cell(quantile(figures.processor, 0.5), 9),
    cell(quantile(figures.memory, 0.5)),
  ].join(' ');
}

/** Resident memory in MiB over many edits of one document. */
async function memoryAlong(
  subject: Subject,
  folder: string,
): Promise<{ readonly edits: number; readonly memory: number }[]> {
  const running = new LspProcess(own.command, folder);
  const along: { edits: number; memory: number }[] = [];
  try {
    await running.initialize();
    const { uri } = await open(running, subject, folder);
    for (let edit = 1; edit <= growth; edit++) {
      await toggle(running, subject, uri, edit % 2 === 1);
      if (edit === 500 || edit % Math.max(1, Math.floor(growth / 4)) === 0)
        along.push({ edits: edit, memory: running.usage().memory });
    }
  } finally {
    await running.stop();
  }
  return along;
}

const folder = mkdtempSync(join(tmpdir(), 'oomlint-bench-'));
try {
  const example = readFileSync('examples/slime/run_qwen3_4b.sh', 'utf8');
  const script: Subject = {
    file: 'run.sh',
    text: scriptText(example, 150),
    language: 'shellscript',
    probe: 'if [ $probe = "x" ; then\n',
  };
  const config: Subject = {
    file: 'config.yaml',
    text: configText(readFileSync('examples/areal/gsm8k_grpo.yaml', 'utf8'), 300),
    language: 'yaml',
    probe: 'probe: [1, 2\n',
  };
  const wide: Subject = {
    ...config,
    file: 'wide.yaml',
    text: `${config.text}wide:\n${Array.from({ length: 10_000 }, (_, at) => `  key_${at}: ${at}\n`).join('')}`,
  };
  const long: Subject = {
    ...script,
    file: 'long.sh',
    text: scriptText(script.text, 5000),
  };
  const peers: readonly (readonly [string, Server | undefined, Subject])[] = [
    ['bash-language-server', peer('bash-language-server', ['start']), script],
    ['yaml-language-server', peer('yaml-language-server', ['--stdio']), config],
  ];
  const results: Figures[] = [
    await measure(own, script, folder, edits),
    await measure(own, config, folder, edits),
  ];
  for (const [name, server, subject] of peers) {
    if (server === undefined)
      console.error(
        `${name} is missing: install it, or give --peers DIR with a folder in which it is; there is no figure for it.`,
      );
    else results.push(await measure(server, subject, folder, slowEdits));
  }
  results.push(await measure(own, long, folder, slowEdits), await measure(own, wide, folder, slowEdits));
  const along = growth > 0 ? await memoryAlong({ ...script, text: example }, folder) : [];
  if (values.json) console.log(JSON.stringify({ results, along }, null, 2));
  else {
    console.log(
      `server                 file         init min  median   open  edit min  median     p95  processor   MiB   (milliseconds; ${runs} runs of ${edits} edits, of slow ones ${slowEdits})`,
    );
    for (const result of results) console.log(line(result));
    for (const { edits: count, memory } of along)
      console.log(`after ${count} edits: ${memory.toFixed(1)} MiB`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
