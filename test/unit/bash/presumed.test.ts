import { describe, expect, test } from 'vitest';
import { evaluate, type Given, lines, shown } from './support.ts';

/** The commands of a script, with `…` after those that may have more words. */
const opened = (text: string, given: Given = {}): readonly string[] =>
  evaluate(text, given).commands.map(
    ({ words, open }) => `${words.map(shown).join(' ')}${open.length > 0 ? ' …' : ''}`,
  );

/** The guards assumed for the last command. */
const guards = (text: string): readonly string[] =>
  (evaluate(text).commands.at(-1)?.assumptions ?? [])
    .filter(({ kind }) => kind === 'guard')
    .map((assumption) => assumption.text);

describe('what a program makes of unset values', () => {
  test('may be non-empty even if unset values would give nothing', () => {
    const text = 'N=$1; python train.py --ranks $(seq 0 $((N-1))) --x';
    expect(lines(text)).toEqual(['python train.py --ranks <$(seq 0 $((N-1)))*> --x']);
    expect(evaluate(text).problems).toEqual([]);
    expect(lines('python train.py "$(echo "$NAMES" | grep -o b)"')).toEqual([
      'python train.py <$(grep -o b)>',
    ]);
  });

  test('gives a loop one iteration', () => {
    expect(lines('N=$1; for i in $(seq 0 $((N-1))); do torchrun train.py --rank "$i"; done')).toEqual([
      'torchrun train.py --rank <$(seq 0 $((N-1)))>',
    ]);
  });

  test('is empty in a test, and if everything is known', () => {
    expect(lines('if [ -z "$(echo "$NAMES" | grep b)" ]; then python a; else python b; fi')).toEqual([
      'python a',
    ]);
    expect(lines('python train.py $(seq 0 -1) --x')).toEqual(['python train.py --x']);
    expect(lines('if echo "$NAMES" | grep -q b; then A=1; else A=2; fi; python $A')).toEqual(['python 2']);
  });
});

describe('arrays around an unreadable file', () => {
  test.each([
    ['source ${D}/params.sh; ALL+=(--load x); python train.py "${ALL[@]}" --save 5', '--load x --save 5'],
    ['X=(--bf16); source $1/more.sh; python train.py ${X[@]}', '--bf16'],
    ['X=(--bf16); source scripts/none.sh; X+=(--a); python train.py "${X[@]}"', '--bf16 --a'],
    ['X=(--bf16); if [ -f /data/x.sh ]; then source /data/x.sh; fi; python train.py "${X[@]}"', '--bf16'],
    ['X=(--a); source /data/x.sh; Y=("${X[@]}" --b); python train.py "${Y[@]}"', '--a --b'],
  ])('may have more elements: %s', (text, words) => {
    expect(opened(text)).toEqual([`python train.py ${words} …`]);
  });

  test.each([
    ['X=(--bf16); source scripts/more.sh; python train.py ${X[@]}', '--bf16 --more'],
    ['source $1/more.sh; X=(--bf16); python train.py ${X[@]}', '--bf16'],
    ['X=(--bf16); source /venv/bin/activate; python train.py ${X[@]}', '--bf16'],
    ['X=(--bf16); source ~/.bashrc; python train.py ${X[@]}', '--bf16'],
  ])('have no more elements: %s', (text, words) => {
    const files = { '/repo/scripts/more.sh': 'X+=(--more)' };
    expect(opened(text, { files })).toEqual([`python train.py ${words}`]);
  });
});

