import { describe, expect, test } from 'vitest';
import { evaluate, lines, shown } from './support.ts';

describe('words that may be absent', () => {
  test.each([
    [
      'x=($1 b); python "${#x[@]}" "${x[0]}" "${x[1]}" "${!x[@]}"',
      'python <${#x[@]}> <${x[0]}> <${x[1]}> <${!x[@]}*>',
    ],
    ['x=(a $1); x+=(c); python "${x[0]}" "${x[@]:1}" "${x[2]}"', 'python a <$1> c <${x[2]}>'],
    ['set -- a $X b; python "$1" "$2" $#; shift; python "$@"', 'python a <$2> <$#>\npython <$X*> b'],
    ['set -- $X b; shift; python "$@"', 'python <$@*>'],
    ['n=0; for i in ${10} a; do n=$((n+1)); done; python $n', 'python <$((n+1))>'],
    [
      'mapfile -t x < <(printf "%s\\n" "$X" two); python "${x[@]}" "${x[1]}"',
      'python <${x[@]}*> two <${x[1]}>',
    ],
    ['read -r a b <<< "$X one"; python "$a" "$b"', 'python <$a> <$b>'],
    ['IFS=,; x=(a $X b); python "${x[*]}"', 'python a,<$X>b'],
    ['x=(a b); x[$X]=c; python "${x[@]}"', 'python <${x[@]}*>'],
    [
      'A=(--a); for f in $(list); do A+=(--f "$f"); done; python "${A[@]}" "${A[0]}"',
      'list\npython --a <${A[@]}*> --a',
    ],
  ])('%s', (text, words) => {
    expect(lines(text).join('\n')).toBe(words);
  });

  test('a declaration expands all its words before its first name becomes local', () => {
    expect(
      lines('x=out y=(1 2); f() { local x=$x-in y=("${y[@]}" 3); python $x "${y[@]}"; }; f; python $x'),
    ).toEqual(['python out-in 1 2 3', 'python out']);
  });
});

describe('options that the user may give', () => {
  const loop = `MODEL="" TP=1 EXTRA=()
while [[ $# -gt 0 ]]; do
  case "$1" in
    --model) MODEL="$2"; shift 2 ;;
    --tp) TP="$2"; shift 2 ;;
    *) EXTRA+=("$1"); shift ;;
  esac
done
`;

  test('leave an empty default open, and keep the others', () => {
    const [command] = evaluate(
      `${loop}python train.py --load $MODEL --tp $TP --name=x-$MODEL "\${EXTRA[@]}"`,
    ).commands;
    expect(command?.words.map(shown).join(' ')).toBe(
      'python train.py --load <$MODEL*> --tp 1 --name=x-<$MODEL>',
    );
    expect(command?.open).toHaveLength(1);
  });

  test('decide nothing unless they are given', () => {
    expect(lines(`${loop}if [ -n "$MODEL" ]; then python a.py $MODEL; else python b.py; fi`)).toEqual([
      'python b.py',
    ]);
  });

  test('are given if a guard requires them', () => {
    const { commands, required } = evaluate(`${loop}[ -z "$MODEL" ] && exit 1; python a.py "$MODEL" $TP`);
    expect(commands.map(({ words }) => words.map(shown).join(' '))).toEqual(['python a.py <$MODEL> 1']);
    expect(required.map(({ name }) => name)).toEqual(['MODEL']);
  });

  test.each([
    'while [ "$1" != "" ]; do case $1 in -m) shift; X=$1;; esac; shift; done',
    'while true; do case "$1" in -m) X=$2; shift 2;; *) break;; esac; done',
    'for arg in "$@"; do case $arg in --x=*) X="${arg#*=}";; esac; done',
    'while getopts "x:" name; do case $name in x) X=$OPTARG;; esac; done',
    'parse() { while (( $# )); do X=$1; shift; done; }; parse "$@"',
    'if [ $# -ge 1 ]; then X=$1; fi',
    '[ -n "$1" ] && X=$1',
  ])('%s', (text) => {
    expect(lines(`X=\n${text}\npython train.py "$X"`)).toEqual(['python train.py <$X>']);
  });
});

describe('what runs when a shell exits', () => {
  test.each([
    ["trap 'python clean.py $?' EXIT; python train.py", 'python train.py\npython clean.py <$?>'],
    ["trap 'kill 0' INT TERM; trap 'ray stop' EXIT; trap - EXIT; python train.py", 'python train.py'],
    ["( trap 'python in.py' EXIT; exit 3 ); python out.py", 'python in.py\npython out.py'],
    ['cleanup() { python clean.py; }; trap cleanup EXIT; exec python train.py', 'python train.py'],
  ])('%s', (text, words) => {
    expect(lines(text).join('\n')).toBe(words);
  });
});

