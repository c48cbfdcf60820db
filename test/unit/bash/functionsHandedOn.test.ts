import { expect, test } from 'vitest';
import { lines } from './support.ts';

const functions = 'f() { python f "$@"; g 1; }\ng() { python g "$@"; }\n';

/** What real Bash 5.2 starts if the text of functions is passed to another shell. */
test.each([
  ['bash -c "$(declare -f f g); f a"', ['python f a', 'python g 1']],
  ['bash -c "$(declare -f g); $(typeset -f f); f b"', ['python f b', 'python g 1']],
  ['bash -c "$(declare -f)\nf c"', ['python f c', 'python g 1']],
  ['timeout 5 bash -c "$(declare -f g); g \\"\\$@\\"" _ 1 2', ['python g 1 2']],
  ['FN=$(declare -f g); bash -c "$FN; g 3"', ['python g 3']],
  ['bash <<END\n$(declare -f g)\ng 4\nEND', ['python g 4']],
  ['{ declare -f g; echo g 5; } | bash', ['python g 5']],
  ['eval "$(declare -f g)"; g 6', ['python g 6']],
  ['F=$(declare -f g); unset -f g; eval "$F"; g 7', ['python g 7']],
  ['F=$(declare -f g); g() { python h; }; bash -c "$F; g 8"', ['python g 8']],
  ['eval "$(declare -f g | sed \'s/^g/h/\')"; unset -f g; h 9', ['python g 9']],
  ['eval "$(declare -f g | sed "1s/g/base_g/")"; g() { base_g w$1; }; g 9', ['python g w9']],
  ['eval "$(declare -f g | sed "s/g ()/h ()/")"; h 9', ['python g 9']],
  ['eval "$(declare -f g | sed "s/g()/h()/")"; h 9', []],
  ['eval "h() $(declare -f g | tail -n +2)"; g() { h w$1; }; g 9', ['python g w9']],
  ['eval "function h $(declare -f f | sed 1d)"; h 9', ['python f 9', 'python g 1']],
  ['eval "$(echo "h()"; declare -f g | tail -n +2)"; h 9', ['python g 9']],
  ['eval "$(declare -f f | sed "s/^f /h /")"; h 9', ['python f 9', 'python g 1']],
])('%s', (text, expected) => {
  expect(lines(functions + text).filter((line) => line.startsWith('python'))).toEqual(expected);
});

test('but not under a name that a program writes into it', () => {
  const text = 'unset -f g; eval "$(declare -f f | sed \'s/^f/h/\')"; f() { :; }; f; python $V';
  expect(lines(`V=1; ${functions}${text}`).at(-1)).toBe('python 1');
});
