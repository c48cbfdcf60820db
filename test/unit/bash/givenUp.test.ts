import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { evaluate, lines, shown } from './support.ts';

/** Commands that Bash abandons because it refuses an expansion or an assignment, and what still runs after them. */
const script = `
python before "$T"
T=kept
T=$((126_953*2)) || T=no
python refused "$T"
X=set; X=$((1/0)); Y=behind
python line "$X" "\${Y-unset}"
declare -i Q=7
Q=$((2 @ 3))
python integer "$Q"
f() { X=$((3 @)); X=never; python never; }
X=old
f; X=new
python function "$X"
if true; then Y=1; Y=$((1 1)); Y=2; fi
python compound "$Y"
( X=$((1/0)); python never )
python subshell "$X"
R=$(X=$((1/0)); echo never)
python substitution "$R"
eval 'E=1; E=$((1/0)); E=2
G=3'
python eval "$E" "$G"
for i in 1 2; do H=$i; [ $((1/0)) = 1 ]; H=never; done
python loop "$H"
export K=$((1/0)); export K=never
python export "\${K-unset}"
readonly RO=1
RO=2; P=behind
python readonly "$RO" "\${P-unset}"
readonly LIST=(1 2)
LIST+=(3); python never
LIST[0]=5; python never
RO=2 python prefix "$RO" "\${LIST[@]}"
declare RO=3; python declare "$RO"
declare -A TABLE; NONE=; TABLE[$NONE]=1; python never
python table $? "\${#TABLE[@]}"
for i in 1 $((1/0)); do python never; done; python never
case $((1/0)) in *) python never;; esac; python never
[[ $((1/0)) -eq 1 ]] || python never; python never
(( 1/0 )) || python arithmetic
let "x=1/0" || python let
: > "/tmp/x$((1/0))"; python never
cat <<< "$((1/0))"; python program $?
N=; M=$((1/0)) $N; python never
M=$((1/0)) python never; python never
S=5; O="\${S:$((1/0))}"; python never
L=(1 $((1/0)) 2); python never
W=(); W[-1]=x; python never
W=(1 "\${W[-1]}"); python empty "\${#W[@]}"
shopt -s failglob; python *.zz; python never
for i in *.zz; do python never; done; python never
shopt -u failglob; python pattern *.zz
i=0; : $((i++)) $((1/0)) $((i++)); python never
python order $i; : "\${Y1:=5}" $((08)) "\${Z1:=6}" > f1; python never
python words "\${Y1-unset}" "\${Z1-unset}"; [ -e f1 ] || python no file
: "\${V1:=$((1/0))}"; python never
M1=$((1/0))$(touch f1); python never
: $(( $((1/0)) + (i = 9) )); python never
cat <<END > f1
\${H1:=h} $((1/0)) \${K1:=k}
END
python unset $i "\${V1-unset}" "\${H1-unset}" "\${K1-unset}"
{ python never; } > $((1/0)) 2> "\${R1:=r}"; python never
: < $((1/0)) > f1; python never
exec 3> $((1/0)); python never
export Q1=1 P1=$((1/0)) || python never
python files "\${Q1-unset}" "\${R1-unset}"; [ -e f1 ] || python no file
declare -ai B=(1 2 08 4); python never
python elements "\${B[@]}"; B+=([5]=3 [6]=x+ [7]=1); python never
python indices "\${B[@]}" "\${!B[@]}"; B[1]=1/0; python never
python element "\${B[1]}"; declare -Ai D=([a]=1); D+=([b]=2 [c]=1/0 [d]=4); python never
python names \${#D[@]} "\${D[b]}"; D=([e]=1/0); python never
python kept \${#D[@]}; read -ra B <<< '4 1/0 5'; python never
python read "\${B[@]}"; mapfile -t B < <(printf '%s\\n' 7 8 1/0 9); python never
python mapfile "\${B[@]}"; declare -i n=5; n=1/0; python never
python number $n; n+=x/; python never
for n in 1 2/0 3; do python round "$n"; done; python never
python $n
set -e
Z=$((1 2))
python errexit "\${Z-unset}"
RO=2 || true
python never
`;

