import { describe, expect, test } from 'vitest';
import { lines } from './support.ts';

const started = (text: string): string | undefined => lines(text).at(-1);

describe('a text program', () => {
  test.each([
    ['printf "c\\na\\n" > x; sort -o x x; python $(cat x)', 'python a c'],
    ['printf "c\\na\\nc\\n" > x; sort -u x -o y; python $(cat y)', 'python a c'],
    ['printf "a\\nc\\n" > x; sort -ruo x x; python $(cat x)', 'python c a'],
    ['seq 2 | sort -r --output=x; python $(cat x)', 'python 2 1'],
    ['O=$(seq 2 | sort -o x); python a$O', 'python a'],
    ['T=$(mktemp); printf "c\\na\\n" > $T; sort -o$T $T; python $(cat $T)', 'python a c'],
    ['T=$(mktemp); echo old > $T; list | sort -o $T; python $(cat $T)', 'python <$(cat $T)*>'],
    ['printf "a\\na\\n" > x; uniq x y; python $(cat y)', 'python a'],
    ['printf "a\\na\\n" > x; uniq x x; python "[$(cat x)]"', 'python []'],
    ['V=$(echo a | sort -o /dev/stdout); python $V', 'python <$(echo a | sort -o /dev/stdout)*>'],
  ])('writes the file that it is given: %s', (text, expected) => {
    expect(started(text)).toBe(expected);
  });

  test.each([
    ['python $(sort -u <(printf "c\\nb\\n") <(echo a; echo c))', 'python a b c'],
    ['python $(paste -sd, <(seq 3))', 'python 1,2,3'],
    ['python $(paste -d= <(seq 3) <(seq 2))', 'python 1=1 2=2 3='],
    ['python $(paste -d, <(seq 2) <(list))', 'python <$(paste -d, <(seq 2) <(list))*>'],
    ['T=$(mktemp); echo "a=b" > $T; python $(cut -d= -f2 "$T")', 'python b'],
    ['T=$(mktemp); echo \'{"a": 1}\' > $T; python $(jq .a $T)', 'python 1'],
  ])('reads files whose names are not known: %s', (text, expected) => {
    expect(started(text)).toBe(expected);
  });
});
