// Compares what the Bash reader says scripts would start with what real Bash started.

import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Command as Program } from 'commander';
import { evaluateScript } from '../../server/src/bash/evaluate.ts';
import { compilePattern } from '../../server/src/bash/library/pattern.ts';
import type { Command } from '../../server/src/launch/command.ts';
import { nestedShell } from '../../server/src/launch/wrappers/nested.ts';
import type { MachineProfile } from '../../server/src/value/machine.ts';
import { display } from '../../server/src/value/word.ts';
import {
  type Comparison,
  compareLaunch,
  matchWords,
  type Verdict,
  verdicts,
  withoutShims,
  worst,
} from './bash/compare.ts';
import { type Reference, readReferences, referenceFiles } from './bash/references.ts';
import { treeHost } from './bash/treeHost.ts';

interface Options {
  readonly repos: string;
  readonly oracle?: readonly string[];
  readonly oracleDir: string;
  readonly only?: string;
  readonly show?: string;
  readonly machine?: boolean;
  readonly kind: readonly string[];
  readonly useFill?: boolean;
  readonly variable?: readonly string[];
  readonly json?: boolean;
}

interface ScriptResult {
  readonly reference: Reference;
  readonly verdict: Verdict;
  readonly comparisons: readonly Comparison[];
  readonly notes: readonly string[];
  readonly milliseconds: number;
}

/** The machine on which the references were recorded. */
const referenceMachine: MachineProfile = {
  gpu: 'H100',
  gpusPerNode: 8,
  nvlink: true,
  versions: {},
  variables: {},
};

const program = new Program('conformance:bash')
  .description('compares the Bash reader with references made by real Bash')
  .requiredOption('--repos <dir>', 'folder that holds the checkouts, by name')
  .option('--oracle <file...>', 'reference files (default: all of --oracle-dir)')
  .option(
    '--oracle-dir <dir>',
    'folder of reference files, one JSON object a script and line',
    resolve('..', 'shared', 'oracle', 'bash'),
  )
  .option('--only <glob>', 'only scripts whose REPOSITORY/PATH or PATH matches')
  .option('--show <verdict>', 'list the scripts that are wrong, missing, vague, open or exact')
  .option('--machine', 'tell the engine the machine that the references were made on')
  .option(
    '--use-fill',
    'give the engine the placeholders of filled references instead of matching them with holes',
  )
  .option('--variable <name=value...>', 'variables of the shell that starts the scripts, such as HOME')
  .option('--kind <kind...>', 'kinds of launches that are compared', ['train'])
  .option('--json', 'write everything as JSON')
  .parse();

const options = program.opts<Options>();
for (const path of [options.repos, ...(options.oracle ?? [options.oracleDir])])
  if (!existsSync(path)) program.error(`${path} does not exist`);
process.exitCode = run(options);

function run(options: Options): number {
  const folders = readdirSync(options.repos).filter((name) =>
    statSync(join(options.repos, name)).isDirectory(),
  );
  const only =
    options.only === undefined
      ? undefined
      : compilePattern([{ text: options.only, quoted: false }], { extglob: true });
  const results: ScriptResult[] = [];
  for (const file of options.oracle ?? referenceFiles(options.oracleDir)) {
    for (const reference of readReferences(file, options.kind)) {
      const name = `${reference.repository}/${reference.path}`;
      if (only !== undefined && !only.matches(name) && !only.matches(reference.path)) continue;
      const folder = folders.find((entry) => entry.toLowerCase() === reference.repository.toLowerCase());
      if (folder !== undefined) results.push(evaluate(reference, join(options.repos, folder), options));
    }
  }
  const failures = summarize(results).filter(({ failed }) => failed);
  if (options.json === true) {
    console.log(JSON.stringify({ summary: summarize(results), scripts: results.map(plain) }, null, 1));
    return failures.length > 0 ? 1 : 0;
  }
  if (options.show !== undefined) show(results, options.show);
  printTable(results);
  return failures.length > 0 ? 1 : 0;
}

function evaluate(reference: Reference, tree: string, options: Options): ScriptResult {
  const host = treeHost(tree, reference.mount);
  const path = `${reference.mount}/${reference.path}`;
  const variables: { [name: string]: string } = {};
  for (const pair of options.variable ?? [])
    variables[pair.replace(/=.*$/s, '')] = pair.replace(/^[^=]*=/, '');
  if (options.useFill === true && reference.fill !== undefined) {
    Object.assign(variables, reference.fill.env);
    reference.fill.args.forEach((arg, index) => {
      variables[String(index + 1)] = arg;
    });
  }
  const machine = { ...(options.machine === true ? referenceMachine : { versions: {} }), variables };
  const started = performance.now();
  const { commands } = evaluateScript(path, host.read(path) ?? '', {
    host,
    machine,
    nested: nestedShell,
    cwd: reference.cwd,
  });
  const milliseconds = performance.now() - started;
  const given = new Set(Object.keys(reference.fill?.env ?? {}));
  const comparisons = reference.launches.map((launch) => compareLaunch(launch, commands, given));
  const notes = firstPathNotes(reference, commands, comparisons);
  const each = comparisons.map(({ verdict, environment }) => worst([verdict, environment]));
  return {
    reference,
    comparisons,
    notes,
    milliseconds,
    verdict: worst(notes.length > 0 ? [...each, 'wrong'] : each),
  };
}

