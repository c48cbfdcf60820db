// npm run bench -- [--repos DIR] [--rounds N]
// Lints every shell script and YAML file below DIR (default: examples/) in a cold process, beside shellcheck on the same scripts in
// the same run, and one file beside `node -e 0`. Figures are the best and the median of the rounds; the ratios are what counts.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    repos: { type: 'string', default: 'examples' },
    rounds: { type: 'string', default: '5' },
    json: { type: 'boolean' },
  },
});
const rounds = Math.max(1, Number(values.rounds));
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

interface Timing {
  readonly best: number;
  readonly median: number;
  /** Peak resident memory in MiB of the last round, where the system tells. */
  readonly peak: number | undefined;
}

/** Runs a command several times; milliseconds of wall time. */
function time(command: string, args: readonly string[]): Timing {
  const walls: number[] = [];
  let peak: number | undefined;
  const measured = existsSync('/usr/bin/time');
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    const done = measured
      ? spawnSync('/usr/bin/time', ['-f', '%M', command, ...args], { maxBuffer: 1 << 30 })
      : spawnSync(command, [...args], { maxBuffer: 1 << 30 });
    walls.push(performance.now() - start);
    const kib = measured ? /(\d+)\s*$/.exec(done.stderr.toString())?.[1] : undefined;
    if (kib !== undefined) peak = Number(kib) / 1024;
  }
  walls.sort((a, b) => a - b);
  return { best: walls[0] ?? 0, median: walls[Math.floor(walls.length / 2)] ?? 0, peak };
}

const files = [...walk(folder)];
const scripts = files.filter((file) => file.endsWith('.sh'));
const one = scripts[0];
const node = time(process.execPath, ['-e', '0']);
const single =
  one === undefined ? undefined : time(process.execPath, [cli, 'check', one, '--fail-on', 'never']);
const all = time(process.execPath, [cli, 'check', folder, '--fail-on', 'never', '--format', 'json']);
const shellOnly = time(process.execPath, [
  cli,
  'check',
  ...scripts,
  '--fail-on',
  'never',
  '--format',
  'json',
]);
const hasShellcheck = spawnSync('shellcheck', ['--version']).status === 0;
const shellcheck =
  hasShellcheck && scripts.length > 0 ? time('shellcheck', ['-f', 'json1', ...scripts]) : undefined;

const perSecond = (count: number, timing: Timing): number => (count / timing.best) * 1000;
const rows: string[][] = [
  ['what', 'best ms', 'median ms', 'files/s', 'peak MiB'],
  row('node -e 0', undefined, node),
  ...(single === undefined ? [] : [row('oomlint, one file', 1, single)]),
  row(`oomlint, ${files.length} files (shell and YAML)`, files.length, all),
  row(`oomlint, ${scripts.length} scripts`, scripts.length, shellOnly),
  ...(shellcheck === undefined
    ? []
    : [row(`shellcheck, ${scripts.length} scripts`, scripts.length, shellcheck)]),
];

function row(what: string, count: number | undefined, timing: Timing): string[] {
  return [
    what,
    timing.best.toFixed(0),
    timing.median.toFixed(0),
    count === undefined ? '' : perSecond(count, timing).toFixed(0),
    timing.peak === undefined ? '' : timing.peak.toFixed(0),
  ];
}

const widths = (rows[0] ?? []).map((_, column) =>
  Math.max(...rows.map((cells) => (cells[column] ?? '').length)),
);
for (const cells of rows)
  console.log(
    cells
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  '),
  );
if (single !== undefined)
  console.log(`one file / node -e 0: ${(single.best / node.best).toFixed(2)} (target: under 2.5)`);
if (shellcheck === undefined) console.log('shellcheck is not installed, so there is no ratio to it');
else
  console.log(
    `throughput / shellcheck: ${(perSecond(scripts.length, shellOnly) / perSecond(scripts.length, shellcheck)).toFixed(1)} (target: at least 15)`,
  );
