import { describe, expect, test } from 'vitest';
import { evaluate, lines, shown } from './support.ts';

describe('guards are assumed to pass', () => {
  test.each([
    ': "${MODEL:?needed}"\npython $MODEL/x',
    'set -u\npython $MODEL/x',
    'if [ -z "$MODEL" ]; then echo needed; exit 1; fi\npython $MODEL/x',
    '[ -n "$MODEL" ] || { echo needed >&2; exit 1; }\npython $MODEL/x',
    'die() { echo "$1"; exit 1; }\n[[ -z "${MODEL:-}" ]] && die needed\npython $MODEL/x',
    'MODEL=""\nif [ -z "$MODEL" ]; then exit 1; fi\npython $MODEL/x',
    'for v in MODEL; do if [ -z "${!v}" ]; then missing+=($v); fi; done\nif [ ${#missing[@]} -gt 0 ]; then exit 2; fi\npython $MODEL/x',
    'check() { [ -n "$MODEL" ]; }\nif ! check; then exit 1; fi\npython $MODEL/x',
    'set -e\n[ -n "$MODEL" ]\npython $MODEL/x',
  ])('%s', (text) => {
    const { commands, required } = evaluate(text);
    expect(commands.map(({ words }) => words.map(shown).join(' '))).toEqual(['python <$MODEL>/x']);
    expect(required.map(({ name }) => name)).toContain('MODEL');
    expect(commands[0]?.assumptions.map(({ kind }) => kind)).toContain('guard');
  });

  test.each([
    ['by an operator', ': "${MODEL:?needed}"'],
    ['under set -u', 'set -u\necho "$MODEL"'],
    ['in a function', 'f() { : "${MODEL:?needed}"; }\nf'],
    ['by a guard', '[ -n "$MODEL" ] || exit 1'],
  ])('what is required %s counts as set before that, too', (_, demand) => {
    const { commands } = evaluate(`A=\${MODEL:-llama}\n${demand}\npython t.py "$A" "$MODEL"`);
    expect(commands.map(({ words }) => words.map(shown).join(' '))).toContain(
      'python t.py <$MODEL> <$MODEL>',
    );
    expect(commands.flatMap(({ assumptions }) => assumptions.map(({ text }) => text))).toEqual(
      expect.not.arrayContaining(['MODEL is not set']),
    );
  });

  test('of several variables that stand in for each other, the last one is required', () => {
    const text = 'R=${A:-${B:-${C:-}}}\n: "${R:?needed}"\npython t.py "$R"';
    const [command] = evaluate(text).commands;
    expect(command?.words.map(shown).join(' ')).toBe('python t.py <$C>');
    expect(command?.assumptions.map(({ text: reported }) => reported).sort()).toEqual([
      'A is not set',
      'B is not set',
      'C is given',
    ]);
  });

  test.each([
    ['set -e\nM=$1\nshift\npython t.py "$M" "$@"', 'python t.py <$1>', ['$1 is given']],
    ['set -e\nshift 2\npython t.py "$1"', 'python t.py <$3>', ['$1 is given', '$2 is given']],
    ['set -e\nM=${1:-7b}\nshift\npython t.py "$M"', 'python t.py <$1>', ['$1 is given']],
    ['set -e\nM=${1:-7b}\nshift || true\npython t.py "$M"', 'python t.py 7b', ['$1 is not set']],
    ['M=${1:-7b}\nshift\npython t.py "$M"', 'python t.py 7b', ['$1 is not set']],
  ])('including shift under set -e: %s', (text, line, reported) => {
    const { commands } = evaluate(text);
    expect(commands.map(({ words }) => words.map(shown).join(' '))).toEqual([line]);
    expect(commands[0]?.assumptions.map(({ text: assumed }) => assumed)).toEqual(reported);
  });

  test.each([
    'if [ -z "$M" ]; then python list.py; exit 1; fi',
    '[ -n "$M" ] || { python list.py; exit 2; }',
    'ask() { [ -n "$M" ] || { python list.py; exit 1; }; }\nask',
  ])('what a guard starts before it ends the script is reported as well: %s', (guard) => {
    const { commands } = evaluate(`${guard}\npython t.py`);
    const started = commands.map(({ words, assumptions }) => [
      words.map(shown).join(' '),
      ...assumptions.map(({ text: assumed }) => assumed),
    ]);
    expect(started).toEqual([
      ['python list.py', 'M is not set'],
      ['python t.py', 'M is given'],
    ]);
  });

  test('set -u on the key of an associative array is reported', () => {
    const table = 'set -u\ndeclare -A T=([7b]=1)\nM=$(probe)';
    const assumed = (text: string): readonly string[] | undefined =>
      evaluate(`${table}\n${text}`)
        .commands.at(-1)
        ?.assumptions.map(({ text: assumed }) => assumed);
    expect(assumed('python t.py "${T[$M]}"')).toEqual(['${T[$M]} is set']);
    expect(assumed('python t.py "${T[$M]:-0}"')).toEqual([]);
  });

  test('a missing argument is a hole', () => {
    const { commands, required } = evaluate('if [ $# -lt 1 ]; then echo usage; exit 1; fi; python "$1"');
    expect(commands.map(({ words }) => words.map(shown).join(' '))).toEqual(['python <$1>']);
    expect(required.map(({ name }) => name)).toEqual(['#']);
  });

  test('each alternative of a guarded choice is followed', () => {
    expect(
      lines('case "$1" in small) L=8;; large) L=80;; *) echo "small or large"; exit 1;; esac; python $L'),
    ).toEqual(['python 8', 'python 80']);
  });

  test('and so is what was freely chosen before it', () => {
    const text =
      'if [ -e /x/big ]; then L=80; else L=8; fi\ncase "$1" in a) T=1;; b) T=2;; *) exit 1;; esac; python $L $T';
    expect([...lines(text)].sort()).toEqual(['python 8 1', 'python 8 2', 'python 80 1', 'python 80 2']);
  });

  test('an unavoidable exit is an exit', () => {
    expect(lines('X=1; if [ $X = 1 ]; then exit 0; fi; python no.py')).toEqual([]);
  });
});

