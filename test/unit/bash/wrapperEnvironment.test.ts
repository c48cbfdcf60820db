import { describe, expect, test } from 'vitest';
import { textOf } from '../../../server/src/value/word.ts';
import { evaluate, lines } from './support.ts';

const files = { '/repo/scripts/child.sh': 'python t.py ${A:-none} ${B:-none}' };

describe('a shell after a wrapper sees the environment that the wrapper sets', () => {
  test.each([
    ['env A=1 bash scripts/child.sh', '1 outer'],
    ['env -u B A=1 bash scripts/child.sh', '1 none'],
    ['env -i A=1 bash scripts/child.sh', '1 none'],
    ["env -i bash -c 'python t.py ${GIVEN:-none}'", 'none'],
    ["env -u A bash -c 'python t.py ${GIVEN:-none}'", 'given'],
    ['f() { env "$@" bash scripts/child.sh; }; f A=2 B=3', '2 3'],
    ["B=3 env A=2 bash -c 'python t.py $A $B'", '2 3'],
    ["env A=1 bash -c 'bash scripts/child.sh'", '1 outer'],
    ["docker run -e A=1 image bash -c 'python t.py ${A:-none} ${B:-none}'", '1 none'],
    ["docker run -e B image bash -c 'python t.py ${A:-none} ${B:-none}'", 'none outer'],
    ["ssh host export A=1 '&&' python t.py '$A' '${B:-none}'", '1 none'],
    ["docker run --entrypoint bash image -c 'python t.py ${B:-none} $0' 1", 'none 1'],
    ['sbatch --export=ALL,A=1 scripts/child.sh', '1 outer'],
    ['sbatch --export=A=1 scripts/child.sh', '1 none'],
    ['qsub -v A=1 scripts/child.sh', '1 none'],
    ['qsub -V -v A=1 scripts/child.sh', '1 outer'],
    ['gcloud compute ssh vm --command="A=1 bash scripts/child.sh"', '1 none'],
    ['sky exec --env A=1 box "bash scripts/child.sh"', '1 none'],
    [
      `ray job submit --runtime-env-json='{"env_vars": {"A": "1"}}' -- bash -c 'python t.py $A $B'`,
      '1 outer',
    ],
    ['nohup bash scripts/child.sh', 'none outer'],
    ['IFS=, bash -c \'V="a b"; python t.py $V\'', 'a b'],
    ["export IFS=:; bash -c 'V=a:b; python t.py $V'", 'a:b'],
    ['exec -a trainer -l python t.py 1', '1'],
    ['exec -- python t.py 1', '1'],
    ['env -- A=1 bash scripts/child.sh', '1 outer'],
    ['bash -euo pipefail -s -- 7 8 <<\'EOF\'\npython t.py "$@"\nEOF', '7 8'],
    ['bash -euo pipefail -c \'python t.py "$@"\' zero 7 8', '7 8'],
  ])('%s', (text, expected) => {
    const found = lines(`export B=outer\ncd /repo\n${text}`, {
      files,
      machine: { variables: { GIVEN: 'given' } },
    });
    expect(found.filter((line) => line.startsWith('python'))).toEqual([`python t.py ${expected}`]);
  });
});

test('the words passed to ssh lose their quotes on the way', () => {
  expect(lines("ssh host bash -c 'python t.py'")).toContain('python');
  expect(lines(`ssh host bash -c "'python t.py'"`)).toContain('python t.py');
});

test.each([
  "ssh host 'bash -s' < scripts/child.sh",
  "ssh host 'bash -s -- 1' <<'EOF'\npython t.py none none\nEOF",
  "cat scripts/child.sh | docker exec -i box sh -c 'bash'",
])('what a command text starts reads the input of the command: %s', (text) => {
  expect(lines(`cd /repo; ${text}`, { files })).toContain('python t.py none none');
});

test.each([
  ['env -u NAME -u B', '[] []'],
  ['env -i', '[] []'],
  ['env -u B NAME=3', '[3] []'],
])('what a wrapper takes away has no value: %s', (wrapper, expected) => {
  const text = `NAME=1; export B=2; ${wrapper} bash -c 'python "[$NAME]" "[$B]"'`;
  expect(lines(text).at(-1)).toBe(`python ${expected}`);
});

