import { describe, expect, test } from 'vitest';
import { evaluateScript } from '../../../server/src/bash/evaluate.ts';
import { nestedShell } from '../../../server/src/launch/nested.ts';
import { noProfile } from '../../../server/src/value/machine.ts';
import { memoryHost } from '../../support/memoryHost.ts';
import { evaluate, hostOf, lines, shown } from './support.ts';

describe('variables that nothing sets', () => {
  test('are one word when attached or quoted and may be absent when bare', () => {
    expect(lines('python train.py --a=$A "$B" $C')).toEqual(['python train.py --a=<$A> <$B> <$C*>']);
  });

  test('are empty in tests and give way to defaults', () => {
    expect(lines('if [ -z "$A" ]; then B=1; else B=2; fi; python $B ${A:-3} ${A-4} "${A:+5}"')).toEqual([
      'python 1 3 4 ',
    ]);
  });

  test('count as zero in arithmetic that a test reads', () => {
    expect(lines('N=$((X * 2)); if [ $N -gt 0 ]; then python a; else python b $N; fi')).toEqual([
      'python b <$((X * 2))>',
    ]);
  });

  test('take the value that the machine profile gives', () => {
    const machine = { variables: { MODEL: 'm', '1': 'first' } };
    expect(lines('python $MODEL $1 $2 "$#"', { machine })).toEqual(['python m first <$2> <$#>']);
  });

  test('positionals are one word, "$@" is nothing and marks the command open', () => {
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
  ])('what a list may still hold is not lost in a text: %s', (script, command) => {
    expect(lines(script).at(-1)).toBe(command);
  });

  test('an argument that nobody gave is empty in a test of all of them', () => {
    expect(lines('A="$*"; if [ -z "$A" ]; then B=1; else B=2; fi; python a.py $B')).toEqual([
      'python a.py 1',
    ]);
  });

  test('arguments pass the open end on to functions, arrays and child scripts', () => {
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

  test('a missing argument is a hole', () => {
    const { commands, required } = evaluate('if [ $# -lt 1 ]; then echo usage; exit 1; fi; python "$1"');
    expect(commands.map(({ words }) => words.map(shown).join(' '))).toEqual(['python <$1>']);
    expect(required.map(({ name }) => name)).toEqual(['#']);
  });

  test('alternatives of a guarded choice are followed each', () => {
    expect(
      lines('case "$1" in small) L=8;; large) L=80;; *) echo "small or large"; exit 1;; esac; python $L'),
    ).toEqual(['python 8', 'python 80']);
  });

  test('an exit that nothing can avoid is an exit', () => {
    expect(lines('X=1; if [ $X = 1 ]; then exit 0; fi; python no.py')).toEqual([]);
  });
});

test('a file that is not there is followed both ways where the script says what it does without it', () => {
  expect(lines('source models/none.sh || X=without; python "$X"')).toEqual(['python without', 'python <$X>']);
  expect(lines('source models/none.sh || exit 1; python a')).toEqual(['python a']);
});

test('a shift by what is not known leaves nothing known, one by all of them nothing', () => {
  expect(lines('set -- a b $UNK; shift "$UNK"; python "$1"')).toEqual(['python <$1>']);
  expect(lines('set -- a b $UNK; shift $#; python "$#" "$1" "$@"')).toEqual(['python 0 ']);
});

test('what wc counts is a number where it counts one thing only', () => {
  const shapes = evaluate('A=$(tool | wc -l) B=$(tool | wc) C=$(wc -l $F); python "$A" "$B" "$C"')
    .commands.at(-1)
    ?.words.flatMap(({ pieces }) => pieces.flatMap((piece) => (piece.kind === 'hole' ? [piece.shape] : [])));
  expect(shapes).toEqual(['integer', 'any', 'any']);
});

test('whether ls and compgen find what is not known is followed both ways', () => {
  for (const test of ['ls $D/*', 'stat /data', 'compgen -G "$D/*"'])
    expect(lines(`if ${test} > /dev/null; then python a; else python b; fi`)).toEqual([
      'python b',
      'python a',
    ]);
  expect(lines('ls $D || true; python a')).toEqual(['python a']);
  const files = { '/repo/ckpt/iter_1': '' };
  expect(lines('compgen -G "../ckpt/*" > /dev/null && python a', { files })).toEqual(['python a']);
  expect(lines('mkdir d; touch d/f; compgen -G "d/*" || X=none; python "$X"')).toEqual([
    'python none',
    'python <$X>',
  ]);
});

test('what several paths start and another one does not keeps the assumptions of the first', () => {
  const text = `X=$(tool); has() { for e in a b; do [[ $e == "$1" ]] && return 0; done; return 1; }
has "$X" && A=found || A=
python "$A"`;
  const told = evaluate(text)
    .commands.filter(({ words: [program] }) => program !== undefined && shown(program) === 'python')
    .map(({ words, assumptions }) => [words.map(shown).join(' '), ...assumptions.map((one) => one.text)]);
  expect(told).toEqual([
    ['python ', 'a is not $(tool)', 'b is not $(tool)'],
    ['python found', 'a is $(tool)'],
  ]);
});

test('words that printf %q quotes stay words beside those that are not known', () => {
  expect(lines(`printf -v C '%q ' python t.py "a b" "$X" --n="$Y" "$"; eval "$C"`)).toEqual([
    'python t.py a b <$X*> --n=<$Y> $',
  ]);
});

describe('quotes with several lists', () => {
  test('an edited list beside another one in the same quotes is any number of words', () => {
    const begin = 'a=(x1 "x 2"); set -- p q; python';
    expect(lines(`${begin} "\${a[*]/x}$@"`)).toEqual(['python <${a[*]/x}p q*>']);
    expect(lines(`${begin} "$@" "\${a[*]/x}"`)).toEqual(['python p q 1  2']);
  });
});

describe('what cannot be known is followed both ways', () => {
  test('a file outside the workspace, absent first', () => {
    const { commands } = evaluate('A=; if [ -f /data/x ]; then A=--load; fi; python t.py $A');
    expect(commands.map(({ words }) => words.map(shown).join(' '))).toEqual([
      'python t.py',
      'python t.py --load',
    ]);
    expect(commands[1]?.assumptions.map(({ text }) => text)).toEqual(['/data/x is a file']);
  });

  test('a value that a case let pass is one of those', () => {
    const guard = 'case $MODE in train|eval) ;; *) echo bad; exit 1 ;; esac';
    expect(
      lines(`: \${MODE:?}; ${guard}; case "$MODE" in train) A=-t ;; eval) A=-e ;; esac; python x.py $A`),
    ).toEqual(['python x.py -t', 'python x.py -e']);
    expect(lines(`: \${MODE:?}; ${guard}; [ $MODE = test ] && python no.py; python x.py`)).toEqual([
      'python x.py',
    ]);
    expect(
      lines(`: \${MODE:?}; ${guard}; case $MODE in test) A=-t ;; *) A=-x ;; esac; python x.py $A`),
    ).toEqual(['python x.py -x']);
  });

  test('a value that a case let pass in any case of letters is any', () => {
    const text =
      'shopt -s nocasematch; : ${MODE:?}; case $MODE in train) ;; *) exit 1 ;; esac; shopt -u nocasematch';
    expect(lines(`${text}; [ $MODE = TRAIN ] && python big.py; python x.py`)).toContain('python big.py');
  });

  test('a value that a case let pass by a wildcard is any', () => {
    const text =
      ': ${MODE:?}; case $MODE in t*) ;; *) exit 1 ;; esac; case $MODE in train) A=-t ;; esac; python x.py $A';
    expect(lines(text)).toEqual(['python x.py <$A*>', 'python x.py -t']);
  });

  test('an argument behind shift is another one', () => {
    const text = 'case $1 in a) ;; *) exit 1 ;; esac; shift; case $1 in b) python b.py ;; esac; python t.py';
    expect(lines(text)).toContain('python b.py');
  });

  test('an argument of a function is another one', () => {
    const text =
      'f() { case $2 in b) python b.py ;; esac; }; case $2 in a) ;; *) exit 1 ;; esac; f x "$@"; python t.py';
    expect(lines(text)).toContain('python b.py');
  });

  test('sides that change nothing are told once', () => {
    expect(
      lines('for i in 1 2 3; do if [ ! -d /data/$i ]; then python get.py $i; fi; done; python t.py'),
    ).toEqual(['python get.py 1', 'python get.py 2', 'python get.py 3', 'python t.py']);
  });

  test('too many questions are joined', () => {
    const tests = Array.from(
      { length: 12 },
      (_, index) => `X${index}=a; [ -f /d/${index} ] && X${index}=b`,
    ).join('\n');
    const { commands } = evaluate(`${tests}\npython $X0 $X11`);
    expect(commands.length).toBeLessThanOrEqual(16);
    expect(commands.some(({ words }) => words.map(shown).join(' ').includes('<$X11'))).toBe(true);
  });

  test('the machine decides: NVLink and the number of GPUs', () => {
    const text = `
N=$(nvidia-smi topo -m 2>/dev/null | grep -o 'NV[0-9][0-9]*' | wc -l)
if [ "$N" -gt 0 ]; then HAS=1; else HAS=0; fi
GPUS=$(nvidia-smi -L | wc -l)
python t.py $HAS $GPUS`;
    expect(lines(text).at(-1)).toBe('python t.py <$HAS> <$(nvidia-smi -L | wc -l)>');
    expect(lines(text, { machine: { nvlink: true, gpusPerNode: 4 } }).at(-1)).toBe('python t.py 1 4');
    expect(lines(text, { machine: { nvlink: false, gpusPerNode: 8 } }).at(-1)).toBe('python t.py 0 8');
  });

  test('a loop over an unknown list has one round, and what it changed is not known', () => {
    expect(lines('n=0; for f in $(curl list); do python one.py "$f"; n=$((n+1)); done; python $n')).toEqual([
      'curl list',
      'python one.py <$(curl list)>',
      'python <$n*>',
    ]);
  });

  test('clock and process numbers are parts of words', () => {
    expect(lines('python --name=run_$(date +%Y%m%d)_$$ --port $((RANDOM + 1))')).toEqual([
      'python --name=run_<$(date +%Y%m%d)>_<$$> --port <$((RANDOM + 1))>',
    ]);
  });
});

describe('files', () => {
  test('are sourced through the idioms of script folders', () => {
    const files = {
      '/repo/scripts/models/m.sh': 'ARGS=(--layers 4 [0]*2+[1]*3)',
      '/repo/scripts/v.txt': 'v1\n',
    };
    const text = `DIR="$(cd "$(dirname "\${BASH_SOURCE[0]}")" &>/dev/null && pwd)"
source "$DIR/models/m.sh"
python $DIR/t.py "\${ARGS[@]}" $(cat $DIR/v.txt) $(basename "$0") $(realpath $0)`;
    const { commands, sources } = evaluate(text, { files });
    expect(commands.map(({ words }) => words.map(shown).join(' '))).toEqual([
      'python /repo/scripts/t.py --layers 4 [0]*2+[1]*3 v1 run.sh /repo/scripts/run.sh',
    ]);
    expect(sources).toEqual(['/repo/scripts/models/m.sh', '/repo/scripts/v.txt']);
  });

  test('that the workspace surely lacks are reported', () => {
    const { problems } = evaluate(
      'source scripts/none.sh; source /venv/bin/activate; source $HOME/x; python t.py',
    );
    expect(problems.map(({ kind, message }) => [kind, message])).toEqual([
      ['missing-file', 'scripts/none.sh is not in the workspace.'],
    ]);
  });

  test('written by the script are there', () => {
    expect(
      lines(`D=4
cat > /tmp/job.sh <<EOF
#!/bin/bash
#SBATCH --nodes=$D
python t.py $D \\$E
EOF
[ -f /tmp/job.sh ] && sbatch /tmp/job.sh`),
    ).toEqual(['sbatch /tmp/job.sh', 'python t.py 4 <$E*>']);
  });
});

describe('files that a program changes', () => {
  const files = { '/repo/v.sh': 'TP=3\nPP=2\n' };
  const given = (text: string): readonly string[] =>
    lines(`${text}\nsource v.sh; python t.py $TP $PP`, { files }).filter((line) => line.startsWith('python'));

  test.each([
    ['sed -i "s/TP=3/TP=4/" v.sh', '4 2'],
    ['sed -i.bak -e s/3/4/ -e s/2/8/ v.sh', '4 8'],
    ['sed -Ei "s/(TP)=.*/\\1=16/" v.sh', '16 2'],
    ['sed --in-place s/nothing/else/ v.sh', '3 2'],
    ['cp v.sh w.sh; sed -i s/3/4/ w.sh; mv w.sh v.sh', '4 2'],
    ['perl -pi -e "s/3/4/" v.sh', '<$TP*> <$PP*>'],
    ['sed -i "s/3/$1/" v.sh', '<$TP*> <$PP*>'],
    ['sed -n "s/3/4/p" v.sh', '3 2'],
    ['perl -ne "print if /3/" v.sh', '3 2'],
    ['yq -i ".a = 3" other.yaml', '3 2'],
  ])('hold what it made of them: %s', (text, words) => {
    expect(given(text)).toEqual([`python t.py ${words}`]);
  });

  test('are told of', () => {
    const { written } = evaluate('sed -i s/3/4/ v.sh; echo a > b.yaml; yq -i .a=3 c.yaml; cat > $D/e <<< 3', {
      files: { ...files, '/repo/c.yaml': 'a: 1' },
    });
    expect([...written].sort()).toEqual(['/repo/b.yaml', '/repo/c.yaml', '/repo/v.sh']);
  });
});

describe('files whose names are not known as a whole', () => {
  test('lack the argument that names them', () => {
    const [command] = evaluate('N=$(wc -l < $1); M=$(wc -l < $(hostname)); python t.py $N $M').commands;
    const reasons = command?.words.flatMap(({ pieces }) =>
      pieces.flatMap((piece) => (piece.kind === 'hole' ? [piece.reason] : [])),
    );
    expect(reasons).toEqual(['positional', 'outside']);
  });

  test.each([
    ['D=$SCRATCH/jobs', '$D/run.sbatch', 'sbatch <$SCRATCH*>/jobs/run.sbatch'],
    ['F=$(mktemp)', '$F', 'sbatch <$(mktemp)*>'],
    ['', 'job_$1.sh', 'sbatch job_<$1>.sh'],
    ['N=run_$(date +%s)', '"$N".sh', 'sbatch run_<$(date +%s)>.sh'],
  ])('are what the script wrote: %s %s', (before, name, told) => {
    const write = `cat > ${name} <<'EOF'\n#!/bin/bash\npython t.py\nEOF\n`;
    const [first, ...rest] = lines(`${before}\n${write}sbatch ${name}`);
    expect([first?.replace('*>', '>'), ...rest]).toEqual([told.replace('*>', '>'), 'python t.py']);
  });

  test('have commands at the lines of the here-document that they stand in', () => {
    const text =
      'D=$X\ncat > $D/a.sh <<EOF\n#!/bin/bash\necho a\npython t.py --tp $TP --x\nEOF\nsbatch $D/a.sh';
    const place = evaluate(text).commands.at(-1)?.place.span;
    expect(text.slice(place?.start, place?.end)).toBe('python t.py --tp $TP --x');
  });

  test('are sourced, started by themselves, appended to and copied out', () => {
    const text = `F=$(mktemp)
echo '#!/bin/bash' > $F
echo 'python t.py "$A"' | tee -a $F
A=1; source $F
chmod +x $F; $F
cat $F > /tmp/other.sh; bash /tmp/other.sh`;
    expect(lines(text).filter((line) => line.startsWith('python'))).toEqual([
      'python t.py 1',
      'python t.py <$A>',
      'python t.py <$A>',
    ]);
  });

  test('are others where what the script made their names from is another', () => {
    const text =
      'A=$(mktemp); B=$(mktemp -u); echo "python a.py" > $A; echo "python b.py" > $B; bash $A; bash $B';
    expect(lines(text)).toEqual(['python a.py', 'python b.py']);
    expect(lines('echo "python a.py" > $X/a.sh; bash $Y/a.sh')).toEqual(['bash <$Y>/a.sh']);
  });
});

describe('shell text within commands', () => {
  test('bash -c, srun bash -c and sbatch keep the chain of wrappers and the environment', () => {
    const { commands } = evaluate(`export TP=2
CMD="python t.py --tp $TP"
bash -c "$CMD"
srun -N 2 bash -c "export X=1; $CMD \\$1 '\\$2'" zero one
sbatch <<EOF
#!/bin/bash
#SBATCH --nodes=4 # four
#SBATCH -J "a b"
srun python t.py --nodes \\$SLURM_NNODES
EOF`);
    const told = commands.map(({ words, env, via, directives }) => [
      words.map(shown).join(' '),
      [...env.keys()].join(' '),
      via.length,
      directives.map(shown).join(' '),
    ]);
    expect(told).toEqual([
      ['python t.py --tp 2', 'TP', 1, ''],
      ["srun -N 2 bash -c export X=1; python t.py --tp 2 $1 '$2' zero one", 'TP', 0, ''],
      ['python t.py --tp 2 one $2', 'TP X', 1, ''],
      ['sbatch', 'TP', 0, ''],
      ['srun python t.py --nodes <$SLURM_NNODES>', 'TP', 1, '--nodes=4 -J a b'],
    ]);
  });

  test('holes in the text stay holes of the inner words', () => {
    expect(lines('CMD="python t.py --x $X --y $1"; bash -c "$CMD"; eval "$CMD --z"')).toEqual([
      'python t.py --x <$X*> --y <$1>',
      'python t.py --x <$X*> --y <$1> --z',
    ]);
  });
});

describe('places', () => {
  test('every piece knows where it was written and the way that it took', () => {
    const text = 'TP=4\nARGS=(--tp $TP "--dir=a/$TP")\npython t.py "${ARGS[@]}"';
    const [command] = evaluate(text).commands;
    const written = command?.words.map(({ pieces }) =>
      pieces.map(({ origin }) => [
        text.slice(origin.place.span.start, origin.place.span.end),
        ...origin.via.map(({ span }) => text.slice(span.start, span.end)),
      ]),
    );
    expect(written).toEqual([
      [['python']],
      [['t.py']],
      [['--tp', '${ARGS[@]}']],
      [['4', '${ARGS[@]}', '$TP']],
      [
        ['--dir=a/', '${ARGS[@]}'],
        ['4', '${ARGS[@]}', '$TP'],
      ],
    ]);
    expect(command?.words[3]?.pieces[0]?.origin.verbatim).toBe(true);
    expect(text.slice(command?.words[3]?.place.span.start, command?.words[3]?.place.span.end)).toBe(
      '"${ARGS[@]}"',
    );
  });

  test('an embedded script is located by its holder', () => {
    const { commands } = evaluateScript('/repo/job.yaml', 'python t.py', {
      host: hostOf({}),
      machine: { versions: {}, variables: {} },
      nested: nestedShell,
      locate: (span) => ({ path: '/repo/job.yaml', span: { start: span.start + 100, end: span.end + 100 } }),
      environment: new Map(),
    });
    expect(commands[0]?.place).toEqual({ path: '/repo/job.yaml', span: { start: 100, end: 111 } });
  });

  test('references name the assignments that feed an expansion', () => {
    const text = 'A=1\nA+=2\npython $A';
    const { references } = evaluate(text);
    const use = references.find(({ kind, name }) => kind === 'expansion' && name === 'A');
    expect(use?.assignments.map(({ span }) => text.slice(span.start, span.end))).toEqual(['A=1', 'A+=2']);
  });
});

describe('problems', () => {
  test('Bash runs what stands before a syntax error', () => {
    const { commands, problems } = evaluate('python a.py\nX=<some dir>\npython b.py\n');
    expect(commands.map(({ words }) => words.map(shown).join(' '))).toEqual(['python a.py']);
    expect(problems.map(({ kind }) => kind)).toEqual(['syntax']);
  });

  test('a flag whose bare value vanishes takes the next one', () => {
    const { problems } = evaluate('python t.py --load $CKPT --save out');
    expect(problems.map(({ kind, message }) => [kind, message])).toEqual([
      ['swallowed-flag', 'Without $CKPT nothing stands behind --load, and it takes --save for its value.'],
    ]);
  });

  test('an array that nothing assigns is reported, one that a branch assigns is not', () => {
    const text = 'if [ "$FP8" = 1 ]; then FP8_ARGS=(--fp8); fi; python "${FP8_ARGS[@]}" "${NONE[@]}"';
    const { problems } = evaluate(text);
    expect(problems.map(({ kind, message }) => [kind, message])).toEqual([
      ['unassigned-array', 'Nothing assigns the array NONE: it expands to nothing.'],
    ]);
  });
});

test('a budget that is used up leaves holes, and what follows is still told', () => {
  const { commands, truncated } = evaluate(
    'for i in {1..900}; do for j in {1..900}; do x=$((x+j)); done; done; python $x',
  );
  expect(truncated).toBe(true);
  expect(commands.map(({ words }) => words.map(shown).join(' '))).toEqual(['python <$x*>']);
});

describe('values that stand for several', () => {
  test('an array that is read from a variable with unknown text may have no element or several', () => {
    const text = 'L="$(python args.py)" || exit 1; read -ra A <<< "$L --x 1"; python train.py "${A[@]}" z';
    expect(lines(text).at(-1)).toBe('python train.py <$(python args.py)*> --x 1 z');
    expect(lines('read -ra A <<< "$(nproc) b"; python train.py "${A[@]}" ${#A[@]}')).toEqual([
      'python train.py <$(nproc)> b 2',
    ]);
  });

  test('a number that divides by something not set is for the environment to give', () => {
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

describe('a job that sbatch submits', () => {
  test('writes elsewhere: what is printed is its number', () => {
    const files = { '/repo/scripts/job.sh': '#!/bin/bash\necho hello; python train.py' };
    expect(lines('cd /repo; ID=$(sbatch --parsable scripts/job.sh); python x.py "$ID"', { files })).toEqual([
      'sbatch --parsable scripts/job.sh',
      'python train.py',
      'python x.py <$(sbatch --parsable scripts/job.sh)>',
    ]);
  });
});

describe('a script that is only told of sbatch', () => {
  test('writes where it is asked to', () => {
    const files = { '/repo/scripts/job.sh': '#!/bin/bash\necho hello' };
    expect(lines('cd /repo; python x.py "$(bash scripts/job.sh sbatch)"', { files })).toEqual([
      'python x.py hello',
    ]);
  });
});

describe('a loop that waits', () => {
  test.each([
    [
      'while true; do U=$(nvidia-smi); B=0; for u in $U; do if [ $u -gt 9 ]; then B=1; fi; done; [ $B -eq 0 ] && break; sleep 1; done',
    ],
    ['while :; do N=$(squeue | wc -l); [ "$N" -lt 4 ] && break; sleep 60; done'],
    ['until [ "$STATE" = ready ]; do STATE=$(cat /mnt/state); A=(x "$STATE"); done'],
  ])('ends, and what comes behind it is told: %s', (loop) => {
    const { commands, truncated } = evaluate(`${loop}\npython train.py`);
    expect(truncated).toBe(false);
    expect(commands.at(-1)?.words.map(shown)).toEqual(['python', 'train.py']);
  });

  test('for a number of rounds is not followed through all of them', () => {
    const text = 'for _ in $(seq 400); do curl host/health && break; sleep 1; done; python t.py';
    const started = lines(text);
    expect(started.at(-1)).toBe('python t.py');
    expect(started.length).toBeLessThan(20);
  });

  test.each([
    ['X=0; for i in $(seq 30); do X=$((X+1)); done; python t.py $X', 'python t.py 30'],
    ['for i in $(seq 30); do python t.py $i; done', 'python t.py 30'],
    ['f() { python t.py $i; }; for i in $(seq 30); do f; done', 'python t.py 30'],
  ])('for values that matter is: %s', (text, last) => {
    expect(lines(text).at(-1)).toBe(last);
  });

  test('and counts is followed to its last round', () => {
    expect(lines('i=0; while true; do i=$((i+1)); [ $i -ge 3 ] && break; done; python x.py $i')).toEqual([
      'python x.py 3',
    ]);
  });
});

describe('what a function waits for', () => {
  const isPython = (line: string): boolean => line.startsWith('python');

  const waiting = (rounds: number): string => `
    ready() {
      local attempt=1
      while [ $attempt -le ${rounds} ]; do
        local code=$(curl -s http://judge)
        if [ -z "$code" ]; then code=none; fi
        if [ "$code" = 200 ]; then return 0; fi
        attempt=$((attempt + 1))
      done
      return 1
    }
    if ! ready; then exit 1; fi
    python train.py`;

  test.each([3, 60, 300])('may come in %i rounds, so that what stands behind it is told', (rounds) => {
    expect(lines(waiting(rounds)).at(-1)).toBe('python train.py');
  });

  test('leaves its outcome open when sides that were joined return with another', () => {
    const asked = [1, 2, 3, 4, 5, 6].map((n) => `[ "$(ask ${n})" = yes ] && return 0; N${n}=$(ask n${n});`);
    const text = `f() { ${asked.join(' ')} return 1; }; if f; then M=yes; else M=no; fi; python train.py "$M"`;
    expect(lines(text).filter(isPython)).toEqual(['python train.py <$M>', 'python train.py yes']);
  });

  test('a value that ends otherwise is another one', () => {
    const compared = (value: string, other: string): readonly string[] =>
      lines(`X="${value}"; if [ "$X" = ${other} ]; then python a; else python b; fi`).filter(isPython);
    expect(compared('$(ask)-end', '--flag')).toEqual(['python b']);
    expect(compared('a$(ask)a', 'a')).toEqual(['python b']);
    expect(compared('a$(ask)a', 'aa')).toEqual(['python b', 'python a']);
  });
});

describe('files that the workspace lacks', () => {
  const guard = '[ -f out/model.bin ] || { echo "no model"; exit 1; }; python evaluate.py';

  test('may have been made by a program that ran before', () => {
    expect(lines(`python train.py; ${guard}`)).toEqual(['python train.py', 'python evaluate.py']);
    expect(lines('git clone https://host/tool; cd tool && python setup.py')).toContain('python setup.py');
  });

  test('are absent while none did', () => {
    const answer = 'if [ -f out/model.bin ]; then A=1; else A=2; fi; python evaluate.py $A';
    expect(lines(`ray stop; ${answer}`)).toEqual(['ray stop', 'python evaluate.py 2']);
  });
});

describe('what only the first node of a job does is followed too', () => {
  test.each([
    'if [ "$NODE_RANK" = 0 ]; then python head.py; else python other.py; fi',
    'if [ $NODE_RANK -eq 0 ]; then python head.py; else python other.py; fi',
    'if [[ $SLURM_PROCID == 0 ]]; then python head.py; else python other.py; fi',
    'if [[ "${RANK}" != "0" ]]; then python other.py; else python head.py; fi',
    'if ! test "$SKYPILOT_NODE_RANK" = 0; then python other.py; else python head.py; fi',
  ])('%s', (text) => {
    const { commands } = evaluate(text);
    expect(commands.map(({ words }) => words.map(shown).join(' '))).toEqual([
      'python other.py',
      'python head.py',
    ]);
    expect(commands[1]?.assumptions.map(({ text: assumed }) => assumed).join()).toMatch(/is 0$/);
  });

  test.each([
    // Bash takes nothing for 0 here, or there is a default: the first node is what is followed anyway.
    'if [[ $NODE_RANK -eq 0 ]]; then python head.py; else python other.py; fi',
    'if [ "${NODE_RANK:-0}" = 0 ]; then python head.py; else python other.py; fi',
    'if [ -z "$NODE_RANK" ]; then NODE_RANK=0; fi; [ $NODE_RANK -gt 0 ] || python head.py',
    'NODE_RANK=1; if [ "$NODE_RANK" = 0 ]; then python no.py; else python head.py; fi',
    'if [ "$MODE" = 0 ]; then python no.py; else python head.py; fi',
  ])('%s', (text) => {
    expect(lines(text)).toEqual(['python head.py']);
  });
});

describe('a guard that asks for one of several variables', () => {
  const either = 'if [ -z "$A" ] && [ -z "$B" ]; then exit 1; fi\n';

  test('is given all of them', () => {
    expect(lines(`${either}python "$A" "$B"`)).toEqual(['python <$A> <$B>']);
  });

  test('is given one where the script refuses to have all', () => {
    const only = 'if [ -n "$A" ] && [ -n "$B" ]; then exit 1; fi\n';
    const { commands } = evaluate(`${either}${only}python train.py \${A:+--a} \${B:+--b}`);
    expect(commands.map(({ words }) => words.map(shown).join(' ')).sort()).toEqual([
      'python train.py --a',
      'python train.py --b',
    ]);
  });
});
