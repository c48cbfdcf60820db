import { describe, expect, test } from 'vitest';
import { evaluateScript } from '../../../server/src/bash/evaluate.ts';
import { nestedShell } from '../../../server/src/launch/wrappers/nested.ts';
import { noProfile } from '../../../server/src/value/machine.ts';
import { memoryHost } from '../../support/memoryHost.ts';
import { evaluate, lines, shown } from './support.ts';

describe('variables that are never set', () => {
  test('are one word when attached or quoted, and may be absent when unquoted', () => {
    expect(lines('python train.py --a=$A "$B" $C')).toEqual(['python train.py --a=<$A> <$B> <$C*>']);
  });

  test('are empty in tests and replaced by defaults', () => {
    expect(lines('if [ -z "$A" ]; then B=1; else B=2; fi; python $B ${A:-3} ${A-4} "${A:+5}"')).toEqual([
      'python 1 3 4 ',
    ]);
  });

  test('are empty in what text programs make of them', () => {
    const script = 'B=$(echo "$A" | tr a-z A-Z); if [ -n "$B" ]; then C=1; else C=2; fi; python $C ${B:-3}';
    expect(lines(script)).toEqual(['python 2 3']);
  });

  test('are several words if the text has blanks, even after more programs and next to other text', () => {
    const script = 'B=$(printf "%s\\n" "a b" C | sort -u | paste -sd,)7; set -- $B; python $B $#';
    expect(lines(script)).toEqual(['python <$(printf "%s\\n" "a b" C | sort -u | paste -sd,)*>7 <$#>']);
  });

  test('stay separate from the elements before them in a text made of an array', () => {
    const script = 'A=(--seed 1); A=(${A[@]} $MORE); C="x ${A[@]} --tp 2"; $C';
    expect(lines(script)).toEqual(['x --seed 1 <$MORE*> --tp 2']);
  });

  test.each([
    ["tr '\\n' ' '", ['--lr', '<$LR*>', '--tp', '4']],
    ["sed 's/^[ \\t]*//;s/  */ /g' | tr -s ' \\n' ' '", ['--lr', '<$LR*>', '--tp', '4']],
    ["sed -E 's/[[:space:]]+$//' | xargs", ['--lr', '<$LR*>', '--tp', '4']],
    ["sed 's/r [a-z]*/T/'", ['<$(sed s/r [a-z]*/T/)*>']],
  ])('keep their position in a text in which %s changes only blanks', (filter, words) => {
    expect(lines(`C="python train.py --lr $LR\n  --tp  4 "; C=$(echo "$C" | ${filter}); x $C`)).toEqual([
      ['x', ...(words.length > 1 ? ['python', 'train.py'] : []), ...words].join(' '),
    ]);
  });

  test('keep their positions there, so they are shown and fixed where they are written', () => {
    const script = `C="--tp 4\n  --pp 2"\npython t.py $(echo "$C" | tr '\\n' ' ' | sed 's/  */ /g')`;
    const places = evaluate(script).commands[0]?.words.map(({ pieces }) => pieces[0]?.origin);
    expect(places?.at(-1)).toMatchObject({ place: { span: { start: 17, end: 18 } }, verbatim: true });
  });

  test.each([
    'B=$(echo a $X b); [ "$B" = "a b" ]',
    'B=$(echo $X b); [ "$B" = b ]',
    'A="a  $X  b"; B=$(echo "$A" | tr -s " "); [ "$B" = "a b" ]',
    'B=$(echo "a $X" | xargs); case $B in a) ;; *) false ;; esac',
    'B=$(echo a $X d); read p q r <<< "$B"; [ "- $q -" = "- d -" ]',
  ])('are no word between two blanks if nothing sets them: %s', (test) => {
    expect(lines(`${test} && python same || python other`)).toEqual(['python same']);
  });

  test('count as zero in arithmetic used by a test', () => {
    expect(lines('N=$((X * 2)); if [ $N -gt 0 ]; then python a; else python b $N; fi')).toEqual([
      'python b <$((X * 2))>',
    ]);
  });

  test('take their value from the machine profile', () => {
    const machine = { variables: { MODEL: 'm', '1': 'first' } };
    expect(lines('python $MODEL $1 $2 "$#"', { machine })).toEqual(['python m first <$2> <$#>']);
  });

  test('a name that refers to an element, or to something unknown, is unknown too', () => {
    expect(lines(`A=(1 2); declare -n e='A[1]'; python "$e"`)).toEqual(['python <$e>']);
    expect(lines('declare -n R=$1; R=abc; abc=5; python "$R"')).toEqual(['python <$R>']);
    expect(lines('f() { local -n a="${1}_ARGS"; python "${#a[@]}" "${a[@]}"; }; f "$1"')[0]).not.toMatch(
      /^python \d/,
    );
  });

  test('if IFS is unknown, so is where words are split', () => {
    const text = 'IFS=$SEP; A="a,b c"; python $A --x=$A "$A" lit; set -- p q; python "$*"';
    expect(lines(text)).toEqual(['python <a,b c*> --x=<a,b c*> a,b c lit', 'python <$*>']);
    expect(lines('IFS=$SEP read x y <<< "a,b c"; python "$x"')).toEqual(['python <$x>']);
    expect(lines('OLD=$IFS; IFS=,; IFS=$OLD; A="a,b c"; python $A')).toEqual(['python a,b c']);
  });

  test('an assigned default is part of the unknown value from then on', () => {
    const text = 'V=$(probe); : ${V:=none}; case $V in none) X=1;; *) X=2;; esac; python $X "$V"';
    expect(lines(text).slice(1)).toEqual(['python 2 <${V:=none}>', 'python 1 <${V:=none}>']);
  });

  test('an expansion that assumes an unset variable reports it', () => {
    const [command] = evaluate('python ${LOAD:+--load $LOAD} ${2:-x}').commands;
    expect(command?.assumptions.map(({ text }) => text)).toEqual(['LOAD is not set', '$2 is not set']);
  });

  test('reading a missing file fails', () => {
    expect(lines('V=$(<missing); python $?')).toEqual(['python 1']);
    expect(lines('V=$(</data/file); python $?')).toEqual(['python <$?>']);
  });

  test('whether a program has the name of an unset function is unknown', () => {
    const script = 'f() { python a; }; unset -f f; f || python b; unset g; g && python c';
    expect(lines(script)).toEqual(expect.arrayContaining(['python b', 'python c']));
    expect(lines(script)).not.toContain('python a');
  });

  test('what a coprocess answers is unknown, but its descriptors exist', () => {
    const script =
      'unset P; coproc P (echo a); read -r x <&"${P[0]}"; python "$x" "${#P[@]}" "${P_PID:+set}"';
    expect(lines(script)).toEqual(['python <$x> 2 set']);
  });

  test('the status of a command that may fail is not that of the other branch', () => {
    expect(lines('command -v tool || python a $?; f() { :; }; unset -f f; f || python b $?')).toEqual([
      'python a <$?>',
      'f',
      'python b <$?>',
    ]);
  });

  test('evaluated output may set an array; programs that only prepare the shell set none', () => {
    const openOf = (text: string) =>
      evaluate(`eval "$(${text})"; python t.py "\${B[@]}"`).commands.at(-1)?.open.length;
    expect(openOf('python3 settings.py')).toBe(1);
    expect(openOf('conda shell.bash hook')).toBe(0);
  });

  test('positionals are one word, "$@" is empty and marks the command as open', () => {
    const [command] = evaluate('python train.py --load $1 "$@"').commands;
    expect(command?.words.map(shown)).toEqual(['python', 'train.py', '--load', '<$1>']);
    expect(command?.open).toHaveLength(1);
  });

  test.each([
    ['CMD="python train.py $@ --a 1"; eval $CMD', 'python train.py <$@*> --a 1'],
    ['CMD="python train.py $*"; $CMD', 'python train.py <$@*>'],
    ['ARGS="$@"; python train.py $ARGS', 'python train.py <$@*>'],
    ['A=(--a 1 "$@"); CMD="python train.py ${A[*]}"; eval $CMD', 'python train.py --a 1 <$@*>'],
    ['A=(--a 1 "$@"); CMD="python train.py ${A[@]}"; $CMD', 'python train.py --a 1 <$@*>'],
    ['srun bash -c "python train.py $*"', 'python train.py <$@*>'],
    ['source $X; CMD="python train.py ${A[*]} --b"; eval $CMD', 'python train.py <${A[@]}*> --b'],
    ['source $X; bash -c "python train.py ${A[@]} --b"', 'python train.py <${A[@]}*> --b'],
    ['set -- "$@" last; LAST=${@: -1}; python train.py $LAST', 'python train.py last'],
    [
      'SECONDS=0; RANDOM=1; LINENO=5; python $SECONDS $((RANDOM % 8)) $LINENO',
      'python <$SECONDS> <$((RANDOM % 8))> <$LINENO>',
    ],
    ['A=(1 $B 3); unset "A[${#A[@]}-1]"; python ${A[*]}', 'python <${A[@]}*>'],
    ['set -- "$@" last; ALL=$*; python train.py x$ALL"y"', 'python train.py xlast<$@*>y'],
  ])('what a list may still contain is not lost in a text: %s', (script, command) => {
    expect(lines(script).at(-1)).toBe(command);
  });

  test('values from the machine profile are arguments of the script, not of what else is passed on', () => {
    const text = 'set -u; a=("$@"); set -- "${a[@]:1}"; python "${1:-none}" "${a[0]}"';
    expect(lines(text, { machine: { variables: { 1: 'A' } } })).toEqual(['python none A']);
    const handed = 'f() { python "$2" "$3"; }; f x "$@"';
    expect(lines(handed, { machine: { variables: { 1: 'A' } } })).toEqual(['python A <$2>']);
  });

  test('an unset argument is empty in a test of all of them', () => {
    expect(lines('A="$*"; if [ -z "$A" ]; then B=1; else B=2; fi; python a.py $B')).toEqual([
      'python a.py 1',
    ]);
  });

  test('arguments pass their open end on to functions, arrays and child scripts', () => {
    const files = { '/repo/scripts/child.sh': 'python child.py "$@"' };
    const { commands } = evaluate(
      'f() { A=("$@" --x); python f.py "${A[@]}"; }; f "$@"; f 1; bash scripts/child.sh "$@"',
      { files },
    );
    expect(commands.map(({ words, open }) => `${words.map(shown).join(' ')} ${open.length}`)).toEqual([
      'python f.py --x 1',
      'python f.py 1 --x 0',
      'python child.py 1',
    ]);
  });
});

