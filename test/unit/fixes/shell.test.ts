import { describe, expect, test } from 'vitest';
import { applied, bashReads, fixedScript, outcome, planShell } from './shell-run.ts';
import type { Proposed } from './yaml-run.ts';

type Case = readonly [name: string, before: string, change: Proposed, after: string | undefined];

const values: readonly Case[] = [
  [
    'in the command',
    'python train.py --tp 4 --pp 2\n',
    { set: { tp: 2 } },
    'python train.py --tp 2 --pp 2\n',
  ],
  [
    'joined with =',
    'python train.py --tp=4 \\\n  --pp 2\n',
    { set: { tp: 2 } },
    'python train.py --tp=2 \\\n  --pp 2\n',
  ],
  [
    'in quotes',
    'python train.py --name "a b" --tp \'4\'\n',
    { set: { tp: 2, name: 'c "d" $e' } },
    'python train.py --name "c \\"d\\" \\$e" --tp \'2\'\n',
  ],
  [
    'in an array',
    'ARGS=(\n  --tp 4 # ranks\n  --pp 2\n)\npython train.py "${ARGS[@]}"\n',
    { set: { tp: 2 } },
    'ARGS=(\n  --tp 2 # ranks\n  --pp 2\n)\npython train.py "${ARGS[@]}"\n',
  ],
  [
    'in a text of arguments',
    'ARGS="--tp 4 \\\n  --pp 2"\npython train.py $ARGS\n',
    { set: { pp: 1 } },
    'ARGS="--tp 4 \\\n  --pp 1"\npython train.py $ARGS\n',
  ],
  [
    'of a variable',
    'TP=4\npython train.py --tp $TP\n',
    { set: { tp: 2 } },
    'TP=2\npython train.py --tp $TP\n',
  ],
  [
    'of a variable with a default',
    'TP=${TP:-4}\npython train.py --tp ${TP}\n',
    { set: { tp: 2 } },
    'TP=${TP:-2}\npython train.py --tp ${TP}\n',
  ],
  [
    'of a variable that feeds another setting too',
    'N=4\nARGS=(--tp "$N" --pp $N)\npython train.py ${ARGS[@]}\n',
    { set: { tp: 2 } },
    'N=4\nARGS=(--tp 2 --pp $N)\npython train.py ${ARGS[@]}\n',
  ],
  [
    'of a variable that names the run too',
    'TP=4\npython train.py --tp $TP --name run_tp${TP}\n',
    { set: { tp: 2 } },
    'TP=2\npython train.py --tp $TP --name run_tp${TP}\n',
  ],
  [
    'of a variable that feeds two settings that change alike',
    'N=4\npython train.py --tp $N --pp $N\n',
    { set: { tp: 2, pp: 2 } },
    'N=2\npython train.py --tp $N --pp $N\n',
  ],
  [
    'that is computed',
    'A=2\npython train.py --tp $((A * 2)) --pp 1\n',
    { set: { tp: 2 } },
    'A=2\npython train.py --tp 2 --pp 1\n',
  ],
  [
    'in pieces',
    'A=x\npython train.py --name ${A}-y --pp 1\n',
    { set: { name: 'z' } },
    'A=x\npython train.py --name z --pp 1\n',
  ],
  [
    'of many words',
    'python train.py --modules a b --pp 1\n',
    { set: { modules: ['c'] } },
    'python train.py --modules c --pp 1\n',
  ],
  [
    'within bash -c',
    'srun bash -c "python train.py --tp 4 --pp 2"\n',
    { set: { tp: 2 } },
    'srun bash -c "python train.py --tp 2 --pp 2"\n',
  ],
  [
    'within a here-document',
    'sbatch <<EOF\n#!/bin/bash\npython train.py --tp 4 \\\n  --pp 2\nEOF\n',
    { set: { pp: 1 } },
    'sbatch <<EOF\n#!/bin/bash\npython train.py --tp 4 \\\n  --pp 1\nEOF\n',
  ],
  [
    'of an override',
    'python train.py a.b=1 c="$HOME/x" \'d.e=[1,2]\'\n',
    { set: { 'a.b': true, 'd.e': [3, 4] } },
    'python train.py a.b=true c="$HOME/x" \'d.e=[3,4]\'\n',
  ],
  [
    'of an override from a variable',
    'B=1\npython train.py a.b=$B \\\n  a.c=2\n',
    { set: { 'a.b': 5 } },
    'B=5\npython train.py a.b=$B \\\n  a.c=2\n',
  ],
  [
    'of an override in an array',
    'O=(\n  a.b="x"\n)\npython train.py "${O[@]}"\n',
    { set: { 'a.b': 'y z' } },
    'O=(\n  a.b="\\"y z\\""\n)\npython train.py "${O[@]}"\n',
  ],
  ['that stands so already', 'python train.py --tp 4\n', { set: { tp: 4 } }, undefined],
];

