import { evaluateScript } from '../../../server/src/bash/evaluate.ts';
import type { BashResult } from '../../../server/src/bash/options.ts';
import { nestedShell } from '../../../server/src/launch/wrappers/nested.ts';
import type { Host } from '../../../server/src/value/host.ts';
import type { MachineProfile } from '../../../server/src/value/machine.ts';
import type { Word } from '../../../server/src/value/word.ts';

const path = '/repo/scripts/run.sh';

/** A workspace `/repo` with these files. */
export function hostOf(files: { readonly [path: string]: string }): Host {
  const names = Object.keys(files);
  const folders = new Set([
    '/repo',
    '/repo/scripts',
    ...names.map((name) => name.slice(0, name.lastIndexOf('/'))),
  ]);
  return {
    read: (name) => files[name],
    kind: (name) => {
      if (name in files) return 'file';
      if (folders.has(name)) return 'directory';
      return name.startsWith('/repo/') ? 'absent' : 'unknown';
    },
    list: (folder) =>
      [...names, ...folders]
        .filter((name) => name.slice(0, name.lastIndexOf('/')) === folder)
        .map((name) => name.slice(folder.length + 1)),
    rootOf: (name) => (name.startsWith('/repo') ? '/repo' : undefined),
  };
}

/** What a script is evaluated with. */
export interface Given {
  readonly files?: { readonly [path: string]: string };
  readonly machine?: Partial<MachineProfile>;
}

/** Evaluates a script of the workspace. */
export function evaluate(text: string, { files = {}, machine = {} }: Given = {}): BashResult {
  return evaluateScript(path, text, {
    host: hostOf(files),
    machine: { versions: {}, variables: {}, ...machine },
    nested: nestedShell,
  });
}

/** A word with its holes in angle brackets, and `*` after those that may be no word or several. */
export function shown(word: Word): string {
  return word.pieces
    .map((piece) => (piece.kind === 'hole' ? `<${piece.label}${piece.splits ? '*' : ''}>` : piece.text))
    .join('');
}

/** The commands that a script starts, one per line. */
export function lines(text: string, given: Given = {}): readonly string[] {
  return evaluate(text, given).commands.map(({ words }) => words.map(shown).join(' '));
}