describe('the folders above the workspace', () => {
  const root = '/home/user/work';
  const files = { [`${root}/jobs/a.sh`]: '', [`${root}/jobs/b.sh`]: '', [`${root}/run.sh`]: '' };
  const words = (text: string): readonly string[] =>
    evaluateScript(`${root}/run.sh`, text, {
      host: memoryHost(files, root),
      machine: noProfile,
      nested: nestedShell,
    }).commands.flatMap((command) => command.words.map(shown));

  test('are not listed, but lead to files of the workspace', () => {
    expect(words(`python ${root}/jobs/*.sh`)).toEqual(['python', `${root}/jobs/a.sh`, `${root}/jobs/b.sh`]);
    expect(words('HERE=$(cd "$(dirname "$0")" && pwd)\npython "$HERE"/*/b.sh')).toEqual([
      'python',
      `${root}/jobs/b.sh`,
    ]);
    expect(words('python /home/*/jobs /home/other/*.sh')).toEqual([
      'python',
      '</home/*/jobs*>',
      '</home/other/*.sh*>',
    ]);
  });
});

test('an exhausted budget leaves holes, and what follows is still reported', () => {
  const { commands, truncated } = evaluate(
    'for i in {1..900}; do for j in {1..900}; do x=$((x+j)); done; done; python $x',
  );
  expect(truncated).toBe(true);
  expect(commands.map(({ words }) => words.map(shown).join(' '))).toEqual(['python <$x*>']);
});

