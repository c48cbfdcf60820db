import { describe, expect, it } from 'vitest';
import { launchesOf } from '../../../server/src/launch/wrappers/peel.ts';
import { noProfile } from '../../../server/src/value/machine.ts';
import { command, texts } from './command.ts';

const argumentsOf = (line: string) => texts(launchesOf(command(line), noProfile)[0]?.args ?? []);

describe('the shell that ray job submit gives its words to', () => {
  it('takes off quotes that stand around a word', () => {
    const words = `--moe-layer-freq "'([1]*4)'" --empty "''" --name "it's" --two "'a b'"`;
    expect(argumentsOf(`ray job submit --address x -- python3 train.py ${words}`)).toEqual([
      '--moe-layer-freq',
      '([1]*4)',
      '--empty',
      '',
      '--name',
      "it's",
      '--two',
      "'a b'",
    ]);
  });

  it.each([
    [`"--freq='([1]*4)'"`, '--freq=([1]*4)'],
    [`"'a'b'c'"`, 'abc'],
    [`"'{"'"a"'":1}'"`, String.raw`{\"a\":1}`],
    [String.raw`"'a'\b"`, 'ab'],
    [`"'a'*"`, "'a'*"],
    [`"'a' b"`, "'a' b"],
  ])('gets %s as %s', (word, expected) => {
    expect(argumentsOf(`ray job submit -- python3 train.py ${word}`)).toEqual([expected]);
  });

  it('is not there without it', () => {
    expect(argumentsOf(`python3 train.py --freq "'([1]*4)'"`)).toEqual(['--freq', "'([1]*4)'"]);
  });
});
