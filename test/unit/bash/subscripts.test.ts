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
])(
  'a table has no element without a name, for which Bash ends under set -e: %s; %s',
  (before, text, wanted) => {
    expect(lines(`${before}; ${table}${text}`)).toEqual(wanted);
  },
);

test('an element whose name the environment gives is not known', () => {
  expect(lines('set -e; declare -A C=([a]=1)\npython "${C[$X]}"')).toEqual(['python <${C[$X]}>']);
});
