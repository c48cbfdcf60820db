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
