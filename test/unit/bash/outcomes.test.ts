import { describe, expect, test } from 'vitest';
import { evaluate, lines } from './support.ts';

/** The Python commands that a script starts. */
const started = (text: string): readonly string[] => lines(text).filter((line) => /^python t/.test(line));

describe('the status of a program that is not run', () => {
  test('is followed both ways in a pipe under pipefail, too', () => {
    const text = 'mycheck | cat && A=1 || A=2; python t.py $A';
    expect(started(text)).toEqual(['python t.py 1']);
    expect(started(`set -o pipefail; ${text}`)).toEqual(['python t.py 1', 'python t.py 2']);
    expect(started(`set -eo pipefail; mycheck | cat; python t.py`)).toEqual(['python t.py']);
  });

  test('is separate for each input', () => {
    const text = `has() { some_tool "$1" | grep -q ready; }
has a && A=1 || A=2
has b && B=1 || B=2
python t.py $A $B`;
    expect(started(text)).toEqual([
      'python t.py 2 2',
      'python t.py 1 2',
      'python t.py 2 1',
      'python t.py 1 1',
    ]);
  });

  test.each([
    'mycheck',
    './bin/has_nvlink.sh',
    'timeout 5 mycheck --fast',
    'sudo -n mycheck',
    'python -c "import torch; assert torch.cuda.device_count() > 7"',
    'python3 - <<< "raise SystemExit(1)"',
    'python3 tools/check_gpus.py',
    '$(which python3) -c "import torch"',
    'bash check.sh',
    'git diff --quiet',
    'docker image inspect train:1',
    'ray status',
    'curl -sf http://metadata/',
    'ssh $HOST test -d /data',
    '$READY',
    "awk '/X/{f++} END{exit !(f>=3)}' /data/results",
    'jq -e .ready /data/state.json',
    'sort -c /data/list',
  ])('is followed both ways for a check: %s', (program) => {
    expect(started(`if ${program}; then A=1; else A=2; fi; python t.py $A`)).toEqual([
      'python t.py 1',
      'python t.py 2',
    ]);
    expect(started(`${program} && A=1 || A=2; python t.py $A`)).toEqual(['python t.py 1', 'python t.py 2']);
  });

  test.each([
    'mkdir -p out',
    'cp /data/a b',
    'python setup.py build',
    'python -m pip install x',
    'torchrun pre.py',
    '$LAUNCHER pre.py',
    'my_launcher pre.py',
    'git clone https://x/y',
    'docker run train:1',
    'pip install x',
    'bash /data/prepare.sh',
    '/data/prepare.sh',
    'tar xf data.tar',
    'kill $PID',
  ])('is success for an action: %s', (program) => {
    expect(started(`if ${program}; then A=1; else A=2; fi; python t.py $A`)).toEqual(['python t.py 1']);
  });

  test('splits no path if it makes no difference, or if the script ends without it', () => {
    expect(started('mycheck || echo none; python t.py')).toEqual(['python t.py']);
    expect(started('mycheck || exit 1; python t.py')).toEqual(['python t.py']);
    expect(started('set -e; mycheck; if [ $? -eq 0 ]; then A=1; else A=2; fi; python t.py $A')).toEqual([
      'python t.py 1',
    ]);
    expect(started('until mycheck; do sleep 5; done; python t.py')).toEqual(['python t.py']);
    expect(started('for i in 1 2 3; do curl -s x && { U=1; break; }; done; python t.py $U')).toEqual([
      'python t.py 1',
    ]);
    const [{ assumptions } = { assumptions: [] }] = evaluate('mycheck || exit 1; python t.py').commands.slice(
      -1,
    );
    expect(assumptions.map(({ kind, text }) => `${kind}: ${text}`)).toEqual(['guard: “mycheck” succeeds']);
  });

  test.each([
    'mycheck; if [ $? -eq 0 ]; then A=1; else A=2; fi',
    'mycheck; if [[ $? -ne 0 ]]; then A=2; else A=1; fi',
    'mycheck; R=$?; if [ "$R" = 0 ]; then A=1; else A=2; fi',
    'mycheck; R=$?; if [[ 0 != $R ]]; then A=2; else A=1; fi',
    'mycheck; R=$?; [ $R -gt 0 ] && A=2 || A=1',
  ])('is followed both ways when it is read: %s', (text) => {
    const { commands } = evaluate(`${text}; python t.py $A`);
    const runs = commands.filter(({ words }) => words.length === 3);
    expect(runs.map(({ assumptions }) => assumptions.find(({ kind }) => kind === 'branch')?.text)).toEqual([
      '“mycheck” succeeds',
      '“mycheck” fails',
    ]);
    expect(started(`${text}; python t.py $A`)).toEqual(['python t.py 1', 'python t.py 2']);
  });

  test.each([
    ['set -e; printf -v X %.1f 1-x || python t.py 1; printf -v X %.1f 1-x; python t.py 2', ['python t.py 1']],
    ['set -e; printf -v X %.1f 12; python t.py $X', ['python t.py 12.0']],
    ['printf -v X %.1f $(mycheck); python t.py $?', ['python t.py <$?>']],
  ])('of printf is certain if its numbers are: %s', (text, expected) => {
    expect(started(text)).toEqual(expected);
  });

  test.each([
    ['run() { "$@"; }; run X=1; python t.py $?', 'python t.py 127'],
    ['trainer.epochs=1 trainer.nodes=2; python t.py $?', 'python t.py 127'],
    ['CMD="X=/bin/cat file"; $CMD; python t.py $?', 'python t.py 127'],
    ['set -e; run() { "$@"; }; run X=$(which cat) || python t.py; run X=1; python t.py no', 'python t.py'],
  ])('is certain if the name is an assignment or an override: %s', (text, expected) => {
    expect(started(text)).toEqual([expected]);
  });
});

