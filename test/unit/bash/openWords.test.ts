import { describe, expect, test } from 'vitest';
import { lines } from './support.ts';

const shows = (text: string): readonly string[] =>
  lines(`cd /repo\n${text}`, { files: { '/repo/a/x.sh': '' } });

describe('text next to elements that may be absent is not taken for a word of its own', () => {
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

describe('words that may be several are so wherever they are put together again', () => {
  test.each([
    ['show --n $(date)', 'show --n <$(date)*>'],
    [
      'show --n "$(date)" $(date +%F) $(date -Iseconds) $(date -u +%s)',
      'show --n <$(date)> <$(date +%F)> <$(date -Iseconds)> <$(date -u +%s)>',
    ],
    ["show $(date '+%F %T') $(date +%c)", "show <$(date '+%F %T')*> <$(date +%c)*>"],
    [`A=(show a $U "b c"); eval "$(printf '%q ' "${'$'}{A[@]}")"`, 'show a <$U*> b c'],
    [`A=(show "$U x 'y" "#$U#" "\\$V"); eval "$(printf '%q ' "${'$'}{A[@]}")"`, "show <$U> x 'y #<$U># $V"],
    [`A=(show "$(echo a $U)"); eval "$(printf '%q ' "${'$'}{A[@]}")"`, 'show a<$U>'],
    [`A=(show a $U "b c"); bash -c "$(printf ' %q' "${'$'}{A[@]}")"`, 'show a <$U*> b c'],
  ])('%s', (text, expected) => {
    expect(shows(text).at(-1)).toBe(expected);
  });
});

describe('of what declare -p prints', () => {
  test.each([
    [`A=(1 "$U" 3); eval "$(declare -p A | sed 's/A/B/')"; show "${'$'}{B[@]}"`, 'show 1 <$U> 3'],
    [
      `declare -A M=([x]=1 [y]="p$U\\"q"); S=$(declare -p M); unset M; eval "$S"; show "${'$'}{M[x]}" "${'$'}{M[y]}"`,
      'show 1 p<$U>"q',
    ],
    [`A=(1 $U); S=$(declare -p A); show "$S"`, 'show <$(declare -p A)>'],
  ])('only the unknown values are unknown: %s', (text, expected) => {
    expect(shows(text).at(-1)).toBe(expected);
  });
});

describe('what a pattern removes from the known beginning or end of a value', () => {
  test.each([
    ['X="a=b$U-c.pt"; show "${X#*=}" "${X%.pt}" "${X%-*}"', 'show b<$U>-c.pt a=b<$U>-c a=b<$U>'],
    ['X="--k=$U"; K=${X#--}; show "${K#*=}" "${X#--k=}"', 'show <$U> <$U>'],
    ['X="a$U-c"; show "${X#*=}" "${X##*-}" "${X%a*}"', 'show <${X#*=}> <${X##*-}> <${X%a*}>'],
    ['X="a b $U"; show ${X#a}', 'show b <$U*>'],
  ])('leaves the rest: %s', (text, expected) => {
    expect(shows(text).at(-1)).toBe(expected);
  });
});

describe('of what printf prints', () => {
  test.each([
    [`X=$(printf '%s_%03d.%.1f|%-3s|' "$U" 7 2 a); show "$X"`, 'show <$U>_007.2.0|a  |'],
    [`printf -v X 'iter_%07d' "$U"; show "$X"`, 'show iter_<$(printf %07d $U)>'],
    [`printf 'A+=("%s" %d)\\n' "$U" 4 > a.sh; source a.sh; show "${'$'}{A[@]}"`, 'show <$U> 4'],
    [`show "$(printf '%d-%s' "$U" x "$V")"`, 'show <$(printf %d $U)>-x<$(printf %d $V)>-'],
    [`show "$(printf '%s %d' "$U" x)"`, 'show <$(printf %s %d $U x)>'],
  ])('only what comes from unknown words is unknown: %s', (text, expected) => {
    expect(shows(text).at(-1)).toBe(expected);
  });
});

describe('of the lines that mapfile puts into an array from an index on', () => {
  test.each([
    ['A=(1 2 3); mapfile -t -O 1 A < <(find . | sort); show "${A[@]}"', 'show 1 <${A[@]}*>'],
    ['A=(1 2 3); mapfile -t -O 7 A < <(find . | sort); show "${A[@]}"', 'show <${A[@]}*>'],
    ['A=(1 2 3); mapfile -t -O $U A <<< x; show "${A[@]}"', 'show <${A[@]}*>'],
    ['A=(1 2 3); mapfile -t -O 1 A <<< x; show "${A[@]}"', 'show 1 x 3'],
  ])('only the certain ones are known: %s', (text, expected) => {
    expect(shows(text)).toEqual([expected]);
  });
});

describe('an answer to select', () => {
  const menu = (words: string, answers: string): readonly string[] =>
    shows(`select o in ${words}; do show "$REPLY" "$o"; [ "$REPLY" = q ] && break; done <<< $'${answers}'`);

  test('is known up to the first choice with an unknown number of words', () => {
    expect(menu('a b', '2\\n3\\nx\\nq')).toEqual(['show 2 b', 'show 3 ', 'show x ', 'show q ']);
    expect(menu('a $U b', '1\\n2\\nx\\nq')).toEqual(['show 1 a', 'show 2 <$o>', 'show x ', 'show q ']);
  });
});

describe('the path of a folder that a link points to is unknown', () => {
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

describe('the working folder of what is started elsewhere is unknown', () => {
  const started = (text: string): string | undefined =>
    shows(text).findLast((line) => line.startsWith('show'));
  test.each([
    [`ssh h 'show "$PWD" "$(pwd)/x"'`, 'show <$(pwd)> <$(pwd)>/x'],
    [`docker run -w /x img bash -c 'show "$PWD" *'`, 'show <$(pwd)> <**>'],
    [`kubectl exec p -- bash -c 'cd a; show "$PWD"'`, 'show <$(pwd)>'],
    [`ssh h 'show "$(realpath a)" "$(bash -c "pwd")"'`, 'show <$(realpath a)> <$(bash -c "pwd")>'],
    [`su - u -c 'show "$PWD"'`, 'show <$(pwd)>'],
    [`srun --container-image=x bash -c 'show "$PWD"'`, 'show <$(pwd)>'],
    [`ssh h "cd $PWD/a && show '$PWD' \\"\\$PWD\\""`, 'show /repo /repo/a'],
    [`srun bash -c 'show "$PWD"'`, 'show /repo'],
    [`sudo -E bash -c 'show "$PWD"'`, 'show /repo'],
    [`doppler run -- bash -c 'show "$PWD"'`, 'show /repo'],
  ])('%s', (text, expected) => {
    expect(started(text)).toBe(expected);
  });
});

test('what is typed into a window is one text, with the effect of its keys', () => {
  const typed = (keys: string): readonly string[] =>
    shows(`tmux send-keys -t x ${keys}`).filter((line) => line.startsWith('show'));
  expect(typed(`"A=1; show a" " b" Enter 'show $A' C-m`)).toEqual(['show a b', 'show 1']);
  expect(typed('"show a "b c"" C-m')).toEqual(['show a bc']);
  expect(typed('C-c show Space b Enter')).toEqual(['show b']);
});

test.each(['show a^M', 'show a\\n', 'show a\\r', 'show a\n', 'show a'])(
  'what screen is told to type is run: %j',
  (text) => {
    expect(shows(`screen -S x -p 0 -X stuff '${text}'`).filter((line) => line.startsWith('show'))).toEqual([
      'show a',
    ]);
  },
);

test('a backslash before an unknown value quotes its first character', () => {
  expect(shows('bash -c "show x\\\\${U}y"').at(-1)).toBe('show x<\\$U*>y');
});

test('whether a table has elements depends on the Bash version, and whether a file can be written on its folder', () => {
  expect(shows('declare -A M=([a]=1); [[ -v M[@] ]] && show yes').at(-1)).toBe('show yes');
  expect(shows('declare -A M=([a]=1); [[ -v M[@] ]] || show no').at(-1)).toBe('show no');
  expect(shows('echo > none/x; show $?').at(-1)).toBe('show <$?>');
  expect(shows('mkdir none; echo > none/x; show $?').at(-1)).toBe('show 0');
});

test('an escaped blank next to a list in an operand may not stay', () => {
  expect(shows('A=(1); show "${U:-a\\ ${A[@]}}" "${U:-a\\ b}"').at(-1)).toBe('show <a\\ ${A[@]}*> a\\ b');
});

test('the status of a text with an unclosed quote is open if an unknown value may close it', () => {
  expect(shows('bash -c "show \'a $U"; show $?').at(-1)).toBe('show <$?>');
  expect(shows('bash -c "show \'a"; show $?').at(-1)).toBe('show 2');
});

test('the status of a list is presumed if that of one of its sides is', () => {
  expect(shows('hash it || cat /none; show $?').at(-1)).toBe('show <$?>');
  expect(shows('hash it || true; show $?').at(-1)).toBe('show 0');
});

test('a here-document in which an operand ends with a command is open: some releases give up on it', () => {
  const read = (line: string): string | undefined =>
    shows(`s=banana\ncat <<E > o\n${line}\nE\nshow "$(cat o)"`).at(-1);
  expect(read('${s/a/$(echo x)} y')).toBe('show <$(cat o)>');
  expect(read('${s/a/"$(echo x)"} ${u:-$(echo y)}')).toBe('show bxnana y');
});
