import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import type { Host } from '../../../server/src/value/host.ts';
import { snippets } from './snippets.ts';

const fixtures = resolve(import.meta.dirname, '../../fixtures/bash');
const scripts = readdirSync(fixtures)
  .filter((name) => name.endsWith('.sh'))
  .map((name) => readFileSync(join(fixtures, name), 'utf8'));
/** Scripts to change. */
export const originals = [...scripts, ...scripts, ...snippets];
/** The files of the workspace that the scripts source and start. */
export const files = new Map(scripts.map((text, index) => [`/workspace/${index}.sh`, text]));

/** Text that tends to break shell parsers: unclosed constructs, endless loops, growth. */
const fragments = [
  '"',
  "'",
  '`',
  '$(',
  '$' + '{',
  '$((',
  '((',
  '[[',
  '{a,{b,c}',
  '{1..99999}',
  '<<EOF\n',
  'while true; do\n',
  'for i in $@ {1..500}; do x="$x$i"\n',
  'f() { f "$@"; f; }; f a\n',
  'done\n',
  'fi\n',
  'esac\n',
  'case $1 in\n',
  'if [ -f "$X" ]; then\n',
  ')',
  '}',
  ';;',
  '&&',
  '|',
  '\\',
  '\n',
  '$((9**9**9))',
  'source 0.sh\n',
  'bash 1.sh "$@"\n',
  'eval "$x$x"\n',
  'x=$x$x\n',
  'a+=("${a[@]}")\n',
  '\ue000\ue001',
  '\u0000',
  '😀',
  '$' + '{x//*/$x}',
  'set -euo pipefail\n',
  'exit 1\n',
  '$' + '{!x}',
  'read -r x <<< "$y"\n',
];

/** The workspace. */
export const host: Host = {
  read: (path) => files.get(path),
  kind: (path) =>
    files.has(path)
      ? 'file'
      : path === '/workspace'
        ? 'directory'
        : path.startsWith('/workspace/')
          ? 'absent'
          : 'unknown',
  list: (path) =>
    path === '/workspace' ? [...files.keys()].map((name) => name.slice('/workspace/'.length)) : undefined,
  rootOf: () => '/workspace',
};

/** A change of a text: what is done, where and how large (as fractions), and with which fragment. */
export type Mutation = readonly ['cut' | 'insert' | 'copy' | 'swap', number, number, number];

export const mutation: fc.Arbitrary<Mutation> = fc.tuple(
  fc.constantFrom('cut' as const, 'insert' as const, 'copy' as const, 'swap' as const),
  fc.double({ min: 0, max: 1, noNaN: true }),
  fc.double({ min: 0, max: 1, noNaN: true }),
  fc.nat(fragments.length - 1),
);

/** The text with the change. */
export function mutate(text: string, [kind, from, size, fragment]: Mutation): string {
  const at = Math.floor(from * text.length);
  const length = Math.ceil(size * size * 60);
  switch (kind) {
    case 'cut':
      return text.slice(0, at) + text.slice(at + length);
    case 'insert':
      return text.slice(0, at) + (fragments[fragment] ?? '') + text.slice(at);
    case 'copy':
      return text.slice(0, at) + text.slice(Math.floor(size * text.length)).slice(0, 80) + text.slice(at);
    case 'swap': {
      const lines = text.split('\n');
      const [line = ''] = lines.splice(Math.floor(from * lines.length), 1);
      lines.splice(Math.floor(size * lines.length), 0, line);
      return lines.join('\n');
    }
  }
}
