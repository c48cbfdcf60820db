import { describe, expect, test } from 'vitest';
import { lines } from './support.ts';

const files = { '/repo/scripts/child.sh': 'python t.py ${A:-none} ${B:-none}' };

describe('a shell behind a wrapper sees the environment that the wrapper makes', () => {
  test.each([
    ['env A=1 bash scripts/child.sh', '1 outer'],
    ['env -u B A=1 bash scripts/child.sh', '1 none'],
    ['env -i A=1 bash scripts/child.sh', '1 none'],
    ['f() { env "$@" bash scripts/child.sh; }; f A=2 B=3', '2 3'],
    ["B=3 env A=2 bash -c 'python t.py $A $B'", '2 3'],
    ["env A=1 bash -c 'bash scripts/child.sh'", '1 outer'],
    ["docker run -e A=1 image bash -c 'python t.py ${A:-none} ${B:-none}'", '1 none'],
    ["docker run -e B image bash -c 'python t.py ${A:-none} ${B:-none}'", 'none outer'],
    ['sbatch --export=ALL,A=1 scripts/child.sh', '1 outer'],
    ['sbatch --export=A=1 scripts/child.sh', '1 none'],
    [
      `ray job submit --runtime-env-json='{"env_vars": {"A": "1"}}' -- bash -c 'python t.py $A $B'`,
      '1 outer',
    ],
    ['nohup bash scripts/child.sh', 'none outer'],
    ['env -- A=1 bash scripts/child.sh', '1 outer'],
    ['bash -euo pipefail -s -- 7 8 <<\'EOF\'\npython t.py "$@"\nEOF', '7 8'],
    ['bash -euo pipefail -c \'python t.py "$@"\' zero 7 8', '7 8'],
  ])('%s', (text, expected) => {
    const found = lines(`export B=outer\ncd /repo\n${text}`, { files });
    expect(found.filter((line) => line.startsWith('python'))).toEqual([`python t.py ${expected}`]);
  });
});
