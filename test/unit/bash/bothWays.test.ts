import { describe, expect, test } from 'vitest';
import { evaluate, lines, shown } from './support.ts';

describe('what is unknown is followed both ways', () => {
  test('a file outside the workspace, absent first', () => {
    const { commands } = evaluate('A=; if [ -f /data/x ]; then A=--load; fi; python t.py $A');
    expect(commands.map(({ words }) => words.map(shown).join(' '))).toEqual([
      'python t.py',
      'python t.py --load',
    ]);
    expect(commands[1]?.assumptions.map(({ text }) => text)).toEqual(['/data/x is a file']);
  });

  test.each([
    ['if [ -f /data/x ]; then declare -i n; fi; n=2+3; python t.py $n', ['2+3', '5']],
    ['n=1; if [ -f /data/x ]; then declare -u n; fi; n=b; python t.py $n', ['b', 'B']],
    ['if [ -f /data/x ]; then readonly n=1; else n=1; fi\nn=2\npython t.py $n', ['2', '1']],
    ['n=1; if [ -f /data/x ]; then declare -a n; fi; n+=(b); python t.py ${n[@]}', ['1 b']],
  ])('the attributes of a variable: %s', (text, values) => {
    expect(lines(text)).toEqual(values.map((value) => `python t.py ${value}`));
  });

  test.each(['-i', '-u', '-r'])(
    'a value assigned to a variable that some iteration may have declared with %s is unknown',
    (flag) => {
      const text = `for i in $(cat /data/list); do [ -f /data/$i ] && declare ${flag} n; done; n=2+b; python t.py $n m`;
      const words = evaluate(text).commands[0]?.words;
      expect(words?.map(({ pieces }) => pieces[0]?.kind)).toEqual(['text', 'text', 'hole', 'text']);
    },
  );

  test('no assumption lists every condition of a chain of hundreds', () => {
    const chain = Array.from({ length: 400 }, (_, at) => `check_${at} /data`).join(' && ');
    const { commands } = evaluate(`${chain} && python train.py\n`);
    const last = commands.at(-1);
    expect(last?.words.map(shown).join(' ')).toBe('python train.py');
    const texts = last?.assumptions.map(({ text }) => text) ?? [];
    expect(texts).not.toEqual([]);
    expect(Math.max(...texts.map(({ length }) => length))).toBeLessThan(4100);
  });

  test('a file tested at the start of a list, whose failure set -e ignores', () => {
    const text = 'set -e; A=; [ -f /data/x ] && A=--load; python t.py $A';
    expect(lines(text)).toEqual(['python t.py', 'python t.py --load']);
    expect(lines('set -e; [ -f /data/x ] && A=--load && false; python t.py')).toEqual(['python t.py']);
  });

  test('a process, a port or a host that a program looks for, absent first', () => {
    const started = (text: string): readonly string[] =>
      lines(text).filter((line) => line.startsWith('python'));
    expect(started('A=1; pgrep -x ray >/dev/null && A=2; python $A')).toEqual(['python 1', 'python 2']);
    expect(started('if ! nc -z $HOST 6379; then python none; else python there; fi')).toEqual([
      'python none',
      'python there',
    ]);
    // A script that waits for it, or exits without it, continues only with it.
    expect(started('until nc -z $HOST 6379; do sleep 5; done; python t.py')).toEqual(['python t.py']);
    expect(started('while pgrep -f t.py; do sleep 1; done; python t.py')).toEqual(['python t.py']);
    expect(started('ping -c1 $HOST || exit 1; python t.py')).toEqual(['python t.py']);
    expect(started('set -e; pgrep ray; python t.py')).toEqual(['python t.py']);
  });

  test.each([
    ['echo a > f; [ -f /data/x ] && echo b > f; python "$(cat f)"', ['python a', 'python b']],
    [
      'if [ -f /data/x ]; then echo "python t.py --a" > r.sh; else echo "python t.py --b" > r.sh; fi; . ./r.sh',
      ['python t.py --b', 'python t.py --a'],
    ],
    // The contents of a log do not split paths.
    ['echo a > l; [ -f /data/x ] && echo b >> l; python "$(cat l)"', ['python a<l>']],
    // Neither does what the machine decides.
    [
      'if nvidia-smi | grep -q H100; then echo a > f; else echo b > f; fi; python "$(cat f)"',
      ['python <$(cat f)>'],
    ],
    [
      '[ -f /data/x ] && echo b > f; if [ -f f ]; then python f; else python none; fi',
      ['python none', 'python f'],
    ],
    ['[ -d /data/x ] || mkdir -p /data/x; [ -d /data/x ] && python t.py', ['python t.py']],
  ])('a file that one branch writes: %s', (text, expected) => {
    expect(lines(text).filter((line) => line.startsWith('python'))).toEqual(expected);
  });

  test('a value that passed a case is one of its patterns', () => {
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

  test('a value that passed a case under nocasematch may be anything', () => {
    const text =
      'shopt -s nocasematch; : ${MODE:?}; case $MODE in train) ;; *) exit 1 ;; esac; shopt -u nocasematch';
    expect(lines(`${text}; [ $MODE = TRAIN ] && python big.py; python x.py`)).toContain('python big.py');
  });

  test('a value that passed a case by a wildcard may be anything', () => {
    const text =
      ': ${MODE:?}; case $MODE in t*) ;; *) exit 1 ;; esac; case $MODE in train) A=-t ;; esac; python x.py $A';
    expect(lines(text)).toEqual(['python x.py <$A*>', 'python x.py -t']);
  });

  test('an argument after shift is a different one', () => {
    const text =
      'case $1 in a) ;; *) exit 1 ;; esac; shift; case $1 in b) python b.py ;; *) exit 1 ;; esac; python t.py';
    expect(lines(text)).toContain('python b.py');
  });

  test('an argument of a function is a different one', () => {
    const text =
      'f() { case $2 in b) python b.py ;; esac; }; case $2 in a) ;; *) exit 1 ;; esac; f x "$@"; python t.py';
    expect(lines(text)).toContain('python b.py');
  });

  test('the status of a subshell, if it is checked', () => {
    expect(lines('( [ -e /data/x ] && exit 3 )\npython $?')).toEqual(['python 1', 'python 3']);
    expect(lines('( [ -e /data/x ] || exit 4; : )\nrc=$?\npython $rc')).toEqual(['python 4', 'python 0']);
    expect(lines('if ( [ -e /data/x ] && exit 0; exit 1 ); then python a; else python b; fi')).toEqual([
      'python b',
      'python a',
    ]);
    expect(lines('( [ -e /data/x ] || exit 1; python t.py ) || exit 1; python u.py')).toEqual([
      'python t.py',
      'python u.py',
    ]);
  });

  test('the status of a group of commands at the end of a list ends nothing under set -e', () => {
    const text = 'set -e\nfalse || { A=1; [ -f /data/x ] && A=2; }\npython t.py $A';
    expect(lines(text)).toEqual(['python t.py 1', 'python t.py 2']);
    expect(lines('set -e\nfalse || { A=1; false && A=2; }\npython t.py $A')).toEqual(['python t.py 1']);
    expect(lines('set -e\nfalse || ( false )\npython t.py')).toEqual([]);
    expect(lines('set -e\nfalse || ! true\npython t.py')).toEqual(['python t.py']);
  });

  test('a list that fails before its last command ends no subshell under set -e', () => {
    expect(lines('set -e\n( [ -f /data/x ] && exit 3; python in.py )\npython t.py')).toEqual([
      'python in.py',
      'python t.py',
    ]);
  });

  test('a subshell that ends unchecked', () => {
    const { commands } = evaluate('( [ -e /data/x ] || exit 1; python t.py )\npython u.py');
    expect(commands[0]?.assumptions.map(({ kind, text }) => [kind, text])).toEqual([
      ['guard', '/data/x is there'],
    ]);
    expect(commands).toHaveLength(2);
    // What follows it is started in any case, unless the script ends as well.
    expect(commands[1]?.assumptions).toEqual([]);
    const text = '( [ -e /data/x ] || exit 1 )\n[ -e /data/x ] && X=1 || X=2\npython $X';
    expect(lines(text)).toEqual(['python 2', 'python 1']);
    expect(lines(`set -e\n${text}`)).toEqual(['python 1']);
  });

  test('what runs when a command fails, if that is unknown', () => {
    const text = "trap 'python failed.py' ERR\n[ -e /data/x ]\npython t.py";
    expect(lines(text)).toEqual(['python failed.py', 'python t.py']);
    expect(lines(`set -e\n${text}`)).toEqual(['python failed.py', 'python t.py']);
    expect(lines("trap 'W=err' ERR\nW=\n( [ -e /data/x ] || exit 1 )\npython t.py $W")).toEqual([
      'python t.py err',
      'python t.py',
    ]);
    const { commands } = evaluate("trap 'exit 1' ERR\n[ -e /data/x ]\npython t.py");
    expect(commands[0]?.assumptions.map(({ kind, text }) => [kind, text])).toEqual([
      ['guard', '/data/x is there'],
    ]);
  });

  test('branches that change nothing are reported once', () => {
    expect(
      lines('for i in 1 2 3; do if [ ! -d /data/$i ]; then python get.py $i; fi; done; python t.py'),
    ).toEqual(['python get.py 1', 'python get.py 2', 'python get.py 3', 'python t.py']);
  });

  test('too many branches are joined', () => {
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

  test('a loop over an unknown list runs once, and what it changed is unknown', () => {
    expect(lines('n=0; for f in $(curl list); do python one.py "$f"; n=$((n+1)); done; python $n')).toEqual([
      'curl list',
      'python one.py <$(curl list)>',
      'python <$n*>',
    ]);
  });

  test('dates and process ids are parts of words', () => {
    expect(lines('python --name=run_$(date +%Y%m%d)_$$ --port $((RANDOM + 1))')).toEqual([
      'python --name=run_<$(date +%Y%m%d)>_<$$> --port <$((RANDOM + 1))>',
    ]);
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
    // Bash takes an empty value for 0 here, or there is a default: the first node's path is followed anyway.
    'if [[ $NODE_RANK -eq 0 ]]; then python head.py; else python other.py; fi',
    'if [ "${NODE_RANK:-0}" = 0 ]; then python head.py; else python other.py; fi',
    'if [ -z "$NODE_RANK" ]; then NODE_RANK=0; fi; [ $NODE_RANK -gt 0 ] || python head.py',
    'NODE_RANK=1; if [ "$NODE_RANK" = 0 ]; then python no.py; else python head.py; fi',
    'if [ "$MODE" = 0 ]; then python no.py; else python head.py; fi',
  ])('%s', (text) => {
    expect(lines(text)).toEqual(['python head.py']);
  });
});
