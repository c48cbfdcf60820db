import { expect, test } from 'vitest';
import { lines } from './support.ts';

test.each([
  [`A=$(ask | sed 's/^/-x /'); python $A`, "python <$(ask | sed 's/^/-x /')*>"],
  [`A=$(hostname | sed 's/^/-x /'); python $A`, 'python -x <$(hostname)>'],
])('what sed makes of a text is known around it only where that is one line: %s', (text, line) => {
  expect(lines(text).at(-1)).toBe(line);
});

test('what sed may have changed within is not the same as before', () => {
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
])('what sed cuts at a sign is not known where that may stand in a value: %s', (text, line) => {
  expect(lines(text).at(-1)).toBe(line);
});
