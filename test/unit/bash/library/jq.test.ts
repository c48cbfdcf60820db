import { expect, test } from 'vitest';
import { runPure } from '../../../../server/src/bash/library/commands.ts';

const answer = (...args: readonly string[]): string | undefined =>
  runPure('jq', args, undefined, { read: () => undefined })?.output;

// What jq 1.6 and 1.7 print.
test.each([
  [['-nc', '--arg', 'a', '1', '--argjson', 'n', '4', '{"a": $a, n: $n}'], '{"a":"1","n":4}\n'],
  [['-n', '--arg', 'm', 'a "q"', '{env: {M: $m}}'], '{\n  "env": {\n    "M": "a \\"q\\""\n  }\n}\n'],
  [['-cn', '--arg', 'n', '5', '[($n|tonumber), ($n | tostring), null, {}]'], '[5,"5",null,{}]\n'],
  [['-nr', '--arg', 'x', 'a b', '$x'], 'a b\n'],
  [['--null-input', '-c', '--argjson', 'x', '{"k": [1]}', '{x: $x}'], '{"x":{"k":[1]}}\n'],
])('jq builds %j', (args, wanted) => {
  expect(answer(...args)).toBe(wanted);
});

test.each([
  [['-n', '$unset']],
  [['-n', '--arg', 'k', 'x', '{($k): 1}']],
  [['-n', '--arg', 'v', '007', '($v|tonumber)']],
  [['-n', '--argjson', 'x', '1.0', '{a: $x}']],
  [['-n', '{a: 1, "a": 2}']],
  [['-n', '1 + 2']],
  [['-n', 'input']],
  [['-n', '1 2']],
])('jq gives no answer for %j', (args) => {
  expect(answer(...args)).toBeUndefined();
});

test('a whole number with a decimal point is printed differently by different versions', () => {
  const context = { read: () => undefined };
  expect(runPure('jq', ['.a'], '{"a": 1.0, "b": 2}', context)).toBeUndefined();
  expect(runPure('jq', ['.b'], '{"a": 1.0, "b": 2}', context)?.output).toBe('2\n');
  expect(runPure('jq', ['-r', '.c'], '{"c": "1.0"}', context)?.output).toBe('1.0\n');
});
