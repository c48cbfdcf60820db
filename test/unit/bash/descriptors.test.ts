import { expect, test } from 'vitest';
import { evaluate, lines } from './support.ts';

/** The Python commands that a script starts. */
const started = (text: string): readonly string[] => lines(text).filter((line) => line.startsWith('python'));

test.each([
  ['python a.py >&3; python b.py', ['python b.py']],
  ['exec 4>log; python a.py >&4; exec 4>&-; python b.py >&4', ['python a.py']],
  ['{ python a.py >&5; } 5>log; python b.py >&5', ['python a.py']],
  ['f() { python a.py >&3; }; f 3>&1; f', ['python a.py']],
  ['python a.py 3>&1 1>&2 2>&3 3>&-; python b.py >&3', ['python a.py']],
  ['exec 3<&0 5<&3-; python a.py <&3; python b.py <&5', ['python b.py']],
  ['python a.py 6<<< x <&6; python b.py <&6', ['python a.py']],
  ['python a.py >&3 || python b.py', ['python b.py']],
  ['set -e; python a.py; python b.py >&3; python c.py', ['python a.py']],
])('a command redirected to a closed descriptor does not start: %s', (text, wanted) => {
  expect(started(text)).toEqual(wanted);
});

test.each([
  // Whether the descriptor is open is unknown.
  ['if mycheck; then exec 3>log; fi; python a.py >&3', 'python a.py'],
  ['source /opt/logging.sh; python a.py >&3', 'python a.py'],
  ["exec 3>log; bash -c 'python a.py >&6'", 'python a.py'],
  ['exec 9>lock; ( python a.py 8>&9 )', 'python a.py'],
  ['exec {LOG}>log; python a.py >&$LOG', 'python a.py'],
])('a command redirected to a descriptor that may be open starts: %s', (text, wanted) => {
  expect(started(text)).toContain(wanted);
});

test('a variable that only one of two joined paths exports has a known value, but not for programs', () => {
  const text = 'A=x\nfor i in 1 2 3 4 5 6 7 8; do if mycheck $i; then export A; fi; done\n';
  const { commands } = evaluate(`${text}python a.py $A\nbash -c 'python b.py "$A"'`);
  const joined = commands.filter(({ assumptions }) => assumptions.some(({ text }) => text.includes('fails')));
  const [first, second] = ['a.py', 'b.py'].map((name) =>
    joined.find(({ words }) =>
      words.some(({ pieces }) => pieces[0]?.kind === 'text' && pieces[0].text === name),
    ),
  );
  expect(first?.words[2]?.pieces).toMatchObject([{ kind: 'text', text: 'x' }]);
  expect(first?.env.get('A')?.pieces).toMatchObject([{ kind: 'hole' }]);
  expect(second?.words[2]?.pieces).toMatchObject([{ kind: 'hole' }]);
});

test('a write to a descriptor that only one of two joined paths opened depends on that', () => {
  const opened = 'for i in 1 2 3 4 5 6 7 8; do if mycheck $i; then exec 3>log; fi; done\n';
  const assumed = (text: string): readonly string[] =>
    evaluate(text).commands.flatMap(({ assumptions }) => assumptions.map((assumption) => assumption.text));
  expect(assumed(`${opened}python a.py >&3`)).toContain('descriptor 3 is open');
  expect(assumed(`${opened}exec 3>&1\npython a.py >&3`)).not.toContain('descriptor 3 is open');
  expect(assumed(`${opened}python a.py`)).not.toContain('descriptor 3 is open');
});

/** The number of lines in a file that is not there to be read is unknown too, so there may be a second line. */
test.each([
  '{ read -r a; read -r b; } < /data/hosts; python a.py "$b"',
  'exec 3< /data/hosts; read -r a <&3; read -r -u 3 b; python a.py "$b"',
  '{ read -r a; read -r b || exit 1; python a.py "$b"; } < /data/hosts',
  'while read -r a; do read -r b; python a.py "$b"; done < /data/hosts',
  'while :; do read -r a || break; read -r b; python a.py "$b"; done < /data/hosts',
  'exec 3< /data/hosts; while read -r -u 3 a; do read -r -u 3 b; python a.py "$b"; done',
])('what is read after an unknown line is unknown: %s', (text) => {
  const { commands, truncated } = evaluate(text);
  const [command, ...others] = commands.filter(({ words }) => words.length === 3);
  expect(command?.words[2]?.pieces).toMatchObject([{ kind: 'hole' }]);
  expect([others, truncated]).toEqual([[], false]);
});