describe('an exported function also exists in the shells that are started', () => {
  const train = 'train() { python t.py "$@"; }; ';

  test.each([
    ["export -f train; bash -c 'train 1'", 'python t.py 1'],
    ["export -f train; srun bash -c 'train 1'", 'python t.py 1'],
    ['declare -fx train; bash -c "bash -c \'train 1\'"', 'python t.py 1'],
    ["set -a; train() { python again.py $1; }; bash -c 'train 1'", 'python again.py 1'],
    ["export -f train; train() { python again.py $1; }; bash -c 'train 1'", 'python again.py 1'],
    ["bash -c 'train 1'", 'train 1'],
    ["export -f train; export -nf train; bash -c 'train 1'", 'train 1'],
    ["export -f train; env -i bash -c 'train 1'", 'train 1'],
  ])('%s', (text, expected) => {
    expect(lines(train + text).filter((line) => /^(?:python|train)/.test(line))).toEqual([expected]);
  });

  test('even if exported after another command', () => {
    const text =
      "other() { :; }\npython a.py\ntrain() { python t.py $1; }\nexport -f train\nbash -c 'train 1'";
    expect(lines(text)).toEqual(['python a.py', 'python t.py 1']);
  });

  test('its form in the environment is unknown', () => {
    const [command] = evaluate(`${train}export -f train; python x.py`).commands;
    expect(command?.env.get('BASH_FUNC_train%%')?.pieces).toMatchObject([{ kind: 'hole', label: 'train()' }]);
  });
});

describe('what a child requires', () => {
  test('says nothing about the environment after text that was not read', () => {
    const child = `set -u
if [ -z "\${SIZE:-}" ]; then text="$(python size.py)"; eval "$text"; fi
python train.py "$SIZE"`;
    const twice = 'cd /repo; bash scripts/child.sh; bash scripts/child.sh';
    const found = lines(twice, { files: { '/repo/scripts/child.sh': child } });
    expect(found.filter((line) => line.endsWith('size.py'))).toHaveLength(2);
  });

  test('is set for all other shells', () => {
    const files = { '/repo/scripts/child.sh': 'set -u; python train.py "$SIZE"' };
    expect(lines('cd /repo; bash scripts/child.sh; echo "${SIZE:-none}"', { files })).toContain(
      'python train.py <$SIZE>',
    );
    expect(lines('cd /repo; bash scripts/child.sh; python x.py "${SIZE:-none}"', { files })).toContain(
      'python x.py <$SIZE>',
    );
  });
});

describe('a variable from the caller stays exported with a new value', () => {
  test.each([
    ['given by the machine', 'A=$A/x', '/a/x none'],
    ['that a guard demands', ': "${B:?}"; A= B=x', ' x'],
    ['but not one that nobody sets', 'B=x', '/a none'],
    ['but not one that is set before it is demanded', 'B=x; : "${B:?}"', '/a none'],
  ])('%s', (_, text, expected) => {
    const found = lines(`${text}\nbash -c 'python t.py "\${A-none}" "\${B-none}"'`, {
      machine: { variables: { A: '/a' } },
    });
    expect(found).toEqual([`python t.py ${expected}`]);
  });
});

test('programs get an exported IFS, but a shell among them starts with its own', () => {
  const { commands } = evaluate("export IFS=:\npython a.py\nbash -c 'python b.py'\n");
  const given = commands.map(({ words: [, name], env }) =>
    [name, env.get('IFS')].map((word) => word && textOf(word)),
  );
  expect(given).toEqual([
    ['a.py', ':'],
    ['b.py', ' \t\n'],
  ]);
});

test.each([
  ["readonly R=1; export R; bash -c 'R=2; python $R'", '2'],
  ["declare -xu U=abc; bash -c 'U=def; python $U'", 'def'],
  ["declare -xi N=3; N+=4; bash -c 'N+=1; python $N'", '71'],
  ["declare -xr R=1; bash -c 'readonly R; R=2; python $R'; python $R", '1'],
])('a child shell gets the text of a variable without its attributes: %s', (text, expected) => {
  expect(lines(text).filter((line) => line.startsWith('python'))).toContain(`python ${expected}`);
});
