import { describe, expect, test } from 'vitest';
import { evaluate, lines } from './support.ts';

describe('what depends on the machine, the locale or an open condition is unknown', () => {
  test.each([
    ['ulimit', 'N=$(ulimit -n); python train.py "$N"', 'python train.py <$(ulimit -n)>'],
    ['umask', 'python train.py "$(umask)"', 'python train.py <$(umask)>'],
    ['all switches', '. $X; O=$(set +o); python train.py "$O"', 'python train.py <$(set +o)>'],
    [
      'a switch',
      '. $X; O=$(shopt -po errexit); python train.py "$O"',
      'python train.py <$(shopt -po errexit)>',
    ],
    ['all variables', 'python train.py "$(export -p)"', 'python train.py <$(export -p)>'],
    ['traps', '. $X; python train.py "$(trap -p EXIT)"', 'python train.py <$(trap -p EXIT)>'],
    ['attributes', 'declare -A M=([k]=v); python train.py "${M[z]@A}"', 'python train.py <${M[z]@A}>'],
    ['declarations', 'A=(); python train.py "${A[@]@A}"', 'python train.py <${A[@]@A}*>'],
    [
      'an assignment behind an open question',
      'n=1; [[ -d /data && $((n++)) -gt 0 ]]; python train.py "$n"',
      'python train.py <$n>',
    ],
  ])('%s', (_, text, line) => {
    expect(lines(text)).toEqual([line]);
  });

  test('the order of texts that locales sort differently', () => {
    const { commands } = evaluate('if [[ 10.2 < 1.3 ]]; then python a.py; else python b.py; fi');
    expect(commands).toHaveLength(2);
  });

  test('the pipe that ran last, after an open condition', () => {
    expect(
      lines('false | true; if [[ -d /data ]]; then true | true; fi; python train.py "${PIPESTATUS[0]}"'),
    ).not.toContain('python train.py 1');
  });
});
