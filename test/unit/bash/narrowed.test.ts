import { describe, expect, test } from 'vitest';
import { evaluate, lines, shown } from './support.ts';

/** The commands of all paths, in alphabetical order. */
const paths = (text: string): readonly string[] => [...lines(text)].sort();

const given = 'MODEL=$1\n[ -n "$MODEL" ] || exit 1\n';
const shape = 'if [ "$MODEL" = 7b ]; then L=32; else L=80; fi\n';

describe('a path remembers what its conditions tell about a value', () => {
  test.each([
    ['by equality', '[ "$MODEL" = 7b ] && T=1 || T=8'],
    ['by inequality', 'if [[ $MODEL != 7b ]]; then T=8; else T=1; fi'],
    ['with the sides of the comparison exchanged', 'if [ 7b = "$MODEL" ]; then T=1; else T=8; fi'],
    ['in a case', 'case $MODEL in 7b) T=1 ;; *) T=8 ;; esac'],
    ['in a case for several texts', 'case $MODEL in 7b | 13b) [ $L = 32 ] && T=1 || T=8 ;; *) T=8 ;; esac'],
    ['through another variable', 'SIZE=$MODEL; if [ "$SIZE" == "7b" ]; then T=1; else T=8; fi'],
    ['by the argument itself', 'if [ "$1" = "7b" ]; then T=1; else T=8; fi'],
  ])('%s', (_, question) => {
    const found = paths(`${given}${shape}${question}\npython t.py $L $T`);
    expect(found).toEqual(['python t.py 32 1', 'python t.py 80 8']);
  });

  test.each([
    ['behind shift', 'shift\nif [ "$MODEL" = 7b ]; then T=1; else T=8; fi'],
    ['within a function', 'f() { if [ "$MODEL" = 7b ]; then T=1; else T=8; fi; }\nf other'],
  ])('%s', (_, question) => {
    const found = paths(`${given}${shape}${question}\npython t.py $L $T`);
    expect(found).toEqual(['python t.py 32 1', 'python t.py 80 8']);
  });

  test.each([
    ['for a pattern', 'if [[ $MODEL == 7* ]]; then T=1; else T=8; fi', 'python t.py 32 1'],
    [
      'for a regular expression',
      'if [[ $MODEL =~ ^([0-9]+)b$ ]]; then T=$((BASH_REMATCH[1])); fi',
      'python t.py 32 7',
    ],
    ['for its length', 'if [ -z "$MODEL" ]; then T=1; else T=8; fi', 'python t.py 32 8'],
    ['as part of a text', 'if [ "model-$MODEL" = model-7b ]; then T=1; else T=8; fi', 'python t.py 32 1'],
  ])('and uses it %s', (_, question, expected) => {
    const found = paths(`${given}${shape}${question}\n[ $L = 32 ] && python t.py $L $T`);
    expect(found).toEqual([expected]);
  });

  test.each([
    ['a guard', 'if [ "$MODEL" != a ] && [ "$MODEL" != b ]; then exit 1; fi'],
    ['a chain', '[ "$MODEL" = a ] || [ "$MODEL" = b ] || exit 1'],
    ['one test', '[ "$MODEL" != a -a "$MODEL" != b ] && exit 1'],
    ['double brackets', 'if [[ $MODEL == a || $MODEL == b ]]; then :; else exit 1; fi'],
  ])('as one of several texts that %s accepts', (_, guard) => {
    const text = `${given}${guard}
case $MODEL in a) T=1 ;; b) T=2 ;; c) T=3 ;; esac
python t.py $T`;
    expect(paths(text)).toEqual(['python t.py 1', 'python t.py 2']);
  });

  test.each([
    ['a pattern', '[[ $MODEL == 7? ]]'],
    ['a regular expression', '[[ $MODEL =~ ^7 ]]'],
    ['two questions', '[[ $MODEL == 7b || $MODEL == 7B ]]'],
    ['a number', '[ "${MODEL%?}" -lt 8 ] || [[ $MODEL == 7* ]]'],
  ])('for all remaining values: %s', (_, question) => {
    const text = `${given}case $MODEL in 7b | 7B) T=1 ;; 70b | 70B) T=8 ;; *) exit 1 ;; esac
if ${question}; then L=32; else L=80; fi
python t.py $T $L`;
    expect(paths(text)).toEqual(expect.arrayContaining(['python t.py 1 32']));
    expect(paths(text)).not.toContain('python t.py 1 80');
  });

  test.each([
    ['in double brackets', '[[ $MODEL == 7* ]] && L=32 || L=80', '[ "$MODEL" = 7b ] && T=1 || T=8'],
    ['in a case', 'case $MODEL in 7*) L=32 ;; *) L=80 ;; esac', 'if [[ $1 == 7b ]]; then T=1; else T=8; fi'],
    ['with quotes', '[[ $MODEL == "7"* ]] && L=32 || L=80', 'case $MODEL in 7b) T=1 ;; *) T=8 ;; esac'],
  ])('by a pattern %s', (_, question, text) => {
    const found = paths(`${given}${question}\n${text}\npython t.py $L $T`);
    expect(found).toEqual(['python t.py 32 1', 'python t.py 32 8', 'python t.py 80 8']);
  });

  test('by guards that would have ended the script', () => {
    const question = 'if [ -f /data/x ]; then X=1; else X=2; fi\npython t.py $X';
    expect(paths(`[ -f /data/x ] || exit 1\n${question}`)).toEqual(['python t.py 1']);
    expect(paths(`set -e\n[ -f /data/x ]\n${question}`)).toEqual(['python t.py 1']);
    expect(paths(`set -e\nf() { [ ! -f /data/x ]; }\nf\n${question}`)).toEqual(['python t.py 2']);
    expect(paths(`set -e\n[ -f /data/x ] && :\n${question}`)).toEqual(['python t.py 1', 'python t.py 2']);
  });

  test('that was read once', () => {
    const text = `read N < /data/n
if [ $N -gt 4 ]; then A=many; else A=few; fi
case $N in 8) B=8 ;; *) B=other ;; esac
python t.py $A $B`;
    expect(paths(text)).toEqual(['python t.py few other', 'python t.py many 8', 'python t.py many other']);
  });

  test('as a number', () => {
    const text = `${given}if [ $MODEL -eq 1 ]; then A=one; else A=many; fi
[[ $MODEL == 1 ]] && B=one || B=many
python t.py $A $B`;
    expect(paths(text)).toEqual(['python t.py many many', 'python t.py one one']);
  });

  test('until branches with different answers meet again', () => {
    const text = `${given}if [ "$MODEL" = a ]; then echo a; else echo b; fi
if [ "$MODEL" = a ]; then T=1; else T=2; fi
python t.py $T`;
    expect(paths(text)).toEqual(['python t.py 1', 'python t.py 2']);
  });
});

