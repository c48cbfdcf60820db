import { describe, expect, it } from 'vitest';
import { applyEdits } from '../../../server/src/text/edit.ts';
import { lintFile } from '../../support/lintFile.ts';

const path = '/repository/run.sh';

function lint(text: string, more: { readonly [path: string]: string } = {}) {
  return lintFile(path, text, more).findings.filter(
    ({ rule }) => rule === 'unassigned-variable' || rule === 'variable-as-command',
  );
}

const launch = (words: string): string => `torchrun pretrain_gpt.py --num-layers 4 ${words}\n`;

describe('unassigned-variable', () => {
  it('is reported for a misspelt name wherever the launch has it', () => {
    const text = `GPUS_PER_NODE=8\nARGS=(--seed \${GPU_PER_NODE})\n${launch('--rank $GPU_PER_NODE "${ARGS[@]}"')}`;
    const [finding, ...more] = lint(text);
    expect(more).toEqual([]);
    expect(finding).toMatchObject({
      severity: 'warning',
      message: 'Nothing here assigns GPU_PER_NODE. Did you mean GPUS_PER_NODE?',
    });
    const fixed = applyEdits(text, finding?.fixes[0]?.edits ?? []);
    expect(fixed).toBe(text.replaceAll('GPU_PER_NODE', 'GPUS_PER_NODE').replace('GPUSS', 'GPUS'));
    expect(lint(fixed ?? '')).toEqual([]);
  });

  it.each([
    ['a letter too few', 'LOGGER=x', '$LOGER', 'LOGGER'],
    ['two letters the wrong way round', 'SAVE_DIR=x', '"$SVAE_DIR"', 'SAVE_DIR'],
    ['an underscore too many', 'TP=x', '$TP_', 'TP'],
    ['small letters for capitals', 'CKPT_DIR=x', '$ckpt_dir', 'CKPT_DIR'],
    ['a name that is read', "IFS=, read -r TENSOR PIPE <<< '1,2'", '$TENSORS', 'TENSOR'],
    ['a name that has a default', ': "${NUM_GPU:=4}"', '$NUM_GPUS', 'NUM_GPU'],
    [
      'a comment beside a variable for nothing',
      '# NUM_GPUS=1 bash run.sh\nNUM_GPU=4',
      '$NUM_GPUS',
      'NUM_GPU',
    ],
  ])('reports %s', (_, assignment, use, meant) => {
    expect(
      lint(`${assignment}\n${launch(`--save ${use}`)}`)
        .map(({ message }) => message)
        .join(),
    ).toContain(`mean ${meant}?`);
  });

  it.each([
    ['a short name', 'TP=2', '$PP'],
    ['numbers', 'NODE1=a', '$NODE2'],
    ['what a scheduler sets', 'SLURM_JOB_IDS=1', '$SLURM_JOB_ID'],
    ['what a launcher sets', 'MASTER_PORTS=1', '$MASTER_PORT'],
    ['a name in capitals', 'ckpt_dir=x', '$CKPT_DIR'],
    ['what a comment names', '# DATA_DIRS is yours to set\nDATA_DIR=x; echo $DATA_DIR', '$DATA_DIRS'],
    ['what has a default', 'DATA_DIR=x; echo "${DATA_DIRS:-none}"', '$DATA_DIRS'],
    ['what is demanded', 'DATA_DIR=x; : "${DATA_DIRS:?}"', '$DATA_DIRS'],
    ['what the other one is made of', 'DATA_DIR=$DATA_DIRS/x', '$DATA_DIRS'],
    ['a text that may set it', 'DATA_DIR=x; source $CONFIG', '$DATA_DIRS'],
    ['an override that looks like an assignment', 'echo \\\n  LOGGER=x', '$LOGER'],
    ['two that may be meant', 'DATA_DIR=x; DATA_DIRE=x', '$DATA_DIRS'],
  ])('is silent for %s', (_, assignment, use) => {
    expect(lint(`${assignment}\n${launch(`--save ${use}`)}`)).toEqual([]);
  });

  it.each([
    'for pair in "$@"; do export "${pair%%=*}"="${pair#*=}"; done',
    'for pair in "$@"; do eval "export $pair"; eval ${pair%%=*}=x; done',
    'export $(xargs < .env)',
    'declare -g "$1"="$2"',
    'printf -v "$1" %s "$2"',
  ])('says nothing if names are created at run time: %s', (code) => {
    expect(lint(`VP_SIZE=2\n${launch('--seed ${PP_SIZE}')}`)).toHaveLength(1);
    expect(lint(`VP_SIZE=2\n${code}\n${launch('--seed ${PP_SIZE}')}`)).toEqual([]);
  });

  it('reads the files that are sourced', () => {
    const script = `source env.sh\nDATA_DIR=x\n${launch('--save $DATA_DIRS')}`;
    expect(lint(script, { '/repository/env.sh': 'X=1\n' })).toHaveLength(1);
    expect(lint(script, { '/repository/env.sh': 'export DATA_DIRS=$1\n' })).toEqual([]);
  });
});

describe('variable-as-command', () => {
  it('is reported and fixed', () => {
    const text = `MODEL=/m\nARGS=(--tokenizer-model $(MODEL))\n${launch('"${ARGS[@]}" --save "$(MODEL)/x"')}`;
    const found = lint(text);
    expect(found.map(({ severity, message }) => [severity, message])).toEqual(
      Array(2).fill(['error', '$(MODEL) runs a program called MODEL; the variable is ${MODEL}.']),
    );
    const fixed = applyEdits(
      text,
      found.flatMap(({ fixes }) => fixes[0]?.edits ?? []),
    );
    expect(fixed).toBe(text.replaceAll('$(MODEL)', '${MODEL}'));
    expect(lint(fixed ?? '')).toEqual([]);
  });

  it.each([
    ['a program', 'date=x', '$(date)'],
    ['a function', 'MODEL=x; MODEL() { echo y; }', '$(MODEL)'],
    ['a program with words', 'MODEL=x', '$(MODEL --version)'],
    ['one that nothing assigns', 'X=1', '$(MODEL)'],
  ])('is silent for %s', (_, assignment, use) => {
    expect(lint(`${assignment}\n${launch(`--save ${use}`)}`)).toEqual([]);
  });
});