const removals: readonly Case[] = [
  [
    'on its own line',
    'python train.py \\\n  --tp 4 \\\n  --bf16 \\\n  --pp 2\n',
    { unset: ['bf16'] },
    'python train.py \\\n  --tp 4 \\\n  --pp 2\n',
  ],
  [
    'at the end',
    'python train.py \\\n  --tp 4 \\\n  --bf16\necho done\n',
    { unset: ['bf16'] },
    'python train.py \\\n  --tp 4\necho done\n',
  ],
  [
    'at the end, the two last ones',
    'python train.py \\\n  --tp 4 \\\n  --bf16 \\\n  --pp 1\necho\n',
    { unset: ['bf16', 'pp'] },
    'python train.py \\\n  --tp 4\necho\n',
  ],
  [
    'before a pipe',
    'python train.py \\\n  --tp 4 \\\n  --bf16 2>&1 | tee log\n',
    { unset: ['bf16'] },
    'python train.py \\\n  --tp 4 \\\n  2>&1 | tee log\n',
  ],
  [
    'on the same line',
    'python train.py --tp 4 --bf16 --pp 2\n',
    { unset: ['bf16', 'tp'] },
    'python train.py --pp 2\n',
  ],
  [
    'with several words',
    'python train.py --modules a b \\\n  --pp 2\n',
    { unset: ['modules'] },
    'python train.py \\\n  --pp 2\n',
  ],
  [
    'with its value on the next line',
    'python train.py \\\n  --tp \\\n  4 \\\n  --pp 2\n',
    { unset: ['tp'] },
    'python train.py \\\n  --pp 2\n',
  ],
  [
    'of a switch, with the word behind it that it does not take',
    'python train.py --tp 4 --bf16 True --recompute false \\\n  --pp 2\n',
    { unset: ['bf16', 'recompute'] },
    'python train.py --tp 4 \\\n  --pp 2\n',
  ],
  [
    'of a switch in an array, with the word behind it',
    'A=(\n  --tp 4\n  --bf16 1 # on\n  --pp 2\n)\npython train.py "${A[@]}"\n',
    { unset: ['bf16'] },
    'A=(\n  --tp 4\n  # on\n  --pp 2\n)\npython train.py "${A[@]}"\n',
  ],
  [
    'of a switch, with a word from a variable behind it',
    'ON=True\npython train.py --tp 4 --bf16 $ON --pp 2\n',
    { unset: ['bf16'] },
    'ON=True\npython train.py --tp 4 --pp 2\n',
  ],
  [
    'not of a switch whose word stands elsewhere',
    'A="--tp 4 --bf16"\npython train.py $A True --pp 2\n',
    { unset: ['bf16'] },
    undefined,
  ],
  [
    'of a switch without a word that is no switch position',
    'python train.py --tp 4 --bf16 data --pp 2\n',
    { unset: ['bf16'] },
    'python train.py --tp 4 data --pp 2\n',
  ],
  [
    'of an array, comments stay',
    'A=(\n  # one\n  --tp 4 # two\n  --bf16\n  --pp 2 # three\n)\npython train.py ${A[@]}\n',
    { unset: ['bf16', 'pp'] },
    'A=(\n  # one\n  --tp 4 # two\n  # three\n)\npython train.py ${A[@]}\n',
  ],
  [
    'of an array on one line',
    'A=(--tp 4 --bf16)\npython train.py ${A[@]}\n',
    { unset: ['bf16'] },
    'A=(--tp 4)\npython train.py ${A[@]}\n',
  ],
  [
    'of a text',
    'A="--tp 4 \\\n   --bf16 \\\n   --pp 2"\npython train.py $A\n',
    { unset: ['bf16'] },
    'A="--tp 4 \\\n   --pp 2"\npython train.py $A\n',
  ],
  [
    'of a text over several lines',
    'A="\n  --tp 4\n  --bf16\n"\npython train.py $A\n',
    { unset: ['bf16'] },
    'A="\n  --tp 4\n"\npython train.py $A\n',
  ],
  [
    'that is all of a text',
    'E="--bf16"\npython train.py --tp 4 $E\n',
    { unset: ['bf16'] },
    'E=""\npython train.py --tp 4 $E\n',
  ],
  [
    'not when an empty argument would be left',
    'E="--bf16"\npython train.py --tp 4 "$E"\n',
    { unset: ['bf16'] },
    undefined,
  ],
  ['not within ${X:+…}', 'X=1\npython train.py --tp 4 ${X:+--bf16}\n', { unset: ['bf16'] }, undefined],
  [
    'not when its value brings more words',
    'V="4 --pp 2"\npython train.py --tp $V\n',
    { unset: ['tp'] },
    undefined,
  ],
  [
    'with CRLF in an array',
    'A=(\r\n  --tp 4\r\n  --bf16\r\n)\r\npython train.py ${A[@]}\r\n',
    { unset: ['bf16'] },
    undefined,
  ],
  ['given twice', 'python train.py --tp 4 --pp 1 --tp 2\n', { unset: ['tp'] }, 'python train.py --pp 1\n'],
  [
    'of an override',
    'python train.py \\\n  a.b=1 \\\n  a.c=2 \\\n  $@\n',
    { unset: ['a.c'] },
    'python train.py \\\n  a.b=1 \\\n  $@\n',
  ],
  [
    'in a here-document, the last one',
    'sbatch <<EOF\n#!/bin/bash\npython train.py --tp 4 \\\n  --bf16\nEOF\n',
    { unset: ['bf16'] },
    'sbatch <<EOF\n#!/bin/bash\npython train.py --tp 4\nEOF\n',
  ],
  [
    'by setting a bare flag to what its absence means',
    'python train.py --bf16 --no-fusion --tp 1\n',
    { set: { bf16: false, fusion: true } },
    'python train.py --tp 1\n',
  ],
];

