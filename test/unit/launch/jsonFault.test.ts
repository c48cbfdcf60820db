import { describe, expect, it } from 'vitest';
import { jsonFault } from '../../../server/src/launch/faults/jsonFault.ts';
import { submittedEnvironments } from '../../../server/src/launch/wrappers/rayJob.ts';
import { literalWord, type Piece, type Word } from '../../../server/src/value/word.ts';
import { numbers } from '../../support/random.ts';
import { command } from './command.ts';

const place = { path: '/w/run.sh', span: { start: 100, end: 200 } };

function fault(text: string): string | undefined {
  const found = jsonFault(literalWord(text, place));
  return found === undefined ? undefined : `${found.place.span.start - 100} ${found.reason}`;
}

/** A word with an unknown part for each `$` of a text: an integer for `$1`, else anything. */
function partly(text: string): Word {
  const pieces = text.split(/(\$\w)/).map((part, index): Piece => {
    const origin = { place, via: [], verbatim: true };
    if (index % 2 === 0) return { kind: 'text', text: part, origin };
    const shape = part === '$1' ? 'integer' : 'any';
    return { kind: 'hole', reason: 'environment', label: part, shape, splits: false, origin };
  });
  return { pieces, place };
}

describe('what is wrong with JSON', () => {
  it.each([
    ['{"a": {"b": "1"\n"c": "2"}}', '16 a comma is missing before "c"'],
    ['{"a": "1",\n}', '9 there is a comma before the closing }'],
    ['["a",]', '4 there is a comma before the closing ]'],
    ["{'env_vars': {}}", "1 'env_vars' is in single quotes, not in double ones"],
    ['{"a": \'x\'}', "6 'x' is in single quotes, not in double ones"],
    ['{env_vars: {}}', '1 env_vars is without double quotes'],
    ['{"a": True}', '6 True is not a value'],
    ['{"a": 01}', '6 01 is not a value'],
    ['{"a": 1.}', '6 1. is not a value'],
    ['{"a"}', '4 a colon is missing after "a"'],
    ['{"a": }', '6 "a" has no value'],
    ['{"a": 1', '6 it ends without the closing }'],
    ['{"a": 1}}', '8 } stands after its end'],
    ['{"a": "1}', '6 a double quote is never closed'],
    ['{"a": "1\n2"}', '8 a line break is within a string in double quotes'],
    ['{"a": "\\x"}', '7 \\x is not a JSON escape'],
    ['{"a": 1;}', '7 ; is where a comma is expected'],
    ['{, "a": 1}', '1 , is where a name in double quotes is expected'],
    ['', '0 the text is empty'],
    ['env.json', '0 env.json is not a value'],
  ])('%j', (text, expected) => {
    expect(fault(text)).toBe(expected);
  });

  it.each([
    '{}',
    ' [] ',
    '{"a": [NaN, -Infinity, Infinity, -0.5e+3]}',
    '"\\u00e9\\n"',
    '{"a":{"b":null},"c":""}',
  ])('nothing: %j', (text) => {
    expect(fault(text)).toBeUndefined();
  });

  it('agrees with JSON.parse on texts with and without a mistake', () => {
    const random = numbers(7);
    const whole = '{"env_vars": {"A": "1", "B": "x\\ny", "C": [1, -2.5e3, true, null, {}]}, "pip": []}';
    const marks = '{}[],:"\\\'x1-. \n';
    for (let round = 0; round < 3000; round += 1) {
      const at = Math.floor(random() * whole.length);
      const mark = marks.charAt(Math.floor(random() * marks.length));
      const text =
        whole.slice(0, at) + (round % 3 === 0 ? '' : mark) + whole.slice(at + (round % 3 === 1 ? 0 : 1));
      expect([text, fault(text) === undefined]).toEqual([text, parses(text)]);
      expect([text, fault(text.slice(0, at)) === undefined]).toEqual([text, parses(text.slice(0, at))]);
    }
  });

  it('gives up on nesting that is too deep', () => {
    expect(fault('['.repeat(100_000))).toBeUndefined();
  });
});

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe('what is wrong with partly unknown JSON', () => {
  it.each([
    ['a mistake before it', '{"a": "1" "b": "$x"}', 'a comma is missing before "b"'],
    ['a mistake behind a number in quotes', '{"a": "$1" "b": "$x"}', 'a comma is missing before "b"'],
    ['a mistake behind anything', '{"a": "$x" "b": 1}', undefined],
    ['a mistake behind a number that is no text', '{"a": $1 "b": 1}', undefined],
    ['a number behind a backslash', '{"a": "\\$1"}', undefined],
    ['a name that goes on', '{"a": tr$x}', undefined],
    ['the end', '{"a": "b$x', undefined],
    ['nothing known', '$x', undefined],
    ['a quote that is never closed', '{"a": "b$1', 'a double quote is never closed'],
  ])('%s', (_, text, expected) => {
    expect(jsonFault(partly(text))?.reason).toBe(expected);
  });
});

describe('the runtime environments of a command', () => {
  const count = (line: string): number => submittedEnvironments(command(line)).length;

  it.each([
    ["ray job submit --runtime-env-json='{}' -- python t.py", 1],
    ["ray job submit --runtime-env-json '{' --runtime-env-json '{}' -- python t.py", 1],
    ["ray job submit --runtime-env-json='{}' $MORE -- python t.py", 0],
    ["ray job submit $MORE --runtime-env-json='{}' -- python t.py", 1],
    ["python t.py --runtime-env-json='{}'", 0],
  ])('%s', (line, expected) => {
    expect(count(line)).toBe(expected);
  });
});
