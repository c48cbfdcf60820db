import { expect, test } from 'vitest';
import { evaluate } from './support.ts';

/** The assumptions of the launch with these words. */
const assumed = (text: string, words: string): readonly string[] | undefined =>
  evaluate(text)
    .commands.find(
      (command) =>
        command.words
          .flatMap(({ pieces }) => pieces.map((piece) => ('text' in piece ? piece.text : '')))
          .join(' ') === words,
    )
    ?.assumptions.map((assumption) => assumption.text);

test('a launch that one of several paths does not start is not reported as started by all', () => {
  const text = [
    'V=start',
    'if mycheck; then read -r V; fi',
    'if [ -f "$V" ]; then V=${X:-none}; fi',
    'python t.py "$V"',
  ].join('\n');
  expect(assumed(text, 'python t.py none')).toContain('“mycheck” succeeds');
  expect(assumed(text, 'python t.py none')).toContain('X is not set');
});

test('a path on which a variable is set says nothing about one on which it is not', () => {
  const text =
    'if mycheck; then M=1; else M=2; fi\necho $M\n[ -z "$X" ] && { python t.py none; exit; }\npython t.py x';
  expect(assumed(text, 'python t.py none')).toEqual(['X is not set']);
});

test('a path that never reached a condition says nothing about those that did', () => {
  const text = [
    'if mycheck; then X=1; elif [ -f /data/b ]; then X=2; else X=1; fi',
    '[ $X = 1 ] && [ -f /data/a ] && A=1 || A=',
    'python t.py $X$A',
  ].join('\n');
  // If `/data/b` exists, this is not started, whatever `/data/a` is.
  expect(assumed(text, 'python t.py 1')).toEqual(['“mycheck” succeeds', '/data/a is not a file']);
});

test('a launch of two paths, one of them only on one branch, keeps what it depends on', () => {
  const text = 'if [ "$M" != 7b ]; then python t.py none; exit 0; fi\npython t.py x';
  expect(assumed(text, 'python t.py none')).toEqual(['M is not set']);
  expect(assumed(text, 'python t.py x')).toEqual(['M is given', '$M is 7b']);
});

test('what is taken as unset is not taken as set in a subshell', () => {
  const started = (options: string): readonly (readonly string[])[] =>
    evaluate(
      `set ${options}\nf() { echo "<$1>"; }\ncase "\${1:-}" in a) exit;; *) Z=$(f "$@");; esac\npython t.py "$Z"`,
    ).commands.map(({ assumptions }) => assumptions.map(({ text }) => text));
  expect(started('-u')).toEqual([['$1 is not set']]);
  expect(started('-eu')).toEqual([['$1 is given', '$1 is not one of the cases']]);
});

test('a launch keeps what each of its paths assumes, unless another one assumes the opposite', () => {
  const guarded = 'if mycheck; then [ -f /data/a ] || exit 1; fi\npython t.py x';
  expect(assumed(guarded, 'python t.py x')).toEqual(['/data/a is a file']);
  const lent = 'W=\nmycheck || W=$M\npython t.py "${W:-x}"';
  expect(assumed(lent, 'python t.py x')).toEqual(['M is not set']);
  const both = 'if [ -f /data/a ]; then A=1; else A=2; fi\necho $A\nmycheck && A=1 || A=1\npython t.py x';
  expect(assumed(both, 'python t.py x')).toEqual([]);
});

test('what two paths depend on at different places is shared', () => {
  const text = [
    'if mycheck; then [ -f /data/a ] && A=1; fi',
    'if [ -f /data/a ]; then python t.py x; exit; fi',
    'python t.py y',
  ].join('\n');
  expect(assumed(text, 'python t.py x')).toContain('/data/a is a file');
});

test('a default taken in one branch is reported if its value is that of the other branch', () => {
  const text = 'TP=8\nif [ -f /data/x ]; then TP=${SIZE:-8}; fi\npython t.py $TP';
  expect(assumed(text, 'python t.py 8')).toEqual(['SIZE is not set']);
});

test('a default whose value nobody keeps is not reported', () => {
  const text = 'if [ -f /data/x ]; then mkdir ${LOGS:-/logs}; fi\npython t.py 8';
  expect(assumed(text, 'python t.py 8')).toEqual([]);
});

test('guards of two branches with the same test and different answers are not assumed together', () => {
  const text = 'if mycheck; then [ -f /data/a ] || exit 1; else [ -f /data/a ] && exit 1; fi\npython t.py x';
  expect(assumed(text, 'python t.py x')).toEqual(['“mycheck” succeeds', '/data/a is a file']);
});

test('what a loop starts is reported with the condition for its iterations', () => {
  const text = (head: string) => `${head}; do python t.py in; break; done; python t.py end`;
  expect(assumed(text('while [ -f /data/a ]'), 'python t.py in')).toEqual(['/data/a is a file']);
  expect(assumed(text('while ! mycheck'), 'python t.py in')).toEqual(['“mycheck” fails']);
  expect(assumed(text('N=$(nodes); for ((i=0;i<N;i++))'), 'python t.py in')).toEqual(['(( i<N )) holds']);
  expect(assumed(text('while [ -f /data/a ]'), 'python t.py end')).toEqual([]);
});

test('what follows a loop that is skipped as a variable is unset depends on that, but not on arguments', () => {
  const text = (head: string) => `A=a; ${head}; do A=b; break; done; python t.py end`;
  expect(assumed(`${text('while [ "$V" = v1 ]')} "$A"`, 'python t.py end a')).toEqual(['V is not set']);
  expect(assumed(`${text('while [ "$1" = v1 ]')} "$A"`, 'python t.py end a')).toEqual([]);
});

test('a launch keeps what it depends on, even in a script that gives up in the end', () => {
  const text = (end: string): string =>
    `set -e\nf() { python t.py; }\nX=$([ -f /data/a ] && f; [ -f /data/b ] && f; exit ${end})`;
  for (const end of ['3', '0']) expect(assumed(text(end), 'python t.py')).toEqual(['/data/a is a file']);
});