describe('shift', () => {
  test.each([
    'set -e; NAME=$1; shift; python train.py --n $NAME "$@"',
    'set -e; NAME=$1; shift 2; python train.py --n $NAME "$@"',
    'set -e; NAME=$1; shift || true; python train.py --n $NAME "$@"',
    'NAME=$1; shift || exit 1; python train.py --n $NAME "$@"',
    'NAME=$1; shift && python train.py --n $NAME "$@"',
  ])('is assumed to have arguments from the caller: %s', (text) => {
    expect(opened(text)).toEqual(['python train.py --n <$1> …']);
  });

  test('fails when known words run out', () => {
    expect(lines('f() { shift 2 || { python few.py; return; }; python many.py; }; f a')).toEqual([
      'python few.py',
    ]);
    expect(lines('set -e; f() { shift; shift; python no.py; }; f a')).toEqual([]);
    expect(lines('f() { shift; python "$@"; }; f a b')).toEqual(['python b']);
  });

  test('in a loop condition is not counted', () => {
    const [command] = lines('A=(); while shift; do A+=("$1"); done; python train.py "${A[@]}"');
    expect(command).toContain('*>');
    expect(command?.length).toBeLessThan(60);
  });

  test.each([
    ['python first.py', '', '$# is not set'],
    ['python behind.py', 'shift', '$2 is not set'],
    ['python behind.py', 'shift 2', '$3 is not set'],
  ])('%s: the count after "%s" is zero if the next argument is unset', (launch, shifts, reported) => {
    const { commands } = evaluate(`${shifts}\nif [ $# -eq 0 ]; then ${launch}; fi`);
    expect(commands.map(({ assumptions }) => assumptions.map(({ text }) => text))).toEqual([[reported]]);
  });
});

describe('a folder missing from the workspace', () => {
  test.each([
    ['set -e; R=$PWD; cd "$R/slime"; python train.py', '/repo/slime'],
    ['R=$PWD; cd "$R/slime" || exit 1; python train.py', '/repo/slime'],
    ['cd slime || { echo none; exit 1; }; python train.py', '/repo/slime'],
    ['set -e; pushd slime; python train.py', '/repo/slime'],
  ])('is entered by a script that would end without it: %s', (text, cwd) => {
    expect(evaluate(text).commands.map((command) => command.cwd)).toEqual([cwd]);
    expect(guards(text)).toEqual(['slime is a directory']);
    expect(evaluate(text).required).toEqual([]);
  });

  test('is the path for what is assumed to succeed in it', () => {
    const text = 'set -e; S="$(cd "$PWD/slime" && pwd)"; python $S/train.py $S/*.json';
    expect(lines(text)).toEqual(['python /repo/slime/train.py </repo/slime/*.json*>']);
    expect(lines('set -e; cd slime; python a *.json sub/*.json')).toEqual([
      'python a <*.json*> <sub/*.json*>',
    ]);
    const files = 'set -e; cd slime; if [ -f x ]; then A=1; else A=2; fi; python train.py $A';
    expect(lines(files)).toEqual(['python train.py 2', 'python train.py 1']);
  });

  test('is entered by a subshell that the script does not go on without', () => {
    const cwds = (text: string): readonly unknown[] => evaluate(text).commands.map(({ cwd }) => cwd);
    expect(cwds('set -e; (cd slime && python a); python b')).toEqual(['/repo/slime', '/repo']);
    expect(cwds('set -e; (cd slime || exit 1; python a); python b')).toEqual(['/repo/slime', '/repo']);
    expect(cwds('[ -d slime ] || exit 1; cd slime || exit 1; python a')).toEqual(['/repo/slime']);
  });

  test('is entered by a list that goes on in it, as it may exist where the job runs', () => {
    const { commands } = evaluate('cd slime && python train.py; python b.py');
    const started = commands.filter(({ words }) => words.length === 2);
    expect(started.map(({ words, cwd }) => `${words.map(shown).join(' ')} in ${cwd}`)).toEqual([
      'python b.py in /repo',
      'python train.py in /repo/slime',
      'python b.py in /repo/slime',
    ]);
  });

  test('is ignored by a script that goes on without it', () => {
    expect(evaluate('cd slime; python train.py').commands.map(({ cwd }) => cwd)).toEqual(['/repo']);
    expect(lines('cd slime && A=1 || A=2; python $A')).toEqual(['python 2', 'python 1']);
    expect(lines('set -e; cd scripts/run.sh; python a', { files: { '/repo/scripts/run.sh': '' } })).toEqual(
      [],
    );
  });
});

