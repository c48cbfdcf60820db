import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { lines } from './support.ts';

/** What real Bash prints for a script in which `python` prints its words. */
function real(script: string): readonly string[] {
  const input = `python() { echo "python $*"; }; export -f python\n${script}`;
  const { stdout } = spawnSync('bash', { input, encoding: 'utf8' });
  return stdout.split('\n').filter((line) => line.startsWith('python'));
}

describe('a script that sends itself a signal', () => {
  test.each([
    "trap 'python told' USR1; kill -USR1 $$; python after",
    "trap 'python told; exit 3' TERM INT\nkill $$\npython never",
    "trap 'python exit' EXIT\nkill -TERM $$\npython never",
    "trap 'python exit' EXIT\nkill -9 $$\npython never",
    "trap '' TERM; kill $$; python after",
    'trap \'X=2\' 12; X=1; kill -s SIGUSR2 "$$" && python $X; trap - USR2; kill -n 12 $$; python never',
    "trap 'kill $$' EXIT; python last",
    'kill -0 $$ && python alive; kill -CONT $$; kill -WINCH $$; python on; kill -HUP $$; python never',
    "f() { trap 'return 7' USR1; kill -USR1 $$; python never; }; f; python $?",
    "TOP=$$; die() { kill -s TERM $TOP; }; trap 'exit 1' TERM; v=$(die); python never",
    "trap 'python told' USR1; echo x | { read v; kill -USR1 $$; python in $v; }; python after",
    "trap 'python told' USR1; ( kill -10 $$; python in ); python after",
    "bash -c 'kill $$; python never'; python $?",
  ])('%s', (script) => {
    expect(lines(script)).toEqual(real(script));
  });

  test('or to its whole process group, to which it belongs', () => {
    expect(lines('python last; kill 0; python never')).toEqual(['python last']);
    expect(lines("trap '' TERM; kill -s 0 0; kill -- 0; python on; kill -HUP 0; python never")).toEqual([
      'python on',
    ]);
  });

  test('for lack of user input is a guard', () => {
    expect(lines('die() { kill $$; }; [ -n "$MODEL" ] || die; python "$MODEL"')).toEqual(['python <$MODEL>']);
    expect(lines('X=$([ -n "$MODEL" ] || kill $$; echo x); python "$X"')).toEqual(['python x']);
  });

  test('at an unknown time does nothing', () => {
    expect(lines('( sleep 60; kill $$ ) & python train.py; kill $!')).toEqual(['python train.py']);
  });
});
