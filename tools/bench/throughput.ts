// npm run bench -- [--repos DIR] [--rounds N] [--peers DIR]
// Lints every shell script and YAML file below DIR (default: examples/) in a cold process, beside shellcheck on the same scripts and
// yaml-language-server's validation of the same YAML in the same run, and one file beside `node -e 0`. Prints a table in Markdown, which
// docs/performance.md takes over. Rows of a first run have no reports of an earlier one (the compiled program is kept, as it is from the
// second start on); those marked "again" do. --peers names a folder in which yaml-language-server was installed: npm install --prefix DIR yaml-language-server
// Wall-clock times depend on what else the machine does: the best of the rounds, the processor time and the ratios are the trustworthy figures.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readFlags, wholeNumber } from '../flags.ts';

const usage = 'npm run bench -- [--repos DIR] [--rounds N] [--peers DIR]';
const values = readFlags(usage, () =>
  parseArgs({
    options: {
      repos: { type: 'string', default: 'examples' },
      rounds: { type: 'string', default: '5' },
      peers: { type: 'string' },
    },
  }),
);
/** Rounds of a short command per round of a long one. */
const roundsOfShort = 5;
const rounds = Math.max(1, wholeNumber('--rounds', values.rounds, usage));
const folder = resolve(values.repos);
const cli = resolve('dist/cli.js');
if (!existsSync(cli)) {
  console.error('dist/cli.js is missing: run `npm run build` first');
  process.exit(2);
}

function* walk(at: string): Generator<string> {
  for (const entry of readdirSync(at, { withFileTypes: true })) {
    const path = join(at, entry.name);
    if (entry.isDirectory() && entry.name !== '.git' && entry.name !== 'node_modules') yield* walk(path);
    else if (entry.isFile() && /\.(sh|ya?ml)$/.test(entry.name)) yield path;
  }
}

/** A measured command over a number of files. */
interface Subject {
  readonly name: string;
  readonly files: number;
  readonly command: readonly string[];
  readonly input?: string;
  /** Whether results of earlier rounds must not be used. */
  readonly first?: boolean;
}

interface Timing {
  readonly subject: Subject;
  /** Milliseconds of wall time. */
  readonly best: number;
  readonly median: number;
  /** Lowest processor time of all rounds in milliseconds, all threads. */
  readonly processor: number | undefined;
  /** Highest resident memory of all rounds in MiB. */
  readonly peak: number | undefined;
}

// GNU time reports the memory and processor time of a whole process.
const timer = existsSync('/usr/bin/time') ? ['/usr/bin/time', '-f', '%M %U %S'] : [];

// The cache of oomlint for these runs, so that the user's own cache is not involved.
const cache = mkdtempSync(join(tmpdir(), 'oomlint-bench-'));
process.on('exit', () => rmSync(cache, { recursive: true, force: true }));

function forgetReports(): void {
  const folder = join(cache, 'oomlint');
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) if (name.startsWith('reports-')) rmSync(join(folder, name));
}

/** The figures of one run of a command. */
interface Round {
  /** Milliseconds. */
  readonly wall: number;
  /** Processor time in milliseconds, and resident memory in MiB, if GNU time is available. */
  readonly used?: { readonly processor: number; readonly peak: number };
}

function runOnce(subject: Subject): Round {
  const [program = '', ...args] = [...timer, ...subject.command];
  if (subject.first === true) forgetReports();
  const start = performance.now();
  const done = spawnSync(program, args, {
    input: subject.input ?? '',
    maxBuffer: 1 << 30,
    env: { ...process.env, XDG_CACHE_HOME: cache },
  });
  const wall = performance.now() - start;
  if (done.error !== undefined) throw done.error;
  const usage = /(\d+) ([\d.]+) ([\d.]+)\s*$/.exec(done.stderr.toString());
  if (timer.length === 0 || usage === null) return { wall };
  return {
    wall,
    used: { processor: (Number(usage[2]) + Number(usage[3])) * 1000, peak: Number(usage[1]) / 1024 },
  };
}

function timingOf(subject: Subject, taken: readonly Round[]): Timing {
  const walls = taken.map(({ wall }) => wall).sort((a, b) => a - b);
  const used = taken.flatMap((round) => round.used ?? []);
  return {
    subject,
    best: walls[0] ?? Number.NaN,
    median: walls[Math.floor(walls.length / 2)] ?? Number.NaN,
    processor: used.length === 0 ? undefined : Math.min(...used.map(({ processor }) => processor)),
    peak: used.length === 0 ? undefined : Math.max(...used.map(({ peak }) => peak)),
  };
}

/** Runs a command several times, each in its own process. */
function time(subject: Subject): Timing {
  return timingOf(
    subject,
    Array.from({ length: rounds }, () => runOnce(subject)),
  );
}

function check(name: string, files: number, paths: readonly string[]): Subject {
  const options = ['--fail-on', 'never', '--format', 'json'];
  return { name, files, command: [process.execPath, cli, 'check', ...paths, ...options], first: true };
}

/** The same command, when nothing has changed since the last run. */
function again(subject: Subject): Subject {
  return { ...subject, name: `${subject.name}, again`, first: false };
}