describe('a path remembers what its conditions tell about an argument', () => {
  const questions = (value: string): string =>
    `if [ "${value}" = 7b ]; then L=32; else L=80; fi; case ${value} in 7b) T=1 ;; *) T=8 ;; esac; python t.py $L $T`;

  test.each([
    ['that a function is handed with all others', `set -u\nmain() { ${questions('$1')}; }\nmain "$@"`],
    ['that a function is handed', `set -u\nrun() { ${questions('$1')}; }\nrun "$1"`],
    ['in a local variable', `set -u\nrun() { local size=$1; ${questions('$size')}; }\nrun "$1"`],
    ['behind other words', `set -u\nrun() { ${questions('$2')}; }\nrun train "$@"`],
    ['of several functions', `set -u\nf() { ${questions('$3')}; }\ng() { f x "$@"; }\ng y "$@"`],
    [
      'behind shift within a function',
      `set -u\nf() { local a=$1 b=$2; shift; ${questions('$1')}; }\nf train "$@"`,
    ],
    ['of a part of all', `set -u\nf() { ${questions('$1')}; }\necho $1; f "\${@:2}"`],
    ['that set hands on', `set -u\nset -- train "$@"; ${questions('$2')}`],
    ['with a default', `[ $# -ge 1 ] || exit 1\nf() { local x=\${1:-7b}; ${questions('$x')}; }\nf "$@"`],
    ['that was counted', `f() { [ $# -ge 1 ] || exit 1; local x=$1; ${questions('$x')}; }\nf "$@"`],
    ['of what an operator makes of it', `set -u\nf() { local x=\${1%-*}; ${questions('$x')}; }\nf "$@"`],
  ])('%s', (_, text) => {
    expect(paths(text)).toEqual(['python t.py 32 1', 'python t.py 80 8']);
  });

  test('and what an operator then makes of it', () => {
    const text = `set -u\nif [ "$1" = 7b ]; then L=32; else exit 1; fi\npython t.py $L \${1%b} \${#1}`;
    expect(paths(text)).toEqual(['python t.py 32 7 2']);
  });

  test('if it was counted or a later one is set', () => {
    const text = (guard: string): string =>
      `${guard}\nif [ "$1" = 7b ]; then T=1; else T=8; fi\npython t.py $T`;
    for (const guard of [
      '[ $# -ge 1 ] || exit 1',
      '[ $# -eq 0 ] && exit 1',
      '[ $# -ne 2 ] && exit 1',
      '[ -n "$*" ] || exit',
      ': ${2:?}',
    ])
      expect(paths(text(guard))).toEqual(['python t.py 1', 'python t.py 8']);
  });
});

