import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { evaluate, lines, shown } from './support.ts';

const folder = mkdtempSync(join(tmpdir(), 'oomlint-scripts-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The words of every `show` that Bash runs in a script. */
function real(text: string): readonly (readonly string[])[] {
  const record = join(folder, 'record');
  writeFileSync(record, '');
  writeFileSync(join(folder, 'script.sh'), text);
  const show = `() { { [ $# -eq 0 ] || printf '%s\\0' "$@"; printf '\\1\\0'; } >> ${record}; }`;
  const done = spawnSync('bash', [join(folder, 'script.sh')], {
    cwd: mkdtempSync(join(folder, 'cwd-')),
    env: { PATH: process.env.PATH, HOME: '/home/nobody', LC_ALL: 'C.UTF-8', 'BASH_FUNC_show%%': show },
    input: '',
    timeout: 60_000,
  });
  if (done.error !== undefined) throw done.error;
  return readFileSync(record, 'utf8')
    .split('\x01\0')
    .slice(0, -1)
    .map((words) => words.split('\0').slice(0, -1));
}

/** Scripts that are run one by one, so that what one of them does to its shell, or Bash to it, does not affect the others. */
const scripts: readonly (readonly [string, string])[] = [
  [
    'behind its last word getopts comes back to the end, and pushd takes one folder',
    `f() { while getopts ab o; do show $o; done; show $OPTIND; }; f -a -b x; f -a; f; OPTIND=1; f -b
pushd / /tmp 2> /dev/null || show none; unset A; show "\${#A[-2]}" "[\${A[-2]}]"; g() { local A; show "\${#A[-1]}"; }; g`,
  ],
  [
    'more than one number for exit, return, break or shift gives up what was read, also under set -e',
    `exit 1 "no model"; show no
show 1 $?
set -e
f() { return 2 3; show no; }
if f; then show no; else show no; fi; show no
show 2 $?
x="1 2"
for i in a b; do show $i; break $x; done; show no
show 3
set -- a b; shift 1 2; show no
show 4 "$@"
(exit 1 2; show no) || show 5 $?
y=$(exit 1 2; echo no) || show 6 "$y"
shift x || show 7 "$@"
shift "" || show 8 "$@"
shift -1 || show 9 "$@"
exit x 2; show no`,
  ],
  [
    'cd looks along CDPATH for names that do not begin with a dot',
    `mkdir -p d/sub e; here=$PWD; CDPATH=d:
a=$(cd sub); cd sub > /dev/null; b=\${PWD#$here}; cd "$here"; c=$(cd ./e; echo "\${PWD#$here}")
CDPATH=nix:.:$here; d=$(CDPATH= cd -- sub && pwd); cd "$here"; e=$(cd e); f=$(unset CDPATH; cd e)
CDPATH=; g=$(cd e); cd ..//../e 2> /dev/null || cd e; show "\${a##*/}" "$b" "$c" "\${d#$here}" "\${e#$here}" "$f" "$g"`,
  ],
  [
    'pushd -n puts a folder beneath the working directory, dirs -c takes all away',
    `mkdir -p d/sub; here=$PWD; pushd -n / > /dev/null; show "\${PWD#$here}"; popd > /dev/null; show "$PWD"
cd "$here"; pushd d > /dev/null; pushd sub > /dev/null; dirs -c; popd 2> /dev/null || show "\${PWD#$here}"`,
  ],
  [
    'a counted loop ends with what cannot be computed, and fails',
    `N='a b'; for ((i = 0; i < N; i++)); do show no; done; show $?
for ((i = N; i < 2; i++)); do show no; done; show $?
for ((i = 0; i < 3; i += i == 1 ? N : 1)); do show $i; done; show $? $i
for ((i = 0; i < 2; i++)); do show $i; :; done; show $?
n=n; show $((n)); show no
show $?; C=C+1; show $((C)); show no
show $?`,
  ],
  [
    'an index before the first element is refused, and unset leaves the array as it is',
    `A=(1 2 3); unset 'A[-1]'; show $? \${A[@]}; unset 'A[-9]'; show $? \${A[@]}
declare -A T=([before]=x); show \${T[before]}; unset 'T[before]'; show \${#T[@]}
S=5; unset 'S[@]'; show $? $S; unset 'S[*]'; show $? $S`,
  ],
  [
    'arithmetic goes through a reference to an element',
    `A=(x 2); declare -n R='A[1]'; ((R++)); show "\${A[@]}" $((R * 2)); : $((R = 7)); let R+=1; show "\${A[@]}"
declare -A M=([k]=2); declare -n S='M[k]'; ((S *= 5)); show "\${M[k]}"; for ((S = 0; S < 2; S++)); do show $((S)); done
f() { local -n o=$1; ((o += 2)); }; f 'A[2]'; show "\${A[@]}"`,
  ],
  [
    'an index that leads to before the first element is refused, also where it is computed',
    `A=(1 2); i=-3; show "\${A[i]:-d}" "\${A[i]-y}" "[\${A[i]}]"
show \${#A[i]}; show no
A[i]=x; show no
A[-1]=x; A[i+1]=y; show "\${A[@]}"
B=(); show "\${B[\${#B[@]}-1]}"; show \${#B[\${#B[@]}-1]}; show no
declare -A M=([before]=1); k=before; show "\${M[$k]}" "\${M[before]}"`,
  ],
  [
    'programs get what is exported where a local variable without a value hides it',
    `export V=6; t() { bash -c 'show "$1" "\${V-unset}"' _ "$1"; }
f() { local V; show "[$V]"; t a; V=3; t b; unset V; t c; }; f; t d
g() { local +x V=4; t e; local -a V; t f; }; g
h() { local V; k; }; k() { t g; local W; export W; V=9; t h; }; h; t i
V=5 t j; t k; unset V; f`,
  ],
  [
    'aliases stand for what they did when Bash read the line, or all of a compound command',
    `shopt -s expand_aliases
alias foo='show a'
foo 1
alias foo='show b'; foo 2
foo 3; unalias foo; foo 4
f() { bar 5; alias bar='show c'; bar 6; }
f
bar 7
bar 8; foo 9
g() { late 10; }
alias late='show d'
g; late 11
if true; then
  alias within='show e'
  within 12
fi
within 13
(
  alias inner='show f'
  inner 14
)
inner 15`,
  ],
  [
    'a line with a list that holds more than words is given up, and no other one',
    `show 1; A=(a <b> c); show no
show 2 $?
A=(a ; c) && show no
declare -a B=(a | c)
show 3
eval 'C=(a & b)
show 4'
C=(a $(echo b; echo c) "d;e")
show "\${C[@]}"
if true; then
  D=(a; b)
fi
show no`,
  ],
  [
    'under set -e the script ends with it',
    `set -e
trap 'show bye' EXIT
A=(a > b)
show no`,
  ],
  [
    'a list over several lines with more than words ends the script',
    `show 1
A=(a
  b <c>
)
show no`,
  ],
  [
    'a counting loop needs both brackets on both sides',
    `show 1
for ((i=0; i<2; i++)); do show $i; done
for (( i=(1+(2)); i<5; i++ )) { show $i; }
for (i=0; i<2; i++); do show no; done
show no`,
  ],
  [
    'a counting loop that is not closed is no loop',
    `show 1
for ((i=0; i<2; i++); do show no; done
show no`,
  ],
  [
    'assignments cannot stand before a function',
    `x=9; f() { show 1; }; f
if true; then x=9 f() { show no; }; fi
show no`,
  ],
  [
    'a semicolon behind an ampersand is a syntax error in loops as well',
    `show 1 & wait
for i in 1; do show $i & done; wait
case a in a) show 2 &;; b) show no; ;; esac; wait
for i in 1 2; do show no &; done
show no`,
  ],
  [
    'so is one that stands alone',
    `if true; then show 1; fi
if true
;then show no; fi
show no`,
  ],
  [
    'so is a second one',
    `cat <<X > /dev/null
;
X
if true; ; then show no; fi
show no`,
  ],
  [
    'what a substitution runs is read with what it stands in',
    `show 1
x=$(echo a; echo b) y="$(echo "$(echo c)")"; show $x "$y"
cat <<X > /dev/null
$(echo &&& a)
X
z=\`echo &&& a\`; show 2
x="$(cd / &&& pwd)"
show no`,
  ],
  [
    'in a substitution for a file as well',
    `show 1
mapfile -t lines < <(for i in 1 2; echo $i; done)
show no`,
  ],
  [
    'between backquotes a fault is reported when they run',
    'x=$(for ((i=0; i<2; i++)); do show $i; done); y=`for (i=0; i<2; i++); do show no; done`; show last',
  ],
  [
    'groups of patterns are a syntax error without extglob',
    `#!/bin/bash
show 1
case foo in @(foo|bar)) show no;; esac
show no`,
  ],
  [
    'in a list they cost the line',
    `#!/bin/bash
A=(1 2)
A+=(@(foo|bar)); show no
A=("@(x)" y); show "\${A[@]}"
show in; A=(a !(b)); show no
show last`,
  ],
  [
    'in a list over several lines they cost the whole command where their line is its last',
    `#!/bin/bash
A=(1
@(foo|bar)); show no
show 1 "\${A[@]}"
if true; then A=(
2 !(x)); show no; fi
show 2
A=(
+(x)
)
show no`,
  ],
  [
    'behind a line that switches extglob on they are none',
    `#!/bin/bash
shopt -s extglob
case foo in @(foo|bar)) show yes;; *) show no;; esac
. <(echo 'case a in +(a)) show in;; esac')`,
  ],
  [
    'a line and a compound command are read before they run',
    `#!/bin/bash
show 1
f() { shopt -s extglob
case foo in +(o|f)) show no;; esac; }
f`,
  ],
  [
    'the commands before one on a line do not run either',
    `#!/bin/bash
show 1
show no; show x@(a)`,
  ],
  [
    'what Bash reads as a text of its own ends, not what reads it',
    `#!/bin/bash
eval 'show +(a)'; show $?
bash -c 'show +(a)'; show $?
printf '%s\\n' 'show s' 'show q@(z)' 'show no' > s.sh
. ./s.sh; show $?
bash s.sh; show $?
x=$(echo +(a)); show no`,
  ],
  [
    'what only looks like one is none',
    `#!/bin/bash
# what? (really) *(x)
[[ foo == @(foo|bar) ]] && show m
x=aab; show \${x##+(a)} $((2*(3+4))) "a@(b)" 'x+(y)' a\\@\\(b # c@(d)
if !(false); then show n; fi
cat <<X
a@(b)
X
show end`,
  ],
  [
    'loops and getopts take no names that are none',
    `for 1x in a b; do show no; done; show $?
set -e
for a-b in a; do show no; done && show no || show or
for $x in 1; do show no; done
select x.y in a; do show no; done <<< 1
set +e; set -- -a
while getopts ab 1x; do show no; done; show $? $OPTIND
getopts ab o; show $? $o`,
  ],
  [
    'what is to run at the end of functions and sourced files does',
    `X=0
f() { trap 'X=$((X+1)); show ret $X' RETURN; X=5; show in; return 3; }
f; show $? $X
g() { show g; }; g; show $X
echo 'show src' > s.sh; . ./s.sh
h() { trap - RETURN; }; h; . ./s.sh
k() { :; }; trap 'X+=t' RETURN; X=a; k; show $X; set -T; k; set +T; show $X
l() { trap 'exit 4' RETURN; }; (l; show no); show $?`,
  ],
  [
    'what is to run before each command does',
    `n=0
trap 'n=$((n+1))' DEBUG
a=1; b=2
if true; then [[ a == a ]]; ((1)); fi
for i in 1 2; do :; done
case a in a) : ;; esac
f() { :; :; }; f
x=$(:; echo $n)
trap - DEBUG
show $n $x; n=0
trap 'show before' DEBUG; show a; (show b); trap - DEBUG; show end`,
  ],
  ...[
    'coproc X {',
    '[ a = a ] && { show no } || show no',
    'false || (show no',
    '! { show no',
    'show no | { cat',
  ].map((open): readonly [string, string] => [
    `what is not closed is not run: ${open}`,
    `show start\n${open}\nshow no\nshow no`,
  ]),
  [
    'a redirection to no file, or to several, keeps its command from running',
    `F=; show no > $F; show $?; show no > "$F" || show or; { show no; } 2> $F; f() { show no; }; f >> $F; show $?
if show no &> $F; then show no; else show not; fi; x=$(show no < $F; echo e); show "$x"; while read -r l; do show no; done < $F
L='x y'; show no > $L; show spaced > "$L"; A=(p q); show no > \${A[@]}; show no > "\${A[@]}"; show first > \${A[0]}; show here <<< $F
(set -e; show no > $F; show no); show $?; n=1; : > f$((n++)); show $n; show both > a b > c; show {br,ace} > d`,
  ],
  [
    'nor does one run that set -C keeps from a file',
    `set -C; echo a > f; show no > f; show $?; show over >| f; show more >> f; show null > /dev/null; show new > g
set +C; show again > f; set -o noclobber; show no &> f; show $?`,
  ],
  [
    'a function knows the file that defines it',
    `cat > lib.sh <<'END'
f() { show "\${BASH_SOURCE[0]}" "\${FUNCNAME[0]}" "\${#BASH_SOURCE[@]}"; g; }
END
mkdir d; cp lib.sh d/two.sh
g() { [ "\${BASH_SOURCE[0]}" = "$0" ] && show "\${BASH_SOURCE[1]}"; }
. ./lib.sh; f; h() { f; }; h; source d/two.sh; f
k() { show "\${BASH_SOURCE[0]}"; }; export -f k; bash -c k; bash -c 'k() { show "\${BASH_SOURCE[0]:-none}" "\${#FUNCNAME[@]}"; return 3; show no; }; k; show $? "\${BASH_SOURCE[0]:-none}" "\${#BASH_SOURCE[@]}"; g() { :; }; . ./lib.sh; f; return; show end'`,
  ],
  [
    'what is refused takes all commands with it that begin before the line ends',
    `x='a b'; show "\${!x}"; y="p
q"; show no; z=1
show next "\${y-unset}" "\${z-unset}"; a=$(echo "r
s"); show "$a"`,
  ],
  [
    'what Bash itself sets is set',
    `set -u
show "\${BASHOPTS:+s}" "\${SHELLOPTS:+s}" "\${GROUPS:+s}" "\${DIRSTACK:+s}" "\${BASH_COMMAND:+s}" "\${BASH_LINENO+s}" "\${BASH_SUBSHELL:+s}"
[ -z "$BASH_COMMAND" ] && show no; show end`,
  ],
];

test('elements of arrays that Bash itself fills are unknown', () => {
  const text = 'show "${BASH_VERSINFO[1]}" "${BASH_VERSINFO[0]}"; [ "${BASH_VERSINFO[1]}" = 2 ] && show two';
  expect(evaluate(text).commands.map(({ words }) => words.map(shown).join(' '))).toEqual([
    'show <${BASH_VERSINFO[1]}> <${BASH_VERSINFO[0]}>',
    'show two',
  ]);
});

describe('a script starts what real Bash starts', () => {
  test.each(scripts)('%s', (_, text) => {
    const ours = evaluate(text)
      .commands.map(({ words }) => words.map(shown))
      .filter(([name]) => name === 'show')
      .map((words) => words.slice(1));
    expect(ours).toEqual(real(text));
  });
});

test('a redirection to anything but one file is reported at its position', () => {
  const text = 'LOG="my run.log"\npython t.py > $LOG\npython u.py > $UNSET\n';
  const { problems, commands } = evaluate(text);
  expect(problems.map(({ place: { span } }) => text.slice(span.start, span.end))).toEqual(['$LOG']);
  expect(commands).toHaveLength(1);
});

test('a redirection to several words is rejected whatever their holes are', () => {
  expect(lines('python g.py > log_$X{1,2}')).toEqual([]);
  expect(lines('LOG="my $X run.log"; python h.py > $LOG')).toEqual([]);
  expect(lines('python i.py > $X$Y; python j.py > a$X; python k.py > "a $X b"')).toHaveLength(3);
});

test('a replacement that inserts blanks is split if unquoted', () => {
  const text = 'E="$HOME/exp"; L="${E//[aeo]/ }/t"; python t.py $L "$L"';
  expect(lines(text)).toEqual(['python t.py <${E//[aeo]/ }*>/t <${E//[aeo]/ }>/t']);
});

test('a syntax error is reported with what it costs', () => {
  const reported = (text: string): readonly string[] =>
    evaluate(text).problems.map(({ message, place: { span } }) => `${span.start}: ${message}`);
  expect(reported('A=(a <b> c)\npython t.py "${A[@]}"\n')).toEqual([
    '5: Bash skips this line: it reads the < of <b> as a redirection. Fill in the placeholder.',
  ]);
  expect(reported('A=(a\n<b> c)\npython t.py\n')).toEqual([
    '5: Bash stops reading here: it reads the < of <b> as a redirection. Fill in the placeholder.',
  ]);
  expect(reported('for (i=0; i<2; i++); do python t.py; done\n')).toEqual([
    '4: Bash stops reading here: a counting loop is written for ((…; …; …)).',
  ]);
  expect(reported('for ((i=0; i<2; i++); do python t.py; done\n')).toEqual([
    '4: Bash stops reading here: these (( are never closed with )).',
  ]);
  expect(reported('CUDA_VISIBLE_DEVICES=0 run() { python t.py; }\nrun\n')).toEqual([
    '26: Bash stops reading here: CUDA_VISIBLE_DEVICES=0 cannot stand before a function.',
  ]);
});

test('a doubled end of a command is reduced to one', () => {
  const mended = (text: string): readonly (string | undefined)[] =>
    evaluate(text).problems.map(({ correction }) => {
      if (correction === undefined) return undefined;
      const { start, end } = correction.place.span;
      return text.slice(0, start) + correction.text + text.slice(end);
    });
  expect(mended('for i in 1; do python t.py & ; done\n')).toEqual(['for i in 1; do python t.py & done\n']);
  expect(mended('python t.py &; wait\n')).toEqual(['python t.py & wait\n']);
  expect(mended('if true; ;then python t.py; fi\n')).toEqual(['if true;then python t.py; fi\n']);
  expect(mended('if true\n;then python t.py; fi\n')).toEqual([undefined]);
});

test('an array opened with a brace is reported at its end, with the brackets that it needs', () => {
  const braces = 'ARGS={\n  # --x 1\n  --y 2\n}\npython t.py "${ARGS[@]}"\n';
  const [problem] = evaluate(braces).problems;
  expect(problem?.message).toBe(
    'Bash stops reading here: ARGS={ in line 1 does not begin an array, so this } closes nothing. An array is written in parentheses.',
  );
  const { place, text } = problem?.correction ?? {};
  const { start, end } = place?.span ?? { start: 0, end: 0 };
  const mended = braces.slice(0, start) + text + braces.slice(end);
  expect(mended).toBe('ARGS=(\n  # --x 1\n  --y 2\n)\npython t.py "${ARGS[@]}"\n');
  expect(evaluate(mended).problems).toEqual([]);
  for (const other of ['ARGS={\nf() {\n  :\n}\n}\n', 'ARGS={a}\n}\n', 'ARGS={\necho x; }\n'])
    expect(evaluate(other).problems[0]?.correction, other).toBeUndefined();
});

test('what a skipped line would have put into a list is unknown', () => {
  const { commands } = evaluate('A=(old)\nA=(a <b> c)\npython t.py "${A[@]}" end\n');
  expect(commands.map(({ words }) => words.map(shown).join(' '))).toEqual(['python t.py <${A[@]}*> end']);
});

test('a long chain of names is not taken for a cycle', () => {
  const names = Array.from({ length: 30 }, (_, at) => `V${at + 1}=V${at}`).join('; ');
  const script = `V0=7; ${names}; N=0; A='N++ < 30 ? A : 7'; show $((V9)) $((V30)); show $((A))`;
  expect(real(script)).toEqual([['7', '7'], ['7']]);
  expect(lines(script)).toEqual(['show 7 <$((V30))>', 'show <$((A))>']);
});

test('a pattern group that Bash cannot read is reported at its position', () => {
  const problems = (text: string): readonly string[] =>
    evaluate(text).problems.map(({ kind, place: { span } }) => `${kind} ${text.slice(span.start, span.end)}`);
  const text = 'case $1 in\n  @(a|b)) python t.py ;;\nesac\n';
  expect(problems(`#!/bin/bash\n${text}`)).toEqual(['syntax @(a|b)']);
  expect(problems(`#!/bin/bash\nshopt -s extglob\n${text}`)).toEqual([]);
  // The shell that sources it may accept such patterns.
  expect(problems(text)).toEqual([]);
});
