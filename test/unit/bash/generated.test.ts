import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { evaluateScript } from '../../../server/src/bash/evaluate.ts';
import { nestedShell } from '../../../server/src/launch/nested.ts';
import { noProfile } from '../../../server/src/value/machine.ts';
import { display, holeOf } from '../../../server/src/value/word.ts';
import { treeHost } from '../../../tools/conformance/bash/tree-host.ts';
import { prologue, statements } from './generated-scripts.ts';

const folder = mkdtempSync(join(tmpdir(), 'oomlint-generated-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Exported to Bash: writes down what the program would have got, and starts nothing. */
const recorder = `() { printf '%s\\0' python "$@" >> ${folder}/record; printf '\\1\\0' >> ${folder}/record; }`;

function startedBy(path: string): readonly (readonly string[])[] | undefined {
  writeFileSync(join(folder, 'record'), '');
  const done = spawnSync('bash', [path], {
    cwd: folder,
    encoding: 'utf8',
    env: {
      PATH: process.env.PATH ?? '/usr/bin:/bin',
      LC_ALL: 'C.UTF-8',
      HOME: '/home/nobody',
      'BASH_FUNC_python%%': recorder,
    },
    timeout: 5000,
  });
  // Bash gives up the rest of a script after an error in an expansion; which of its parts ran then is not our question.
  if (
    done.error !== undefined ||
    /error|bad |invalid|unbound|not found|syntax|substring|exponent/.test(done.stderr)
  )
    return undefined;
  return readFileSync(join(folder, 'record'), 'utf8')
    .split('\x01\0')
    .slice(0, -1)
    .map((words) => words.split('\0').slice(0, -1));
}

/** What the engine and Bash start, distinct; `open` when the engine leaves something unknown, undefined when Bash stops with an error. */
function compare(text: string): { readonly ours: string; readonly real: string } | 'open' | undefined {
  const path = join(folder, 'script.sh');
  writeFileSync(path, text);
  const real = startedBy(path);
  if (real === undefined) return undefined;
  const host = treeHost(folder, folder);
  const { commands } = evaluateScript(path, text, {
    host,
    machine: noProfile,
    nested: nestedShell,
    cwd: folder,
  });
  const ours = commands
    .map(({ words }) => words)
    .filter(([first]) => first !== undefined && display(first) === 'python');
  if (ours.some((words) => words.some((item) => holeOf(item) !== undefined))) return 'open';
  const distinct = (items: readonly (readonly string[])[]): string =>
    [...new Set(items.map((item) => JSON.stringify(item)))].join('\n');
  return { ours: distinct(ours.map((words) => words.map(display))), real: distinct(real) };
}

/** The script without the statements that the difference does not need. */
function reduce(body: readonly string[]): readonly string[] {
  const differs = (items: readonly string[]): boolean => {
    const found = compare(prologue + items.join('\n'));
    return typeof found === 'object' && found.ours !== found.real;
  };
  let kept = body;
  for (let at = 0; at < kept.length; ) {
    const without = kept.filter((_, index) => index !== at);
    if (differs(without)) kept = without;
    else at++;
  }
  return kept;
}

test('generated scripts start what real Bash starts', { timeout: 300_000 }, () => {
  const numRuns = Number(process.env.OOMLINT_GENERATED ?? 150);
  const seed = Number(process.env.OOMLINT_SEED ?? 47);
  let compared = 0;
  let open = 0;
  const wrong: string[] = [];
  for (const body of fc.sample(statements, { numRuns, seed })) {
    const found = compare(prologue + body.join('\n'));
    if (found === undefined) continue;
    if (found === 'open') open++;
    else compared++;
    if (found === 'open' || found.ours === found.real) continue;
    const reduced = reduce(body);
    const difference = compare(prologue + reduced.join('\n'));
    wrong.push(`${reduced.join('\n')}\n${JSON.stringify(difference, null, 1)}`);
  }
  expect(wrong.join('\n\n')).toBe('');
  expect(compared).toBeGreaterThan(open);
});
