import { expect, test } from 'vitest';
import { evaluate, shown } from './support.ts';

/** The Python commands that a script starts, with their assumptions: `WORDS [ASSUMPTIONS]`. */
function started(text: string): readonly string[] {
  return evaluate(text).commands.flatMap(({ words, assumptions }) => {
    const line = words.map(shown).join(' ');
    return line.startsWith('python') ? [`${line} [${assumptions.map((one) => one.text).join(', ')}]`] : [];
  });
}

const eight = '$(nvidia-smi -L | wc -l)';

test('a condition under which a loop or function is left early is reported only up to its end', () => {
  const loop = `for i in 1 2; do [ "${eight}" = 8 ] && continue; python a.py $i; done\npython b.py`;
  expect(started(loop)).toEqual([
    `python a.py 1 [${eight} is not 8]`,
    `python a.py 2 [${eight} is not 8]`,
    'python b.py []',
  ]);
  const called = `f() { for i in 1; do [ "${eight}" = 8 ] && return; done; python a.py; }\nf\npython b.py`;
  expect(started(called)).toEqual([`python a.py [${eight} is not 8]`, 'python b.py []']);
});

test('that a variable is unset is reported after a case without a pattern for the empty value', () => {
  expect(started('case "$M" in a) exit ;; esac\npython a.py')).toEqual(['python a.py [M is not set]']);
});

test('a trap set in only one branch is followed separately', () => {
  expect(started("if [ -f /data/x ]; then trap 'python t.py' EXIT; fi\npython b.py")).toEqual([
    'python b.py []',
    'python t.py [/data/x is a file]',
  ]);
});

test('what a script does without that many arguments is reported', () => {
  expect(started('shift 2 || python a.py\npython b.py')).toEqual([
    'python a.py [there is no other argument]',
    'python b.py []',
  ]);
  expect(started('if shift; then python a.py; else python b.py; fi')).toEqual([
    'python a.py [there is another argument]',
    'python b.py [there is no other argument]',
  ]);
  expect(started('M=$1; shift || true\npython a.py $M')).toEqual(['python a.py <$1> []']);
});

test('a loop that may run zero times ends like its last command or with success', () => {
  expect(started('while [ -f /data/x ]; do false; done; python a.py $?')).toEqual(['python a.py <$?> []']);
  expect(started('for f in $(list /data); do false; done; python a.py $?').at(-1)).toBe(
    'python a.py <$?> []',
  );
  expect(started('for f in a b; do false; done; python a.py $?')).toEqual(['python a.py 1 []']);
  expect(started('until [ -f /data/x ]; do true; done; python a.py $?')).toEqual(['python a.py 0 []']);
  expect(started('while read -r l; do [ "$l" = a ]; done <<< b; python a.py $?')).toEqual([
    'python a.py 1 []',
  ]);
});

test('xargs starts nothing for a line that defaults to blank', () => {
  const lines = (options: string): string => `printf '%s\\n' "\${M:-}" | xargs ${options} python a.py {}`;
  expect(started(`${lines('-I{}')}\npython b.py`)).toEqual(['python b.py [M is not set]']);
  expect(started(`M=$(probe)\n${lines('-I{}')}`)).toEqual(['python a.py <${M:-}*> []']);
});

test('a list whose last command fails in only one branch ends the script under set -e there', () => {
  expect(started('set -e\n[ -f /data/a ] && [ -f /data/b ]\npython x.py')).toEqual([
    'python x.py [/data/b is a file]',
  ]);
  expect(started('set -e\n[ -f /data/a ] && false\npython x.py')).toEqual([
    'python x.py [/data/a is not a file]',
  ]);
});
