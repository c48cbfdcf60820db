import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { evaluateScript } from '../../../server/src/bash/evaluate.ts';
import { nestedShell } from '../../../server/src/launch/wrappers/nested.ts';
import { noProfile } from '../../../server/src/value/machine.ts';
import type { Word } from '../../../server/src/value/word.ts';
import { host, mutate, mutation, originals } from './mutations.ts';
import { evaluate, hostOf } from './support.ts';

/** The texts of a word, each with the characters at the place where it says it was written, or undefined if it was not written verbatim. */
function written(word: Word | undefined, text: string): readonly (readonly [string, string | undefined])[] {
  return (word?.pieces ?? []).flatMap((piece) => {
    if (piece.kind !== 'text') return [];
    const { place, verbatim } = piece.origin;
    return [[piece.text, verbatim ? text.slice(place.span.start, place.span.end) : undefined] as const];
  });
}

describe('text run by another shell keeps the positions of its parts', () => {
  test.each([
    ['a variable in a text', 'LR=5\nC="python a.py x=$LR"\nbash -c "$C"\n', 2, ['x=', '5']],
    ['lines that are continued', 'O="\\\n a=1 \\\n b=2"\nbash -c "python a.py $O"\n', 3, ['b=2']],
    ['quotes within', 'O="a=1 b=2"\nbash -c "python a.py \\"$O c=$X\\""\n', 2, ['a=1 b=2', ' c=']],
    ['a word of an array', 'LR=5\nC="A=(x=$LR y)"\neval "$C"\npython a.py "${A[@]}"\n', 2, ['x=', '5']],
  ])('%s', (_, text, index, texts) => {
    const command = evaluate(text).commands.find(
      ({ words }) => words[0]?.pieces[0]?.kind === 'text' && words.length > index,
    );
    expect(written(command?.words[index], text)).toEqual(texts.map((part) => [part, part]));
  });
});

test.each([
  ['a positional', 'python a.py "$1"\n', '"$1"'],
  ['a positional behind a shift', 'shift\npython a.py "$1"\n', '"$1"'],
  ['a variable', 'GPUS=$1\npython a.py "$GPUS"\n', '$1'],
  ['all of them', 'python a.py "$@"\n', '"$@"'],
  ['a declared variable', 'python a.py "$NODES"\n', '"$NODES"'],
])('a value from the machine profile is placed where the script reads it: %s', (_, script, read) => {
  const text = `#!/bin/bash\n${script}`;
  const variables = { '1': 'seven', '2': 'eight', NODES: 'nine' };
  const word = evaluate(text, { machine: { variables } }).commands.at(-1)?.words[2];
  const { place, verbatim } = word?.pieces[0]?.origin ?? { place: undefined, verbatim: true };
  expect(text.slice(place?.span.start, place?.span.end).replaceAll('"', '')).toBe(read.replaceAll('"', ''));
  expect(verbatim).toBe(false);
});

test('a text that counts as written is what is at its position', { timeout: 600_000 }, () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...originals),
      fc.array(mutation, { maxLength: 4 }),
      (original, mutations) => {
        const path = '/workspace/script.sh';
        const text = mutations.reduce(mutate, original);
        const { commands } = evaluateScript(path, text, { host, machine: noProfile, nested: nestedShell });
        const words = commands.flatMap(({ words, env }) => [...words, ...env.values()]);
        for (const piece of words.flatMap(({ pieces }) => pieces)) {
          if (piece.kind === 'hole' || !piece.origin.verbatim) continue;
          const { place } = piece.origin;
          const file = place.path === path ? text : host.read(place.path);
          expect(file?.slice(place.span.start, place.span.end)).toBe(piece.text);
        }
      },
    ),
    { numRuns: 1000, seed: Number(process.env.OOMLINT_SEED ?? 7) },
  );
});

describe('a position', () => {
  test('is known for every piece, with the way it took', () => {
    const text = 'TP=4\nARGS=(--tp $TP "--dir=a/$TP")\npython t.py "${ARGS[@]}"';
    const [command] = evaluate(text).commands;
    const written = command?.words.map(({ pieces }) =>
      pieces.map(({ origin }) => [
        text.slice(origin.place.span.start, origin.place.span.end),
        ...origin.via.map(({ span }) => text.slice(span.start, span.end)),
      ]),
    );
    expect(written).toEqual([
      [['python']],
      [['t.py']],
      [['--tp', '${ARGS[@]}']],
      [['4', '${ARGS[@]}', '$TP']],
      [
        ['--dir=a/', '${ARGS[@]}'],
        ['4', '${ARGS[@]}', '$TP'],
      ],
    ]);
    expect(command?.words[3]?.pieces[0]?.origin.verbatim).toBe(true);
    expect(text.slice(command?.words[3]?.place.span.start, command?.words[3]?.place.span.end)).toBe(
      '"${ARGS[@]}"',
    );
  });

  test('in an embedded script is given in its host file', () => {
    const { commands } = evaluateScript('/repo/job.yaml', 'python t.py', {
      host: hostOf({}),
      machine: noProfile,
      nested: nestedShell,
      locate: (span) => ({ path: '/repo/job.yaml', span: { start: span.start + 100, end: span.end + 100 } }),
      environment: new Map(),
    });
    expect(commands[0]?.place).toEqual({ path: '/repo/job.yaml', span: { start: 100, end: 111 } });
  });

  test('of an expansion comes with the assignments that feed it', () => {
    const text = 'A=1\nA+=2\npython $A';
    const { references } = evaluate(text);
    const use = references.find(({ kind, name }) => kind === 'expansion' && name === 'A');
    expect(use?.assignments.map(({ span }) => text.slice(span.start, span.end))).toEqual(['A=1', 'A+=2']);
  });
});