const insertions: readonly Case[] = [
  [
    'beside what the finding rests on',
    'A=(\n  --tp 2\n)\nB=(\n  --recompute-method block\n)\npython train.py ${A[@]} ${B[@]}\n',
    { set: { recompute: true }, near: ['tp'] },
    'A=(\n  --tp 2\n  --recompute\n)\nB=(\n  --recompute-method block\n)\npython train.py ${A[@]} ${B[@]}\n',
  ],
  [
    'beside its like, on a line of its own',
    'python train.py \\\n    --recompute-method block \\\n    --tp 2\n',
    { set: { recompute_num_layers: 1 } },
    'python train.py \\\n    --recompute-method block \\\n    --recompute-num-layers 1 \\\n    --tp 2\n',
  ],
  [
    'behind the last line',
    'python train.py \\\n  --tp 2 \\\n  --recompute-method block\necho\n',
    { set: { recompute_num_layers: 1 } },
    'python train.py \\\n  --tp 2 \\\n  --recompute-method block \\\n  --recompute-num-layers 1\necho\n',
  ],
  [
    'on the same line',
    'python train.py --recompute-method block --tp 2\n',
    { set: { recompute: true } },
    'python train.py --recompute-method block --recompute --tp 2\n',
  ],
  [
    'joined where its neighbour is',
    'python train.py --recompute-method=block --tp=2\n',
    { set: { recompute_num_layers: 1 } },
    'python train.py --recompute-method=block --recompute-num-layers=1 --tp=2\n',
  ],
  [
    'into an array behind a comment',
    'A=(\n  --recompute-method block # how\n  --tp 2\n)\npython train.py ${A[@]}\n',
    { set: { recompute_num_layers: 1 } },
    'A=(\n  --recompute-method block # how\n  --recompute-num-layers 1\n  --tp 2\n)\npython train.py ${A[@]}\n',
  ],
  [
    'into a text',
    'A="--recompute-method block \\\n   --tp 2"\npython train.py $A\n',
    { set: { recompute_num_layers: 1, pp: 2 } },
    'A="--recompute-method block --recompute-num-layers 1 \\\n   --tp 2 --pp 2"\npython train.py $A\n',
  ],
  [
    'into a text with lines of their own',
    'A="\n  --recompute-method block\n  --tp 2\n"\npython train.py $A\n',
    { set: { recompute_num_layers: 1 } },
    'A="\n  --recompute-method block\n  --recompute-num-layers 1\n  --tp 2\n"\npython train.py $A\n',
  ],
  [
    'in place of another',
    'python train.py \\\n  --recompute-method block \\\n  --tp 2\n',
    { set: { recompute: true }, unset: ['recompute_method'] },
    'python train.py \\\n  --recompute \\\n  --tp 2\n',
  ],
  [
    'with the values quoted',
    'python train.py --tp 1\n',
    { set: { name: 'a b' } },
    "python train.py --tp 1 --name 'a b'\n",
  ],
  ['where there is no flag yet', 'python train.py\n', { set: { tp: 2 } }, 'python train.py --tp 2\n'],
  [
    'of overrides',
    'python train.py \\\n  a.b.c=1 \\\n  d.e=2\n',
    { set: { 'a.b.d': [1, 2] } },
    "python train.py \\\n  a.b.c=1 \\\n  'a.b.d=[1,2]' \\\n  d.e=2\n",
  ],
  [
    'nothing for a flag whose absence says it',
    'python train.py --tp 1\n',
    { set: { bf16: false } },
    undefined,
  ],
];

