import { expect, test } from 'vitest';
import { lines } from './support.ts';

const table = 'declare -A C=([a]=1); X=\n';

test.each([
  ['set -e', 'python "${C[$X]}"; python b', []],
  ['set -e', 'python "${C[$X]}" || python a\npython b', []],
  ['set -e', 'Y=${C[$X]:-d}\npython b', []],
  ['set -e', '[[ -n ${C[$X]} ]] && python a\npython b', []],
  ['set -e', '( python "${C[$X]}" ) || python b', ['python b']],
  ['set -e', 'python "${C[a]}"', ['python 1']],
  [':', 'python "v${C[$X]}"; python b', ['python v', 'python b']],
  [':', 'python ${#C[$X]}; python a\npython b', ['python b']],
])('an empty key has no element, which ends Bash under set -e: %s; %s', (before, text, wanted) => {
  expect(lines(`${before}; ${table}${text}`)).toEqual(wanted);
});

test('an element whose key comes from the environment is unknown', () => {
  expect(lines('set -e; declare -A C=([a]=1)\npython "${C[$X]}"')).toEqual(['python <${C[$X]}>']);
});

test.each([
  ['e=0; python $((RANDOM%e)); python a\npython b', ['python b']],
  ['(( 1, RANDOM/0 )) && python a || python b', ['python b']],
  ['e=0; n=1; python $((RANDOM/e, ++n))\npython $n', ['python 1']],
  ['python $((N ? 8/N : 3))', ['python <$((N ? 8/N : 3))>']],
])('whatever is divided by zero, Bash gives up the command: %s', (text, wanted) => {
  expect(lines(text)).toEqual(wanted);
});
