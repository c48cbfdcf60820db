import { describe, expect, test } from 'vitest';
import { evaluate, lines } from './support.ts';

describe('a loop over an unknown number of lines', () => {
  const count = 'N=0; while read -r host; do python t.py --rank $N; N=$((N+1)); done';

  test.each([
    ['of a file outside the workspace', `${count} < /data/hosts`],
    ['of a program', `${count} < <(find /data -name '*.yaml')`],
    [
      'with a last line that may lack its end',
      `${count.replace('host;', 'host || [ -n "$host" ];')} < /data/hosts`,
    ],
  ])('%s: what it counts is unknown', (_, loop) => {
    expect(lines(`${loop}\npython end.py $N`)).toEqual(['python t.py --rank <$N*>', 'python end.py <$N*>']);
  });

  test('what holds for one iteration only decides nothing', () => {
    const text = `${count} < /data/hosts\n[ $N -eq 1 ] && python one.py\n[ $N -gt 1 ] && python more.py`;
    const { commands } = evaluate(text);
    const programs = commands.map(({ words }) => words[1]?.pieces[0]);
    expect(programs).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ text: 'one.py' }),
        expect.objectContaining({ text: 'more.py' }),
      ]),
    );
  });

  test('known lines are counted', () => {
    expect(lines(`${count} <<< $'a\\nb'\npython end.py $N`)).toEqual([
      'python t.py --rank 0',
      'python t.py --rank 1',
      'python end.py 2',
    ]);
  });
});