describe('values that stand for several', () => {
  test('an array read from unknown text may have no element or several', () => {
    const text = 'L="$(python args.py)" || exit 1; read -ra A <<< "$L --x 1"; python train.py "${A[@]}" z';
    expect(lines(text).at(-1)).toBe('python train.py <$(python args.py)*> --x 1 z');
    expect(lines('read -ra A <<< "$(nproc) b"; python train.py "${A[@]}" ${#A[@]}')).toEqual([
      'python train.py <$(nproc)> b 2',
    ]);
  });

  test('a number divided by something unset is for the environment to set', () => {
    const [command] = evaluate('N=$(( $TOKENS / $BATCH )); python train.py $N').commands;
    expect(command?.words[2]?.pieces[0]).toMatchObject({ kind: 'hole', reason: 'environment' });
  });

  test("the driver's name of a GPU begins with the model", () => {
    const text = `if nvidia-smi --query-gpu=name --format=csv,noheader | grep -q "NVIDIA H"; then A=1; fi; python train.py "$A"`;
    const machine = { gpu: 'H100', gpusPerNode: 8 };
    expect(lines(text, { machine }).at(-1)).toBe('python train.py 1');
    expect(lines(text, { machine: { gpu: 'A100', gpusPerNode: 8 } }).at(-1)).toBe('python train.py <$A>');
  });
});

