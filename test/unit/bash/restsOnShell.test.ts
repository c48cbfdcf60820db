import { describe, expect, test } from 'vitest';
import { evaluate, lines, shown } from './support.ts';

describe('what depends on the locale', () => {
  test('is unknown for non-ASCII characters', () => {
    expect(lines('X=hé; python "${#X}" "${X:1:1}" "${X^^}" "${X@U}" "${X#h}"')).toEqual([
      'python <${#X}> <${X:1:1}> <${X^^}> <${X@U}> é',
    ]);
    expect(lines('X=hello; python "${#X}" "${X:1:2}" "${X^^}"')).toEqual(['python 5 el HELLO']);
  });

  test('does not end the script for a part of such a text', () => {
    expect(lines('X=hé; python a "${X:2:-1}"; python b')).toEqual(['python a <${X:2:-1}>', 'python b']);
  });
});

describe('a file name pattern', () => {
  const make = 'mkdir -p g/sub; touch g/a.txt g/b.txt g/sub/c.txt; cd g; ';

  test('searches nested folders under globstar, which is not followed', () => {
    expect(lines(`${make}shopt -s globstar; python **/*.txt`)).toEqual(['python <**/*.txt*>']);
    expect(lines(`${make}python **/*.txt`)).toEqual(['python sub/c.txt']);
  });

  test('excludes what GLOBIGNORE names, which is not followed', () => {
    expect(lines(`${make}GLOBIGNORE='a*'; python *.txt; GLOBIGNORE=; python *.txt`)).toEqual([
      'python <*.txt*>',
      'python a.txt b.txt',
    ]);
  });
});

test('what getopts keeps internally is never exported', () => {
  const { commands } = evaluate('set -a; while getopts ab o -ab; do :; done; python t.py');
  expect([...(commands[0]?.env.keys() ?? [])].sort()).toEqual(['OPTIND', 'o']);
});

test('a NUL that ends a word for xargs leaves open what follows it', () => {
  expect(lines("printf '%s\\0' a b | xargs python")).toEqual(['python <a b*>']);
  expect(lines("printf '%s\\0' a b | xargs -0 python")).toEqual(['python a b']);
});

test('the word after an alias that ends with a blank may be an alias, too', () => {
  const given = 'shopt -s expand_aliases\nalias run="python 1 " opt="--tp 2 " end=x\n';
  expect(lines(`${given}run opt end end`)).toEqual(['python 1 --tp 2 x end']);
  expect(lines(`${given}run "opt" end`)).toEqual(['python 1 opt end']);
  expect(lines(`${given}python opt`)).toEqual(['python opt']);
});

test('what one path leaves in doubt stays in doubt if all paths start the same', () => {
  const { commands } = evaluate(
    'O=/old; K=$(date +%s); if [[ $K == *a* ]]; then V="$K"; declare "$V"=5; fi; python t.py $O',
  );
  expect(commands.map(({ words, doubtful }) => [words.map(shown).join(' '), doubtful === undefined])).toEqual(
    [['python t.py /old', false]],
  );
});

test('a readonly variable of Bash is exported with an unknown value', () => {
  const { commands } = evaluate('export UID=$(id -u); UID=5 python t.py');
  expect(commands.map(({ env }) => [...env].map(([name, word]) => `${name}=${shown(word)}`))).toEqual([
    ['UID=<$UID>'],
  ]);
});

describe('a variable set by the user', () => {
  const child = 'bash -c "python \\${X-none}"';
  const given = { machine: { variables: { X: '5' } } };

  test.each([
    [child, '5'],
    [`env -u X ${child}`, 'none'],
    [`env -u Y ${child}`, '5'],
    [`unset X; ${child}`, 'none'],
    [`export -n X; ${child}`, 'none'],
    [`f() { local X=2; ${child}; }; unset X; f`, 'none'],
    [`X=6; ${child}`, '6'],
  ])('is passed to what is started unless the script prevents it: %s', (script, value) => {
    expect(lines(script, given).at(-1)).toBe(`python ${value}`);
  });

  test('applies in containers, which have variables of their own', () => {
    expect(lines(`docker run IMAGE ${child}`, given).at(-1)).toBe('python 5');
  });
});

describe('after a job that the script ends itself', () => {
  const assumedBehind = (script: string): readonly string[] =>
    evaluate(script)
      .commands.at(-1)
      ?.assumptions.map(({ text }) => text) ?? [];
  const ended = 'a command in the background that the script ends succeeds all the same';

  test('Bash goes on under set -e only if that ends well', () => {
    expect(assumedBehind('set -e; serve & P=$!; python a; kill $P; wait $P; python b')).toEqual([ended]);
    expect(assumedBehind('set -e; serve & P=$!; python a; kill -9 "$P"; wait "$P"; python b')).toEqual([
      ended,
    ]);
  });

  test.each([
    'serve & P=$!; kill $P; wait $P; python b',
    'set -e; serve & P=$!; kill $P; wait $P || true; python b',
    'set -e; serve & P=$!; kill -0 $P; wait $P; python b',
    'set -e; serve & P=$!; other & Q=$!; kill $Q; wait $P; python b',
  ])('and otherwise in any case: %s', (script) => {
    expect(assumedBehind(script)).toEqual([]);
  });
});
