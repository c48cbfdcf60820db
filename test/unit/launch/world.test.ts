import { describe, expect, it } from 'vitest';
import type { Command } from '../../../server/src/launch/command.ts';
import { launchesOf } from '../../../server/src/launch/wrappers/peel.ts';
import { type MachineProfile, noProfile } from '../../../server/src/value/machine.ts';
import type { Value } from '../../../server/src/value/value.ts';
import { command } from './command.ts';

function show(value: Value): unknown {
  return value.kind === 'known' ? value.data : `?${value.label}`;
}

function world(given: Command, machine: MachineProfile = noProfile) {
  const launch = launchesOf(given, machine)[0];
  return launch === undefined
    ? undefined
    : [show(launch.worldSize), show(launch.nodes), show(launch.processesPerNode)];
}

describe('world size by launcher', () => {
  const cases: readonly [string, unknown, unknown, unknown][] = [
    ['python t.py', 1, 1, 1],
    ['torchrun t.py', 1, 1, 1],
    ['torchrun --nproc_per_node 8 t.py', 8, 1, 8],
    ['torchrun --nproc-per-node=8 --nnodes=4 --node_rank $RANK t.py', 32, 4, 8],
    ['torchrun --nproc 8 --nnodes 2 t.py', 16, 2, 8],
    ['torchrun --nnodes 2:2 --nproc_per_node 8 t.py', 16, 2, 8],
    ['torchrun --nnodes 1:4 --nproc_per_node 8 t.py', '?1:4', '?1:4', 8],
    ['torchrun --nproc_per_node gpu t.py', '?GPUs per node', 1, '?GPUs per node'],
    ['torchrun --nproc_per_node 8 --nnodes $NNODES t.py', '?$NNODES', '?$NNODES', 8],
    ['torchrun $ARGS t.py', '?$ARGS', '?$ARGS', '?$ARGS'],
    ['torchrun $ARGS --nproc_per_node 8 --nnodes 1 t.py', 8, 1, 8],
    ['torchrun --nproc_per_node 4 --nproc_per_node 8 t.py', 8, 1, 8],
    ['python -m torch.distributed.launch --nproc_per_node=8 t.py', 8, 1, 8],
    ['srun -N 2 --ntasks-per-node=8 python t.py', 16, 2, 8],
    ['srun -N 2 --tasks-per-node=8 python t.py', 16, 2, 8],
    ['srun -N 2 --ntasks-per-gpu=1 python t.py', '?--ntasks-per-gpu', 2, '?--ntasks-per-gpu'],
    [
      'mpirun -allow-run-as-root -np 8 -report-bindings python t.py',
      8,
      '?number of nodes of mpirun',
      '?processes per node of mpirun',
    ],
    ['numactl -N 0 -l torchrun --nproc_per_node 8 t.py', 8, 1, 8],
    ['srun -n16 -N2 python t.py', 16, 2, 8],
    ['srun -n 16 python t.py', 16, '?number of nodes of srun', '?processes per node of srun'],
    [
      'srun python t.py',
      '?number of processes of srun',
      '?number of nodes of srun',
      '?processes per node of srun',
    ],
    ['srun --nodes=4 python t.py', 4, 4, 1],
    ['srun --nodes=2-4 --ntasks-per-node=8 python t.py', '?2-4', '?2-4', 8],
    ['srun -N 4 torchrun --nproc_per_node 8 --nnodes 4 t.py', 32, 4, 8],
    ['mpirun -np 16 python t.py', 16, '?number of nodes of mpirun', '?processes per node of mpirun'],
    ['mpirun -np 16 -npernode 8 python t.py', 16, 2, 8],
    ['deepspeed --num_nodes 2 --num_gpus 8 t.py', 16, 2, 8],
    ['deepspeed --num_nodes 2 --num_accelerators 4 t.py', 8, 2, 4],
    ['deepspeed --include localhost:0,1,2,3 t.py', 4, 1, 4],
    ['deepspeed --hostfile h --include=a:0,1@b:4,5 t.py', 4, 2, 2],
    [
      'deepspeed --include a@b:0 t.py',
      '?number of processes of deepspeed',
      '?number of nodes of deepspeed',
      '?processes per node of deepspeed',
    ],
    ['accelerate launch --num_processes 16 --num_machines 2 t.py', 16, 2, 8],
    ['dlrover-run --network-check --node_unit 1 --nnodes=2 --nproc_per_node=8 t.py', 16, 2, 8],
    [
      'dlrover-run --auto-config t.py',
      '?number of processes of dlrover-run',
      '?number of nodes of dlrover-run',
      '?processes per node of dlrover-run',
    ],
    ['msrun --local_worker_num 8 --worker_num 16 --join=True t.py', 16, 2, 8],
    ['msrun --bind_core True --worker_num 8 --local_worker_num 8 t.py', 8, 1, 8],
    ['$LAUNCHER t.py', '?$LAUNCHER', '?$LAUNCHER', '?$LAUNCHER'],
    ['$PYTHON t.py', 1, 1, 1],
    ['$PREFIX torchrun --nproc_per_node 8 t.py', 8, 1, 8],
    ['ray job submit -- python3 t.py', 1, 1, 1],
  ];
  it.each(cases)('%s', (line, total, nodes, perNode) => {
    expect(world(command(line))).toEqual([total, nodes, perNode]);
  });

  it('resolves gpu and auto from the machine', () => {
    const machine = { ...noProfile, gpusPerNode: 8 };
    expect(world(command('torchrun --nproc_per_node auto --nnodes 2 t.py'), machine)).toEqual([16, 2, 8]);
  });

  it('resolves gpu and auto from the visible devices', () => {
    const machine = { ...noProfile, gpusPerNode: 8 };
    const line = 'torchrun --nproc_per_node gpu t.py';
    expect(world(command(line, { env: { CUDA_VISIBLE_DEVICES: '0,1,2,3' } }), machine)).toEqual([4, 1, 4]);
    expect(world(command(line, { env: { CUDA_VISIBLE_DEVICES: '$GPUS' } }), machine)?.[0]).toBe(
      '?CUDA_VISIBLE_DEVICES',
    );
  });

  it('uses WORLD_SIZE without a launcher', () => {
    expect(world(command('python t.py', { env: { WORLD_SIZE: '16', LOCAL_WORLD_SIZE: '8' } }))).toEqual([
      16, 2, 8,
    ]);
    expect(world(command('python t.py', { env: { WORLD_SIZE: '$N' } }))?.[0]).toBe('?$N');
    expect(world(command('python t.py', { env: { WORLD_SIZE: '1' } }))).toEqual([1, 1, 1]);
  });

  it('reads the defaults of torchrun from its environment', () => {
    const env = { PET_NNODES: '2', PET_NPROC_PER_NODE: '4' };
    expect(world(command('torchrun t.py', { env }))).toEqual([8, 2, 4]);
  });

  it('fills srun from #SBATCH lines', () => {
    const directives = '--nodes=4 --ntasks-per-node 8 --gpus-per-node=8 -J x';
    expect(world(command('srun python t.py', { directives }))).toEqual([32, 4, 8]);
    expect(world(command('srun -N 2 python t.py', { directives }))).toEqual([16, 2, 8]);
    expect(world(command('srun -n 2 python t.py', { directives }))?.[0]).toBe(2);
    expect(world(command('python t.py', { directives }))).toEqual([1, 1, 1]);
  });

  it('lets sbatch options on the command line override #SBATCH lines', () => {
    const via = [command('sbatch -N 8 run.sh')];
    expect(world(command('srun --ntasks-per-node=8 python t.py', { via, directives: '--nodes=4' }))).toEqual([
      64, 8, 8,
    ]);
  });

  it('resolves Slurm variables and gpu from the job', () => {
    const directives = '-N 4 --gres=gpu:h100:8';
    const line = 'torchrun --nnodes $SLURM_NNODES --nproc_per_node gpu t.py';
    expect(world(command(line, { directives }))).toEqual([32, 4, 8]);
    expect(world(command('torchrun --nnodes $SLURM_JOB_NUM_NODES t.py'))?.[0]).toBe('?$SLURM_JOB_NUM_NODES');
  });

  it('multiplies Slurm variables', () => {
    const hole = (label: string) => {
      const given = command('srun -n $X python t.py', { directives: '-N 4 --gpus-per-node=8' });
      const words = given.words.map((word) => ({
        ...word,
        pieces: word.pieces.map((piece) => (piece.kind === 'hole' ? { ...piece, label } : piece)),
      }));
      return world({ ...given, words })?.[0];
    };
    expect(hole('$((SLURM_NNODES * 8))')).toBe(32);
    expect(hole('$(( $SLURM_NNODES * SLURM_GPUS_ON_NODE ))')).toBe(32);
    expect(hole('$((SLURM_NNODES * GPUS))')).toBe('?$((SLURM_NNODES * GPUS))');
    expect(hole('$((SLURM_NNODES + 1))')).toBe('?$((SLURM_NNODES + 1))');
  });

  it('lets the innermost launcher decide across nested shells', () => {
    const via = [command('srun -N 2 --ntasks-per-node=1 bash -c "x"'), command('sbatch job.sh')];
    expect(world(command('torchrun --nnodes 2 --nproc_per_node 8 t.py', { via }))).toEqual([16, 2, 8]);
    expect(world(command('python t.py', { via }))).toEqual([2, 2, 1]);
  });

  it('shows the words that decide', () => {
    const line = 'torchrun --nproc_per_node 8 --nnodes=2 t.py';
    const words = launchesOf(command(line), noProfile)[0]?.worldSizeWords ?? [];
    expect(words.map(({ place }) => line.slice(place.span.start, place.span.end))).toEqual([
      '--nnodes=2',
      '8',
    ]);
  });
});

