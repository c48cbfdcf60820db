import { describe, expect, test } from 'vitest';
import { lines } from './support.ts';

const given = (text: string): string | undefined => lines(text).at(-1);

test.each([
  ['$(hostname -I)', true],
  ['$(hostname --all-ip-addresses)', true],
  ["$(hostname -I | awk '{print $1}')", false],
  ["$(hostname -I | awk '{print $1; exit}')", false],
  ["$(hostname -I | awk '{print $2}')", true],
  ['$(hostname)', false],
  ['$(hostname -f)', false],
])('how many words the addresses of the machine make: %s', (text, areSeveral) => {
  expect(given(`python t.py ${text} --x`)).toBe(`python t.py <${text}${areSeveral ? '*' : ''}> --x`);
});

describe('names with a common prefix', () => {
  const [others, nccl] = ['<${!T*}*>', '<${!NCCL_*}>'];

  test('may have others from the environment between them', () => {
    expect(given('TP=1 TA=2\npython t.py ${!T*}')).toBe(`python t.py ${others} TA ${others} TP ${others}`);
    expect(given('python t.py "${!NCCL_@}"')).toBe('python t.py <${!NCCL_@}*>');
    expect(given('NCCL_A=1\nV="${!NCCL_*}"\npython t.py --v="$V"')).toBe(
      `python t.py --v=${nccl} NCCL_A ${nccl}`,
    );
  });

  test('so a loop over them may run for more', () => {
    const text = 'TA=2\nfor name in ${!T@}; do A+=(-x "$name"); done\npython t.py "${A[@]}"';
    expect(given(text)).toBe('python t.py <${A[@]}*>');
  });
});
