import { describe, expect, test } from 'vitest';
import { evaluate, lines } from './support.ts';

const files = {
  '/repo/scripts/models/small.sh': 'MODEL=(--layers 4)\n',
  '/repo/jobs/train.sh': '#!/bin/bash\npython t.py --gpus $1\n',
  '/repo/scripts/jobs/eval.sh': 'python e.py\n',
  '/repo/jobs/eval.sh': 'python f.py\n',
};

const started = (text: string): readonly string[] =>
  lines(text, { files }).filter((line) => line.startsWith('python'));

describe('a script in a folder that is not known is the one of the workspace', () => {
  test.each([
    ['cd $WORKDIR; bash jobs/train.sh 4'],
    ['cd "$SLURM_SUBMIT_DIR" && ./jobs/train.sh 4'],
    ['cd ~/project && bash jobs/train.sh 4'],
    ['cd /workspace/project || exit 1\nbash jobs/train.sh 4'],
    ['bash "$PROJECT/jobs/train.sh" 4'],
    ['/workspace/project/jobs/train.sh 4'],
    ['ssh node "cd /workspace && bash jobs/train.sh 4"'],
    ['docker run -v $PWD:/workspace image bash /workspace/jobs/train.sh 4'],
  ])('that is run: %s', (text) => {
    expect(started(text)).toEqual(['python t.py --gpus 4']);
  });

  test.each([['source /root/project/scripts/models/small.sh'], ['cd $WORKDIR; . scripts/models/small.sh']])(
    'that is sourced: %s',
    (text) => {
      expect(started(`${text}\npython t.py "\${MODEL[@]}"`)).toEqual(['python t.py --layers 4']);
    },
  );

  test('which is said', () => {
    const { commands } = evaluate('cd $WORKDIR; bash jobs/train.sh 4', { files });
    expect(commands.flatMap(({ assumptions }) => assumptions.map(({ text }) => text))).toContain(
      'jobs/train.sh is the one of the workspace',
    );
  });

  test('but not where there are two of them, or its name alone is known', () => {
    expect(started('cd $WORKDIR; bash jobs/eval.sh')).toEqual([]);
    expect(started('cd $WORKDIR/jobs; bash train.sh 4')).toEqual([]);
    expect(started('bash $JOBS/train.sh 4')).toEqual([]);
  });

  test('nor where the script wrote it there itself', () => {
    expect(started("cd $WORKDIR; echo 'python own.py' > jobs/train.sh; bash jobs/train.sh")).toEqual([
      'python own.py',
    ]);
  });
});
