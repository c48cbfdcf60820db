import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { evaluateScript } from '../../../server/src/bash/evaluate.ts';
import { nestedShell } from '../../../server/src/launch/wrappers/nested.ts';
import { noProfile } from '../../../server/src/value/machine.ts';
import { display, textOf } from '../../../server/src/value/word.ts';
import { treeHost } from '../../../tools/conformance/bash/treeHost.ts';

/** A program that Bash started. */
interface Started {
  readonly words: readonly string[];
  readonly environment: ReadonlyMap<string, string>;
}

const fixtures = resolve(import.meta.dirname, '../../fixtures/bash');
const stubs = mkdtempSync(join(tmpdir(), 'oomlint-stubs-'));
afterAll(() => rmSync(stubs, { recursive: true }));

// Every program that the scripts start is a stub that records its words and environment.
for (const name of ['python', 'python3', 'torchrun', 'ray', 'uv', 'sleep', 'pkill']) {
  const stub = join(stubs, name);
  writeFileSync(
    stub,
    `#!/bin/bash\n{ printf '%s\\0' "\${0##*/}" "$@"; printf '\\1\\0'; env -0; printf '\\2\\0'; } > "$RECORDS/$(printf '%s' "$EPOCHREALTIME").$$"\n`,
  );
  chmodSync(stub, 0o755);
}

const shellOwn: ReadonlySet<string> = new Set(['PATH', 'HOME', 'RECORDS', 'PWD', 'OLDPWD', 'SHLVL', '_']);

function startedBy(script: string): readonly Started[] {
  const records = mkdtempSync(join(tmpdir(), 'oomlint-records-'));
  try {
    const done = spawnSync('bash', [script], {
      cwd: fixtures,
      env: {
        PATH: `${stubs}:${process.env.PATH ?? '/usr/bin:/bin'}`,
        HOME: '/home/nobody',
        RECORDS: records,
      },
      timeout: 200_000,
    });
    if (done.error !== undefined) throw done.error;
    return readdirSync(records)
      .sort()
      .map((name) => parseRecord(readFileSync(join(records, name), 'utf8')));
  } finally {
    rmSync(records, { recursive: true });
  }
}

function parseRecord(text: string): Started {
  const [words = '', environment = ''] = text.split('\x01\0');
  const pairs = environment
    .split('\0')
    .filter((pair) => /^[A-Za-z_]\w*=/.test(pair))
    .map((pair): [string, string] => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]);
  return {
    words: words.split('\0').slice(0, -1),
    environment: new Map(pairs.filter(([name]) => !shellOwn.has(name))),
  };
}

const isTraining = (words: readonly string[]): boolean => /train|run_recipe|main_base/.test(words.join(' '));

describe('scripts start what real Bash starts', () => {
  const scripts = readdirSync(fixtures).filter((name) => name.endsWith('.sh'));

  test.each(scripts)('%s', (script) => {
    const real = startedBy(script).filter(({ words }) => isTraining(words));
    expect(real.length).toBeGreaterThan(0);
    const path = join(fixtures, script);
    const { commands } = evaluateScript(path, readFileSync(path, 'utf8'), {
      host: treeHost(fixtures, fixtures),
      machine: noProfile,
      nested: nestedShell,
      cwd: fixtures,
    });
    const starts = ['python', 'python3', 'torchrun', 'ray', 'uv'];
    const ours = commands
      .filter(({ words: [first] }) => first !== undefined && starts.includes(textOf(first) ?? ''))
      .map(({ words, env }) => ({
        words: words.map(display),
        environment: new Map([...env].map(([name, word]) => [name, display(word)])),
      }))
      .filter(({ words }) => isTraining(words));
    const order = ({ words }: Started): string => words.join('\0');
    const sorted = (items: readonly Started[]) => [...items].sort((a, b) => (order(a) < order(b) ? -1 : 1));
    expect(sorted(ours)).toEqual(sorted(real));
  });
});