/** Of several answers for one command of the text the first is the default; it must be one that Bash gave. */
function firstPathNotes(
  { launches }: Reference,
  commands: readonly Command[],
  comparisons: readonly Comparison[],
): readonly string[] {
  const place = ({ place: { path, span } }: Command): string => `${path}:${span.start}`;
  const notes: string[] = [];
  const places = new Set(
    comparisons.flatMap(({ command }) => (command === undefined ? [] : [place(command)])),
  );
  for (const wanted of places) {
    const first = commands.find((command) => place(command) === wanted);
    if (first === undefined || launches.some(({ argv }) => matchWords(withoutShims(first.words), argv)))
      continue;
    notes.push(`the first path gives ${first.words.map(display).join(' ').slice(0, 300)}`);
  }
  return notes;
}

interface Summary {
  readonly name: string;
  readonly set: 'as is' | 'filled';
  readonly scripts: number;
  readonly launches: number;
  readonly counts: { readonly [verdict in Verdict]: number };
  readonly environmentWrong: number;
  readonly cwdWrong: number;
  readonly failed: boolean;
}

function summarize(results: readonly ScriptResult[]): readonly Summary[] {
  const names = [...new Set(results.map(({ reference }) => reference.repository)), 'total'];
  const rows: Summary[] = [];
  for (const set of ['as is', 'filled'] as const) {
    for (const name of names) {
      const chosen = results.filter(
        ({ reference }) =>
          (name === 'total' || reference.repository === name) &&
          (reference.fill === undefined) === (set === 'as is'),
      );
      if (chosen.length === 0) continue;
      const count = (verdict: Verdict): number =>
        chosen.filter((result) => result.verdict === verdict).length;
      const counts = {
        exact: count('exact'),
        open: count('open'),
        vague: count('vague'),
        wrong: count('wrong'),
        missing: count('missing'),
      };
      const all = chosen.flatMap(({ comparisons }) => comparisons);
      const least = set === 'as is' ? 0.98 : 0.9;
      rows.push({
        name,
        set,
        scripts: chosen.length,
        launches: all.length,
        counts,
        environmentWrong: all.filter(({ environment }) => environment === 'wrong').length,
        cwdWrong: all.filter(({ cwd }) => cwd === 'wrong').length,
        failed:
          name === 'total' && (counts.wrong > 0 || (counts.exact + counts.open) / chosen.length < least),
      });
    }
  }
  return rows;
}

function printTable(results: readonly ScriptResult[]): void {
  const header = ['set', 'repository', 'scripts', 'launches', ...verdicts, 'good', 'env wrong', 'cwd wrong'];
  const rows = summarize(results).map(
    ({ set, name, scripts, launches, counts, environmentWrong, cwdWrong }) => [
      set,
      name,
      String(scripts),
      String(launches),
      ...verdicts.map((verdict) => String(counts[verdict])),
      `${((100 * (counts.exact + counts.open)) / scripts).toFixed(1)} %`,
      String(environmentWrong),
      String(cwdWrong),
    ],
  );
  const widths = header.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => (row[column] ?? '').length)),
  );
  for (const row of [header, ...rows])
    console.log(row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
  const times = results.map(({ milliseconds }) => milliseconds).sort((a, b) => a - b);
  const at = (part: number): string => (times[Math.floor((times.length - 1) * part)] ?? 0).toFixed(1);
  console.log(`milliseconds a script: median ${at(0.5)}, 95th percentile ${at(0.95)}, most ${at(1)}`);
}

function show(results: readonly ScriptResult[], wanted: string): void {
  for (const { reference, verdict, comparisons, notes } of results) {
    if (verdict !== wanted) continue;
    console.log(
      `${verdict} ${reference.repository}/${reference.path}${reference.fill === undefined ? '' : ' (filled)'}`,
    );
    for (const note of notes) console.log(`    ${note}`);
    const lines = comparisons.flatMap(({ verdict: own, holes, difference }) => [
      ...difference,
      ...(wanted === own ? [...new Set(holes)].map((hole) => `hole ${hole}`) : []),
    ]);
    for (const line of [...new Set(lines)].slice(0, 12)) console.log(`    ${line}`);
  }
}

function plain({ reference, verdict, comparisons, notes, milliseconds }: ScriptResult): object {
  return {
    repository: reference.repository,
    path: reference.path,
    filled: reference.fill !== undefined,
    verdict,
    notes,
    milliseconds,
    launches: comparisons.map(({ command, ...rest }) => ({ ...rest, words: command?.words.map(display) })),
  };
}
