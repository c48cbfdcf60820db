import { expect, test } from 'vitest';
import { evaluate, lines } from './support.ts';

const last = (text: string): string | undefined => lines(`${text}\npython t.py "$n" "$m"`).at(-1);

test.each([
  // The digits after the base are unknown.
  ['n=1; (( n = 10#$OUT ))', 'python t.py <$n> <$m>'],
  ['n=1; for (( n = 10#$OUT; n < 3; n++ )); do :; done', 'python t.py <$n> <$m>'],
  // Without the unknown part, the expression is invalid.
  ['n=1 m=2; (( n = 3 $OUT 4, m++ ))', 'python t.py <$n> <$m>'],
  ['n=1 m=2; (( ++n $OUT 4 ))', 'python t.py <$n> 2'],
  // Operands that may not be evaluated at all.
  ['n=1 m=2; (( $OUT > 3 && (n = 5) ))', 'python t.py <n> 2'],
  ['n=1 m=2; : $(( OUT ? (n = 7) : (m = 0) ))', 'python t.py <n> 0'],
  ['n=1 m=2; read -r OUT; (( OUT ? n++ : m-- ))', 'python t.py <n> <m>'],
  // What is read again and again, for as long as it goes on.
  ["n=3 m=2; q='n-- > 0 && q'; : $(( q ))", 'python t.py <n> 2'],
  ["n=3 m=2; q='n > 0 ? r : 9'; r='n -= 1, q'; m=$(( q ))", 'python t.py <n> <$(( q ))>'],
  // Operands that certainly are not, or are.
  ['n=1 m=2; (( 0 && (n = 5), 1 || m++ ))', 'python t.py 1 2'],
  ['n=1 m=2; (( 1 ? (n = 7) : (m = 0) ))', 'python t.py 7 2'],
  ['n=1; read -r OUT; (( 0 && (OUT ? n++ : 0) ))', 'python t.py 1 <$m>'],
])('what an unknown expression assigns: %s', (text, expected) => {
  const shown = last(text)?.replace(/<(?:\$)?([nm])>/g, '<$1>');
  expect(shown).toBe(expected.replace(/<(?:\$)?([nm])>/g, '<$1>'));
});

test('what such an expression sets is not reported as missing', () => {
  const text = 'set -u\nread -r a\nf() { local n; for (( n = 10#$a; n < 9; n++ )); do echo "$n"; done; }\nf';
  expect(evaluate(text).problems).toEqual([]);
});
