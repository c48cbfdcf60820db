import fc from 'fast-check';

export const name = fc.constantFrom('a', 'b', 'c');
export const array = fc.constantFrom('x', 'y');
export const plain = fc.constantFrom(
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
export const number = fc.constantFrom('0', '1', '2', '3', '10', '$n', '$m', '(n+1)', 'n*m');
export const pattern = fc.constantFrom(
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

/** The concatenation of texts. */
export function joined(...texts: readonly (string | fc.Arbitrary<string>)[]): fc.Arbitrary<string> {
  return fc
    .tuple(...texts.map((text) => (typeof text === 'string' ? fc.constant(text) : text)))
    .map((parts) => parts.join(''));
}

export const quoted = plain.map((text) => `"${text}"`);

const ofScalar = fc.oneof(
  joined('$', name),
  joined(
    '${',
    name,
    ':-',
    plain.filter((text) => !/[ *[]/.test(text)),
    '}',
  ),
  joined('${', name, fc.constantFrom('-', ':=', '=', '+'), 'dflt}'),
  joined('${', name, ':+', 'set}'),
  joined('${', name, fc.constantFrom('#', '##', '%', '%%'), pattern, '}'),
  joined(
    '${',
    name,
    fc.constantFrom('/', '//', '/#', '/%'),
    pattern.filter((text) => !text.includes('/')),
    '/',
    fc.constantFrom('_', '', 'Z Z'),
    '}',
  ),
  joined(
    '${',
    name,
    ':',
    fc.constantFrom('0', '1', '2', ' -2', ' -1', '$n', '(-3)'),
    fc.constantFrom('', ':1', ':2', ': -1', ':m'),
    '}',
  ),
  joined('${', name, fc.constantFrom('^', '^^', ',', ',,', '@Q', '@U', '@L', '@u', '^^[a-m]'), '}'),
  joined('${#', name, '}'),
);
const ofList = fc.oneof(
  joined('${', array, '[', fc.constantFrom('@', '*', '0', '1', '-1', 'n', 'n-1', '$m'), ']}'),
  joined('${#', array, fc.constantFrom('[@]}', '[*]}', '[1]}')),
  joined('${!', array, '[@]}'),
  joined(
    '${',
    array,
    fc.constantFrom('[@]', '[*]', '[1]'),
    fc.constantFrom(':1', ':0:1', ': -1', ': -2:1', '#o', '%e', '/o/0', '//[aeiou]/', '^', '@Q', ':+s', '-d'),
    '}',
  ),
  fc.constantFrom('${h[k]}', '${h[none]:-d}', '${#h[@]}', '${h[@]}', '${!h[@]}', '${h[$a]}'),
);
const ofArguments = fc.constantFrom(
  '$#',
  '$1',
  '${1:-none}',
  '${1%e}',
  '${#1}',
  '$@',
  '$*',
  '${2:-second}',
  '${10}',
  '${@:2}',
  '${@: -1}',
  '${*:1:2}',
  '${@%e}',
  '$IFS',
  '${IFS:-none}',
  '$OUTSIDE',
  '${OUTSIDE}',
  '${OUTSIDE:-8}',
  '${OUTSIDE%/*}',
  '$?',
  '${!p}',
  '${!pre@}',
  '${BASH_REMATCH[1]}',
  '${q:-no q}',
  '$PWD',
);
const ofCommand = fc.oneof(
  joined('$(echo ', fc.oneof(quoted, joined('$', name)), ')'),
  joined(
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
      'sort',
      'tail -n 1',
      'while read -r l; do echo "<$l>"; done',
      'cat',
      'rev',
      'xargs echo -n',
    ),
    ')',
  ),
  joined(
    "$(printf '%s-' ",
    array.map((text) => `"\${${text}[@]}"`),
    ')',
  ),
  joined(
    fc.constantFrom('$(f ', '$(g ', '$(set -- '),
    fc.constantFrom('sub', '"$a"', '$b', '$OUTSIDE'),
    '; echo $? $#)',
  ),
  fc.constantFrom(
    '$(basename "$c" .sh)',
    '$(dirname "/d/$c")',
    '$(seq 1 $n)',
    '$(seq -s, $n)',
    '`echo $a`',
    '$(cat w1)',
    '$(exit 3)',
    '$(cd d1 && pwd)',
    '$(x=(inner); echo "${x[@]}")',
    '$(IFS=-; echo "$*")',
    '$(IFS=,; echo "${x[*]}")',
    '$(echo "${x[*]}")',
    '$(printf "%03d" $n)',
    '$(printf "%q" "$a")',
    '$(eval echo \\$$p)',
    '$(dirs +0)',
  ),
);
const ofNumber = fc.oneof(
  joined(
    '$((',
    number,
    fc.constantFrom('+', '-', '*', '%7+', '<', '==', '&', '**', '<<', '?2:', ',', '|', '^'),
    number,
    '))',
  ),
  fc.constantFrom(
    '$((n++))',
    '$((--m))',
    '$((n+=2))',
    '$((${#x[@]}-1))',
    '$((16#ff))',
    '$((x[1]))',
    '$((u))',
  ),
);

/** An unquoted expansion. */
export const expansion = fc.oneof(
  { weight: 9, arbitrary: ofScalar },
  { weight: 5, arbitrary: ofList },
  { weight: 3, arbitrary: ofArguments },
  { weight: 4, arbitrary: ofCommand },
  { weight: 2, arbitrary: ofNumber },
);

/** An expansion without unknown parts: otherwise, what stands unquoted beside other text is taken for one word. */
const closed = fc.oneof(
  { weight: 6, arbitrary: ofScalar },
  { weight: 3, arbitrary: ofList },
  { weight: 1, arbitrary: ofNumber },
);

/** A word of a command. */
export const word = fc.oneof(
  { weight: 3, arbitrary: expansion },
  { weight: 3, arbitrary: expansion.map((text) => `"${text}"`) },
  { weight: 2, arbitrary: fc.tuple(closed, expansion).map(([a, b]) => `--k=${a}"${b}"`) },
  { weight: 1, arbitrary: fc.tuple(expansion, closed).map(([a, b]) => `"--k=${a}"${b}`) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      "'$a'",
      'lit',
      '{1..3}',
      'p{a,b}s',
      '{$a,"$b"}',
      '\\$a',
      "$'t\\tb'",
      '"q $a $b"',
      'a\\ b',
      '""',
      '~',
      '[ab]*',
      'w*',
      'd1/*',
      '"a"$b\'c\'',
    ),
  },
);

/** Up to `maxLength` words. */
export const wordList = (maxLength: number, minLength = 0): fc.Arbitrary<string> =>
  fc.array(word, { minLength, maxLength }).map((items) => items.join(' '));
