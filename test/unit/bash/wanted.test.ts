import { describe, expect, test } from 'vitest';
import { evaluateScript } from '../../../server/src/bash/evaluate.ts';
import type { Command } from '../../../server/src/launch/command.ts';
import { nestedShell } from '../../../server/src/launch/wrappers/nested.ts';
import { hostOf, shown } from './support.ts';

const wordsOf = ({ words }: Command): string => words.map(shown).join(' ');

/** The `train` commands that a script evaluated for `train` starts, with their assumptions. */
function trained(text: string, wanted = /^train\b/): readonly (readonly string[])[] {
  const { commands } = evaluateScript('/repo/scripts/run.sh', text, {
    host: hostOf({}),
    machine: { versions: {}, variables: {} },
    nested: nestedShell,
    isWanted: (command) => wanted.test(wordsOf(command)),
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
  ])('is looked for if a value from the user leads to it: %s', (text, assumed) => {
    expect(trained(text)).toEqual([['train', ...assumed]]);
  });

  test.each([
    ['DRY_RUN=${DRY_RUN:-1}; if [ "$DRY_RUN" = 1 ]; then echo; exit 0; fi; train $N', '$DRY_RUN is not 1'],
    ['DRY_RUN=${DRY_RUN:-true}; if [[ $DRY_RUN != true ]]; then train $N; fi', '$DRY_RUN is not true'],
    [
      'run() { ((DRY_RUN)) && return; "$@"; }; : "${DRY_RUN:=1}"; run train $N',
      '(( DRY_RUN )) does not hold',
    ],
  ])('is looked for if a script only shows it unless told not to: %s', (text, assumed) => {
    expect(trained(`N=\${N:-8}; ${text}`)).toEqual([
      ['train 8', 'DRY_RUN is given', 'N is not set', assumed],
    ]);
  });

  test.each([
    ['DRY_RUN=1; [ $DRY_RUN = 1 ] || train'],
    ['DEBUG=${DEBUG:-1}; [ $DEBUG = 1 ] || train'],
    ['DRY_RUN=${DRY_RUN:-0}; [ $DRY_RUN = 0 ] || train'],
  ])('is not looked for if nobody is meant to switch that: %s', (text) => {
    expect(trained(text)).toEqual([]);
  });

  test('is looked for in arguments after other ones', () => {
    const text = 'T=0; while [ $# -gt 0 ]; do case $1 in --go) T=1;; esac; shift; done; [ $T = 1 ] && train';
    expect(trained(text).map(([words]) => words)).toEqual(['train']);
  });

  test.each([
    ['is found without', 'train 1; if [ "$1" = go ]; then train 2; fi', ['train 1']],
    ['cannot be given', 'if [ -t 0 ]; then train; fi; M=; if [ "$M" = go ]; then train; fi', []],
  ])('is not looked for any further if it %s', (_, text, started) => {
    expect(trained(text).map(([words]) => words)).toEqual(started);
  });

  test('is looked for on a path that is not followed otherwise', () => {
    const long = 'for ((i = 0; i < 400; i++)); do A+=($i); done';
    const text = `first; ${long}; ${long}; if [ "$(ask)" = 1 ]; then B=1; train; fi`;
    expect(trained(text).map(([words]) => words)).toEqual(['train']);
    expect(trained(text, /^first$/)).toEqual([]);
  });

  test('is looked for on the node that starts it, after the list of layers of a large model', () => {
    const text = [
      'set -e; if [ $# -lt 2 ]; then exit 1; fi',
      'MODE=$1; RANK=$2; if [ "$RANK" -eq 0 ]; then stop || true; fi',
      'SKIP="${SKIP:-0}"',
      'L=(); for ((i = 0; i < 140; i++)); do if ((i < 3)); then L+=(0); else L+=(1); fi; done',
      'run() {',
      `  A=(${Array.from({ length: 60 }, (_, at) => `--a${at}`).join(' ')})`,
      '  if [ "$1" = p2p ]; then A+=(b); fi',
      '  if [ "$SKIP" -eq 1 ]; then A+=(c); else A+=(d); fi',
      '  if [ "$1" = p2p ]; then B=$(size); else B=1; fi',
      '  if [ "$SKIP" -eq 0 ]; then A+=(e); fi',
      '  if [ "$RANK" -gt 0 ]; then sleep 20; fi',
      '  if [ "$RANK" -eq 0 ]; then',
      '    while true; do C=$(count || echo 0); if [ "$C" -ge 8 ]; then break; fi; sleep 5; done',
      '  fi',
      '  if [ "$RANK" -eq 0 ]; then',
      '    train "${A[@]}"',
      '  fi',
      '}',
      'run "$MODE"',
    ].join('\n');
    expect(trained(text).map(([words]) => words?.startsWith('train'))).toContain(true);
  });
});