describe('a guard that requires one of several variables', () => {
  const either = 'if [ -z "$A" ] && [ -z "$B" ]; then exit 1; fi\n';

  test('is given all of them', () => {
    expect(lines(`${either}python "$A" "$B"`)).toEqual(['python <$A> <$B>']);
  });

  test('is given one if the script refuses to have all', () => {
    const only = 'if [ -n "$A" ] && [ -n "$B" ]; then exit 1; fi\n';
    const { commands } = evaluate(`${either}${only}python train.py \${A:+--a} \${B:+--b}`);
    expect(commands.map(({ words }) => words.map(shown).join(' ')).sort()).toEqual([
      'python train.py --a',
      'python train.py --b',
    ]);
  });
});

describe('a subshell that lacks a variable ends alone', () => {
  const assumed = (text: string) =>
    evaluate(text).commands.map(
      ({ words, assumptions }) =>
        `${words.map(shown).join(' ')} [${assumptions.map((assumption) => assumption.text).join('; ')}]`,
    );

  test.each([
    ['set -u\n( : "$X" ) || python a.py\npython b.py', ['python b.py []', 'python a.py [X is not set]']],
    [
      '( : "${X:?needed}"; python in.py ) || python a.py',
      ['python in.py [X is given]', 'python a.py [X is not set]'],
    ],
    [
      'set -eu\nv=$(echo "$X") || v=none\npython "$v"',
      ['python <$X> [X is given]', 'python none [X is not set]'],
    ],
    ['set -u\n( : "$X" ) || exit 1\npython "$X"', ['python <$X> [X is given]']],
    // Nothing checks how it ended.
    [
      'set -u\n( python in.py "$X" )\npython b.py',
      ['python in.py <$X> [X is given]', 'python b.py [X is given]'],
    ],
  ])('%s', (text, expected) => {
    expect(assumed(text)).toEqual(expected);
  });
});

