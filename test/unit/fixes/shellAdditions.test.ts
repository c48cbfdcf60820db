import { describe } from 'vitest';
import { type Case, holdFor } from './shellCases.ts';

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
    'before the end of a line from Windows',
    'python train.py --bf16 --recompute-method block\r\necho\r\n',
    { set: { recompute_num_layers: 1 } },
    'python train.py --bf16 --recompute-method block --recompute-num-layers 1\r\necho\r\n',
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
    'together, in the command, where they are like nothing that is written',
    'A=(\n  --num-rollout 2\n)\nB=(\n  --batch-size 2\n)\npython train.py \\\n  --bf16 \\\n  ${A[@]} \\\n  ${B[@]}\n',
    { set: { num_layers: 1, hidden_size: 2 } },
    'A=(\n  --num-rollout 2\n)\nB=(\n  --batch-size 2\n)\npython train.py \\\n  --bf16 \\\n  --num-layers 1 \\\n  --hidden-size 2 \\\n  ${A[@]} \\\n  ${B[@]}\n',
  ],
  [
    'into a text',
    'A="--recompute-method block \\\n   --tp 2"\npython train.py $A\n',
    { set: { recompute_num_layers: 1, pp: 2 } },
    'A="--recompute-method block --recompute-num-layers 1 --pp 2 \\\n   --tp 2"\npython train.py $A\n',
  ],
  [
    'together, though one of them is like something that is written elsewhere',
    'A=(\n  --hidden-dropout 0.1\n  --lr 1\n)\nB="--num-rollout 2"\npython train.py --tp 2 ${A[@]} $B\n',
    { set: { num_layers: 1, hidden_size: 2, batch_size: 8 } },
    'A=(\n  --hidden-dropout 0.1\n  --lr 1\n)\nB="--num-rollout 2"\npython train.py --tp 2 --num-layers 1 --hidden-size 2 --batch-size 8 ${A[@]} $B\n',
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
    'a line behind the last export of the script',
    'export A=1 # why\nexport B="2"\nN=1\nif true; then\n  export C=3\n  python train.py --tp 1\nfi\nexport D=4\n',
    { env: { X: '1' } },
    'export A=1 # why\nexport B="2"\nexport X=1\nN=1\nif true; then\n  export C=3\n  python train.py --tp 1\nfi\nexport D=4\n',
  ],
  [
    'a line behind an export of several lines',
    'export A="first\nsecond" # why\nN=1\npython train.py --tp 1\n',
    { env: { X: '1' } },
    'export A="first\nsecond" # why\nexport X=1\nN=1\npython train.py --tp 1\n',
  ],
  [
    'a line behind an export that goes on behind a backslash',
    'export A=first\\\nsecond\nN=1\npython train.py --tp 1\n',
    { env: { X: '1' } },
    'export A=first\\\nsecond\nexport X=1\nN=1\npython train.py --tp 1\n',
  ],
  [
    'a line before the launch where exports share theirs with something else',
    'export A=1 && cd /work\nexport B=1 C=2\nD=3\nexport D\npython train.py --tp 1\n',
    { env: { X: '1' } },
    'export A=1 && cd /work\nexport B=1 C=2\nD=3\nexport D\nexport X=1\npython train.py --tp 1\n',
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
  ...[{ X: '2' }, { X: null }, { Z: '3' }].map(
    (env): Case => [
      `nothing in what is no JSON: ${JSON.stringify(env)}`,
      'ray job submit --runtime-env-json=\'{"env_vars": {"X": "0", "Y": "1",}}\' -- python train.py\n',
      { env },
      undefined,
    ],
  ),
  [
    'nothing where a cluster would not see it',
    'ray job submit -- python train.py --tp 1\n',
    { env: { X: '1' } },
    undefined,
  ],
  ...['docker run img', 'singularity exec img', 'kubectl exec pod --', 'ssh host', 'sudo'].map(
    (wrapper): Case => [
      `nothing where what is behind ${wrapper.split(' ', 1)} would not see it`,
      `${wrapper} python train.py --tp 1\n`,
      { env: { X: '1' } },
      undefined,
    ],
  ),
  [
    'a line before a wrapper that hands it on',
    'nohup srun python train.py --tp 1\n',
    { env: { X: '1' } },
    'export X=1\nnohup srun python train.py --tp 1\n',
  ],
];

describe('an insertion', () => holdFor(insertions));
describe('an environment variable', () => holdFor(environments));