test('a missing file is followed both ways if the script says what it does without it', () => {
  expect(lines('source models/none.sh || X=without; python "$X"')).toEqual(['python without', 'python <$X>']);
  expect(lines('source models/none.sh || exit 1; python a')).toEqual(['python a']);
});

test('a shift by an unknown number leaves nothing known, one by all arguments leaves none', () => {
  expect(lines('set -- a b $UNK; shift "$UNK"; python "$1"')).toEqual(['python <$1>']);
  expect(lines('set -- a b $UNK; shift $#; python "$#" "$1" "$@"')).toEqual(['python 0 ']);
});

test('the output of wc is a number if it counts only one thing', () => {
  const shapes = evaluate('A=$(tool | wc -l) B=$(tool | wc) C=$(wc -l $F); python "$A" "$B" "$C"')
    .commands.at(-1)
    ?.words.flatMap(({ pieces }) => pieces.flatMap((piece) => (piece.kind === 'hole' ? [piece.shape] : [])));
  expect(shapes).toEqual(['integer', 'any', 'any']);
});

test('whether ls and compgen find something unknown is followed both ways', () => {
  for (const test of ['ls $D/*', 'stat /data', 'compgen -G "$D/*"'])
    expect(lines(`if ${test} > /dev/null; then python a; else python b; fi`)).toEqual([
      'python b',
      'python a',
    ]);
  expect(lines('ls $D || true; python a')).toEqual(['python a']);
  const files = { '/repo/ckpt/iter_1': '' };
  expect(lines('compgen -G "../ckpt/*" > /dev/null && python a', { files })).toEqual(['python a']);
  expect(lines('mkdir d; touch $D/f; compgen -G "d/f*" || X=none; python "$X"')).toEqual([
    'python none',
    'python <$X>',
  ]);
});

test('what a table holds for one key says nothing about another', () => {
  const text = `declare -A SEEN=(); LIST=()
for a in x "$M" y; do [[ -n \${SEEN[$a]:-} ]] && continue; SEEN[$a]=1; LIST+=("$a"); done
python t.py "\${LIST[@]}"`;
  expect([...lines(text)].sort()).toEqual(['python t.py x <$M>', 'python t.py x <$M> y', 'python t.py x y']);
});

