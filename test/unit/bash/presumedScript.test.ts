import { describe, expect, test } from 'vitest';
import { evaluate, lines } from './support.ts';

const files = {
  '/repo/scripts/models/small.sh': 'MODEL=(--layers 4)\n',
  '/repo/jobs/size.sh': 'MODEL=(--layers 5)\n',
  '/repo/scripts/jobs/size.sh': 'MODEL=(--layers 6)\n',

  '/repo/jobs/train.sh': '#!/bin/bash\npython t.py --gpus $1\n',
};

const started = (text: string): readonly string[] =>
  lines(`${text}\npython t.py "\${MODEL[@]}"`, { files }).filter((line) => line.startsWith('python'));

describe('a sourced script in an unknown folder is the one in the workspace', () => {
  test.each([
    ['source /opt/project/scripts/models/small.sh'],
    ['cd $WORKDIR; . scripts/models/small.sh'],
    ['cd "$SLURM_SUBMIT_DIR" && source ./scripts/models/small.sh'],
    ['cd ~/project && source scripts/models/small.sh'],
    ['cd /workspace/project || exit 1\nsource models/small.sh'],
    ['source "$PROJECT/scripts/models/small.sh"'],
  ])('%s', (text) => {
    expect(started(text)).toEqual(['python t.py --layers 4']);
  });

  test.each([
    ['source "$(pwd)/models/small.sh"'],
    ['source models/small.sh'],
    ['ROOT=$PWD; . ${ROOT}/models/small.sh'],
  ])('even if the script is meant to be started from its own folder: %s', (text) => {
    expect(started(text)).toEqual(['python t.py --layers 4']);
  });

  test('but it is the intended one if that is known', () => {
    expect(started('source jobs/size.sh')).toEqual(['python t.py --layers 5']);
    expect(started('cd "$(dirname "$0")/.."; source models/small.sh')).toEqual(started('source $NOWHERE'));
  });

  test('which is reported', () => {
    const { commands } = evaluate('cd $WORKDIR; . models/small.sh\npython t.py', { files });
    expect(commands.flatMap(({ assumptions }) => assumptions.map(({ text }) => text))).toContain(
      'models/small.sh is the one of the workspace',
    );
  });

  test('but not if there are two of them, or if only its name is known', () => {
    const unknown = started('source $NOWHERE');
    expect(started('cd $WORKDIR; . jobs/size.sh')).toEqual(unknown);
    expect(started('cd $WORKDIR/models; . small.sh')).toEqual(unknown);
    expect(started('. $MODELS/small.sh')).toEqual(unknown);
  });

  test('nor if the script wrote it there itself', () => {
    const written = "cd $WORKDIR; echo 'MODEL=(--own)' > models/small.sh; . models/small.sh";
    expect(started(written)).toEqual(['python t.py --own']);
  });

  test('while a script that is run is linted by itself', () => {
    expect(started('MODEL=(); cd $WORKDIR; bash jobs/train.sh 4')).toEqual(['python t.py']);
  });
});

describe('a script that is run is the one in the same part of the workspace as the running script', () => {
  const inPart = { '/repo/scripts/examples/train.sh': 'python t.py --gpus $1\n' };
  const run = (text: string, more: Readonly<Record<string, string>> = {}): readonly string[] =>
    lines(text, { files: { ...inPart, ...more } }).filter((line) => line.startsWith('python'));

  test.each(['bash examples/train.sh 4', './examples/train.sh 4', 'srun bash ./examples/train.sh 4'])(
    '%s',
    (text) => {
      expect(run(text)).toEqual(['python t.py --gpus 4']);
    },
  );

  test('which is reported', () => {
    const { commands, problems } = evaluate('bash examples/train.sh 4', { files: inPart });
    const assumed = commands.flatMap(({ assumptions }) => assumptions.map(({ text }) => text));
    expect(assumed).toContain('examples/train.sh is the one of the workspace');
    expect(problems).toEqual([]);
  });

  test('but the one at the top if there is one', () => {
    const top = { '/repo/examples/train.sh': 'python t.py --top\n' };
    expect(run('bash examples/train.sh 4', top)).toEqual(['python t.py --top']);
  });

  test('and none if the folder is known', () => {
    expect(run('cd /repo; bash examples/train.sh 4')).toEqual([]);
    expect(run('cd "$(dirname "$0")/.."; bash examples/train.sh 4')).toEqual([]);
  });
});
