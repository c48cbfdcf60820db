import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { evaluateScript } from '../../../server/src/bash/evaluate.ts';
import { nestedShell } from '../../../server/src/launch/wrappers/nested.ts';
import { noProfile } from '../../../server/src/value/machine.ts';
import { display, holeOf, type Word } from '../../../server/src/value/word.ts';
import { matchWords } from '../../../tools/conformance/bash/compare.ts';
import { treeHost } from '../../../tools/conformance/bash/treeHost.ts';
import { prologue, statements } from './generatedScripts.ts';

const folder = mkdtempSync(join(tmpdir(), 'oomlint-generated-'));
const records = mkdtempSync(join(tmpdir(), 'oomlint-started-'));
afterAll(() => {
  for (const path of [folder, records]) rmSync(path, { recursive: true });
});

/** Exported to Bash as a function: records the words that the program would have got, and starts nothing. */
const recorder = `() { printf '%s\\0' python "$@" >> ${records}/record; printf '\\1\\0' >> ${records}/record; }`;

function startedBy(): readonly (readonly string[])[] | undefined {
  writeFileSync(join(records, 'record'), '');
  const done = spawnSync('bash', ['script.sh'], {
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
  // Bash abandons the rest of a script after an error in an expansion; which of its parts still ran is not our question.
  if (
    done.error !== undefined ||
    /error|bad |invalid|unbound|syntax|substring|exponent|readonly/.test(done.stderr)
  )
    return undefined;
  return readFileSync(join(records, 'record'), 'utf8')
    .split('\x01\0')
    .slice(0, -1)
    .map((words) => words.split('\0').slice(0, -1));
}

interface Compared {
  readonly ours: string;
  readonly real: string;
  readonly verdict: 'same' | 'open' | 'wrong';
}

const lines = (items: readonly (readonly string[])[]): string =>
  [...new Set(items.map((item) => JSON.stringify(item)))].join('\n');

/** An unknown part within a word is taken for one word, but may really be several. If it is empty, the blanks on its two sides are one. */
function loosened({ pieces, place }: Word): Word {
  if (!pieces.some((piece) => piece.kind === 'text')) return { pieces, place };
  const loose = pieces.map((piece, index) => {
    if (piece.kind === 'hole') return { ...piece, splits: true };
    const absent = (other: Word['pieces'][number] | undefined): boolean =>
      other?.kind === 'hole' && other.shape === 'any';
    let { text } = piece;
    if (absent(pieces[index - 1])) text = text.replace(/^ /, '');
    if (absent(pieces[index + 1]) && index + 2 === pieces.length) text = text.replace(/ $/, '');
    return { ...piece, text };
  });
  return { pieces: loose, place };
}

/**
 * The distinct commands that the engine and Bash start; `open` if the engine leaves something unknown, undefined if Bash stops with an error.
 */
function compare(text: string): Compared | undefined {
  const path = join(folder, 'script.sh');
  rmSync(join(folder, 'w1'), { force: true });
  rmSync(join(folder, 'd1'), { recursive: true, force: true });
  mkdirSync(join(folder, 'd1'));
  writeFileSync(path, text);
  const host = treeHost(folder, folder);
  const { commands } = evaluateScript(path, text, {
    host,
    machine: noProfile,
    nested: nestedShell,
    cwd: folder,
  });
  const started = commands.filter(({ words: [first] }) => first !== undefined && display(first) === 'python');
  const real = startedBy();
  if (real === undefined) return undefined;
  const shown = { ours: lines(started.map(({ words }) => words.map(display))), real: lines(real) };
  const open = started.some(
    ({ words, assumptions }) => assumptions.length > 0 || words.some((item) => holeOf(item) !== undefined),
  );
  if (!open) return { ...shown, verdict: shown.ours === shown.real ? 'same' : 'wrong' };
  const found = real.every((texts) => started.some(({ words }) => matchWords(words.map(loosened), texts)));
  return { ...shown, verdict: found ? 'open' : 'wrong' };
}

/** The script without the statements that the difference does not depend on. */
function reduce(body: readonly string[]): readonly string[] {
  const differs = (items: readonly string[]): boolean => {
    return compare(prologue + items.join('\n'))?.verdict === 'wrong';
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
    if (found.verdict === 'open') open++;
    else compared++;
    if (found.verdict !== 'wrong') continue;
    const reduced = reduce(body);
    const difference = compare(prologue + reduced.join('\n'));
    wrong.push(`${reduced.join('\n')}\n${JSON.stringify(difference, null, 1)}`);
  }
  expect(wrong.join('\n\n')).toBe('');
  expect(compared * 3).toBeGreaterThan(open);
});
