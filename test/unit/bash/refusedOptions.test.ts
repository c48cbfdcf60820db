import { expect, test } from 'vitest';
import { evaluate, lines } from './support.ts';

/** What real Bash 5.2 does with options that do not exist. */
test.each([
  ['set -euo pipefial; python a', []],
  ['set -eo pipefial || true; false; python a', []],
  ['set -uo pipefial x y; python $?', ['python 2']],
  ['set -o pipefial -e; false; python $?', ['python 1']],
  ['set -eux -Q; false; python $?', ['python 1']],
  ['set -eu pipefail; python $? $1', ['python 0 pipefail']],
  ['set -e\\;; python a', []],
  ['set -u\\; x; python $? $#', ['python 1 <$#>']],
  ['set +Z x; python $? $#', ['python 2 <$#>']],
  ['shopt -s nullglobb; python $?', ['python 1']],
  ['shopt -s nullglob nosuch; python $?; shopt -q nullglob && python on', ['python 1', 'python on']],
  ['shopt -q nosuch; python $?', ['python 1']],
  ['shopt -so pipefail; python $?', ['python 0']],
  ['shopt -so extglob; python $?', ['python 0']],
  ['shopt -qo extglob; python $?', ['python 1']],
  ['set -r; python $?', ['python 0']],
  ['cd -@; python $?', ['python 2']],
  ['export X=1 -z Y=2; python $? $X $Y', ['python 1 1 2']],
  ['declare X=1 -z; python $? $X', ['python 1 1']],
  ['eval -- python a', ['python a']],
  ['command -- python a', ['python a']],
  ['command -p -- python a', ['python a']],
  ['command -pv true > /dev/null; python $?', ['python 0']],
  ['builtin -- cd /; python $? $PWD', ['python 0 /']],
  ['alias -- x=y; python $?', ['python 0']],
  ['exec --; exec -c; python $?', ['python 0']],
  ['exec -la; python $?', ['python 2']],
  ['printf -v; python $?', ['python 2']],
  ['set -e; shopt -s globalstar; python a', []],
  ['declare -Z X=1; python $?', ['python 2']],
  ['export -Zx X=1; python $?', ['python 2']],
  ['export -- X=1; python $?', ['python 0']],
  ['unset -fZ X; python $?', ['python 2']],
  ['read -rZ X <<< a; python $?', ['python 2']],
  ['read -rp "? " X <<< a; python $? $X', ['python 0 a']],
  ['mapfile -tZ X <<< a; python $?', ['python 2']],
  ['mapfile -td, X <<< a,b; python $? ${#X[@]}', ['python 0 2']],
  ['command -Z true; python $?', ['python 2']],
  ['exec -a name -l python a', ['python a']],
  ['ulimit -Q; python $?', ['python 2']],
  ['ulimit -Sn 1024 && python a', ['python a']],
  ['complete -Q; python $?', ['python 2']],
  ['let; python $?', ['python 1']],
  ['printf; python $?', ['python 2']],
  ['source; python $?', ['python 2']],
  ['wait job; python $?', ['python 1']],
  ['wait -p V job; python $?', ['python 1']],
  ['sleep 0 & wait -p V; python $?', ['python 0']],
  ['set -e; sleep 1 & wait -n -p V; python a', ['python a']],
  ['disown; python $?', ['python 1']],
  ['set -e; if [ "$A" ]; then sleep 1 & else sleep 2 & fi; disown; python a', ['python a']],
  ['set -e; for i in 1 $A; do sleep 1 & done; disown; python a', ['python a']],
  ['set -e; coproc sleep 1; disown; python a', ['python a']],
  ['set -e; source "$CONFIG"; disown; python a', ['python a']],
  ['sleep 1 & disown && python a', ['python a']],
])('%s', (text, expected) => {
  expect(lines(text).filter((line) => line.startsWith('python'))).toEqual(expected);
});

test('one that ends the script is reported', () => {
  const reported = (text: string): readonly string[] => evaluate(text).problems.map(({ message }) => message);
  const message = 'set has no option “pipefial”, so set -e ends the script.';
  expect(reported('set -euo pipefial; python a')).toEqual([message]);
  expect(reported('set -uo pipefial; python a')).toEqual([]);
  expect(reported('set -eo pipefial || true; python a')).toEqual([]);
});

test('a name that nobody sets is required if Bash refuses to do without', () => {
  expect(evaluate('python "${!NAME}"').required.map(({ name }) => name)).toEqual(['NAME']);
  expect(evaluate('f() { local NAME; python "${!NAME}"; }; f').required).toEqual([]);
});