describe('a guard on a file missing from the workspace is assumed to pass', () => {
  test.each([
    ['[ -f .env ] || exit 1; python train.py', '.env is there'],
    [
      'if [ ! -f data/train.parquet ]; then echo no; exit 1; fi; python train.py',
      'data/train.parquet is there',
    ],
    ['R=$PWD; [ -d "$R/ckpt/x" ] || { echo missing; exit 1; }; python train.py', 'ckpt/x is a directory'],
    ['[[ -f $(pwd)/image.sqsh ]] || exit 1; python train.py', 'image.sqsh is there'],
    ['die() { echo "$1"; exit 1; }; test -e a/b || die none; python train.py', 'a/b is there'],
    ['set -e; [ -f .env ]; python train.py', '.env is there'],
    ['[ -f .env ]; if [ $? -ne 0 ]; then exit 1; fi; python train.py', '.env is there'],
    ['if [ ! -f a ]; then BAD=1; fi; [ -n "$BAD" ] && exit 1; python train.py', 'a is there'],
    ['[ -f a ] || [ -f b ] || exit 1; python train.py', 'b is there,a is there'],
    ['n=0; until [ -f a ]; do n=$((n+1)); [ $n -gt 9 ] && exit 1; done; python train.py', 'a is there'],
  ])('%s', (text, assumed) => {
    expect(lines(text)).toEqual(['python train.py']);
    expect(guards(text).join()).toBe(assumed);
    expect(evaluate(text).required).toEqual([]);
  });

  test('with all that it implies about the folders around it', () => {
    expect(lines('[ -f data/a/x ] || exit 1; cd data/a && python train.py')).toEqual(['python train.py']);
    expect(lines('[ -f a.env ] || exit 1; source a.env; python train.py $A')).toEqual([
      'python train.py <$A*>',
    ]);
  });

  test('a test that is no guard keeps its answer', () => {
    const { commands } = evaluate('if [ -f x ]; then A=1; else A=2; fi; [ -d y ] && A=3; python $A $?');
    expect(commands.map(({ words }) => words.map(shown).join(' '))).toEqual(['python 2 1']);
    expect(commands[0]?.assumptions).toEqual([]);
    expect(lines('[ -f x ]; python $?')).toEqual(['python 1']);
    expect(lines('if [ ! -f x ]; then python make.py; exit 1; fi; python train.py')).toEqual([
      'python make.py',
      'python train.py',
    ]);
  });
});

describe('a program that may be installed', () => {
  test.each([
    'which srun; FOUND=$((1 - $?)); if [[ $FOUND -eq 1 ]]; then python a; else python b; fi',
    'if command -v srun > /dev/null; then python a; else python b; fi',
    'if type srun; then python a; else python b; fi',
    'hash srun || python b; python a',
  ])('is followed both ways: %s', (text) => {
    expect([...lines(text)].sort()).toEqual(['python a', 'python b']);
  });

  test.each(['command -v nvidia-smi', 'which nvidia-smi', 'type python3', 'hash torchrun'])(
    'is assumed to exist on training machines: %s',
    (text) => {
      expect(lines(`if ${text} > /dev/null 2>&1; then N=8; else N=1; fi; python train.py $N`)).toEqual([
        'python train.py 8',
      ]);
    },
  );

  test('is required by a guard', () => {
    expect(guards('command -v uv || { echo "no uv"; exit 1; }; uv run train.py')).toEqual([
      'uv is installed',
    ]);
  });

  test('Python modules are followed both ways', () => {
    expect(
      lines('K=$(python3 -c "import torch_npu" && echo npu || echo gpu); python t.py $K').slice(1),
    ).toEqual(['python t.py npu', 'python t.py gpu']);
    expect(lines('V=$(python -c "import torch; print(torch.__version__)"); python t.py "$V"').at(-1)).toBe(
      'python t.py <$(python -c "import torch; print(torch.__version__)")>',
    );
  });

  test('may be a function of the script', () => {
    expect(lines('f() { :; }; if command -v f; then python a; else python b; fi')).toEqual(['python a']);
  });
});