describe('a path remembers the range of numbers that a value is in', () => {
  const nodes = 'NODES=$1\n[ -n "$NODES" ] || exit 1\n';
  const tensor = 'if [ $NODES -le 4 ]; then T=4; elif [ "$NODES" -ge 8 ]; then T=8; else T=2; fi\n';

  test.each([
    [
      'in brackets',
      'if [ "$NODES" -gt 1 ]; then X=many; else X=one; fi',
      ['8 many', '2 many', '4 many', '4 one'],
    ],
    ['in double brackets', '[[ $NODES -lt 8 ]] && X=few || X=many', ['8 many', '2 few', '4 few']],
    ['in arithmetic', '(( NODES >= 8 )) && X=many || X=few', ['8 many', '2 few', '4 few']],
    ['by a dollar in arithmetic', '(( $NODES > 4 )) && X=many || X=few', ['8 many', '2 many', '4 few']],
    ['with the sides exchanged', '[ 4 -ge $NODES ] && X=few || X=many', ['8 many', '2 many', '4 few']],
    [
      'for a number that it cannot be',
      '[ $NODES -eq 16 ] && X=16 || X=other',
      ['8 16', '8 other', '2 other', '4 other'],
    ],
    [
      'for a text that it cannot be',
      'case $NODES in 1) X=one ;; *) X=more ;; esac',
      ['8 more', '2 more', '4 more', '4 one'],
    ],
  ])('%s', (_, question, expected) => {
    const found = paths(`${nodes}${tensor}${question}\npython t.py $T $X`);
    expect(found).toEqual(expected.map((words) => `python t.py ${words}`).sort());
  });

  test('and follows no branch that leaves none', () => {
    const text = `${nodes}if [ $NODES -gt 8 ] && [ $NODES -lt 4 ]; then X=none; else X=some; fi\npython t.py $X`;
    expect(paths(text)).toEqual(['python t.py some']);
  });

  test('and that it is no number if it is compared as text', () => {
    const text = `${nodes}if [ "$NODES" -gt 1 ] 2>/dev/null; then T=8; else T=1; fi
if [ "$NODES" = auto ]; then X=auto; else X=number; fi
python t.py $T $X`;
    expect(paths(text)).toEqual(expect.arrayContaining(['python t.py 1 auto', 'python t.py 8 number']));
  });
});

describe('what a path knows about a value is used', () => {
  const chosen = `${given}case $MODEL in 7b) T=1 ;; 70b) T=8 ;; *) exit 1 ;; esac\n`;

  test('as the key of an associative array', () => {
    const text = `${chosen}declare -A L=([7b]=32 [70b]=80)\npython t.py \${L[$MODEL]} $T`;
    expect(paths(text)).toEqual(['python t.py 32 1', 'python t.py 80 8']);
  });

  test('in the name of a sourced file', () => {
    const files = { '/repo/scripts/7b.sh': 'L=32\n', '/repo/scripts/70b.sh': 'L=80\n' };
    const text = `cd "$(dirname "$0")"\n${chosen}source ./$MODEL.sh\npython t.py $L $T`;
    expect([...lines(text, { files })].sort()).toEqual(['python t.py 32 1', 'python t.py 80 8']);
  });
});