/** The version of shellcheck, or undefined if it is not installed. */
function shellcheckVersion(): string | undefined {
  const answer = spawnSync('shellcheck', ['--version'], { encoding: 'utf8' });
  return answer.status === 0 ? /^version: (.*)$/m.exec(answer.stdout)?.[1] : undefined;
}

/** The version of the yaml-language-server that `--peers` names. */
function yamlPeerVersion(peers: string): string | undefined {
  const manifest = join(peers, 'node_modules/yaml-language-server/package.json');
  if (!existsSync(manifest)) return undefined;
  const { version }: { version: string } = JSON.parse(readFileSync(manifest, 'utf8'));
  return version;
}

function markdownRow({ subject, best, median, processor, peak }: Timing): string {
  const ms = (value: number): string =>
    value < 1000 ? `${value.toFixed(0)} ms` : `${(value / 1000).toFixed(2)} s`;
  const cells = [
    subject.name,
    ms(best),
    ms(median),
    processor === undefined ? '' : ms(processor),
    subject.files > 1 ? ((subject.files / best) * 1000).toFixed(0) : '',
    peak === undefined ? '' : `${peak.toFixed(0)} MiB`,
  ];
  return `| ${cells.join(' | ')} |`;
}

const files = [...walk(folder)];
const scripts = files.filter((file) => file.endsWith('.sh'));
const yamls = files.filter((file) => !file.endsWith('.sh'));
const shellcheck = shellcheckVersion();
const peers = values.peers === undefined ? undefined : resolve(values.peers);
const yamlPeer = peers === undefined ? undefined : yamlPeerVersion(peers);

const emptyNode: Subject = { name: '`node -e 0`', files: 0, command: [process.execPath, '-e', '0'] };
const nobodys = check('oomlint, one file that starts nothing of ours', 1, scripts.slice(0, 1));
const launching = check('oomlint, one launch script', 1, [resolve('examples/megatron/pretrain_70b.sh')]);
// The first runs compile the program.
for (const subject of [nobodys, launching]) runOnce(subject);
// Short commands take turns, so that a slow moment of the machine affects all of them: they differ by less than the machine's speed does from
// one second to the next.
const turns = Array.from({ length: rounds * roundsOfShort }, () => ({
  node: runOnce(emptyNode),
  single: runOnce(nobodys),
  launch: runOnce(launching),
}));
const node = timingOf(
  emptyNode,
  turns.map((turn) => turn.node),
);
const single = timingOf(
  nobodys,
  turns.map((turn) => turn.single),
);
const launch = timingOf(
  launching,
  turns.map((turn) => turn.launch),
);
const everything = check(`oomlint, ${files.length} files (shell and YAML)`, files.length, [folder]);
const all = time(everything);
const allAgain = time(again(everything));
const onlyScripts = check(`oomlint, ${scripts.length} scripts`, scripts.length, scripts);
const ownScripts = time(onlyScripts);
const ownScriptsAgain = time(again(onlyScripts));
const peerScripts =
  shellcheck === undefined
    ? undefined
    : time({
        name: `shellcheck ${shellcheck}, the same scripts`,
        files: scripts.length,
        command: ['shellcheck', '-f', 'json1', ...scripts],
      });
const ownYamls = time(check(`oomlint, ${yamls.length} YAML files`, yamls.length, yamls));
const peerYamls =
  peers === undefined || yamlPeer === undefined
    ? undefined
    : time({
        name: `yaml-language-server ${yamlPeer}, the same YAML files, no schema`,
        files: yamls.length,
        command: [process.execPath, resolve('tools/bench/yamlPeer.mjs'), peers],
        input: yamls.join('\n'),
      });

const rows = [
  node,
  single,
  launch,
  all,
  allAgain,
  ownScripts,
  ownScriptsAgain,
  peerScripts,
  ownYamls,
  peerYamls,
];
console.log(
  `Node ${process.versions.node}, ${cpus().length} cores (${cpus()[0]?.model.trim()}), ${rounds} rounds\n`,
);
console.log('| what | best | median | processor time | files a second | peak memory |');
console.log('|---|---|---|---|---|---|');
for (const row of rows) if (row !== undefined) console.log(markdownRow(row));

const times = (a: number, b: number): string => (a / b).toFixed(1);
console.log(
  `\n- One file costs ${times(single.best, node.best)} × an empty Node process where it starts nothing of ours, ${times(launch.best, node.best)} × where it is a launch script (target: under 2.5).`,
);
console.log(
  peerScripts === undefined
    ? '- shellcheck is not installed: there is no ratio to it.'
    : `- On the scripts oomlint is ${times(peerScripts.best, ownScripts.best)} × as fast as shellcheck in a first run, ${times(peerScripts.best, ownScriptsAgain.best)} × again (target: at least 15).`,
);
console.log(
  peerYamls === undefined
    ? '- yaml-language-server was not found (--peers DIR): there is no ratio to it.'
    : `- On the YAML files oomlint is ${times(peerYamls.best, ownYamls.best)} × as fast as yaml-language-server’s validation.`,
);
