import fc from 'fast-check';

const name = fc.constantFrom('a', 'b', 'c');
const array = fc.constantFrom('x', 'y');
const plain = fc.constantFrom(
  'one',
  'two words',
  '--tp',
  '8',
  'k=v',
  'a,b,c',
  '/d/e.sh',
  '*',
  '',
  ' lead',
  'x:y',
  '[0]*3',
  '7',
);
const number = fc.constantFrom('0', '1', '2', '3', '10', '$n', '$m', '(n+1)', 'n*m');
const pattern = fc.constantFrom(
  '*',
  'o*',
  '*e',
  '?',
  '[a-m]*',
  '*,',
  '/*',
  ',',
  ' ',
  '*/',
  'w?rds',
  '"*"',
  '*.sh',
  '@(one|8)',
);
const words = (texts: readonly (string | fc.Arbitrary<string>)[]): fc.Arbitrary<string> =>
  fc
    .tuple(...texts.map((text) => (typeof text === 'string' ? fc.constant(text) : text)))
    .map((parts) => parts.join(''));

const quoted = plain.map((text) => `"${text}"`);
const expansion = fc.oneof(
  words(['$', name]),
  words(['${', name, ':-', plain.filter((text) => !/[ *[]/.test(text)), '}']),
  words(['${', name, ':+', 'set}']),
  words(['${', name, fc.constantFrom('#', '##', '%', '%%'), pattern, '}']),
  words([
    '${',
    name,
    fc.constantFrom('/', '//', '/#', '/%'),
    pattern.filter((text) => !text.includes('/')),
    '/',
    fc.constantFrom('_', '', 'Z Z'),
    '}',
  ]),
  words([
    '${',
    name,
    ':',
    fc.constantFrom('0', '1', '2', ' -2'),
    fc.constantFrom('', ':1', ':2', ': -1'),
    '}',
  ]),
  words(['${', name, fc.constantFrom('^', '^^', ',', ',,', '@Q'), '}']),
  words(['${#', name, '}']),
  words(['${', array, '[', fc.constantFrom('@', '*', '0', '1', '-1', 'n'), ']}']),
  words(['${#', array, '[@]}']),
  words(['${!', array, '[@]}']),
  words(['${', array, '[@]', fc.constantFrom(':1', ':0:1', '#o', '%e', '/o/0'), '}']),
  words(['$((', number, fc.constantFrom('+', '-', '*', '%7+', '<', '==', '&', '**'), number, '))']),
  words([
    '$(echo ',
    fc.oneof(
      quoted,
      name.map((text) => `$${text}`),
    ),
    ')',
  ]),
  words([
    '$(echo "$',
    name,
    '" | ',
    fc.constantFrom(
      "tr 'a-z' 'A-Z'",
      'cut -d, -f1',
      "sed 's/o/0/g'",
      'wc -l',
      "awk '{print $1}'",
      'head -c 3',
      "tr ',' '\\n'",
      "grep -o '[a-z]*'",
    ),
    ')',
  ]),
  words(["$(printf '%s-' ", array.map((text) => `"\${${text}[@]}"`), ')']),
  fc.constantFrom('$#', '${1:-none}', '$@', '$*', '${2:-second}'),
);
const word = fc.oneof(
  { weight: 3, arbitrary: expansion },
  { weight: 3, arbitrary: expansion.map((text) => `"${text}"`) },
  { weight: 2, arbitrary: fc.tuple(expansion, expansion).map(([a, b]) => `--k=${a}"${b}"`) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      "'$a'",
      'lit',
      '{1..3}',
      'p{a,b}s',
      '\\$a',
      "$'t\\tb'",
      '"q $a $b"',
      'a\\ b',
      '""',
    ),
  },
);
const simple = fc.oneof(
  words([name, '=', fc.oneof(quoted, word)]),
  words([name, '+=', quoted]),
  words([
    array,
    fc.constantFrom('=', '+='),
    '(',
    fc.array(word, { maxLength: 3 }).map((items) => items.join(' ')),
    ')',
  ]),
  words([array, '[', fc.constantFrom('0', '1', '3', 'n'), ']=', quoted]),
  words(['n=$((', number, '+', number, '))']),
  words(['((', fc.constantFrom('n', 'm'), fc.constantFrom('++', '+=2', '*=2', '=n-1'), '))']),
  words(['IFS=, read -r a b <<< "', plain.filter((text) => text !== '*'), '"']),
  words(['read -ra ', array, ' <<< "', plain.filter((text) => text !== '*'), '"']),
  words(['printf -v ', name, " '%s|%d' ", word.map((text) => `"${text.replaceAll('"', '')}"`), ' 3']),
  words(['set -- ', fc.array(word, { maxLength: 3 }).map((items) => items.join(' '))]),
  words(["unset '", array, "[0]'"]),
  words(['mapfile -t ', array, ' < <(printf "%s\\n" "$', name, '" two)']),
  fc.constantFrom(
    'shift 2>/dev/null',

    'f one "$a"',
    'local q=1 2>/dev/null',
    'declare -A h=([k]="v w" [tp]=4)',
    'a=${h[k]}',
    'b=$(f sub)',
    'set -- "${x[@]}"',
    'c=$(cat <<EOT\n$a $n\nEOT\n)',
    ': "${b:=dflt}"',
    '( a=inner )',
    'a=$b$c',
    'x=("$@")',
    'let n+=1',
  ),
  words(['python train.py ', fc.array(word, { minLength: 1, maxLength: 3 }).map((items) => items.join(' '))]),
);
const condition = fc.oneof(
  words(['[ "$', name, '" ', fc.constantFrom('=', '!='), ' ', quoted, ' ]']),
  words(['[[ $', name, ' ', fc.constantFrom('==', '!='), ' ', pattern.filter((text) => text !== ' '), ' ]]']),
  words(['[[ $', name, ' =~ ', fc.constantFrom('^o', '(w)(.)', '^[0-9]+$', 'b,c'), ' ]]']),
  words(['[[ -', fc.constantFrom('n', 'z'), ' "$', name, '" ]]']),
  words([
    '((',
    fc.constantFrom('n', 'm', '${#x[@]}'),
    ' ',
    fc.constantFrom('>', '<', '==', '>='),
    ' ',
    number,
    '))',
  ]),
  words(['[ $', fc.constantFrom('n', 'm', '#'), ' ', fc.constantFrom('-gt', '-eq', '-le'), ' 2 ]']),
);
const several = fc.array(simple, { minLength: 1, maxLength: 3 }).map((items) => items.join('\n'));
const statement = fc.oneof(
  { weight: 8, arbitrary: simple },
  {
    weight: 1,
    arbitrary: words([
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
    ]),
  },
  { weight: 1, arbitrary: words([condition, fc.constantFrom(' && ', ' || '), 'a=changed']) },
  {
    weight: 1,
    arbitrary: words([
      'for i in ',
      fc.array(word, { maxLength: 3 }).map((items) => items.join(' ')),
      '; do\n',
      several,
      '\na="$i"\ndone',
    ]),
  },
  { weight: 1, arbitrary: words(['for ((i = 0; i < 3; i++)); do\n', several, '\nb+=$i\ndone']) },
  {
    weight: 1,
    arbitrary: words([
      'case "$',
      name,
      '" in ',
      pattern.filter((text) => text !== ' '),
      ') a=first ;; one|two*) b=second ;; *) c=third ;; esac',
    ]),
  },
  { weight: 1, arbitrary: words(['k=0; while [ $k -lt 2 ]; do k=$((k + 1))\n', several, '\ndone']) },
);
/** Statements of a Bash script that ends by starting `python train.py …`; together with `prologue` they start nothing else and touch no file. */
export const statements: fc.Arbitrary<readonly string[]> = fc
  .tuple(
    fc.array(statement, { minLength: 2, maxLength: 8 }),
    fc.array(word, { minLength: 2, maxLength: 6 }).map((items) => `python train.py ${items.join(' ')}`),
  )
  .map(([body, last]) => [...body, last]);

/** What every generated script begins with. */
export const prologue = `shopt -s extglob
n=2 m=3 a='start value' b= c=a,b,c
x=(one 'two words' oops)
y=()
declare -A h=([k]=first)
f() { local a="in $1"; c="$a,$#"; echo "$a"; return 1; }
`;