test('what Bash rejects costs the rest of its line, and nothing else', () => {
  // Passed with `bash -c`, a refused declaration would end the script.
  const real = spawnSync('bash', {
    input: `python() { (IFS=' '; echo "python $*"); }\n${script}`,
    encoding: 'utf8',
  });
  expect(real.stdout.split('\n')).toContain('python readonly 1 unset');
  expect(lines(script)).toEqual(
    real.stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.replace(/^python before $/, 'python before <$T>')),
  );
});

test('what may be a number once it is set is not given up', () => {
  expect(lines('N=$((100 / $1)); python $N; M=$(( $A $B )); python "$M"')).toEqual([
    'python <$((100 / $1))>',
    'python <$(( $A $B ))>',
  ]);
});

test('required arguments are among all arguments until they are shifted away', () => {
  expect(lines('set -u; CONFIG="$1"; python train.py --config "$CONFIG" "$@"')).toEqual([
    'python train.py --config <$1> <$1>',
  ]);
  expect(lines('set -u; CONFIG="$1"; shift; python train.py --config "$CONFIG" "$@"')).toEqual([
    'python train.py --config <$1>',
  ]);
});

describe('a script that another one starts', () => {
  test('ends only itself: what the other one checks is not required', () => {
    const files = { '/repo/check.sh': 'python check.py; exit 1' };
    const { commands, required } = evaluate('if [ -z "$X" ]; then bash check.sh; fi; python t.py', { files });
    expect(commands.map(({ words }) => words.map(shown).join(' '))).toEqual([
      'python check.py',
      'python t.py',
    ]);
    expect(required).toEqual([]);
  });
});

test('a function whose name has quotes or expansions is rejected', () => {
  expect(lines('N=1; f_$N() { python x.py; }\npython t.py $?')).toEqual(['python t.py 1']);
  expect(lines('set -e\nf_$N() { python x.py; }\npython t.py')).toEqual([]);
});

test.each([
  ['A=(a b\nB=(c d)\npython x "${A[@]}"\n', 'python x'],
  ['A=(\nB=(\n c d\n)\npython x\n', ''],
  ['A=(#x)\nB=(c d)\npython x "${A[@]}"\n', 'python x'],
  ['export A=(a b; c\npython x\n', 'python x'],
  ['A=(\n --a 1 # it; is\n --b "x;y" \'(\'\npython b; echo c\npython d "${A[@]}"\n', 'python d'],
  ['A=(a b\npython x > log\npython y\n', 'python y'],
  ['A[1]=(a b; c\npython x\n', 'python x'],
  ['f() {\nA=(a b\necho; echo\n}\npython z\n', ''],
  ['if true; then\n  A=(a b ; c\npython k\nfi\npython z\n', 'python k'],
  ['python 0; A=(a ; b\npython k\n', 'python k'],
  ['A=(a\npython "$(date; date)"\npython j; python k\npython l\n', 'python l'],
  [
    'python 0\nA=(a ; c\npython 1\nB=(\npython 2 2>&1 | cat\npython 3 "${B[@]}"\n',
    'python 0, python 1, python 3',
  ],
  ['A=(a b\npython x\n', ''],
])('an unclosed list costs the lines up to what no list can contain: %j', (text, started) => {
  const { stdout } = spawnSync('bash', {
    input: `python() { echo "python $*"; }\n${text}`,
    encoding: 'utf8',
  });
  expect(stdout.trimEnd().replaceAll('\n', ', ')).toBe(started);
  const { commands } = evaluate(text);
  const known = commands
    .map(({ words }) => words.map(shown).join(' '))
    .filter((line) => /^python/.test(line));
  expect(known.join(', ')).toBe(started);
});