describe('many children with guards', () => {
  const lengthy = 'A=1; B=$A; C=$B\n'.repeat(100);
  const children = (guard: string, count: number): readonly string[] => {
    const child = `${lengthy}${guard}\npython train.py --lr $1`;
    const calls = Array.from({ length: count }, (_, at) => `bash child.sh ${at}`).join('\n');
    return lines(calls, { files: { '/repo/child.sh': child } });
  };

  test('are followed again from the first one that requires something, not after all of them', () => {
    expect(children('if [ -z "$V" ]; then exit 1; fi', 30).length).toBeGreaterThan(15);
  });

  test('are reported as far as the steps last if each requires something of its own', () => {
    expect(children('N=DIR_$1; [ -n "${!N}" ] || exit 1', 30).length).toBeGreaterThan(9);
  });
});

describe('text to which more may have been appended', () => {
  test.each([
    ['S="srun --a"; for m in $M; do S="$S --m=$m"; done; $S bash x.sh', 'srun --a <$S*> bash x.sh'],
    ['S="srun --a"; for m in ${M:-}; do S+=" $m"; done; $S bash x.sh', 'srun --a <$S*> bash x.sh'],
    ['S="srun --a=$A"; for m in $M; do S="$S --m=$m"; done; $S bash x.sh', 'srun --a=<$A> <$S*> bash x.sh'],
    ['S=data; for m in $M; do S="$S,$m"; done; python train.py $S', 'python train.py data<$S*>'],
    ['S=data; for m in $M; do S="$m,$S"; done; python train.py $S', 'python train.py <$S*>'],
    ['S=data; for m in $M; do S=other; done; python train.py $S', 'python train.py <$S*>'],
  ])('is known up to that point: %s', (text, expected) => {
    expect(lines(text).at(-1)).toBe(expected);
  });
});

describe('after `shift` a positional is another argument of the caller', () => {
  test.each([
    ['[ -z "$1" ] && exit 1; A=$1; shift; python t.py $A ${1:-def}', {}, 'python t.py <$1> def'],
    ['A=${1:?}; shift; B=${1:?}; shift 2; python t.py $A $B "$1"', {}, 'python t.py <$1> <$2> <$4>'],
    ['A=$1; shift; python t.py $A ${1:-def} $#', { '1': 'a' }, 'python t.py a def <$#>'],
    ['A=$1; shift; python t.py $A ${1:-def}', { '1': 'a', '2': 'b' }, 'python t.py a b'],
    ['shift; set -u; python t.py $1', { '1': 'a' }, 'python t.py <$2>'],
    ['while [ "$1" = -x ]; do shift; done; python t.py ${1:-def}', { '1': '-x' }, 'python t.py def'],
  ])('%s %j', (text, variables, expected) => {
    expect(lines(text, { machine: { variables } }).at(0)).toBe(expected);
  });
});

describe('after `cd` to a folder that may exist', () => {
  const cwds = (text: string): readonly unknown[] => evaluate(text).commands.map(({ cwd }) => cwd);

  test.each([
    ['cd /opt/megatron; python a; cd -; python b', [undefined, '/repo']],
    ['cd scripts; cd ..; cd /opt/x; cd - > /dev/null; python b', [undefined]],
    ['cd /opt/x; cd /opt/y; cd -; python b', [undefined]],
    ['cd "$(dirname "$0")"; cd /opt/x; cd -; python b', [undefined]],
    ['set -e; cd /opt/x; python a; cd -; python b', ['/opt/x', '/repo']],
    ['pushd /opt/x; python a; popd; python b', [undefined, '/repo']],
  ])('`cd -` leads back if both ways end there: %s', (text, expected) => {
    expect(cwds(text)).toEqual(expected);
  });
});
