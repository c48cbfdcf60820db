import { describe, expect, test } from 'vitest';
import { lines } from './support.ts';

/** `python` receives an unknown number if the status is that of something that was not run. */
describe('the status read after something failed or may have failed', () => {
  test.each([
    ['behind a shell with set -e', '(set -e; train; true); python "$?"', 'python <$?>'],
    ['behind a script with set -e', "bash -c 'set -e; train; exit 0'; python $?", 'python <$?>'],
    ['in $( ) with set -e', 'X=$(set -e; train); python $?', 'python <$?>'],
    ['behind a shell without', '(train; true); python "$?"', 'python 0'],
    ['behind one that does not mind', '(set -e; train || true); python "$?"', 'python 0'],
    ['behind a list of two under set -e', 'set -e; train && check; python "$?"', 'python <$?>'],
    ['behind a command under set -e', 'set -e; train; python "$?"', 'python 0'],
    ['at the end of a script with set -e', "set -e; trap 'python $?' EXIT; train", 'python <$?>'],
    ['at the end behind a syntax error', "#!/bin/bash\ntrap 'python $?' EXIT\ntrue\nif fi\n", 'python 2'],
    ['behind rounds of a loop', 'n=0; while (( n++ < 2 )); do check; done; python $?', 'python <$?>'],
    ['at an end by a signal', "trap 'python $?' EXIT\nkill -USR1 $$\n", 'python <$?>'],
  ])('%s', (_, script, line) => {
    expect(lines(script).filter((each) => each.startsWith('python'))).toEqual([line]);
  });

  test('in an ERR trap', () => {
    expect(lines("trap 'python t $?' ERR; grep -q x /data/f; python $?")).toEqual([
      'python t <$?>',
      'python <$?>',
    ]);
    expect(lines("trap 'python t $?' ERR; false; python $?")).toEqual(['python t 1', 'python 1']);
  });
});

describe('a loop over a word that may be several', () => {
  test('takes text next to the hole for certain in no iteration', () => {
    // Bash 5.2 gives `x\\a` and `bpost`.
    const script = 'S="a b"; for I in x${S/a/\\\\&}post; do python "$I"; done';
    expect(lines(script)).toEqual(['python <x${S/a/\\\\&}post>']);
  });
});
