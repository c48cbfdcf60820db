import { expect, test } from 'vitest';
import { lines } from './support.ts';

const last = (text: string): string | undefined => lines(text).at(-1);

test('text written after the output of a program starts a new line', () => {
  expect(last('V=$(mycheck; echo tail)\npython t.py $V')).toBe('python t.py <$(mycheck)*>tail');
  expect(last('V=$(mycheck; echo tail)\nset -- $V\npython t.py $#')).toBe('python t.py <$#>');
  expect(last('V=$(mycheck)/x\npython t.py $V')).toBe('python t.py <$(mycheck)>/x');
});

test('what only one of two paths writes after it does not affect the other', () => {
  const run = lines('V=$(mycheck || echo tail)\npython t.py /a/$V/b').filter((line) =>
    line.startsWith('python'),
  );
  expect(run).toEqual(['python t.py /a/<$(mycheck || echo tail)>/b', 'python t.py /a/<$(mycheck)*>tail/b']);
});

test.each([
  ['A=(--x /a/$V/b); python t.py "${A[@]}" -y 2', '--x /a/<$(mycheck)*>tail/b -y 2'],
  ['A=(--x /a/$V/b); B=(${A[@]} -y 2); python t.py ${B[@]}', '--x /a/<$(mycheck)*>tail/b -y 2'],
  ['A=(/a/$V -y); python t.py --x=${A[@]} 2', '--x=/a/<$(mycheck)*>tail -y 2'],
  // If the first element may vanish, the second one is joined to the text.
  ['A=($U -y); python t.py --x=${A[@]} 2', '--x=<$U -y*> 2'],
])('an element with text of its own is present, however many words it becomes: %s', (text, expected) => {
  expect(last(`V=$(mycheck; echo tail)\n${text}`)).toBe(`python t.py ${expected}`);
});

test('what may follow a value is not a separate word if blanks do not split', () => {
  const text = 'V=start\nfor i in $(mycheck); do V="$V w"; done\n';
  expect(last(`${text}python t.py $V`)).toBe('python t.py start <$V*>');
  expect(last(`${text}IFS=,\npython t.py $V`)).toMatch(/^python t\.py start<\$V\*?>$/);
});

test.each([
  ['V=a; until mycheck; do V=b; break; done', '<$V>'],
  ['V=a; until mycheck; do V=b; sleep 5; done', '<$V>'],
  ['V=a; while true; do V=b; break; done', 'b'],
  ['V=a; until mycheck; do sleep 5; break; done', 'a'],
])('a loop that may run zero times leaves open what its first iteration sets: %s', (text, expected) => {
  expect(last(`${text}\npython t.py "$V"`)).toBe(`python t.py ${expected}`);
});

test.each([
  ['printf "a\\n%s\\nc\\n" "$(nproc)" | paste -sd,', 'a,<$(nproc)>,c'],
  ['(echo a; nproc) | paste -s -d+ -', 'a+<$(nproc)>'],
  ['(echo a; mycheck) | paste -sd,', '<$((echo a; mycheck) | paste -sd,)>'],
])('lines with unknown values in them are joined into one: %s', (text, expected) => {
  expect(last(`V=$(${text})\npython t.py "$V"`)).toBe(`python t.py ${expected}`);
});
