import { expect, it } from 'vitest';
import { calculationHint, computed, resultOf } from '../../../server/src/text/calculation.ts';

it.each([
  ['2*8', 16],
  ['2 * 3', 6],
  ['2+3*4', 14],
  ['8', undefined],
  ['2-1', undefined],
  ['2*08', undefined],
  ['2*', undefined],
  ['2**3+1', 9],
  ['99999999999*99999999999', undefined],
])('%s comes to %s', (text, result) => {
  expect(resultOf(text)).toBe(result);
  expect(calculationHint(text)).toBe(
    result === undefined ? '' : ` Bash computes within $(( )) only: ${text} is ${result}.`,
  );
});

it.each([
  ['$TP*8', '$(($TP*8))'],
  ['${TP}*64', '$((${TP}*64))'],
  ['$TP * $PP + 1', '$(($TP * $PP + 1))'],
  ['$HIDDEN', '$(($HIDDEN))'],
  ['$1*8', '$(($1*8))'],
  ['2*8', undefined],
  ['${TP:-1}*8', undefined],
  ['"$TP"*8', undefined],
  ['$TP*8 --seed', undefined],
])('%s is computed by %s', (written, expected) => {
  expect(computed(written)).toBe(expected);
});