test('mkdir -p makes the folders that a path leads through and out of again', () => {
  expect(lines('mkdir -p ./a/../b; cd ./a/../b && python "${PWD##*/}"')).toEqual(['python b']);
  expect(lines('mkdir a/../b; [ -d a ] && python a')).toEqual([]);
});

test.each([['V=$(cat gone.txt) && R=a || R=b'], ['if cp gone.txt here.txt; then R=a; else R=b; fi']])(
  'a file that a program may have made may be there or not: %s',
  (text) => {
    expect(started(`generate; ${text}; python t.py $R`)).toEqual(['python t.py a', 'python t.py b']);
  },
);

test('a file that the script made is there', () => {
  expect(
    started('generate; echo x > own.txt; if cat own.txt; then R=a; else R=b; fi; python t.py $R'),
  ).toEqual(['python t.py a']);
});

test('a script that a program may have made may be there or not', () => {
  const text = 'generate; bash gone.sh && R=a || R=b; python t.py $R';
  expect(started(text)).toEqual(['python t.py a', 'python t.py b']);
  expect(started('generate; bash gone.sh; python t.py $?')).toHaveLength(1);
});

test.each([
  'if [ -f gone.txt ]; then cat gone.txt || R=b; fi',
  '[ -s gone.sh ] || exit 1; bash gone.sh || R=b',
  'if cat gone.txt; then head -n 1 gone.txt || R=b; fi',
  'cp -r src new; cat new/list.txt || R=b',
  'mv src new; bash new/prepare.sh || R=b',
  'ln -s src new; bash new/prepare.sh || R=b',
])('what was found, or comes with a folder that the script copies, is there: %s', (text) => {
  const files = { '/repo/src/list.txt': 'x\n', '/repo/src/prepare.sh': 'true\n' };
  const commands = lines(`R=a; generate; ${text}; python t.py $R`, { files });
  expect(commands.filter((line) => line.startsWith('python'))).toEqual(['python t.py a']);
});