describe('nothing is remembered about', () => {
  test('a value that differs each time', () => {
    expect(
      paths('[ "$RANDOM" = 1 ] && A=1 || A=2\n[ "$RANDOM" = 2 ] && B=1 || B=2\npython t.py $A $B'),
    ).toEqual(['python t.py 1 1', 'python t.py 1 2', 'python t.py 2 1', 'python t.py 2 2']);
  });

  test('another value under the same name', () => {
    const text = (first: string, second: string, value: string): string =>
      `: \${A:?} \${B:?}\n${first}; [ "${value}" = 1 ] && X=1 || X=2\n${second}; [ "${value}" = 1 ] && Y=1 || Y=2\npython t.py $X $Y`;
    const all = ['python t.py 1 1', 'python t.py 1 2', 'python t.py 2 1', 'python t.py 2 2'];
    expect(paths(text('V=$A', 'V=$B', '${V%b}'))).toEqual(all);
    expect(paths(text('V=$A', 'V=$B', '${V:-7}'))).toEqual(all);
    expect(paths(text('V=$RANDOM', 'V=$RANDOM', '$V'))).toEqual(all);
    expect(paths(text('read V < /data/a', 'read V < /data/b', '$V'))).toEqual(all);
    expect(paths(text('V=$A', 'V=$A', '${V%b}'))).toEqual(['python t.py 1 1', 'python t.py 2 2']);
  });

  test('another value used in arithmetic', () => {
    const text = `: \${A:?} \${B:?}
N=$A; (( N % 2 )) && X=1 || X=2
N=$B; (( N % 2 )) && Y=1 || Y=2
let A%2 && Z=1 || Z=2; let B%2 && W=1 || W=2
python t.py $X $Y $Z $W`;
    expect(paths(text)).toHaveLength(16);
  });

  test('another value read in another iteration', () => {
    const text = `R=; for i in 1 2; do read V < /data/x; [ "$V" = a ] && R=$R"1" || R=$R"2"; done\npython t.py $R`;
    expect(paths(text)).toEqual(['python t.py 11', 'python t.py 12', 'python t.py 21', 'python t.py 22']);
  });

  test('another argument passed to a function', () => {
    const text = `set -u
f() { if [ "$1" = 7b ]; then T=1; else T=8; fi; }
f "$1"; A=$T
f "$2"; python t.py $A $T`;
    expect(paths(text)).toEqual(['python t.py 1 1', 'python t.py 1 8', 'python t.py 8 1', 'python t.py 8 8']);
  });

  test('another argument after shift', () => {
    const text = `${given}${shape}shift
[ -n "$1" ] || exit 1
if [ "$1" = 7b ]; then T=1; else T=8; fi
python t.py $L $T`;
    expect(paths(text)).toEqual([
      'python t.py 32 1',
      'python t.py 32 8',
      'python t.py 80 1',
      'python t.py 80 8',
    ]);
  });

  test('an argument of a function with the same number', () => {
    const text = `${given}f() { if [ "$1" = 7b ]; then T=1; else T=8; fi; }
${shape}f 13b
python t.py $L $T`;
    expect(paths(text)).toEqual(['python t.py 32 8', 'python t.py 80 8']);
  });

  test('a case-insensitive comparison', () => {
    const text = `${given}shopt -s nocasematch
if [[ $MODEL == a ]]; then A=1; else A=2; fi
shopt -u nocasematch
case $MODEL in a) B=1 ;; A) B=2 ;; *) B=3 ;; esac
python t.py $A $B`;
    expect(paths(text)).toEqual(
      expect.arrayContaining(['python t.py 1 1', 'python t.py 1 2', 'python t.py 2 3']),
    );
  });
});

describe('a path remembers what its guards found on the machine', () => {
  const guard = 'if [ ! -x "$HOME/venv/bin/python" ]; then exit 1; fi\n';
  const question = 'if [ -x "$HOME/venv/bin/python" ]; then P=1; else P=2; fi\n';

  test.each([
    ['at once', ''],
    ['behind a program that leaves nothing there', 'nvidia-smi\n'],
  ])('%s', (_, between) => {
    expect(paths(`${guard}${between}${question}torchrun t.py $P`)).toContain('torchrun t.py 1');
    expect(paths(`${guard}${between}${question}torchrun t.py $P`)).not.toContain('torchrun t.py 2');
  });

  test('but not that a file is missing if an earlier branch may have created it', () => {
    const text = `if [ -f "$HOME/x" ]; then A=1; else A=2; python make.py; fi
[ -f "$HOME/x" ] || exit 1
torchrun t.py $A`;
    expect(paths(text)).toEqual(expect.arrayContaining(['torchrun t.py 1', 'torchrun t.py 2']));
  });

  test('and every launch reports what it depends on, whatever was tried before', () => {
    const text = `if [ -f "$HOME/a" ]; then X=1; else X=2; fi
python make.py
if [ -f "$HOME/a" ]; then Y=1; elif [ -e "$HOME/b" ]; then Y=2; else Y=3; fi
torchrun t.py $X $Y`;
    const assumed = new Map(
      evaluate(text).commands.map(({ words, assumptions }) => [
        words.map(shown).join(' '),
        assumptions.map((assumption) => assumption.text),
      ]),
    );
    expect(assumed.get('torchrun t.py 2 2')).toEqual(['$HOME/a is not a file', '$HOME/b is there']);
    expect(assumed.get('torchrun t.py 2 3')).toEqual(['$HOME/a is not a file', '$HOME/b is not there']);
  });

  test('including that a file exists, once another program has run', () => {
    const text = `if [ -f "$HOME/x" ]; then A=1; else A=2; fi
python make.py
if [ -f "$HOME/x" ]; then exit 0; fi
torchrun t.py $A`;
    expect(paths(text)).not.toContain('torchrun t.py 1');
  });

  test.each([
    ['a file', '[ -f "$HOME/ckpt/latest" ]'],
    ['a program', 'command -v converter'],
  ])('but not that %s is missing, once another program has run', (_, test) => {
    const text = `if ${test}; then exit 1; fi\npython make.py\n${test} || exit 1\ntorchrun t.py`;
    expect(paths(text)).toContain('torchrun t.py');
  });
});
