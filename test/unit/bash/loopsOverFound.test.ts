import { describe, expect, test } from 'vitest';
import { evaluate, lines } from './support.ts';

/** What is assumed about the files that a search found, one text per command. */
function assumed(script: string): readonly string[] {
  return evaluate(script).commands.map(({ assumptions }) =>
    assumptions.map(({ text, alone }) => `${text}${alone === true ? ' (alone)' : ''}`).join(', '),
  );
}

const found = "$(find /data -name '*.yaml') finds something (alone)";

describe('what a loop over unknown files starts is reported with the assumption that there are some', () => {
  test.each([
    [`for F in $(find /data -name '*.yaml'); do python train.py "$F"; done`, [found]],
    [`L=$(find /data -name '*.yaml'); for F in $L; do python train.py "$F"; done`, [found]],
    [
      `for F in $(ls /data/*.yaml | sort); do python train.py "$F"; done; python after.py`,
      ['$(ls /data/*.yaml | sort) finds something (alone)', ''],
    ],
    [
      'find /data | while read -r F; do python train.py "$F"; done; python after.py',
      ['$(find /data) finds something (alone)', ''],
    ],
    [
      'while read -r F; do python train.py "$F"; done < <(find /data)',
      ['$(find /data) finds something (alone)'],
    ],
    [
      'mapfile -t L < <(find /data); for F in "${L[@]}"; do python train.py "$F"; done',
      ['${L[@]} finds something (alone)'],
    ],
    [
      'shopt -s nullglob; for F in $DATA/*.yaml; do python train.py "$F"; done',
      ['$DATA/*.yaml finds something (alone)'],
    ],
    ['find /data | xargs -r -n1 python train.py', ['$(find /data) finds something (alone)']],
  ])('%s', (script, texts) => {
    expect(assumed(script)).toEqual(texts);
  });

  test('a pattern that matches nothing stays as it is, so the loop runs once', () => {
    expect(assumed('for F in /data/*.yaml; do python train.py "$F"; done')).toEqual(['']);
  });

  test('what is known of the workspace needs no assumption', () => {
    const files = { '/repo/configs/a.yaml': '' };
    const script = `for F in $(find configs -name '*.yaml'); do python train.py "$F"; done`;
    const { commands } = evaluate(script, { files });
    expect(commands.map(({ assumptions }) => assumptions)).toEqual([[]]);
    expect(lines(script, { files })).toEqual(['python train.py configs/a.yaml']);
  });

  test('what an iteration changes is unknown after the loop', () => {
    const script = 'K=a; for F in $(find /data); do K=b; N=$((N+1)); done; python after.py "$K" "$N" "$F"';
    expect(lines(script)).toEqual(['python after.py <$K> <$N> <$F>']);
  });
});
