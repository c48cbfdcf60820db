import { spawnSync } from 'node:child_process';
import { beforeAll, describe, expect, test } from 'vitest';
import { evaluateScript } from '../../../server/src/bash/evaluate.ts';
import { nestedShell } from '../../../server/src/launch/wrappers/nested.ts';
import type { Host } from '../../../server/src/value/host.ts';
import { noProfile } from '../../../server/src/value/machine.ts';
import { snippets } from './snippets.ts';

const folder = '/workspace';
const host: Host = {
  read: () => undefined,
  kind: (path) => (path === folder ? 'directory' : path.startsWith(`${folder}/`) ? 'absent' : 'unknown'),
  list: (path) => (path === folder ? [] : undefined),
  rootOf: () => folder,
};

/** What each snippet prints in real Bash: the words of every `show`. */
function real(): readonly (readonly (readonly string[])[])[] {
  const script = [
    `show() { [ $# -eq 0 ] || printf '%s\\0' "$@"; printf '\\1\\0'; } >&9`,
    'cd "$(mktemp -d)"',
    ...snippets.map((snippet) => `(\n${snippet}\n) 2>/dev/null >/dev/null\nprintf '\\2\\0' >&9`),
  ].join('\n');
  const done = spawnSync('bash', ['-c', `exec 9>&1; export HOME=/home/nobody; ${script}`], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C.UTF-8' },
    timeout: 240_000,
  });
  return done.stdout
    .split('\x02\0')
    .slice(0, -1)
    .map((text) =>
      text
        .split('\x01\0')
        .slice(0, -1)
        .map((words) => words.split('\0').slice(0, -1)),
    );
}

function ours(snippet: string): readonly (readonly string[])[] {
  const { commands } = evaluateScript(`${folder}/script.sh`, snippet, {
    host,
    machine: noProfile,
    nested: nestedShell,
  });
  return commands
    .filter(({ assumptions }) => !assumptions.some(({ text }) => /^“show.*” fails$/s.test(text)))
    .map(({ words }) =>
      words.map((word) =>
        word.pieces.map((piece) => (piece.kind === 'hole' ? `⟨${piece.label}⟩` : piece.text)).join(''),
      ),
    )
    .filter(([program]) => program === 'show')
    .map((words) => words.slice(1));
}

describe('a snippet gives the same words as real Bash', () => {
  let expected: ReturnType<typeof real> = [];
  beforeAll(() => {
    expected = real();
  });

  test('Bash answered for all of them', () => {
    expect(expected).toHaveLength(snippets.length);
  });

  test.each(snippets.map((snippet, index) => ({ snippet, index })))('$snippet', ({ snippet, index }) => {
    expect(ours(snippet)).toEqual(expected[index]);
  });
});
