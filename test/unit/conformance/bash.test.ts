import { describe, expect, test } from 'vitest';
import { type Command, plainCommand } from '../../../server/src/launch/command.ts';
import type { HolePiece, Piece, Word } from '../../../server/src/value/word.ts';
import { compareLaunch, matchWords, worst } from '../../../tools/conformance/bash/compare.ts';
import type { ReferenceLaunch } from '../../../tools/conformance/bash/references.ts';

const place = { path: '/w/run.sh', span: { start: 0, end: 1 } };
const origin = { place, via: [], verbatim: true };

function hole(change: Partial<HolePiece> = {}): HolePiece {
  return { kind: 'hole', reason: 'environment', label: '$X', shape: 'any', splits: false, origin, ...change };
}

function word(...pieces: readonly (string | HolePiece)[]): Word {
  return {
    pieces: pieces.map(
      (piece): Piece => (typeof piece === 'string' ? { kind: 'text', text: piece, origin } : piece),
    ),
    place,
  };
}

function command(words: readonly Word[], env: readonly (readonly [string, Word])[] = []): Command {
  return plainCommand({ words, env: new Map(env), cwd: '/w', place });
}

function launch(argv: readonly string[], env: { [name: string]: string } = {}): ReferenceLaunch {
  return { argv: [...argv], env, cwd: '/w', kind: 'train' };
}

const nothingGiven: ReadonlySet<string> = new Set();

describe('comparing with references of real Bash', () => {
  test('equal words are exact, holes are open, unneeded holes are vague', () => {
    const reference = launch(['python', 'train.py', '--x=1']);
    const judge = (last: Word) =>
      compareLaunch(reference, [command([word('python'), word('train.py'), last])], nothingGiven).verdict;
    expect(judge(word('--x=1'))).toBe('exact');
    expect(judge(word('--x=', hole({ shape: 'integer' })))).toBe('open');
    expect(judge(word('--x=', hole({ reason: 'too-complex' })))).toBe('vague');
    expect(judge(word('--x=2'))).toBe('wrong');
    expect(judge(word('--y=', hole()))).toBe('wrong');
  });

  test('a launch that resembles none is missing', () => {
    const found = compareLaunch(
      launch(['python', 'train.py', '--a', '1']),
      [command([word('ls'), word('-l')])],
      nothingGiven,
    );
    expect(found.verdict).toBe('missing');
  });

  test('only holes that split may be several words or none', () => {
    const bare = hole({ splits: true });
    expect(matchWords([word('a'), word(bare), word('b')], ['a', 'b'])).toBe(true);
    expect(matchWords([word('a'), word(bare), word('b')], ['a', 'x', 'y', 'b'])).toBe(true);
    expect(matchWords([word('a'), word(hole()), word('b')], ['a', 'b'])).toBe(false);
    expect(matchWords([word('--x=', bare)], [])).toBe(false);
  });

  test('exported variables are compared', () => {
    const reference = launch(['python', 'train.py'], { A: '1' });
    const words = [word('python'), word('train.py')];
    expect(compareLaunch(reference, [command(words, [['A', word('1')]])], nothingGiven).environment).toBe(
      'exact',
    );
    expect(compareLaunch(reference, [command(words, [['A', word('2')]])], nothingGiven).environment).toBe(
      'wrong',
    );
    expect(compareLaunch(reference, [command(words)], nothingGiven).environment).toBe('wrong');
    const more = [
      ['A', word('1')],
      ['B', word('2')],
    ] as const;
    expect(compareLaunch(reference, [command(words, more)], nothingGiven).environment).toBe('wrong');
    expect(compareLaunch(reference, [command(words, more)], new Set(['B'])).environment).toBe('exact');
  });

  test('the best of several commands counts, and the worst of several launches', () => {
    const commands = [command([word('python'), word('a')]), command([word('python'), word('b')])];
    expect(compareLaunch(launch(['python', 'b']), commands, nothingGiven).command).toBe(commands[1]);
    expect(worst(['exact', 'missing', 'open'])).toBe('missing');
    expect(worst([])).toBe('exact');
  });
});
