import { describe, expect, test } from 'vitest';
import { lines } from './support.ts';

const shows = (text: string): readonly string[] =>
  lines(`cd /repo\n${text}`, { files: { '/repo/a/x.sh': '' } });

describe('what stands beside elements that may be absent is not taken for a word of its own', () => {
  test.each([
    ['A=(one $U); X="x${A[*]}y"; show $X', 'show xone<$U*>y'],
    ['A=($U two); X="x${A[*]}y"; show $X', 'show x<$U*>twoy'],
    ['A=($U two); X="x ${A[*]} y"; show $X', 'show x <$U*> two y'],
    ['MODEL=x; X="tp${!MODEL*}"; show $X', 'show tp<${!MODEL*}*>MODEL <${!MODEL*}*>'],
    ['X=$(export -p | grep A); show --o=$(export -p)', 'show --o=<$(export -p)*>'],
  ])('%s', (text, expected) => {
    expect(shows(text).at(-1)).toBe(expected);
  });
});

describe('of lines that mapfile puts into an array from an index on', () => {
  test.each([
    ['A=(1 2 3); mapfile -t -O 1 A < <(find . | sort); show "${A[@]}"', 'show 1 <${A[@]}*>'],
    ['A=(1 2 3); mapfile -t -O 7 A < <(find . | sort); show "${A[@]}"', 'show <${A[@]}*>'],
    ['A=(1 2 3); mapfile -t -O $U A <<< x; show "${A[@]}"', 'show <${A[@]}*>'],
    ['A=(1 2 3); mapfile -t -O 1 A <<< x; show "${A[@]}"', 'show 1 x 3'],
  ])('those are known that are certain: %s', (text, expected) => {
    expect(shows(text)).toEqual([expected]);
  });
});

describe('an answer to select', () => {
  const menu = (words: string, answers: string): readonly string[] =>
    shows(`select o in ${words}; do show "$REPLY" "$o"; [ "$REPLY" = q ] && break; done <<< $'${answers}'`);

  test('is known up to the first choice of which it is not known how many words it is', () => {
    expect(menu('a b', '2\\n3\\nx\\nq')).toEqual(['show 2 b', 'show 3 ', 'show x ', 'show q ']);
    expect(menu('a $U b', '1\\n2\\nx\\nq')).toEqual(['show 1 a', 'show 2 <$o>', 'show x ', 'show q ']);
  });
});

describe('the path of a folder that a link leads to is not known', () => {
  test.each([
    ['ln -s a b; cd b; show "$(pwd)" "$(pwd -P)"', 'show /repo/b <$(pwd -P)>'],
    ['ln -s a b; cd -P b; show "$PWD"', 'show <$PWD>'],
    ['ln -s a/x.sh y.sh; show "$(dirname "$(readlink -f y.sh)")"', 'show <$(dirname "$(readlink -f y.sh)")>'],
    [
      'ln -s a b; show "$(realpath b/x.sh)" "$(realpath -s b/x.sh)"',
      'show <$(realpath b/x.sh)> <$(realpath -s b/x.sh)>',
    ],
    ['ln -s a b; cd -P a; show "$(pwd -P)" "$(realpath x.sh)"', 'show /repo/a /repo/a/x.sh'],
  ])('%s', (text, expected) => {
    expect(shows(text).at(-1)).toBe(expected);
  });
});
