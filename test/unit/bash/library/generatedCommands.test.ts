import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runPure } from '../../../../server/src/bash/library/commands.ts';
import { bashCases, runReal } from './real.ts';

const nothing = { read: () => undefined };

describe('pure commands', () => {
  const line = fc
    .array(fc.constantFrom('a', 'b', 'ab', '1', '22', ' ', '  ', '.', '-', '=', 'x'), { maxLength: 7 })
    .map((pieces) => pieces.join(''));
  const text = fc
    .tuple(fc.array(line, { maxLength: 4 }), fc.constantFrom('', '\n'))
    .map(([lines, end]) => lines.join('\n') + end);

  function agree(
    name: string,
    cases: readonly (readonly [readonly string[], string])[],
    least: number,
  ): void {
    let answered = 0;
    for (const [args, input] of cases) {
      const mine = runPure(name, args, input, nothing);
      if (mine === undefined) continue;
      answered++;
      const real = runReal(name, args, input);
      expect([name, args, input, mine]).toEqual([name, args, input, real]);
    }
    expect(answered).toBeGreaterThan(cases.length * least);
  }

  const expression = fc
    .array(
      fc.constantFrom(
        'a',
        'b',
        '.',
        '[ab]',
        '[^a]',
        '(a|b)',
        '(ab|a)',
        '+',
        '*',
        '?',
        '^',
        '$',
        '{1,2}',
        ' ',
        '1',
        '\\.',
        '=',
        '\\b',
        '[[:digit:]]',
      ),
      { minLength: 1, maxLength: 5 },
    )
    .map((pieces) => pieces.join(''));

  test('grep agrees on generated expressions', () => {
    const flags = fc.constantFrom('-E', '-oE', '-cE', '-vE', '-wE', '-xE', '-owE', '-G', '-oG', '-iE', '-nE');
    const cases = fc.sample(
      fc.tuple(
        fc.tuple(flags, expression).map(([flag, source]) => [flag, '--', source]),
        text,
      ),
      { numRuns: 500, seed: 21 },
    );
    agree('grep', cases, 0.5);
  });

  test('sed agrees on generated substitutions', () => {
    const flags = fc.constantFrom('', 'g', '2', 'p', 'gp', 'I');
    const address = fc.constantFrom('', '1', '$', '2,3', '/a/', '/a/,/b/', '2!', '/a/,2');
    const replacement = fc.constantFrom('', 'X', '<&>', '\\1', 'a\\nb');
    const script = fc
      .tuple(address, expression, replacement, flags)
      .map(([where, source, text, flag]) => `${where}s/${source}/${text}/${flag}`);
    const cases = fc.sample(
      fc.tuple(
        fc.tuple(fc.constantFrom('-E', '-nE'), script).map(([flag, program]) => [flag, program]),
        text,
      ),
      { numRuns: 500, seed: 23 },
    );
    agree('sed', cases, 0.4);
  });

  test('awk agrees on generated programs', () => {
    const value = fc.constantFrom(
      '$1',
      '$2',
      '$NF',
      'NR',
      'NF',
      '3',
      '0.5',
      '"x"',
      'length($0)',
      '($1+1)',
      'n',
    );
    const operator = fc.constantFrom(' + ', ' - ', ' * ', ' " " ', ' == ', ' != ', ' && ', ' || ', ' ');
    const formula = fc
      .array(fc.tuple(value, operator), { minLength: 1, maxLength: 3 })
      .map((items) => items.map(([v, o], i) => (i === 0 ? v : o + v)).join(''));
    const program = fc
      .tuple(fc.constantFrom('', 'NR==1', '/a/', '$1 > 1', '!/b/'), formula)
      .map(([pattern, body]) => `${pattern} {n += 1; print (${body})} END {print n}`);
    const cases = fc.sample(
      fc.tuple(
        fc.tuple(fc.constantFrom('-F ', '-F=', '-F-'), program).map(([flag, source]) => [flag, source]),
        text,
      ),
      { numRuns: 400, seed: 29 },
    );
    agree('awk', cases, 0.6);
  });

  test('tr, cut, head, tail, sort and uniq agree on generated text', () => {
    const calls: readonly (readonly string[])[] = [
      ['tr', 'ab', 'xy'],
      ['tr', '-d', 'a-c'],
      ['tr', '-s', 'a '],
      ['tr', '-cs', 'a-z', '_'],
      ['tr', '-sc', 'ab\\n', '-'],
      ['cut', '-d=', '-f2-'],
      ['cut', '-d ', '-f1,3'],
      ['cut', '-c2-4'],
      ['head', '-n', '2'],
      ['head', '-n', '-1'],
      ['tail', '-n', '+2'],
      ['tail', '-2'],
      ['sort', '-n'],
      ['sort', '-u'],
      ['sort', '-k2'],
      ['sort', '-rn', '-k1'],
      ['uniq', '-c'],
      ['uniq', '-d'],
      ['rev'],
      ['tac'],
      ['wc', '-w'],
      ['paste', '-sd', ',;'],
      ['xargs'],
      ['xargs', '-n', '2'],
    ];
    const inputs = fc.sample(text, { numRuns: 15, seed: 31 });
    for (const [name = '', ...args] of calls)
      agree(
        name,
        inputs.map((input) => [args, input] as const),
        name === 'sort' ? -1 : 0.9,
      );
  });

  test('test agrees with Bash on generated words', () => {
    const word = fc.constantFrom(
      '',
      'a',
      '0',
      '8',
      '-eq',
      '=',
      '!=',
      '-gt',
      '-n',
      '-z',
      '!',
      '-a',
      '-o',
      '10',
      '-1',
      '(',
      ')',
    );
    const cases = fc.sample(fc.array(word, { maxLength: 5 }), { numRuns: 1500, seed: 37 });
    const padded = cases.map((args) => [
      String(args.length),
      ...args,
      ...Array.from({ length: 5 - args.length }, () => ''),
    ]);
    const answers = bashCases(`test "$\{@:2:$1}" 2>/dev/null; printf %s $?`, padded);
    let answered = 0;
    cases.forEach((args, index) => {
      const mine = runPure('test', args, '', nothing);
      if (mine === undefined) return;
      answered++;
      expect([args, String(mine.status)]).toEqual([args, answers[index]]);
    });
    expect(answered).toBeGreaterThan(500);
  });
});