const environments: readonly Case[] = [
  [
    'a line before the launch',
    'if true; then\n  python train.py --tp 1 | tee log\nfi\n',
    { env: { X: '1' } },
    'if true; then\n  export X=1\n  python train.py --tp 1 | tee log\nfi\n',
  ],
  [
    'an exported value',
    'export X=0 Y="a b"\npython train.py\n',
    { env: { X: '1', Y: 'c d' } },
    'export X=1 Y="c d"\npython train.py\n',
  ],
  ['a value before the command', 'X=0 python train.py\n', { env: { X: '1' } }, 'X=1 python train.py\n'],
  [
    'removed with its line',
    'set -e\nexport X=0\npython train.py\n',
    { env: { X: null } },
    'set -e\npython train.py\n',
  ],
  [
    'removed, its comment stays',
    'export X=0 # why\npython train.py\n',
    { env: { X: null } },
    '# why\npython train.py\n',
  ],
  [
    'removed before the command',
    'X=0 Y=1 \\\n  python train.py\n',
    { env: { X: null } },
    'Y=1 \\\n  python train.py\n',
  ],
  [
    'removed from several',
    'export X=0 Y=1\npython train.py\n',
    { env: { X: null } },
    'export Y=1\npython train.py\n',
  ],
  [
    'an allocator setting changed',
    'export PYTORCH_CUDA_ALLOC_CONF="expandable_segments:True,max_split_size_mb:128"\npython train.py\n',
    { env: { 'PYTORCH_ALLOC_CONF.expandable_segments': 'False' } },
    'export PYTORCH_CUDA_ALLOC_CONF="expandable_segments:False,max_split_size_mb:128"\npython train.py\n',
  ],
  [
    'an allocator setting removed',
    'export PYTORCH_ALLOC_CONF=expandable_segments:True,max_split_size_mb:128\npython train.py\n',
    { env: { 'PYTORCH_ALLOC_CONF.expandable_segments': null } },
    'export PYTORCH_ALLOC_CONF=max_split_size_mb:128\npython train.py\n',
  ],
  [
    'the last allocator setting removed',
    'export PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True\npython train.py\n',
    { env: { 'PYTORCH_ALLOC_CONF.expandable_segments': null } },
    'python train.py\n',
  ],
  [
    'a new allocator setting',
    'python train.py\n',
    { env: { 'PYTORCH_ALLOC_CONF.expandable_segments': 'True' } },
    'export PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True\npython train.py\n',
  ],
  [
    'in a runtime environment',
    'ray job submit --runtime-env-json=\'{"env_vars": {"X": "0", "Y": "1"}}\' -- python train.py\n',
    { env: { X: '2', Z: '3' } },
    'ray job submit --runtime-env-json=\'{"env_vars": {"X": "2", "Y": "1", "Z": "3"}}\' -- python train.py\n',
  ],
  [
    'in a runtime environment of a variable',
    'J="{\n  \\"env_vars\\": {\n    \\"X\\": \\"0\\",\n    \\"Y\\": \\"1\\"\n  }\n}"\nray job submit --runtime-env-json="${J}" -- python train.py\n',
    { env: { X: null, Z: '3' } },
    'J="{\n  \\"env_vars\\": {\n    \\"Y\\": \\"1\\",\n    \\"Z\\": \\"3\\"\n  }\n}"\nray job submit --runtime-env-json="${J}" -- python train.py\n',
  ],
  [
    'nothing where a cluster would not see it',
    'ray job submit -- python train.py --tp 1\n',
    { env: { X: '1' } },
    undefined,
  ],
];

