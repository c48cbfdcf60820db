import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Override,
  type OverrideGrammar,
  parseOverride,
  splitKey,
} from '../../../server/src/frameworks/omegaconf/overrides.ts';
import { isRefused, parseYamlValue } from '../../../server/src/frameworks/omegaconf/yamlValue.ts';
import type { Place } from '../../../server/src/text/span.ts';
import { literalWord, type Word } from '../../../server/src/value/word.ts';

const path = '/repository/run.sh';
const placeAt = (start: number, end: number): Place => ({ path, span: { start, end } });

function read(text: string, grammar: OverrideGrammar = 'dotlist') {
  return parseOverride(literalWord(text, placeAt(10, 10 + text.length)), grammar);
}

function override(text: string, grammar: OverrideGrammar = 'dotlist'): Override {
  const found = read(text, grammar);
  if (found.kind === 'problem') throw new Error(`${text}: ${found.reason} ${found.detail}`);
  return found;
}

function dataOf(text: string, grammar: OverrideGrammar = 'dotlist'): unknown {
  const { value } = override(`key=${text}`, grammar);
  return value.kind === 'known' ? value.data : value;
}

describe('values of a dotlist are YAML 1.1', () => {
  it.each([
    ['', null, 'null'],
    ['null', null, 'null'],
    ['~', null, 'null'],
    ['none', 'none', 'str'],
    ['None', 'None', 'str'],
    ['on', true, 'bool'],
    ['No', false, 'bool'],
    ['y', 'y', 'str'],
    ['010', 8, 'int'],
    ['0x10', 16, 'int'],
    ['1:30', 90, 'int'],
    ['1_000', 1000, 'int'],
    ['1e3', 1000, 'float'],
    ['64.0', 64, 'float'],
    ['1e-6', 1e-6, 'float'],
    ['.5e3', '.5e3', 'str'],
    ['2026-01-02', '2026-01-02', 'str'],
    ['64 # comment', 64, 'int'],
    ["'4'", '4', 'str'],
    ['!!int "3"', 3, 'int'],
    ['!!str 3', '3', 'str'],
    ['!!float 3', 3, 'float'],
    ["['a','b']", ['a', 'b'], 'list'],
    ['[1, 2.5]', [1, 2.5], 'list'],
    ['{a: 1, b: [x]}', { a: 1, b: ['x'] }, 'dict'],
    ['{a:b}', { 'a:b': null }, 'dict'],
    ['key: v', { key: 'v' }, 'dict'],
    ['http://host:80/a?b', 'http://host:80/a?b', 'str'],
    ['Qwen/Qwen2.5-1.5B-Instruct', 'Qwen/Qwen2.5-1.5B-Instruct', 'str'],
  ])('%s', (text, data, type) => {
    const parsed = override(`key=${text}`);
    expect(parsed.value).toEqual({ kind: 'known', data });
    expect(parsed.type).toBe(type);
  });

  it.each(['@x', '%x', '*x', '!x', '[1,2', '"a', 'a: b: c', '{a: 1, a: 2}', '[a?b]', '=', 'a\tb'])(
    'refuses %s',
    (text) => {
      expect(read(`key=${text}`)).toMatchObject({ kind: 'problem', reason: 'bad-value', key: 'key' });
    },
  );

  it('leaves interpolations open', () => {
    expect(override('key=${a.b}').value).toMatchObject({ kind: 'unknown', reason: 'interpolation' });
  });

  it('never throws', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary-ascii', maxLength: 30 }), (text) => {
        const parsed = parseYamlValue(text);
        expect(isRefused(parsed) || 'data' in parsed).toBe(true);
        read(text, 'hydra');
      }),
    );
  });
});

