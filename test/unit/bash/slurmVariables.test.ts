import { describe, expect, test } from 'vitest';
import { evaluate, lines, shown } from './support.ts';

const job = (...directives: readonly string[]): string =>
  ['#!/bin/bash', ...directives.map((directive) => `#SBATCH ${directive}`), ''].join('\n');

const bySize = 'if [ "$SLURM_NNODES" -gt 1 ]; then TP=16; else TP=8; fi\npython t.py $TP $SLURM_NNODES';

describe('a condition on what Slurm counts', () => {
  test.each([
    ['takes the side of the job as it is written', ['--nodes=1'], ['python t.py 8 <$SLURM_NNODES>']],
    ['in the short form', ['-N 4'], ['python t.py 16 <$SLURM_NNODES>']],
    ['in the short form without a blank', ['-N4'], ['python t.py 16 <$SLURM_NNODES>']],
    ['by the last of several lines', ['--nodes=4', '--nodes 1'], ['python t.py 8 <$SLURM_NNODES>']],
  ])('%s', (_, directives, expected) => {
    expect(lines(`${job(...directives)}${bySize}`)).toEqual(expected);
  });

  test.each([
    ['where nothing says how many', ['--ntasks=8']],
    ['of a range', ['--nodes=1-4']],
    ['of a job of several parts', ['--nodes=1', 'hetjob', '--nodes=4']],
  ])('follows both sides %s', (_, directives) => {
    expect([...lines(`${job(...directives)}${bySize}`)].sort()).toEqual([
      'python t.py 16 <$SLURM_NNODES>',
      'python t.py 8 <$SLURM_NNODES>',
    ]);
  });

  test('follows both sides where the job is started with options', () => {
    const files = { '/repo/job.sh': `${job('--nodes=1')}${bySize}` };
    expect(lines('sbatch --nodes=$N job.sh', { files }).slice(1)).toHaveLength(2);
  });

  test('follows both sides where the step has a number of its own, and one where it has not', () => {
    const step = (options: string) => `${job('--nodes=1')}srun ${options}bash -c '${bySize}'`;
    expect(lines(step('-N 2 ')).slice(1)).toHaveLength(2);
    expect(lines(step('')).slice(1)).toEqual(['python t.py 8 <$SLURM_NNODES>']);
  });

  test('counts with it', () => {
    const text =
      'GPUS=$((SLURM_JOB_NUM_NODES * 8))\n(( GPUS > 8 )) && X=big || X=small\npython t.py $X $GPUS';
    expect(lines(`${job('--nodes=2')}${text}`)).toEqual(['python t.py big <$((SLURM_JOB_NUM_NODES * 8))>']);
  });

  test('compares it as a text', () => {
    const text = 'case $SLURM_NTASKS in 16) X=a;; *) X=b;; esac\npython t.py $X';
    expect(lines(`${job('--ntasks=16')}${text}`)).toEqual(['python t.py a']);
  });

  test('says what it takes for granted', () => {
    const [command] = evaluate(`${job('--nodes=1')}${bySize}`).commands;
    expect(command?.assumptions.map(({ text }) => text)).toEqual(['SLURM_NNODES is 1, as #SBATCH asks']);
  });

  test('passes a guard that asks for another number', () => {
    const guard = '[ "$SLURM_NNODES" -ge 2 ] || exit 1\npython t.py';
    const [command] = evaluate(`${job('--nodes=1')}${guard}`).commands;
    expect(command?.words.map(shown)).toEqual(['python', 't.py']);
    expect(command?.assumptions[0]?.kind).toBe('guard');
  });
});
