import { describe, expect, it } from 'vitest';
import { machineOf } from '../../../server/src/launch/namedGpu.ts';
import { type MachineProfile, noProfile } from '../../../server/src/value/machine.ts';
import { command } from './command.ts';

const script = '/w/run.sh';
const capability = (line: string, machine: MachineProfile = noProfile): number | undefined =>
  machineOf(machine, script, command(line)).computeCapability;

describe('the GPUs that a launch names', () => {
  it.each([
    'srun --gres=gpu:b200:8 torchrun t.py',
    'srun -p gb200 torchrun t.py',
    'srun --partition=batch_B300 python t.py',
    'srun --constraint=blackwell python t.py',
  ])('are of the Blackwell generation: %s', (line) => {
    expect(capability(line)).toBe(100);
  });

  it.each([
    'srun --gres=gpu:h200:8 torchrun t.py',
    'srun -p b2000 torchrun t.py',
    'torchrun --nproc_per_node 8 t.py',
  ])('have no known compute capability: %s', (line) => {
    expect(capability(line)).toBeUndefined();
  });

  it('are those of the profile if it names some', () => {
    const line = 'srun --gres=gpu:b200:8 torchrun t.py';
    expect(capability(line, { ...noProfile, gpu: 'H100' })).toBeUndefined();
    expect(capability(line, { ...noProfile, computeCapability: 90 })).toBe(90);
    expect(capability('torchrun t.py', { ...noProfile, gpu: 'B200' })).toBe(100);
  });

  it.each(['/w/train_b200.sh', '/w/b200/train.sh', '/w/gpt3_weekly_dgx_gb200_mcore/model_config.yaml'])(
    'are those in the name of a file or its folder: %s',
    (path) => {
      expect(machineOf(noProfile, path).computeCapability).toBe(100);
      expect(machineOf(noProfile, path).gpuMemoryBytes).toBeUndefined();
    },
  );

  it.each([
    ['/w/b200/run.sh', 'srun --gres=gpu:h100:8 python t.py'],
    ['/w/b200/run.sh', 'python t.py --config a100.yaml'],
    ['/w/b200/run_h100.sh', 'python t.py'],
    ['/w/h100_to_b200/run.sh', 'python t.py'],
  ])('are unknown if something nearer names others: %s, %s', (path, line) => {
    expect(machineOf(noProfile, path, command(line)).computeCapability).toBeUndefined();
  });

  it('are those named nearest', () => {
    expect(machineOf(noProfile, '/w/h100/run_b200.sh', command('python t.py')).computeCapability).toBe(100);
    expect(
      machineOf(noProfile, '/w/h100/run.sh', command('srun -p b200 python t.py')).computeCapability,
    ).toBe(100);
  });

  it('are not those of a folder further up', () => {
    expect(machineOf(noProfile, '/w/b200/jobs/train.sh')).toBe(noProfile);
  });
});

const memory = (line: string, machine: MachineProfile = noProfile): number | undefined => {
  const bytes = machineOf(machine, script, command(line)).gpuMemoryBytes;
  return bytes === undefined ? undefined : bytes / 2 ** 30;
};

describe('the memory of the GPUs that a launch names', () => {
  it.each([
    ['srun --gres=gpu:a100:8 torchrun t.py', 80],
    ['srun -p h100 torchrun t.py', 96],
    ['srun --constraint=8xH200 torchrun t.py', 141],
    ['srun --constraint 8xH200 torchrun t.py', 141],
    ['srun --gpus-per-node=h200:8 torchrun t.py', 141],
    ['srun -p gh200 torchrun t.py', 144],
    ['srun --constraint=a100|h100 torchrun t.py', 96],
  ])('is the most that such a GPU has: %s', (line, gibibytes) => {
    expect(memory(line)).toBe(gibibytes);
  });

  it.each([
    'srun -p a1000 torchrun t.py',
    'srun -p xh100 torchrun t.py',
    'torchrun t.py',
    'torchrun train_h100.py',
    'srun --output /logs/h100/%j torchrun t.py --save /checkpoints/h100',
  ])('is unknown: %s', (line) => {
    expect(memory(line)).toBeUndefined();
  });

  it('is that of the profile, or of the GPU that it names', () => {
    const line = 'srun --gres=gpu:b200:8 torchrun t.py';
    expect(memory(line, { ...noProfile, gpuMemoryBytes: 40 * 2 ** 30 })).toBe(40);
    expect(memory(line, { ...noProfile, gpu: 'A100' })).toBe(80);
    expect(machineOf({ ...noProfile, gpu: 'A100' }, script).gpuMemoryBytes).toBe(80 * 2 ** 30);
  });
});
