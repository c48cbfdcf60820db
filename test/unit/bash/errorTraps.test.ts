import { expect, test } from 'vitest';
import { lines } from './support.ts';

/** What real Bash 5.2 starts. */
test.each([
  // Bash decides before a command whether an ERR trap is to run if it fails.
  ["true && trap 'python t' ERR && false", ['python t']],
  ["f() { trap 'python t' ERR && false; }; f", ['python t']],
  ["x=$(trap 'python t' ERR && false); python a", ['python t', 'python a']],
  ["f() { trap 'python t' ERR; return 1; }; f; python a", ['python a']],
  ["set -E; trap 'python t' ERR; f() { trap - ERR; trap 'python u' ERR; return 3; }; f", ['python u']],
  ["f() { trap - ERR; trap 'python u' ERR; return 3; }; trap 'python t' ERR; f", ['python u']],
  // A RETURN trap runs inside the function.
  [
    "set -T; trap 'python t' ERR; trap 'python r; false' RETURN; f() { :; }; f; python a",
    ['python r', 'python a'],
  ],
  ["trap '' ERR; f() { trap 'python t' ERR; return 3; }; f; python a", ['python a']],
])('%s', (text, wanted) => {
  expect(lines(text)).toEqual(wanted);
});
