import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nestedShell } from '../../../server/src/launch/wrappers/nested.ts';
import { launchesOf } from '../../../server/src/launch/wrappers/peel.ts';
import { noProfile } from '../../../server/src/value/machine.ts';
import { processorTime } from '../../support/processorTime.ts';
import { command, words } from './command.ts';

const vocabulary = [
  ...[
    'srun',
    'torchrun',
    'uv run',
    'env',
    'sudo',
    'docker run',
    'kubectl exec',
    'ray job submit',
    'mpirun',
    'bash',
    'sbatch',
    'ssh',
  ],
  ...[
    'python',
    'python3.12',
    'accelerate launch',
    'nsys profile',
    'timeout',
    'time',
    'exec',
    'numactl',
    'coverage run',
    '$LAUNCHER',
  ],
  ...[
    '-m',
    '-c',
    '-n',
    '-np',
    '-N',
    '--',
    '-',
    '--nproc_per_node',
    '8',
    '--nnodes=2',
    '--mca',
    '-x',
    'A=1',
    '-e',
    '--export=ALL,B=2',
  ],
  ...[
    'train.py',
    'pkg.train',
    'run.sh',
    './prog',
    '$ARGS',
    '"$QUOTED"',
    '--a=$X',
    '"text with blanks"',
    '--wrap=x',
    '=',
    '--=',
    '-=x',
  ],
  ...[`--runtime-env-json='{"env_vars": {"A": '"$B"', "C": [1, {'`, '--runtime-env-json'],
];

describe('any sequence of words', () => {
  it('is parsed without failing, with the arguments at its end', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...vocabulary), { maxLength: 14 }), (parts) => {
        const given = command(parts.join(' '), { directives: '-N 2 --ntasks-per-node' });
        const nested = nestedShell(given.words);
        if (nested !== undefined) expect(nested.index).toBeLessThan(given.words.length);
        for (const launch of launchesOf(given, noProfile)) {
          const start = given.words.length - launch.args.length;
          expect(given.words.slice(start)).toEqual(launch.args);
          expect(launch.entry.word.pieces.length).toBeGreaterThan(0);
        }
      }),
      { numRuns: 3000 },
    );
  });

  it('takes time proportional to its length', () => {
    const many = (count: number): number => {
      const list = words(`srun ${'$A --x '.repeat(count)} python t.py ${'--y 1 '.repeat(count)}`);
      const given = { ...command('x'), words: list };
      return processorTime(() => launchesOf(given, noProfile));
    };
    many(500);
    expect(many(20_000)).toBeLessThan(10_000);
  });
});