describe('mpirun without a number', () => {
  const all = (options: string): unknown =>
    world(command(`mpirun ${options} python3 t.py`), { ...noProfile, slots: 16 })?.[0];

  it('starts one process for each slot of the job', () => {
    expect(all('')).toBe(16);
    expect(all('--allow-run-as-root -x A=b --mca btl_tcp_if_include eth0 -bind-to none')).toBe(16);
    expect(all('-np 4')).toBe(4);
    expect(world(command('mpirun python3 t.py'), noProfile)?.[0]).toMatch(/^\?/);
  });

  it.each(['--map-by ppr:4:node', '--host a,b', '--mca rmaps_ppr_n_pernode 2', '-pernode', '$MORE'])(
    'starts as many as are not known where an option may say otherwise: %s',
    (option) => expect(all(option)).toMatch(/^\?/),
  );
});

describe('the launcher of Determined', () => {
  const launcher = 'python3 -m determined.launch.torch_distributed';
  const all = (text: string, machine?: MachineProfile): unknown =>
    world(command(text), machine ?? noProfile)?.[0];

  it('starts one process per slot of the trial', () => {
    const machine = { ...noProfile, slots: 16 };
    expect(all(`${launcher} -- python3 t.py`, machine)).toBe(16);
    expect(all(`${launcher} python3 t.py`, machine)).toBe(16);
    expect(all(`torchrun --nproc_per_node 8 t.py`, machine)).toBe(8);
  });

  it('starts an unknown number if nothing gives it, or options may change it', () => {
    expect(all(`${launcher} -- python3 t.py`)).toMatch(/^\?number of processes/);
    for (const text of [
      `${launcher} --nproc_per_node=2 -- python3 t.py`,
      `${launcher} $MORE -- python3 t.py`,
    ])
      expect(all(text, { ...noProfile, slots: 16 }), text).toMatch(/^\?/);
    expect(
      all('python3 -m determined.launch.deepspeed -- python3 t.py', { ...noProfile, slots: 16 }),
    ).toMatch(/^\?/);
  });
});