test('popd and cd - go back', () => {
  expect(
    lines(
      'pushd scripts >/dev/null; A=$PWD; popd; cd scripts; B=$OLDPWD; cd - ; pushd /data; popd; python $A $B $PWD',
    ),
  ).toEqual(['python /repo/scripts /repo /repo']);
});

describe('a script that ends oddly', () => {
  const files = { '/repo/w.sh': 'python train.py a\\' };

  test.each([
    ['python train.py a\\', 'python train.py a'],
    ['python train.py a\\\\', 'python train.py a\\'],
    ['bash w.sh', 'python train.py a'],
    ['bash < w.sh', 'python train.py a'],
    ['source w.sh', 'python train.py a\\'],
    ['bash -c "$(cat w.sh)"', 'python train.py a\\'],
  ])('is read to its last backslash: %s', (text, words) => {
    expect(lines(text, { files })).toEqual([words]);
  });

  test.each([
    ['(return 0 2>/dev/null) && python sourced.py || python executed.py', ['python executed.py']],
    ['if true; then return 1; fi; python after.py $?', ['python after.py 2']],
    ['set -e; return 0; python after.py', []],
    ['source lib.sh; python after.py $?', ['python lib.py', 'python after.py 3']],
    ['for i in 1 2; do source leave.sh; python no.py; done; python after.py', ['python after.py']],
  ])('goes on after a return without a caller: %s', (text, words) => {
    const sourced = {
      '/repo/lib.sh': 'python lib.py; (return 0) && return 3; python no.py',
      '/repo/leave.sh': 'break',
    };
    expect(lines(text, { files: sourced })).toEqual(words);
  });
});

test('a pattern that ends with a slash matches only directories', () => {
  const files = { '/repo/a/x': '', '/repo/b/x': '', '/repo/c': '' };
  expect(lines('for d in */; do python $d; done; python ?', { files })).toEqual([
    'python a/',
    'python b/',
    'python scripts/',
    'python a b c',
  ]);
});

describe('an unknown directory', () => {
  test.each([
    [
      'holds what was written there',
      "cd /opt/x; echo 'python a.py' > w.sh; bash w.sh; bash ./w.sh",
      ['python a.py', 'python a.py'],
    ],
    [
      'is another one behind the next cd',
      "cd /opt/x; echo 'python a.py' > w.sh; cd $Y; bash w.sh",
      ['bash w.sh'],
    ],
    ['is left with its subshell', "(cd /opt/x; echo 'python a.py' > w.sh); bash w.sh", ['bash w.sh']],
  ])('%s', (_, text, words) => {
    expect(lines(text)).toEqual(words);
  });
});

describe('a loop over unknown options', () => {
  const loop = `N=1 G=8 D=0 K=keep
while true; do
  case "$1" in
    -n) N=$2; shift 2 ;;
    -g) G=$2; shift 2 ;;
    -d) D=1; shift ;;
    --) shift; break ;;
  esac
done
python train.py "$N" "$G" "$D" "$K"`;

  test('may have taken any of them, however it continues', () => {
    const paths = lines(`eval set -- "$(options)"\n${loop}`).filter((line) => line.startsWith('python'));
    expect(paths.length).toBeGreaterThan(0);
    // If `--` comes first, no option is taken, and nothing undoes `-d`.
    for (const path of paths)
      expect(path).toMatch(/^python train\.py (?:1 8 0|<\$N> <\$G> (?:<\$D>|1)) keep$/);
  });

  test('takes none if getopt finds none', () => {
    expect(lines(`OPTS=$(getopt -o n:g:d -- "$@") || exit 1; eval set -- "$OPTS"\n${loop}`)).toEqual([
      'python train.py 1 8 0 keep',
    ]);
  });
});

describe('what xargs starts', () => {
  test.each([
    ['echo a b | xargs python t.py', ['python t.py a b']],
    ["printf '%s\\n' 1 2 | xargs -n 1 python t.py --x", ['python t.py --x 1', 'python t.py --x 2']],
    [
      "printf '%s\\n' 'p q' r | xargs -I{} python t.py --n={} k",
      ['python t.py --n=p q k', 'python t.py --n=r k'],
    ],
    ["printf ' p \\n\\nq' | xargs -I{} python t.py '<{}>'", ['python t.py <p >', 'python t.py <q>']],
    ["printf 'p q\\n\\nr' | xargs -L1 python t.py", ['python t.py p q', 'python t.py r']],
    ["printf 'p q,r' | xargs -d, -n1 python", ['python p q', 'python r']],
    ['find -print0 | xargs -0 python t.py', ['python t.py <$(find -print0)*>']],
    ['find | xargs --max-args=1 --max-procs=$N python t.py', ['python t.py <$(find)*>']],
    ['find -print0 | xargs -0rn1 -P$(nproc) python t.py', ['python t.py <$(find -print0)*>']],
    ["printf 'p\\nq' | xargs --replace --verbose python {}.py", ['python p.py', 'python q.py']],
    ["printf 'p q' | xargs --max-args 1 --no-run-if-empty python", ['python p', 'python q']],
    ["printf 'p q\\nr' | xargs -i@ python @", ['python p q', 'python r']],
    ["printf 'p q\\nr' | xargs -l python", ['python p q', 'python r']],
    ['xargs --arg-file=/data/list python', ['python <$(cat /data/list)*>']],
    ["printf 'p q' > list; xargs -a list python", ['python p q']],
    ['echo | xargs -r python t.py', []],
    ['list | xargs python t.py', ['list', 'python t.py <$(list)*>']],
    [`echo 'a b' | xargs -n1 bash -c 'python t.py "$0"'`, ['python t.py a', 'python t.py b']],
  ])('%s', (text, words) => {
    expect(lines(text)).toEqual(words);
  });
});

