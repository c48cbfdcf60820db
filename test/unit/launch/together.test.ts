import { describe, expect, it } from 'vitest';
import { launcherFaults } from '../../../server/src/launch/faults/launcherFault.ts';
import { launchesOf } from '../../../server/src/launch/wrappers/peel.ts';
import { noProfile } from '../../../server/src/value/machine.ts';
import { display } from '../../../server/src/value/word.ts';
import { command, texts } from './command.ts';

function started(line: string) {
  return launchesOf(command(line), noProfile).map(({ entry, args, env, worldSize }) => [
    display(entry.word),
    texts(args).join(' '),
    [...env.keys()].join(' '),
    worldSize.kind === 'known' ? worldSize.data : undefined,
  ]);
}

describe('several programs that one launcher starts', () => {
  it('are separate launches, with all processes as their world', () => {
    expect(started('mpirun -x A=1 -np 1 python a.py --x : -np 7 -x B=2 python b.py --y 1')).toEqual([
      ['a.py', '--x', 'A', 8],
      ['b.py', '--y 1', 'A B', 8],
    ]);
    expect(started('srun -n 4 python a.py : -n 8 --mem=0 python a.py')).toEqual([
      ['a.py', '', '', 12],
      ['a.py', '', '', 12],
    ]);
  });

  it('have an unknown world if one does not give its number of processes', () => {
    expect(started('mpirun -np 4 python a.py : python b.py').map(([, , , world]) => world)).toEqual([
      undefined,
      undefined,
    ]);
    const via = [command('mpirun -np 4 bash -c "python a.py" : -np 8 python b.py')];
    expect(launchesOf(command('python a.py', { via }), noProfile)[0]?.worldSize.kind).toBe('unknown');
  });

  it('do not share options', () => {
    const line = 'mpirun -np 1 torchrun a.py --x : -np 1 torchrun --nnodes 2 --standalone a.py';
    expect(launcherFaults(command(line)).map(({ kind }) => kind)).toEqual(['meeting']);
  });

  it('are separated by no other launcher', () => {
    expect(started('torchrun a.py : b.py')).toEqual([['a.py', ': b.py', '', 1]]);
  });
});
