import { describe, expect, test } from 'vitest';
import { chainOf } from '../../../server/src/launch/wrappers/chain.ts';
import { asSubmitted } from '../../../server/src/launch/wrappers/rayJob.ts';
import { evaluate, lines, shown } from './support.ts';

describe('a text that ray job submit passes to a shell, and that older releases let another shell expand first', () => {
  const started = (text: string): string | undefined =>
    lines(`ray job submit -- bash -c ${text}`).find((line) => line.startsWith('python'));

  test.each([
    [`'LR=3; python t.py --lr $LR'`, 'python t.py --lr <$LR*>'],
    [`'for i in 1 2; do python t.py $i; done'`, 'python t.py <$i*>'],
    [`'python t.py "$1" $#' _ a`, 'python t.py <$1> <$#*>'],
    [`'python t.py "\\$H"'`, 'python t.py <\\$>H'],
    [`'H=1 python t.py --x '"'"'$K'"'"`, 'python t.py --x <$K>'],
  ])('is unknown if the two differ: %s', (text, line) => {
    expect(started(text)).toBe(line);
  });

  test.each([
    [`'python t.py --lr $LR'`, 'python t.py --lr <$LR*>'],
    [`"cd /tmp && python t.py --lr 3 --x 'a b'"`, 'python t.py --lr 3 --x a b'],
  ])('is known otherwise: %s', (text, line) => {
    expect(started(text)).toBe(line);
  });

  test.each([
    [`'$X/a'`, '<$X/a>'],
    [`'a$(hostname)'`, 'a<$(hostname)>'],
    [`"it's"`, "it's"],
    ['a=5$', 'a=5$'],
    [`"'[1]'"`, "<'[1]'>"],
  ])('and for single words, too: %s', (word, reported) => {
    const [command] = evaluate(`ray job submit -- python t.py ${word}`).commands;
    const words = command?.words ?? [];
    expect(asSubmitted(words.slice(-1), chainOf(words)).map(shown)).toEqual([reported]);
  });
});