test('what several paths start and another one does not keeps the assumptions of those paths', () => {
  const text = `X=$(tool); has() { for e in a b; do [[ $e == "$1" ]] && return 0; done; return 1; }
has "$X" && A=found || A=
python "$A"`;
  const started = evaluate(text)
    .commands.filter(({ words: [program] }) => program !== undefined && shown(program) === 'python')
    .map(({ words, assumptions }) => [words.map(shown).join(' '), ...assumptions.map((one) => one.text)]);
  expect(started).toEqual([
    ['python ', 'a is not $(tool)', 'b is not $(tool)'],
    ['python found', 'a is $(tool)'],
  ]);
});

test('words quoted by printf %q stay words next to unknown ones', () => {
  expect(lines(`printf -v C '%q ' python t.py "a b" "$X" --n="$Y" "$"; eval "$C"`)).toEqual([
    'python t.py a b <$X*> --n=<$Y> $',
  ]);
});

describe('quotes with several lists', () => {
  test('an edited list next to another one in the same quotes is any number of words', () => {
    const begin = 'a=(x1 "x 2"); set -- p q; python';
    expect(lines(`${begin} "\${a[*]/x}$@"`)).toEqual(['python <${a[*]/x}p q*>']);
    expect(lines(`${begin} "$@" "\${a[*]/x}"`)).toEqual(['python p q 1  2']);
  });
});

describe('a word compared with an entirely unknown one', () => {
  test.each([
    'if [[ 2 == "$U"* ]]; then python a; else python b; fi',
    'if [[ 2 != *"$U" ]]; then python a; else python b; fi',
    'P="*"; if [[ 2 == $P$U ]]; then python a; else python b; fi',
  ])('may match or not: %s', (text) => {
    const started = lines(`U=$(ask); ${text}`).filter((line) => line.startsWith('python'));
    expect(started.toSorted()).toEqual(['python a', 'python b']);
  });
});

describe('a home directory', () => {
  test('is the one of the system if the script unsets its variable', () => {
    expect(lines('unset HOME; python ~ ~/x')).toEqual(['python <~> <~>/x']);
    expect(lines('HOME=; python ~/x')).toEqual(['python /x']);
  });
});

test('caller prints an unknown line, as often as there is a caller', () => {
  const traced = 'f() { python "$(caller)"; local i=0; while caller $i; do i=$((i+1)); done; python $i; }';
  expect(lines(`${traced}; g() { f; }; g`)).toEqual(['python <$(caller)>', 'python 2']);
});

describe('a status under set -e', () => {
  test.each([
    ['of what the script goes on behind', 'ask; python $?', 'python 0'],
    ['of a job that it waits for', 'ask & wait $!; python $?', 'python 0'],
    ['of a list that does not end it is not known', 'ask && true; python $?', 'python <$?>'],
    ['of what is negated is not known', '! ask; python $?', 'python <$?>'],
  ])('%s', (_, text, last) => {
    expect(lines(`set -e; ${text}`).at(-1)).toBe(last);
  });
});

describe('a folder missing from the workspace', () => {
  test.each([
    ['python a > logs/x.log', ['logs is a directory']],
    ['exec > logs/x.log; python a', ['logs is a directory']],
    ['{ python a; } 2>> logs/b/x.log', ['logs/b is a directory']],
    ['mkdir -p logs; python a > logs/x.log', []],
    ['python a > x.log', []],
    ['python a > /data/x.log', []],
    ['mkdir logs; python a &> logs/x.log', []],
  ])('is assumed to exist if something is written into it: %s', (text, assumed) => {
    const [command] = evaluate(text).commands.filter(
      ({ words: [name] }) => name !== undefined && shown(name) === 'python',
    );
    expect(command?.assumptions.map((one) => one.text)).toEqual(assumed);
  });

  test.each([
    ['set -e; python a > logs/x.log; python b', ['logs is a directory']],
    ['python a > logs/x.log; python b', []],
    ['set -e; python a > logs/x.log || true; python b', []],
  ])('on which what follows depends if the script ends without it: %s', (text, assumed) => {
    const last = evaluate(text).commands.at(-1);
    expect(last?.assumptions.map((one) => one.text)).toEqual(assumed);
  });
});

