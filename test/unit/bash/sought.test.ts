import { describe, expect, test } from 'vitest';
import { evaluateScript } from '../../../server/src/bash/evaluate.ts';
import type { Command } from '../../../server/src/launch/command.ts';
import { nestedShell } from '../../../server/src/launch/wrappers/nested.ts';
import { hostOf, shown } from './support.ts';

const wordsOf = ({ words }: Command): string => words.map(shown).join(' ');

/** The commands that a script which is evaluated for `train` starts by that name, with what they rest on. */
function trained(text: string, sought = /^train\b/): readonly (readonly string[])[] {
  const { commands } = evaluateScript('/repo/scripts/run.sh', text, {
    host: hostOf({}),
    machine: { versions: {}, variables: {} },
    nested: nestedShell,
    isSought: (command) => sought.test(wordsOf(command)),
  });
  return commands
    .filter((command) => wordsOf(command).startsWith('train'))
    .map((command) => [wordsOf(command), ...command.assumptions.map((one) => one.text)]);
}

describe('what a script is evaluated for', () => {
  test.each([
    ['if [ "$1" = go ]; then train; fi', ['$1 is given', '$1 is go']],
    ['R=$1; if [ "$R" -eq 0 ]; then train; else sleep 1; fi', ['$1 is given', '$1 = 0']],
    ['if [ $1 -eq 0 ]; then train; fi', ['$1 is given', '$1 = 0']],
    ['case $1 in go) train;; stop) kill 1;; esac', ['$1 is given', '$1 is go']],
    ['main() { [ "$1" = go ] && train; }; main "$@"', ['$1 is given', '$1 is go']],
    ['[ "$MODE" = go ] && train', ['MODE is given', '$MODE is go']],
  ])('is looked for where what the user may give leads to it: %s', (text, assumed) => {
    expect(trained(text)).toEqual([['train', ...assumed]]);
  });

  test('is looked for in what is given behind other arguments', () => {
    const text = 'T=0; while [ $# -gt 0 ]; do case $1 in --go) T=1;; esac; shift; done; [ $T = 1 ] && train';
    expect(trained(text).map(([words]) => words)).toEqual(['train']);
  });

  test.each([
    ['is found without', 'train 1; if [ "$1" = go ]; then train 2; fi', ['train 1']],
    ['cannot be given', 'if [ -t 0 ]; then train; fi; M=; if [ "$M" = go ]; then train; fi', []],
  ])('is not looked for any further where it %s', (_, text, started) => {
    expect(trained(text).map(([words]) => words)).toEqual(started);
  });

  test('is looked for on a path that is not followed for anything else', () => {
    const long = 'for ((i = 0; i < 400; i++)); do A+=($i); done';
    const text = `first; ${long}; ${long}; if [ "$(ask)" = 1 ]; then B=1; train; fi`;
    expect(trained(text).map(([words]) => words)).toEqual(['train']);
    expect(trained(text, /^first$/)).toEqual([]);
  });
});
