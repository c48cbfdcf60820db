import { describe, expect, it } from 'vitest';
import { launchesOf } from '../../../server/src/launch/wrappers/peel.ts';
import { noProfile } from '../../../server/src/value/machine.ts';
import { command } from './command.ts';

/** The program's arguments, with unknown parts in angle brackets. */
const argumentsOf = (line: string) =>
  (launchesOf(command(line), noProfile)[0]?.args ?? []).map(({ pieces }) =>
    pieces.map((piece) => (piece.kind === 'hole' ? `<${piece.label}>` : piece.text)).join(''),
  );

describe('the shell that ray job submit passes its words to', () => {
  it('strips quotes around a word in older releases, but not in newer ones', () => {
    const words = `--moe-layer-freq "'([1]*4)'" --empty "''" --name "it's" --two "'a b'"`;
    expect(argumentsOf(`ray job submit --address x -- python3 train.py ${words}`)).toEqual([
      '--moe-layer-freq',
      "<'([1]*4)'>",
      '--empty',
      "<''>",
      '--name',
      "it's",
      '--two',
      "'a b'",
    ]);
  });

  it.each([
    [`"--freq='([1]*4)'"`, "--freq=<'([1]*4)'>"],
    [`"'a'b'c'"`, "<'a'b'c'>"],
    [String.raw`"a\b'c'"`, String.raw`a<\b'c'>`],
    [`"'{"'"a"'":1}'"`, `<'{"a":1}'>`],
    [`"'a'*"`, "'a'*"],
    [`"'a' b"`, "'a' b"],
    ['--lr=1e-4', '--lr=1e-4'],
  ])('turns %s into what is %s here', (word, expected) => {
    expect(argumentsOf(`ray job submit -- python3 train.py ${word}`)).toEqual([expected]);
  });

  it('does not exist without ray job submit', () => {
    expect(argumentsOf(`python3 train.py --freq "'([1]*4)'"`)).toEqual(['--freq', "'([1]*4)'"]);
  });
});