describe('a guard in another script', () => {
  const guard = '[ -x "$HOME/bin/python" ] || exit 1\n';
  const files = { '/repo/child.sh': guard, '/repo/lib.sh': 'test -x "$HOME/bin/python" || return 1\n' };
  const asked = 'if [ -x "$HOME/bin/python" ]; then P=1; else P=2; fi; python t.py $P $A';
  const reported = (text: string): readonly string[] =>
    evaluate(`${text}\n${asked}`, { files })
      .commands.filter(({ words }) => words[1] !== undefined && shown(words[1]) === 't.py')
      .map(({ words, assumptions }) =>
        [...words.slice(2).map(shown), ...assumptions.map(({ text }) => text)].join(', '),
      );
  const there = '$HOME/bin/python can be executed';
  const missing = '$HOME/bin/python cannot be executed';

  test.each([
    'A=; set -e; bash child.sh',
    'A=; set -e; source lib.sh',
    'A=; set -e; ( bash child.sh )',
    'A=; set -eo pipefail; bash child.sh | tee log',
    'A=; bash child.sh || exit 1',
    'A=; if ! bash child.sh; then exit 1; fi',
    'A=; bash child.sh; if [ $? -ne 0 ]; then exit 1; fi',
    'A=; bash -c "bash child.sh" || exit 1',
    'A=; [ -x "$HOME/bin/python" ] || exit 1; bash child.sh',
  ])('that ends this one as well holds after it: %s', (text) => {
    expect(reported(text)).toEqual([`1, ${there}`]);
  });

  test.each(['A=; bash child.sh', 'A=; set -e; bash child.sh | cat', 'A=; bash child.sh & A='])(
    'that ends only its own script implies nothing: %s',
    (text) => {
      expect(reported(text)).toEqual([`2, ${missing}`, `1, ${there}`]);
    },
  );

  test.each(['bash child.sh && A=y || A=n', 'if bash child.sh; then A=y; else A=n; fi'])(
    'is followed both ways if its status is checked: %s',
    (text) => {
      expect(reported(text)).toEqual([`2, n, ${missing}`, `1, y, ${there}`]);
    },
  );

  test.each(['|| echo failed', '|| exit 1', '&& echo done'])(
    'that requires a variable does not hide what follows it: %s',
    (behind) => {
      const child = '[ -z "$MODEL" ] && exit 1\npython t.py "$MODEL"\n';
      const { commands } = evaluate(`bash demands.sh ${behind}`, { files: { '/repo/demands.sh': child } });
      expect(commands.map(({ words }) => words.map(shown).join(' '))).toEqual(['python t.py <$MODEL>']);
    },
  );

  test('that was found to hold still holds after a program', () => {
    expect(reported('A=; set -e; bash child.sh; python make.py')).toEqual([`1, ${there}`]);
  });
});

test('an early successful exit of a subshell is no guard for its caller', () => {
  const started = (text: string): readonly string[] =>
    lines(text).filter((line) => line.startsWith('python'));
  const text = '( python a.py; [ -f /data/done ] && exit 0 )\npython b.py';
  expect(started(`set -e\n${text}`)).toEqual(['python a.py', 'python b.py']);
  expect(started(text)).toEqual(['python a.py', 'python b.py']);
  expect(started('X=$([ -f /data/x ] && { echo y; exit; }; echo n)\npython t.py $X')).toEqual([
    'python t.py n',
    'python t.py y',
  ]);
});

test.each(['bash -c "exit 5"', 'bash fail.sh', 'f() { return 3; }; f'])(
  'what a guard starts is reported if its last command ends the script under set -e: %s',
  (last) => {
    const text = `set -e\nif [ -z "$N" ]; then python a.py; ${last}; fi\npython b.py`;
    const { commands } = evaluate(text, { files: { '/repo/fail.sh': 'exit 4\n' } });
    expect(
      commands.map(({ words, assumptions }) => [words.map(shown).join(' '), assumptions[0]?.text]),
    ).toEqual([
      ['python a.py', 'N is not set'],
      ['python b.py', 'N is given'],
    ]);
  },
);