describe('what is left to read', () => {
  const asked = 'if [ "$(nvidia-smi -L | wc -l)" -gt 4 ]; then';

  test.each([
    [`{ ${asked} read A; fi; read B; python "$B"; } <<< $'1\\n2'`, '<$B>'],
    [`{ ${asked} A=1; fi; read B; python "$B"; } <<< $'1\\n2'`, '1'],
    [`exec 3<<< $'1\\n2'; ${asked} read -u 3 A; fi; read -u 3 B; python "$B"`, '<$B>'],
    [`exec 3<<< $'1\\n2'; (read -u 3 A); read -u 3 B; python "$B"`, '<$B>'],
    [`exec 3<<< $'1\\n2'; X=$(cat <&3); read -u 3 B; python "$B"`, '<$B>'],
    [`exec 3<<< $'1\\n2'; X=$(echo a); (true); read -u 3 B; python "$B"`, '1'],
    [`exec 3<> fifo; read -u 3 B; python "$B"`, '<$B>'],
    [`exec 3<&0; read B <&3; python "$B"`, '<$B>'],
    [`{ head -n 1; read B; python "$B"; } <<< $'1\\n2'`, '<$B>'],
  ])('is unknown if it is unknown what was read: %s', (text, word) => {
    expect(lines(text).filter((line) => line.startsWith('python'))).toEqual([`python ${word}`]);
  });
});

test('output of several words made from unset input is several words next to other text', () => {
  const word = evaluate(`X=$(awk '{print $NF, NF}' <<< "$NONE"); python x\${X}y`)
    .commands.at(-1)
    ?.words.at(-1);
  expect(word?.pieces.some((piece) => piece.kind === 'hole' && piece.splits)).toBe(true);
});

describe('large output', () => {
  test.each([
    ['X=$(seq 1 100000); python "${X:-none}"', '<${X:-none}>'],
    ['X=$(seq 1 100000 | wc -l); python "$X"', '<$(seq 1 100000 | wc -l)>'],
    ['set -o pipefail; seq 1 30000 | head -n 1 > /dev/null; python $?', '<$?>'],
    ['set -o pipefail; seq 1 3000 | head -n 1 > /dev/null; python $?', '<$?>'],
    ['set -o pipefail; seq 1 300 | head -n 1 > /dev/null; python $?', '0'],
    ['seq 1 30000 | head -n 1 > /dev/null; python ${PIPESTATUS[0]}', '<${PIPESTATUS[0]}>'],
    ['seq 1 30000 | head -n 1 > /dev/null; python $?', '0'],
  ])('is not taken for less: %s', (text, word) => {
    expect(lines(text)).toEqual([`python ${word}`]);
  });
});

describe('under set -u an array declared without a value', () => {
  test.each([
    ['ends the script where its elements are counted', 'declare -a A; python t.py ${#A[@]}', []],
    [
      'does not when other lines fill it',
      'declare -a A; f() { A+=("$1"); }; python t.py ${#A[@]}',
      ['python t.py <${#A[@]}>'],
    ],
    [
      'nor when it is read',
      'declare -a A; g() { mapfile -t A; }; python t.py ${#A[@]}',
      ['python t.py <${#A[@]}>'],
    ],
    ['nor when it is given an empty list', 'declare -a A=(); python t.py ${#A[@]}', ['python t.py 0']],
    [
      'gives up the line alone without set -e, as of what is no array',
      'if [ ${#A[@]} -gt 0 ]; then python a; fi; python b\npython c',
      ['python c'],
    ],
    ['ends it there with set -e', 'set -e\npython a\npython ${#A[@]}\npython c', ['python a']],
  ])('%s', (_, text, expected) => {
    expect(lines(`set -u; ${text}`)).toEqual(expected);
  });
});

