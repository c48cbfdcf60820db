import { expect, test } from 'vitest';
import { lines } from './support.ts';

/**
 * What real Bash 5.2 does with prefix assignments to a declaration: a variable that the declaration exports or makes readonly without assigning
 * it keeps the value.
 */
test.each([
  ['X=0; X=1 export X; python $X', 'python 1'],
  ['X=0; g() { export X; }; X=1 eval g; python $X', 'python 0'],
  ['X=0; g() { export X=2; }; X=1 eval g; python $X', 'python 0'],
  ['X=0; g() { declare -gx X; }; X=1 eval g; python $X', 'python 0'],
  ['X=0; g() { export X; }; f() { X=1 eval g; }; f; python $X', 'python 1'],
  ['X=0; X=1 eval "declare -x X"; python $X', 'python 1'],
  ['X=0; X+=1 export X; python $X', 'python 01'],
  ['X=0; X=1 declare -x X; python $X', 'python 1'],
  ['X=1 readonly X; python $X', 'python 1'],
  ["X=1 readonly X; bash -c 'python $X'", 'python 1'],
  ['Y=5; X=1 export Y=$Y X; python $X $Y', 'python 1 5'],
  ['X=0; X=1 export -n X; python $X', 'python 0'],
  ['X=0; X=1 declare X; python $X', 'python 0'],
  ['X=0; X=1 declare -i X; python $X', 'python 0'],
  ['X=7 export X=8; python $X', 'python 8'],
  ['X=7; X[0]=1 export X; python $X', 'python 7'],
  ['Y=0; Y=1 export Z=2; python $Y $Z', 'python 0 2'],
  ['f() { X=1 local X; python $X; }; X=0; f', 'python 1'],
  ['f() { X=1 declare X; python $X; }; X=0; f', 'python 1'],
  ['f() { X=1 local X; :; }; X=0; f; python $X', 'python 0'],
  ['f() { X=1 declare -g X; python $X; }; X=0; f', 'python 0'],
  ['f() { local V=3; V=4 local W=$V; python $V $W; }; f', 'python 3 3'],
])('%s', (text, wanted) => {
  expect(lines(text)).toEqual([wanted]);
});

/** An EXIT trap sees the prefix assignments of the command that ends the shell, but not if `set -e` ends it. */
test.each([
  ["w=5; trap 'python $w' EXIT; w=1 exit 3", ['python 1']],
  ["w=5; trap 'python $w' EXIT; w=1 eval 'w=7; exit 2'", ['python 7']],
  ["w=5; (trap 'python $w' EXIT; w=1 eval exit); python $w", ['python 1', 'python 5']],
  ["w=5; trap 'python $w' EXIT; set -e; w=1 eval false", ['python 5']],
  ["w=5; trap 'python $w' EXIT; w=1 eval true", ['python 5']],
])('%s', (text, wanted) => {
  expect(lines(text)).toEqual(wanted);
});
