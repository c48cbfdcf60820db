import { expect, test } from 'vitest';
import { lines } from './support.ts';

test.each([
  [`A=$(ask | sed 's/^/-x /'); python $A`, "python <$(ask | sed 's/^/-x /')*>"],
  [`A=$(hostname | sed 's/^/-x /'); python $A`, 'python -x <$(hostname)>'],
])('what sed adds around a text is known only if the text is one line: %s', (text, line) => {
  expect(lines(text).at(-1)).toBe(line);
});

test('a text in which sed may have changed something is not the same as before', () => {
  const text =
    'A="p $(ask)"; B=$(echo "$A" | sed s/main/master/); [ "$A" = "p main" ] || exit; if [ "$B" = "p main" ]; then python a; else python b; fi';
  const started = lines(text).filter((line) => line.startsWith('python'));
  expect(started.toSorted()).toEqual(['python a', 'python b']);
});

test.each([
  [`A=$(echo "--lr $LR --tp 2" | sed 's/tp 2/tp 4/'); python $A`, 'python --lr <$LR*> --tp 4'],
  [`A=$(echo "--lr $LR:7 --tp 4" | sed 's/:.*//'); python $A`, 'python <$(sed s/:.*//)*>'],
  [`A=$(echo "X=$LR --tp 4" | sed 's/.*=//'); python $A`, 'python <$(sed s/.*=//)*>'],
  [`A=$(echo "--lr $LR # --tp 4" | sed 's/#[^2]*//'); python $A`, 'python <$(sed s/#[^2]*//)*>'],
])('what sed cuts at a character is unknown if a value may contain that: %s', (text, line) => {
  expect(lines(text).at(-1)).toBe(line);
});

test.each([
  [
    'yq -i ".a = 1" /repo/c.yaml; python --lr $(sed -n "s/.*lr: *//p" /repo/c.yaml)',
    'python --lr <$(sed -n "s/.*lr: *//p" /repo/c.yaml)*>',
  ],
  [
    'yq -i ".a = 1" /repo/c.yaml; python "$(sed "/lr/d" /repo/c.yaml)"',
    'python <$(sed "/lr/d" /repo/c.yaml)>',
  ],
])('what sed looks for may be in a file of which nothing is known: %s', (text, line) => {
  expect(lines(`echo "lr: 3" > /repo/c.yaml; ${text}`).at(-1)).toBe(line);
});

test('what sed looks for is not in a value within a line', () => {
  expect(lines(`A=$(printf '%s\n' "name: $NAME" 'lr: 3' | sed -n 's/^lr: *//p'); python $A`)).toEqual([
    'python 3',
  ]);
});