test('existing files are found even if the script creates others', () => {
  const files = { '/repo/conf/a.yaml': '', '/repo/conf/b.yaml': '' };
  expect(lines('echo x > new.txt; mkdir -p out/x; for f in conf/*; do python $f; done', { files })).toEqual([
    'python conf/a.yaml',
    'python conf/b.yaml',
  ]);
  expect(lines('touch conf/c.yaml; for f in conf/*; do python $f; done', { files })).toEqual([
    'python conf/a.yaml',
    'python conf/b.yaml',
    'python conf/c.yaml',
  ]);
});

test.each([
  ['mkdir -p own/sub; touch own/b own/a own/.h own/sub/c', 'own/*', 'own/a own/b own/sub'],
  ['mkdir -p own/sub; touch own/b own/a own/.h own/sub/c', './own/*/', './own/sub/'],
  ['mkdir -p own/sub; touch own/b own/a own/.h own/sub/c', 'own/.[a-z] own/*/*', 'own/.h own/sub/c'],
  ['mkdir -p own; touch own/.h; shopt -s dotglob', 'own/*', 'own/.h'],
  ['mkdir own; touch own/a; rm own/a', 'own/?', 'own/?'],
  ['mkdir own; touch own/a', 'own//?', 'own//a'],
  ['mkdir own; touch own/a; mv own/a own/b', '/repo/own/?', '/repo/own/b'],
  ['touch $D/own.sh', '*.sh', '<*.sh*>'],
  ['touch a.sh; cd $D', '*.sh', '<*.sh*>'],
  ['mkdir own; touch own/a', 'own/../own/*', '<own/../own/**>'],
])('a pattern finds what matches among files of the script: %s: %s', (makes, pattern, found) => {
  expect(lines(`${makes}; python ${pattern}`).at(-1)).toBe(`python ${found}`);
});

test('a file that the script removes may be there or not', () => {
  const files = { '/repo/conf/a.yaml': '', '/repo/conf/b.yaml': '' };
  expect(lines('rm conf/a.yaml; python conf/*; [ -f conf/b.yaml ] && python b', { files })).toEqual([
    'python <conf/**>',
    'python b',
  ]);
});

describe('what find starts', () => {
  test.each([
    [
      "find . -name '*.yaml' -exec python t.py --c={} {} \\;",
      ['python t.py --c=<$(find . -name *.yaml)> <$(find . -name *.yaml)>'],
    ],
    ['find d -type f -exec python t.py {} +', ['python t.py <$(find d -type f)*>']],
    ['find d -exec rm {} \\; -exec bash -c \'python "$0"\' {} \\;', ['python <$(find d -exec rm {} ;)>']],
    [
      'find d -exec grep -q x {} \\; -print; X=$(find d -exec python t.py \\;); python $X',
      ['python t.py', 'python <$(find d -exec python t.py \\;)*>'],
    ],
    ['find d -exec python', []],
  ])('%s', (text, expected) => {
    expect(lines(text)).toEqual(expected);
  });
});

describe('what envsubst makes of a text', () => {
  const begin = `export A=1 B='x y'; C=3; unset D
cat > t <<'END'
p $A \${B} \${C} \${A:-d} $$ \${D}.
END
`;

  test.each([
    ['envsubst < t > o; python "$(cat o)"', 'python p 1 x y  ${A:-d} $$ .'],
    ['envsubst \'$A $C\' < t > o; python "$(cat o)"', 'python p 1 ${B}  ${A:-d} $$ ${D}.'],
    ['C=4 envsubst < t > o; python $(grep -o 4 o)', 'python 4'],
    ["python $(echo 'q$A-$X' | envsubst)", 'python q1-<$X>'],
    ['python $(echo "q $(hostname) \\$A" | envsubst)', 'python q <$(hostname)> 1'],
    ['python $(envsubst < /data/t)', 'python <$(envsubst < /data/t)*>'],
  ])('%s', (text, expected) => {
    expect(lines(`${begin}${text}`)).toEqual([expected]);
  });
});