describe.each([
  ['a value', values],
  ['a removal', removals],
  ['an insertion', insertions],
  ['a variable of the environment', environments],
])('%s', (_, cases) => {
  test.each(cases)('%s', (_name, before, change, after) => {
    expect(fixedScript(before, change)).toBe(after);
    if (after === undefined) return;
    expect(bashReads(after)).toBe(bashReads(before));
    const { settings, env } = outcome({ '/w/run.sh': after }, '/w/run.sh');
    for (const [name, value] of Object.entries(change.set ?? {}))
      if (name in settings) expect(settings[name]).toEqual(value);
    for (const name of change.unset ?? []) expect(settings).not.toHaveProperty([name]);
    for (const [name, value] of Object.entries(change.env ?? {}))
      if (!name.includes('.')) expect(env[name]).toBe(value ?? undefined);
  });
});

test('a variable in a sourced file is changed there, and the title says so', () => {
  const files = {
    '/w/run.sh': 'source /w/common.sh\npython train.py --tp $TP "${MODEL[@]}"\n',
    '/w/common.sh': '# sizes\nTP=4\nMODEL=(\n  --lr 1e-4\n  --bf16\n)\n',
  };
  const fix = planShell(files, '/w/run.sh', { set: { tp: 2 }, unset: ['bf16'] });
  expect(fix?.title).toBe('Fix it (through TP on line 2 of common.sh)');
  if (fix === undefined) return;
  expect(applied(files, fix)).toEqual({
    '/w/run.sh': files['/w/run.sh'],
    '/w/common.sh': '# sizes\nTP=2\nMODEL=(\n  --lr 1e-4\n)\n',
  });
});

describe('scripts within YAML', () => {
  const path = '/w/job.yaml';
  const fixed = (text: string, change: Proposed): string | undefined => {
    const fix = planShell({ [path]: text }, path, change);
    return fix === undefined ? undefined : applied({ [path]: text }, fix)[path];
  };
  const block =
    'num_nodes: 1\nenvs:\n  TP: 4 # ranks\nrun: |\n  python train.py \\\n    --tp $TP \\\n    --bf16 \\\n    --pp 2\n';

  test('keep the indentation of the block', () => {
    expect(fixed(block, { set: { pp: 4, recompute: true }, unset: ['bf16'], env: { X: '1' } })).toBe(
      'num_nodes: 1\nenvs:\n  TP: 4 # ranks\nrun: |\n  export X=1\n  python train.py \\\n    --tp $TP \\\n    --pp 4 \\\n    --recompute\n',
    );
  });

  test('lose their last line whole', () => {
    expect(fixed(block, { unset: ['pp'] })).toBe(
      'num_nodes: 1\nenvs:\n  TP: 4 # ranks\nrun: |\n  python train.py \\\n    --tp $TP \\\n    --bf16\n',
    );
  });

  test('take values from the YAML around them', () => {
    expect(fixed(block, { set: { tp: 2 } })).toBe(block.replace('TP: 4', 'TP: 2'));
    expect(fixed(block, { env: { TP: '8' } })).toBeUndefined();
    const other = block.replace('TP: 4', 'TP: 4\n  X: a');
    expect(fixed(other, { env: { X: 'b' } })).toBe(other.replace('X: a', 'X: b'));
    expect(fixed(other, { env: { X: null } })).toBe(block.replace('TP: 4 # ranks', 'TP: 4'));
  });

  test('and commands of containers change item by item', () => {
    const head = 'spec:\n  image: i\n  env: [{name: TP, value: "4"}]\n  command: [python, train.py]\n';
    const block = `${head}  args:\n    - "--tp"\n    - "$(TP)"\n    - "--bf16"\n    - "--pp"\n    - "2"\n`;
    expect(fixed(block, { set: { tp: 2, pp: 1, recompute: true }, unset: ['bf16'] })).toBe(
      `${head.replace('"4"', '"2"')}  args:\n    - "--tp"\n    - "$(TP)"\n    - "--pp"\n    - "1"\n    - "--recompute"\n`,
    );
    const flow = `${head}  args: ["--tp", "4", "--bf16", "--pp", "2"]\n`;
    expect(fixed(flow, { set: { cp: 2 }, unset: ['tp', 'pp'], near: ['bf16'] })).toBe(
      `${head}  args: ["--bf16", "--cp", "2"]\n`,
    );
  });

  test('on one line change by plain words only', () => {
    const text = 'resources: {}\nrun: python train.py --tp 4 --pp 2 # c\n';
    expect(fixed(text, { set: { tp: 2 }, unset: ['pp'] })).toBe(
      'resources: {}\nrun: python train.py --tp 2 # c\n',
    );
    expect(fixed(text, { set: { name: 'a b' } })).toBeUndefined();
  });
});
