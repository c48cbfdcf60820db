import fc from 'fast-check';
import { idioms } from './generatedIdioms.ts';
import {
  array,
  expansion,
  joined,
  name,
  number,
  pattern,
  plain,
  quoted,
  word,
  wordList,
} from './generatedWords.ts';

const line = plain.filter((text) => text !== '*');

const assignments = fc.oneof(
  joined(name, '=', fc.oneof(quoted, word)),
  joined(name, '+=', quoted),
  joined(name, '=', expansion, expansion),
  joined(array, fc.constantFrom('=', '+='), '(', wordList(3), ')'),
  joined(
    array,
    '[',
    fc.constantFrom('0', '1', '3', 'n', '-1', 'n+1'),
    ']',
    fc.constantFrom('=', '+='),
    quoted,
  ),
  joined('n=$((', number, '+', number, '))'),
  joined('((', fc.constantFrom('n', 'm'), fc.constantFrom('++', '+=2', '*=2', '=n-1', '=n>2?1:0'), '))'),
  joined('set -- ', wordList(3)),
  joined('unset ', name),
  joined("unset '", array, fc.constantFrom('[0]', '[1]', '[-1]', ''), "'"),
  joined('h[', fc.constantFrom('k', 'tp', '$a', '"x y"'), ']', fc.constantFrom('=', '+='), word),
  joined('declare ', fc.constantFrom('-i', '-u', '-l', '-x', '-a', ''), ' ', name, '=', quoted),
  joined('declare -i n=', fc.constantFrom('n+1', '"2*3"', 'm')),
  joined('export ', name, '=', word),
  joined(name, '=', quoted, ' eval ', joined('echo $', name)),
);
const reads = fc.oneof(
  joined('IFS=, read -r a b <<< "', line, '"'),
  joined(
    'read ',
    fc.constantFrom('', '-r '),
    fc.constantFrom('a', 'a b', 'a b c'),
    ' <<< ',
    fc.oneof(
      quoted,
      word.map((text) => `"${text.replaceAll('"', '')}"`),
    ),
  ),
  joined('read -ra ', array, ' <<< "', line, '"'),
  joined('read -ra ', array, ' <<< "$', name, ' $OUTSIDE x"'),
  joined("IFS=: read -r a b <<< $'p:q r:s'"),
  joined(
    'printf -v ',
    name,
    " '%s|%d' ",
    word.map((text) => `"${text.replaceAll('"', '')}"`),
    ' 3',
  ),
  joined('printf -v "', array, '[n]" "%s" ', quoted),
  joined('mapfile -t ', array, ' < <(printf "%s\\n" "$', name, '" two)'),
  joined('mapfile -t ', array, ' < <(printf "%s\\n" "$OUTSIDE" "$', name, '" two)'),
  joined('mapfile -t ', array, ' <<< "$', name, '"'),
  joined('readarray ', array, " < <(printf '%s\\n' ", wordList(2), ')'),
  joined(
    'while read -r k v; do ',
    name,
    '+="$k=$v"; done <<< ',
    fc.constantFrom('"$a"', '"$b $c"', "$'p 1\\nq 2'"),
  ),
  joined('while IFS= read -r l || [[ -n $l ]]; do ', array, '+=("$l"); done < <(printf "a b\\n c")'),
  joined('echo "$', name, '" | read -r a'),
  joined('echo ', wordList(2), fc.constantFrom(' > w1', ' >> w1', ' > d1/w2')),
  joined(
    'cat > w1 <<',
    fc.constantFrom('EOT', "'EOT'", '-EOT'),
    '\n',
    fc.constantFrom('p $a', '\tq ${x[0]} $(echo $n)', '\\$a `echo b`'),
    '\nEOT',
  ),
);
const scopes = fc.constantFrom(
  'shift 2>/dev/null',
  'shift 2',
  'unset IFS',
  'IFS=,',
  'IFS=',
  "IFS=' '",
  "IFS=$'\\n'",
  'IFS=", "',
  'f one "$a"',
  'f "$@"',
  'g x; a=$q',
  'g "$b" || b=failed',
  'outer 3',
  'refer a "by reference"',
  'refer c "$a"',
  'fill x p "q r"',
  'local q=1 2>/dev/null',
  'declare -A h=([k]="v w" [tp]=4)',
  'h=()',
  'a=${h[k]}',
  'b=$(f sub)',
  'set -- "${x[@]}"',
  'c=$(cat <<EOT\n$a $n\nEOT\n)',
  'b=$(cat <<-EOT\n\t\tone $a\n\ttwo\n\tEOT\n)',
  ': "${b:=dflt}"',
  ': ${OUTSIDE:=default}',
  '( a=inner; n=9; set -- z; IFS=,; cd d1 )',
  '{ a=group; shift; } 2>/dev/null',
  'a=sub | b=pipe',
  'a=$b$c',
  'x=("$@")',
  'x=("${y[@]}" "${x[@]}")',
  'y=("${x[@]/#/-}")',
  'let n+=1',
  'let "m = n * 2" n-=1',
  'eval "b=\\$a; x+=(\\"\\$c\\")"',
  'eval a=\'"$b c"\'',
  'p=b',
  'pre1=1 pre2=',
  'cd d1',
  'cd ..',
  'cd - > /dev/null',
  'pushd d1 > /dev/null; a=$PWD; popd > /dev/null',
  'pushd d1 > /dev/null',
  'popd > /dev/null',
  'set -u',
  'set -f; x=(*); set +f',
  'shopt -s nullglob',
  'shopt -s nocasematch',
  'shopt -s lastpipe',
  'set -o pipefail; false | true && b=ok || b=broken; set +o pipefail',
  'trap \'python train.py left "$a"\' EXIT',
  "trap 'a=cleanup; rm -f w9' EXIT",
  'trap - EXIT',
  'b=$(trap "echo bye" EXIT; echo hi)',
  'coproc { a=co; }; wait',
  'select i in 1 2; do a=$i; done < /dev/null',
  'readonly r=5; a=$r',
  'true && false; a=$?',
  'f x; a=$?',
  '! true; b=$?',
  'declare -n ref=a; ref=through; unset -n ref',
  'a=$((n > 1 ? n : m)) b=$a',
  'exec 3>&1',
  'wait',
  '[ -f w1 ] && a="there $(cat w1)" || a=absent',
  'OPTIND=1; while getopts ":t:v" o; do case $o in t) a=$OPTARG;; v) b=verbose;; *) c=other;; esac; done',
  'while [[ $# -gt 0 ]]; do case $1 in --tp) a="$2"; shift 2 || break;; one) b=seen; shift;; *) shift;; esac; done',
  'for o in "$@"; do case "$o" in --*=*) a=${o#*=};; --*) b=${o#--};; esac; done',
);
const simple = fc.oneof(
  { weight: 6, arbitrary: assignments },
  { weight: 3, arbitrary: reads },
  { weight: 5, arbitrary: scopes },
  { weight: 2, arbitrary: joined('python train.py ', wordList(3, 1)) },
);
const condition = fc.oneof(
  joined('[ "$', name, '" ', fc.constantFrom('=', '!='), ' ', quoted, ' ]'),
  joined(
    '[[ $',
    name,
    ' ',
    fc.constantFrom('==', '!='),
    ' ',
    pattern.filter((text) => text !== ' '),
    ' ]]',
  ),
  joined(
    '[[ $',
    name,
    ' =~ ',
    fc.constantFrom('^o', '(w)(.)', '^[0-9]+$', 'b,c', '^(.*),(.*)$', '(o|e)+'),
    ' ]]',
  ),
  joined('[[ -', fc.constantFrom('n', 'z'), ' "$', name, '" ]]'),
  joined('[[ -v ', fc.constantFrom('a', 'b', 'x[1]', 'y', 'h[k]'), ' ]]'),
  joined('[ -', fc.constantFrom('f', 'd', 'e', 's'), ' ', fc.constantFrom('w1', 'd1', 'd1/w2'), ' ]'),
  joined(
    '((',
    fc.constantFrom('n', 'm', '${#x[@]}', '$#'),
    ' ',
    fc.constantFrom('>', '<', '==', '>='),
    ' ',
    number,
    '))',
  ),
  joined('[ $', fc.constantFrom('n', 'm', '#'), ' ', fc.constantFrom('-gt', '-eq', '-le'), ' 2 ]'),
  joined('[ -z "$', name, '" -', fc.constantFrom('a', 'o'), ' "$n" -lt 3 ]'),
  joined('[[ ( $n -lt 3 || $a < $b ) && ! -z $', name, ' ]]'),
  fc.constantFrom(
    'true',
    'false',
    'f x',
    'g x',
    '! g x',
    'echo "$a" | grep -q o',
    'test -n "$1"',
    '[ $# -gt 1 ]',
  ),
);
const several = fc.array(simple, { minLength: 1, maxLength: 3 }).map((items) => items.join('\n'));
/** Bash 5.2 misreads lists after a heredoc within `$( )`. */
const withoutDocuments = several.filter((text) => !text.includes('<<'));
const casePattern = pattern.filter((text) => text !== ' ');
const compound = fc.oneof(
  joined(
    'if ',
    condition,
    '; then\n',
    several,
    '\nelif ',
    condition,
    '; then\n',
    several,
    '\nelse\n',
    several,
    '\nfi',
  ),
  joined(condition, fc.constantFrom(' && ', ' || '), 'a=changed'),
  joined(condition, ' && ', condition, ' || b=other'),
  joined('for i in ', wordList(3), '; do\n', several, '\na="$i"\ndone'),
  joined(
    'for i in ',
    wordList(3),
    '; do\n',
    condition,
    ' && ',
    fc.constantFrom('break', 'continue'),
    '\nx+=("$i"); ((n++))\ndone',
  ),
  joined('for i; do\n', several, '\ndone'),
  joined('for ((i = 0; i < 3; i++)); do\n', several, '\nb+=$i\ndone'),
  joined('for ((i = 0, k = ', number, '; i < ${#x[@]}; i += 1, k--)); do b+="${x[i]}$k"; done'),
  joined(
    'for i in 1 2; do for k in a b; do\n',
    condition,
    ' && ',
    fc.constantFrom('break 2', 'continue 2', 'break'),
    '\nb+=$i$k\ndone; done',
  ),
  joined('case "$', name, '" in ', casePattern, ') a=first ;; one|two*) b=second ;; *) c=third ;; esac'),
  joined(
    'case $',
    name,
    ' in ',
    casePattern,
    ') a=first ',
    fc.constantFrom(';&', ';;&'),
    ' (',
    casePattern,
    ') b=second ',
    fc.constantFrom(';&', ';;&', ';;'),
    ' *) c=third ;; esac',
  ),
  joined('k=0; while [ $k -lt 2 ]; do k=$((k + 1))\n', several, '\ndone'),
  joined('k=3; until ((k-- <= 1)); do\n', several, '\ndone'),
  joined('inner() { local ', name, '=', word, ' ', array, '\n', several, '\n}; inner ', wordList(2)),
  joined('c=$(\n', withoutDocuments, '\necho "$a|$n|${#x[@]}"\n)'),
  joined('(\nset -e\n', several, '\npython train.py in "$a"\n) || b=failed'),
  joined('{\n', several, '\n} > w1'),
);
const statement = fc.oneof(
  { weight: 1, arbitrary: idioms },
  { weight: 2, arbitrary: simple },
  { weight: 1, arbitrary: compound },
);

/** Statements of a Bash script that ends by starting `python train.py …`; together with `prologue` they start nothing else and write only the files w1 and d1/w2. */
export const statements: fc.Arbitrary<readonly string[]> = fc
  .tuple(
    fc.array(statement, { minLength: 2, maxLength: 8 }),
    wordList(6, 2).map((items) => `python train.py ${items}`),
  )
  .map(([body, last]) => [...body, last]);

/** The start of every generated script. */
export const prologue = `shopt -s extglob
root=$PWD
n=2 m=3 a='start value' b= c=a,b,c p=a pre0=0
x=(one 'two words' oops)
y=()
declare -A h=([k]=first)
f() { local a="in $1"; c="$a,$#"; echo "$a"; return 1; }
g() { local b=$1 q; q="$b$#"; b=lost; h2() { q+=deep; a=$q; }; h2; [[ $1 == x ]]; }
outer() { local n=$1; if ((n > 0)); then outer $((n - 1)); else c="bottom $n"; fi; }
refer() { local -n target=$1; target="$2"; }
fill() { local -n list=$1; shift; list+=("$@"); }
`;