describe('keys', () => {
  it('are the word up to the first “=”', () => {
    const parsed = override('a.b.c=x=y');
    expect(parsed.path).toEqual(['a', 'b', 'c']);
    expect(parsed.value).toEqual({ kind: 'known', data: 'x=y' });
    expect(parsed.keyPlace.span).toEqual({ start: 10, end: 15 });
    expect(parsed.valuePlace?.span).toEqual({ start: 16, end: 19 });
    expect(parsed.prefix).toBe('a.b.c=');
  });

  it('keep every special character in a dotlist', () => {
    expect(override('+a=1')).toMatchObject({ operation: 'set', key: '+a' });
    expect(override('--flag')).toMatchObject({ key: '--flag', hasValue: false, value: { data: null } });
  });

  it('may contain an index', () => {
    expect(splitKey('a[0].b')).toEqual(['a', '0', 'b']);
    expect(splitKey('a.0.b')).toEqual(['a', '0', 'b']);
  });

  const hole = (label: string): Word['pieces'][number] => ({
    kind: 'hole',
    reason: 'environment',
    label,
    shape: 'any',
    splits: true,
    origin: { place: placeAt(20, 24), via: [], verbatim: false },
  });

  it('are known if only the value is open', () => {
    const text: Word['pieces'][number] = {
      kind: 'text',
      text: 'a.b=',
      origin: { place: placeAt(16, 20), via: [], verbatim: true },
    };
    expect(parseOverride({ pieces: [text, hole('$SIZE')], place: placeAt(16, 24) }, 'dotlist')).toMatchObject(
      {
        kind: 'override',
        key: 'a.b',
        value: { kind: 'unknown', reason: 'environment', label: '$SIZE' },
        valuePlace: { span: { start: 20, end: 24 } },
      },
    );
  });

  it('are open if a variable holds them', () => {
    expect(parseOverride({ pieces: [hole('$EXTRA')], place: placeAt(20, 24) }, 'dotlist')).toMatchObject({
      kind: 'problem',
      reason: 'open-key',
    });
  });
});

describe("Hydra's grammar", () => {
  it.each([
    ['10', 10],
    ['1_000', 1000],
    ['1e3', 1000],
    ['TRUE', true],
    ['null', null],
    ['none', 'none'],
    ['on', 'on'],
    ['', ''],
    ['sglang:d4p1', 'sglang:d4p1'],
    ["'a, b'", 'a, b'],
    ['"it\'s"', "it's"],
    ['[a,b,1]', ['a', 'b', 1]],
    ['{a:1,b:[x,y]}', { a: 1, b: ['x', 'y'] }],
    ['a\\,b', 'a,b'],
    ['/data/x.jsonl', '/data/x.jsonl'],
  ])('reads %s', (text, data) => {
    expect(dataOf(text, 'hydra')).toEqual(data);
  });

  it('knows its operations', () => {
    expect(override('+a.b=1', 'hydra')).toMatchObject({ operation: 'add', key: 'a.b', prefix: '+a.b=' });
    expect(override('++a=1', 'hydra')).toMatchObject({ operation: 'force-add', key: 'a' });
    expect(override('~a', 'hydra')).toMatchObject({ operation: 'delete', key: 'a' });
  });

  it('treats several values as a sweep, and leaves functions open', () => {
    expect(read('a=1,2', 'hydra')).toMatchObject({ kind: 'problem', reason: 'sweep' });
    expect(read('a=1,', 'hydra')).toMatchObject({ kind: 'problem', reason: 'bad-value' });
    expect(dataOf('int(2.5)', 'hydra')).toBe(2);
    expect(dataOf('bool(1)', 'hydra')).toBe(true);
    expect(dataOf('int(value=3)', 'hydra')).toMatchObject({ kind: 'unknown' });
    expect(dataOf('sort([3,1])', 'hydra')).toMatchObject({ kind: 'unknown' });
    for (const sweep of ['choice(1,2)', 'range(1,3)', 'interval(0,1)', 'glob(*)'])
      expect(read(`a=${sweep}`, 'hydra')).toMatchObject({ kind: 'problem', reason: 'sweep' });
  });

  it('treats a function of several values as a sweep, but not one of a list', () => {
    for (const sweep of [
      'sort(2,1)',
      'shuffle(a, b)',
      'int(1,2)',
      'str(choice(1,2))',
      'sort(sweep=range(1,3))',
      '[sort(2,1)]',
    ])
      expect(read(`a=${sweep}`, 'hydra')).toMatchObject({ kind: 'problem', reason: 'sweep' });
    for (const one of [
      'sort([2,1])',
      'sort([2,1],reverse=true)',
      "str('a,b')",
      "str(')')",
      'int({a:1,b:2})',
      'shuffle(list=[1,2])',
    ])
      expect(read(`a=${one}`, 'hydra').kind).toBe('override');
    expect(dataOf("float('1_0.5')", 'hydra')).toBe(10.5);
    expect(dataOf('float(-infinity)', 'hydra')).toBe(Number.NEGATIVE_INFINITY);
  });

  it.each(['a', 'a=[1', 'a={b}', 'a=x#y', '-a=1', 'a=1,', 'a=1, ', 'a=call(1)', 'a=int(x)', 'a=bool(yes)'])(
    'refuses %s',
    (text) => {
      expect(read(text, 'hydra').kind).toBe('problem');
    },
  );

  it.each(['a=json_str(1)', 'a=extend_list(1)', 'a=int()', 'a=sort( )', 'a=float(x)', 'a=int(${b})'])(
    'refuses %s, like the pinned releases of Hydra',
    (text) => {
      expect(read(text, 'hydra').kind).toBe('problem');
    },
  );
});
