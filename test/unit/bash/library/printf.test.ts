import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeEscapes } from '../../../../server/src/bash/library/escapes.ts';
import { formatPrintf } from '../../../../server/src/bash/library/printf.ts';
import { quoteForPrintf, quoteForReuse } from '../../../../server/src/bash/library/quote.ts';
import { bashCases } from './real.ts';

const table: readonly (readonly string[])[] = [
  ['%s\\n', 'a', 'b'],
  ['%s'],
  ['%s-%s|', 'a', 'b', 'c'],
  ['%d %i', '42', '-7'],
  ['%05d|%-5d|%+d|% d', '42', '42', '42', '42'],
  ['%x %X %o %#x %#o', '255', '255', '8', '255', '8'],
  ['%u', '-1'],
  ['%d', '0x1f'],
  ['%d', '010'],
  ['%d', '12abc'],
  ['%d', 'abc'],
  ['%d', ''],
  ['%d', "'A"],
  ['%.3d|%8.3d', '5', '5'],
  ['%c%c', 'abc', 'xyz'],
  ['%b', 'a\\tb\\n'],
  ['%b|%s', 'a\\cb', 'c'],
  ['%b', '\\0101\\101\\x41\\u20ac'],
  ['\\101\\x41\\u20ac\\"\\?\\\'\\q'],
  ['%q %q %q', 'a b', "it's", ''],
  ['%10s|%-10s|%.2s', 'abc', 'abc', 'abc'],
  ['%*s|%-*s|%.*s', '5', 'a', '5', 'a', '2', 'abc'],
  ['%*d', '-6', '42'],
  ['%f %.2f %.0f %e %g', '3.14159', '2.5', '2.5', '12345.678', '0.0001'],
  ['%g %g %g %g', '1e10', '1e-5', '100000', '1000000'],
  ['%08.3f|%+.1e|%#.0f', '-3.14159', '31415', '3'],
  ['%G %E', '1e-10', '1e10'],
  ['%%|%5s', 'x'],
  ['no directives', 'a', 'b'],
  ['%s,', '1', '2', '3'],
  ['%ld %5.1f%%', '12', '99.94'],
  ['%.3f', '0.1'],
  ['%.20f', '0.5'],
  ['%.2f|%5.1e|%g', '1-x', '12 3', '1e2x'],
  ['%.1f|%f|%f', '0x10', ' 7', '1.5.2'],
];

describe('printf', () => {
  test('agrees with Bash on a table', () => {
    const most = Math.max(...table.map((words) => words.length));
    const padded = table.map((words) => [
      String(words.length),
      ...words,
      ...Array.from({ length: most - words.length }, () => ''),
    ]);
    const answers = bashCases(`printf "$\{@:2:$1}" 2>/dev/null; printf '|%s' $?`, padded);
    table.forEach(([format = '', ...args], index) => {
      const mine = formatPrintf(format, args);
      expect([format, `${mine?.output}|${mine?.status}`]).toEqual([format, answers[index]]);
    });
  });

  test('agrees with Bash on generated formats', () => {
    const flags = fc.constantFrom('', '-', '0', '+', ' ', '#', '-0');
    const width = fc.constantFrom('', '1', '6', '12');
    const precision = fc.constantFrom('', '.0', '.1', '.3', '.', '.8');
    const letter = fc.constantFrom('s', 'd', 'i', 'u', 'x', 'X', 'o', 'f', 'e', 'g', 'E', 'G', 'b', 'c');
    const value = fc.oneof(
      fc.integer({ min: -1000, max: 100000 }).map(String),
      fc.double({ min: -1e6, max: 1e6, noNaN: true }).map((number) => number.toPrecision(6)),
      fc.integer({ min: -80, max: 80 }).map((number) => String(number / 8)),
      fc.constantFrom('', 'abc', '0x10', '1e-7', '2.5', '017'),
    );
    const cases = fc
      .sample(fc.tuple(flags, width, precision, letter, value), { numRuns: 3000, seed: 3 })
      .map(([flag, size, digits, kind, text]) => [`<%${flag}${size}${digits}${kind}>`, text] as const);
    const answers = bashCases('printf "$1" "$2" 2>/dev/null', cases);
    let computed = 0;
    cases.forEach(([format, text], index) => {
      const mine = formatPrintf(format, [text]);
      if (mine === undefined) return;
      computed++;
      expect([format, text, mine.output]).toEqual([format, text, answers[index]]);
    });
    expect(computed).toBeGreaterThan(2400);
  });

  test('does not guess', () => {
    for (const format of ['%(%Y)T', '%', '%y', '%a', '%5c', '\\xff'])
      expect(formatPrintf(format, [])).toBeUndefined();
    expect(formatPrintf('%5s', ['é'])).toBeUndefined();
    expect(formatPrintf('%.1f', ['0.25'])).toEqual({ output: '0.2', status: 0 });
    expect(formatPrintf('%.1f', ['0.35'])).toBeUndefined();
    expect(formatPrintf('%999999999s', ['x'])).toBeUndefined();
  });
});

describe('escapes', () => {
  const escaped = fc
    .array(
      fc.constantFrom(
        '\\',
        'a',
        'n',
        't',
        '0',
        '1',
        '7',
        '101',
        'x',
        '41',
        'u',
        '20ac',
        'U',
        'e',
        'E',
        '"',
        "'",
        '?',
        'q',
        '\\n',
        '8',
        ' ',
      ),
      { maxLength: 8 },
    )
    .map((pieces) => pieces.join(''));
  const cases = fc.sample(escaped, { numRuns: 2500, seed: 5 }).map((text) => [text]);

  test.each([
    ['echo', 'echo -ne "$1"'],
    ['printf-format', 'printf -- "$1"'],
    ['printf-argument', 'printf %b "$1"'],
    ['dollar-quote', String.raw`eval "printf %s \$'$1'"`],
  ] as const)('%s agrees with Bash', (style, script) => {
    const usable = cases.filter(
      ([text = '']) => style !== 'dollar-quote' || (!text.includes("'") && !/(^|[^\\])(\\\\)*\\$/.test(text)),
    );
    const answers = bashCases(script, usable);
    usable.forEach(([text = ''], index) => {
      const mine = decodeEscapes(text, style);
      if (mine !== undefined) expect([text, mine.text]).toEqual([text, answers[index]]);
    });
  });

  test('control characters', () => {
    expect(decodeEscapes('\\cA', 'dollar-quote')?.text).toBe('\x01');
    expect(decodeEscapes('a\\cb', 'echo')).toEqual({ text: 'a', stopped: true });
    expect(decodeEscapes('\\0', 'echo')).toBeUndefined();
  });
});

describe('quoting', () => {
  const texts = [
    ...Array.from({ length: 127 }, (_, index) => String.fromCharCode(index + 1)).flatMap((char) => [
      char,
      `a${char}b`,
    ]),
    ...fc.sample(
      fc.string({ unit: fc.constantFrom('a', ' ', "'", '"', '~', ':', '=', '#', '\n', '{', ',') }),
      { numRuns: 500, seed: 9 },
    ),
  ];
  const cases = texts.map((text) => [text]);

  test('%q agrees with Bash', () => {
    const answers = bashCases('printf %q "$1"', cases);
    texts.forEach((text, index) => {
      expect([text, quoteForPrintf(text)]).toEqual([text, answers[index]]);
    });
  });

  test('@Q agrees with Bash', () => {
    const answers = bashCases(`v=$1; printf %s "$\{v@Q}"`, cases);
    texts.forEach((text, index) => {
      expect([text, quoteForReuse(text)]).toEqual([text, answers[index]]);
    });
  });
});