test('a loop over program output may run more than once, even if quotes make one value of it', () => {
  const text =
    'X=$(list)\nn=0; while read -r l; do n=$((n+1)); python a.py "$l"; done <<< "$X"\npython b.py $n';
  expect(lines(text)).toEqual(['list', 'python a.py <$(list)>', 'python b.py <$n*>']);
  expect(lines('n=0; while read -r l; do n=$((n+1)); done <<< "$(hostname)"; python b.py $n')).toEqual([
    'python b.py 1',
  ]);
});

describe('a writer whose reader may end earlier', () => {
  test.each([
    ['echo a | true; python ${PIPESTATUS[0]}', '<${PIPESTATUS[0]}>'],
    ['{ echo a; echo b; } | head -n 1; python ${PIPESTATUS[0]}', '<${PIPESTATUS[0]}>'],
    ['f() { echo a; echo b; }; f | grep -q a; python ${PIPESTATUS[0]}', '<${PIPESTATUS[0]}>'],
    ['set -o pipefail; f() { echo a; echo b; }; f | grep -q a; python $?', '<$?>'],
    ['printf "a\\nb\\n" | head -n 1; python ${PIPESTATUS[0]}', '<${PIPESTATUS[0]}>'],
    ['echo a | head -n 1; python ${PIPESTATUS[0]}', '0'],
    ['{ echo a; echo b; } | cat; python ${PIPESTATUS[0]}', '0'],
    ['{ echo a; echo b; } | while read X; do :; done; python ${PIPESTATUS[0]}', '0'],
  ])('may be ended by a signal: %s', (text, word) => {
    expect(lines(text)).toEqual([`python ${word}`]);
  });
});

describe('the output of a loop with an unknown number of iterations', () => {
  test.each([
    [
      'X=$(for H in $HOSTS; do echo -n "[$H]"; done); python "$X"',
      '<$(for H in $HOSTS; do echo -n "[$H]"; done)>',
    ],
    ['X=$(echo -n a; for H in $HOSTS; do echo -n b; done; echo -n c); python "$X"', 'a<output>c'],
    ['X=$(while ask > log; do echo b; done); python "$X"', '<$(while ask > log; do echo b; done)>'],
    ['X=$(for H in a b; do echo -n "[$H]"; done); python "$X"', '[a][b]'],
  ])('is unknown: %s', (text, word) => {
    expect(lines(text).at(-1)).toBe(`python ${word}`);
  });
});

describe('a file', () => {
  test.each([
    [
      'a program may have made, behind more lines',
      'train; echo b >> f; A=($(cat f)); python ${#A[@]}',
      '<${#A[@]}>',
    ],
    [
      'is written in a loop that may not run',
      'for H in $HOSTS; do echo 1 > f; done; python "$(cat f)"',
      '<$(cat f)>',
    ],
    ['is written in each round', 'for H in a b; do echo $H > f; done; python "$(cat f)"', 'b'],
    [
      'is written while something unknown holds',
      'while ask; do echo 1 > f; done; python "$(cat f)"',
      '<$(cat f)>',
    ],
  ])('is read that %s', (_, text, word) => {
    expect(lines(text).at(-1)).toBe(`python ${word}`);
  });
});

test('under set -u Bash counts no elements of what is not an array', () => {
  const script =
    'set -u\nX=1\npython ${#X[@]}; python no\npython ${#X} "${X[@]}"\nunset X\nX=(1)\npython ${#X[@]}';
  expect(lines(script)).toEqual(['python 1 1', 'python 1']);
  expect(lines('set -eu; X=1; python a; python ${#X[@]}; python b')).toEqual(['python a']);
});

test('under set -u an unset array has no number of elements', () => {
  expect(lines('set -u\nA=(1 2)\nunset A\npython a\npython ${#A[@]}\npython c')).toEqual([
    'python a',
    'python c',
  ]);
});
