import { describe } from 'vitest';
import { type Case, holdFor } from './shellCases.ts';

const beside: readonly Case[] = [
  [
    'a redirection between a flag and its value, which would go with them',
    'python train.py --tp > log 4 --bf16\n',
    { unset: ['tp'] },
    undefined,
  ],
  [
    'a redirection between the values of one flag',
    'python train.py --modules a > log b --bf16\n',
    { set: { modules: ['c', 'd'] } },
    undefined,
  ],
  [
    'the command before one that exports a variable',
    'cd /work && export A=1\npython train.py --pp 2\n',
    { env: { A: null } },
    undefined,
  ],
  [
    'the command on the line before one that exports a variable',
    'true && \\\nexport A=1\npython train.py --pp 2\n',
    { env: { A: null } },
    undefined,
  ],
  [
    'nothing when the variable stands alone',
    'export A=1;\npython train.py --pp 2\n',
    { env: { A: null } },
    'python train.py --pp 2\n',
  ],
];

describe('what a fix must leave alone', () => holdFor(beside));

const adding: readonly Case[] = [
  [
    'a text',
    'CMD="python train.py"\nCMD="${CMD} --bf16"\n$CMD\n',
    { unset: ['bf16'] },
    'CMD="python train.py"\n$CMD\n',
  ],
  [
    'a flag and its value',
    'A="--bf16"\n  A="$A --tp 4"  # four\npython train.py $A\n',
    { unset: ['tp'] },
    'A="--bf16"\n  # four\npython train.py $A\n',
  ],
  [
    'a text in lines',
    'A="--bf16"\nA="$A \\\n  --tp 4"\npython train.py $A\n',
    { unset: ['tp'] },
    'A="--bf16"\npython train.py $A\n',
  ],
  [
    'to a text',
    'A="--bf16"\nA+=" --tp 4"\npython train.py $A\n',
    { unset: ['tp'] },
    'A="--bf16"\npython train.py $A\n',
  ],
  [
    'to an array',
    'A=(--bf16)\nA+=(--tp 4)\npython train.py "${A[@]}"\n',
    { unset: ['tp'] },
    'A=(--bf16)\npython train.py "${A[@]}"\n',
  ],
  [
    'an array',
    'A=(--bf16)\nA=("${A[@]}" --tp 4)\npython train.py "${A[@]}"\n',
    { unset: ['tp'] },
    'A=(--bf16)\npython train.py "${A[@]}"\n',
  ],
  [
    'one of a block',
    'A="--bf16"\nif [ -d / ]; then\n  B=1\n  A="$A --tp 4"\nfi\npython train.py $A\n',
    { unset: ['tp'] },
    'A="--bf16"\nif [ -d / ]; then\n  B=1\nfi\npython train.py $A\n',
  ],
  [
    'both of a fix',
    'A="--lr 1"\nA="$A --bf16"\nA="$A --tp 4"\npython train.py $A\n',
    { unset: ['tp', 'bf16'] },
    'A="--lr 1"\npython train.py $A\n',
  ],
];

describe('a statement that adds nothing else is removed with it', () => holdFor(adding));

const kept: readonly Case[] = [
  [
    'that adds more',
    'A="--bf16"\nA="$A --tp 4 --pp 2"\npython train.py $A\n',
    { unset: ['tp'] },
    'A="--bf16"\nA="$A --pp 2"\npython train.py $A\n',
  ],
  [
    'that is the only one of its block',
    'A="--bf16"\nif [ -d / ]; then\n  A="$A --tp 4"\nfi\npython train.py $A\n',
    { unset: ['tp'] },
    'A="--bf16"\nif [ -d / ]; then\n  A="$A"\nfi\npython train.py $A\n',
  ],
  [
    'that may set the variable at all',
    'A+=" --tp 4"\npython train.py $A\n',
    { unset: ['tp'] },
    'A+=" "\npython train.py $A\n',
  ],
  [
    'that holds a comment',
    'A=(--bf16)\nA+=(--tp 4 # four\n)\npython train.py "${A[@]}"\n',
    { unset: ['tp'] },
    'A=(--bf16)\nA+=( # four\n)\npython train.py "${A[@]}"\n',
  ],
  [
    'beside others',
    'A="--bf16"; A="$A --tp 4"\npython train.py $A\n',
    { unset: ['tp'] },
    'A="--bf16"; A="$A"\npython train.py $A\n',
  ],
  [
    'of another variable',
    'B="--bf16"\nA=1\nA="$B --tp 4"\npython train.py $A\n',
    { unset: ['tp'] },
    'B="--bf16"\nA=1\nA="$B"\npython train.py $A\n',
  ],
];

describe('a statement stays', () => holdFor(kept));

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
  [
    'not of a variable that another value is reckoned with, on which the finding rests',
    'A=2\nB=$((A * 2))\npython train.py --tp $A --pp $B\n',
    { set: { tp: 1 }, near: ['tp', 'pp'] },
    'A=2\nB=$((A * 2))\npython train.py --tp 1 --pp $B\n',
  ],
  [
    'of a variable that a value is reckoned with on which the finding does not rest',
    'A=2\nB=$((A * 2))\npython train.py --tp $A --pp $B\n',
    { set: { tp: 1 }, near: ['tp'] },
    'A=1\nB=$((A * 2))\npython train.py --tp $A --pp $B\n',
  ],
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
    'in a here-document that is expanded, the last one',
    'bash <<EOF\npython train.py --tp 4 \\\\\n  --bf16\nEOF\n',
    { unset: ['bf16'] },
    'bash <<EOF\npython train.py --tp 4\nEOF\n',
  ],
  [
    'in a here-document that is expanded, with its line',
    'bash <<EOF\npython train.py \\\\\n  --bf16 \\\\\n  --tp 4\nEOF\n',
    { unset: ['bf16'] },
    'bash <<EOF\npython train.py \\\\\n  --tp 4\nEOF\n',
  ],
  [
    'by setting a bare flag to what its absence means',
    'python train.py --bf16 --no-fusion --tp 1\n',
    { set: { bf16: false, fusion: true } },
    'python train.py --tp 1\n',
  ],
];

describe('a value', () => holdFor(values));
describe('a removal', () => holdFor(removals));
