import { describe, expect, it } from 'vitest';
import { launchesOf } from '../../../server/src/launch/wrappers/peel.ts';
import { noProfile } from '../../../server/src/value/machine.ts';
import { known } from '../../../server/src/value/value.ts';
import { display } from '../../../server/src/value/word.ts';
import { memoryHost } from '../../support/memoryHost.ts';
import { command, texts } from './command.ts';

function peeled(line: string) {
  const launch = launchesOf(command(line), noProfile)[0];
  if (launch === undefined) return undefined;
  return {
    kind: launch.entry.kind,
    entry: display(launch.entry.word),
    args: texts(launch.args).join(' '),
    wrappers: launch.wrappers.join(', '),
  };
}

describe('shapes of launches', () => {
  const shapes: readonly [string, string, string, string, string][] = [
    ['python pretrain_gpt.py --a 1', 'script', 'pretrain_gpt.py', '--a 1', ''],
    ['python3.12 -u -X faulthandler -W ignore pretrain_gpt.py --a', 'script', 'pretrain_gpt.py', '--a', ''],
    ['/opt/venv/bin/python -m pkg.train k=v', 'module', 'pkg.train', 'k=v', ''],
    ['python -um pkg.train k=v', 'module', 'pkg.train', 'k=v', ''],
    ['python -mpkg.train k=v', 'module', 'pkg.train', 'k=v', ''],
    ['$VENV/bin/python3 train.py --a', 'script', 'train.py', '--a', ''],
    ['"$PYTHON" train.py --a', 'script', 'train.py', '--a', ''],
    ['$PYTHON -u -m pkg.train k=v', 'module', 'pkg.train', 'k=v', ''],
    ['./train.py --a', 'script', './train.py', '--a', ''],
    ['env -u X A=b C="$D" python train.py', 'script', 'train.py', '', 'env'],
    ['exec python train.py', 'script', 'train.py', '', 'exec'],
    ['proxychains4 -q python train.py --a', 'script', 'train.py', '--a', 'proxychains4'],
    [
      'nohup time timeout -k 30 10h stdbuf -oL python train.py',
      'script',
      'train.py',
      '',
      'nohup, time, timeout, stdbuf',
    ],
    [
      'numactl --cpunodebind=0 -m 0 nice -n 5 taskset -c 0-7 python train.py',
      'script',
      'train.py',
      '',
      'numactl, nice, taskset',
    ],
    ['sudo -E -u me python train.py', 'script', 'train.py', '', 'sudo'],
    ['uv run train.py k=v', 'script', 'train.py', 'k=v', 'uv run'],
    ['uv run --isolated --extra fsdp -m pkg.main k=v', 'module', 'pkg.main', 'k=v', 'uv run'],
    [
      'uv run --with "transformers==5.4.0" --extra fsdp --python 3.12 -m pkg.main k=v',
      'module',
      'pkg.main',
      'k=v',
      'uv run',
    ],
    [
      'uv run --directory . --isolated --env-file .env --extra x -m pkg.main',
      'module',
      'pkg.main',
      '',
      'uv run',
    ],
    ['uv --project sub run --no-sync python -m pkg.main k=v', 'module', 'pkg.main', 'k=v', 'uv run'],
    [
      'uv run --config-settings a=b --trusted-host h --preview-features x -m pkg.main k=v',
      'module',
      'pkg.main',
      'k=v',
      'uv run',
    ],
    [
      'uv run --isolated --with pkg@git+https://h/x.git@15f -- python prepare.py --id 1',
      'script',
      'prepare.py',
      '--id 1',
      'uv run',
    ],
    ['sky exec box -- python train.py --a', 'script', 'train.py', '--a', 'sky exec'],
    ['sky exec --cluster=box python train.py --a', 'script', 'train.py', '--a', 'sky exec'],
    ['gantry run --gpus 8 --env A=1 -- python train.py --a', 'script', 'train.py', '--a', 'gantry run'],
    ['qsub -cwd -b y -pe smp 8 python train.py --a', 'script', 'train.py', '--a', 'qsub'],
    ['screen -L -Logfile x.log -dmS x python train.py --a', 'script', 'train.py', '--a', 'screen'],
    ['poetry run python train.py', 'script', 'train.py', '', 'poetry run'],
    ['conda run -n x --no-capture-output python train.py', 'script', 'train.py', '', 'conda run'],
    ['pixi run -e gpu python train.py', 'script', 'train.py', '', 'pixi run'],
    ['torchrun --nproc_per_node 8 --nnodes=2 train.py --a 1', 'script', 'train.py', '--a 1', 'torchrun'],
    ['torchrun --nproc-per-node=8 -m pkg.train --a', 'module', 'pkg.train', '--a', 'torchrun'],
    ['torchrun --standalone --no-python ./prog --a', 'program', './prog', '--a', 'torchrun'],
    ['torchrun $DISTRIBUTED_ARGS pretrain_gpt.py --a 1', 'script', 'pretrain_gpt.py', '--a 1', 'torchrun'],
    ['torchrun --nproc_per_node 8 $SCRIPT --lr 2', 'script', '$SCRIPT', '--lr 2', 'torchrun'],
    ['torchrun --nproc_per_node 8 "$SCRIPT" --lr 2', 'script', '"$SCRIPT"', '--lr 2', 'torchrun'],
    [
      'python -m torch.distributed.launch $DISTRIBUTED_ARGS ./tasks/main.py --a',
      'script',
      './tasks/main.py',
      '--a',
      '-m torch.distributed.launch',
    ],
    [
      'uv run python -m torch.distributed.run --nproc_per_node=2 --nnodes=1 -m coverage run --data-file=x --source=y --parallel-mode -m pytest -v t.py',
      'module',
      'pytest',
      '-v t.py',
      'uv run, -m torch.distributed.run, -m coverage run',
    ],
    [
      'uv run coverage run --data-file=x --parallel-mode -m pytest t.py',
      'module',
      'pytest',
      't.py',
      'uv run, coverage run',
    ],
    [
      'uv run ft_launcher --nproc_per_node 8 --ft-param-x=1 train.py --a',
      'script',
      'train.py',
      '--a',
      'uv run, ft_launcher',
    ],
    [
      'ft_launcher --ft-rank-section-timeouts setup:900,step:60 --ft-max_x --nnodes 2 -m train',
      'module',
      'train',
      '',
      'ft_launcher',
    ],
    ['numactl --preferred-many 0,1 -w 0,1 python t.py --a', 'script', 't.py', '--a', 'numactl'],
    ['mpiexec -n 8 -ppn 4 --cpu-bind depth -d 16 python t.py --a', 'script', 't.py', '--a', 'mpiexec'],
    ['aprun -n 8 -N 4 --cc depth -d 16 python t.py --a', 'script', 't.py', '--a', 'aprun'],
    ['accelerate launch --downcast_bf16 t.py --a', 'script', 't.py', '--a', 'accelerate launch'],
    ['deepspeed --elastic_training t.py --a', 'script', 't.py', '--a', 'deepspeed'],
    ['deepspeed --launcher slurm --comment c t.py --a', 'script', 't.py', '--a', 'deepspeed'],
    ['docker run --annotation a=b --dns-search x img python t.py', 'script', 't.py', '', 'docker run'],
    ['podman run --hooks-dir d --secret s img python t.py', 'script', 't.py', '', 'podman run'],
    ['docker compose run -l a=b --pull never svc python t.py', 'script', 't.py', '', 'docker compose run'],
    ['apptainer exec --nv --no-mount tmp img python t.py', 'script', 't.py', '', 'apptainer exec'],
    // Options of the main program, before its sub-command.
    ['docker --context c run --gpus all img python t.py --a', 'script', 't.py', '--a', 'docker run'],
    ['docker -H tcp://h compose -f x.yml run svc python t.py', 'script', 't.py', '', 'docker compose run'],
    ['kubectl -n ns --context c exec -it pod -- python t.py', 'script', 't.py', '', 'kubectl exec'],
    ['ray --logging-level debug job submit -- python t.py', 'script', 't.py', '', 'ray job submit'],
    ['poetry -C sub run python t.py', 'script', 't.py', '', 'poetry run'],
    // The program that runs in the image precedes it, and its words follow it.
    ['docker run --entrypoint python img -u t.py --a', 'script', 't.py', '--a', 'docker run'],
    ['docker run --entrypoint=torchrun img --nnodes 1 t.py', 'script', 't.py', '', 'docker run, torchrun'],
    ['docker run --entrypoint= img torchrun t.py --a', 'script', 't.py', '--a', 'docker run, torchrun'],
    ['docker run --entrypoint $E img torchrun t.py', 'script', 't.py', '', 'docker run, torchrun'],
    ['docker run --entrypoint ./start.sh img torchrun t.py', '', '', '', ''],
    ['torch.distributed.run train.py', '', '', '', ''],
    [
      'accelerate launch --num_processes 8 --mixed_precision bf16 train.py --a',
      'script',
      'train.py',
      '--a',
      'accelerate launch',
    ],
    [
      'accelerate launch --multi_gpu --config_file c.yaml -m pkg.train --a',
      'module',
      'pkg.train',
      '--a',
      'accelerate launch',
    ],
    [
      'deepspeed --num_gpus 8 --master_port 1 train.py --deepspeed c.json',
      'script',
      'train.py',
      '--deepspeed c.json',
      'deepspeed',
    ],
    ['srun -l --verbose -N 2 --container-image img#x python train.py', 'script', 'train.py', '', 'srun'],
    ['srun $SRUN_ARGS python train.py --a', 'script', 'train.py', '--a', 'srun'],
    [
      'srun --mpi=pmix --no-kill --container-image="$IMG" --no-container-mount-home torchrun --nproc_per_node 8 t.py',
      'script',
      't.py',
      '',
      'srun, torchrun',
    ],
    [
      'mpirun -np 16 -x LD_LIBRARY_PATH -x A=1 --mca btl ^openib --bind-to none python train.py',
      'script',
      'train.py',
      '',
      'mpirun',
    ],
    [
      'mpiexec -n 8 -vcoordfile nodes -stdout-proc out/%/r -stderr-proc err/%/r python train.py --a',
      'script',
      'train.py',
      '--a',
      'mpiexec',
    ],
    ['mpirun --vcoordfile nodes -of-proc log -std all python t.py', 'script', 't.py', '', 'mpirun'],
    [
      'nsys profile -t cuda,nvtx -f true -o out --capture-range=cudaProfilerApi torchrun t.py',
      'script',
      't.py',
      '',
      'nsys profile, torchrun',
    ],
    ['ncu --set full -o x python t.py', 'script', 't.py', '', 'ncu'],
    ['py-spy record -o x.svg -- python t.py --a', 'script', 't.py', '--a', 'py-spy record'],
    ['perf stat -e cycles -r 3 python t.py --a', 'script', 't.py', '--a', 'perf stat'],
    ['vtune -collect hotspots -r out -- python t.py --a', 'script', 't.py', '--a', 'vtune'],
    ['memray run -o x.bin -m pkg.t k=v', 'module', 'pkg.t', 'k=v', 'memray run'],
    ['python -m cProfile -o x t.py k=v', 'script', 't.py', 'k=v', '-m cProfile'],
    [
      'python -m debugpy --listen 5678 --wait-for-client -m pkg.t k=v',
      'module',
      'pkg.t',
      'k=v',
      '-m debugpy',
    ],
    [
      'ray job submit --address="http://127.0.0.1:8265" --runtime-env-json="$JSON" -- python3 train.py --a 1',
      'script',
      'train.py',
      '--a 1',
      'ray job submit',
    ],
    [
      'ray job submit --address http://h --working-dir . --no-wait -- python3 -m pkg.t --a',
      'module',
      'pkg.t',
      '--a',
      'ray job submit',
    ],
    ['ray job submit $EXTRA -- python3 train.py', 'script', 'train.py', '', 'ray job submit'],
    [
      'docker run --rm -it --gpus all -e A=1 -v $PWD:/w -w /w img:1 python t.py --a',
      'script',
      't.py',
      '--a',
      'docker run',
    ],
    ['docker run --rm $OPTS $IMAGE python t.py', 'script', 't.py', '', 'docker run'],
    ['docker exec -it box python t.py', 'script', 't.py', '', 'docker exec'],
    ['apptainer exec --nv -B /d:/d img.sif python t.py', 'script', 't.py', '', 'apptainer exec'],
    ['enroot start --rw -e A=1 box python t.py', 'script', 't.py', '', 'enroot start'],
    ['shifter --image=a/b --module gpu,mpich python t.py', 'script', 't.py', '', 'shifter'],
    ['podman-hpc run --gpu a/b python t.py', 'script', 't.py', '', 'podman-hpc run'],
    ['kubectl exec -n ns pod-0 -c main -- python t.py --a', 'script', 't.py', '--a', 'kubectl exec'],
    ['ssh -p 2222 host python t.py --a', 'script', 't.py', '--a', 'ssh'],
    ['salloc -N 2 srun -n 16 python t.py', 'script', 't.py', '', 'salloc, srun'],
    ['$LAUNCHER train.py --a', 'script', 'train.py', '--a', ''],
    ['$CMD_PREFIX torchrun --nproc_per_node 8 train.py', 'script', 'train.py', '', 'torchrun'],
    ['"$TORCHRUN" -m pkg.train --a', 'module', 'pkg.train', '--a', ''],
  ];
  it.each(shapes)('%s', (line, kind, entry, args, wrappers) => {
    const found = peeled(line);
    if (kind === '') expect(found).toBeUndefined();
    else expect(found).toEqual({ kind, entry: entry.replaceAll('"', ''), args, wrappers });
  });

  it.each([
    'ls -l',
    'python -c "import x"',
    'python - arg',
    'python',
    'bash -c "python t.py"',
    'bash run.sh',
    'srun bash run.sh',
    'mkdir -p /x/train.py.d',
    'command -v torchrun',
    '$CMD',
    'srun',
    'nsys stats x.nsys-rep',
  ])('nothing to start: %s', (line) => {
    expect(peeled(line)).toBeUndefined();
  });
});

describe('an unknown script', () => {
  const host = memoryHost({ '/w/here.sh': 'echo', '/w/on.sh': 'python -u "$@"' });
  const started = (line: string) => launchesOf(command(line), noProfile, host)[0];

  it.each([
    ['torchrun --nproc-per-node=8 --no-python bash nope.sh a', 'nope.sh', 'a'],
    ['srun ./nope.sh a', './nope.sh', 'a'],
    ['bash nope.sh a', undefined, undefined],
  ])('is what a job runs: %s', (line, entry, args) => {
    expect(launchesOf(command(line), noProfile)).toEqual([]);
    const launch = started(line);
    expect(launch && display(launch.entry.word)).toBe(entry);
    expect(launch && texts(launch.args).join(' ')).toBe(args);
  });

  it.each([
    ['srun ./bind.sh python -u train.py --a 1', 'train.py', '--a 1', 'srun'],
    ['numactl-wrapper.sh torchrun --nproc_per_node 8 train.py --a', 'train.py', '--a', 'torchrun'],
    ['srun bash bind.sh --flag 3 -- python3 -m pkg.train k=v', 'pkg.train', 'k=v', 'srun'],
    ['$TOOLS/bind.sh /opt/bin/python train.py', 'train.py', '', ''],
    ['./bind --numa python train.py', 'train.py', '', ''],
    ['sbatch job.sh deepspeed --num_gpus 8 train.py', 'train.py', '', 'sbatch, deepspeed'],
    [
      'srun singularity exec image.sif ./launch.sh a/train.py --lr 1',
      'a/train.py',
      '--lr 1',
      'srun, singularity exec',
    ],
    ['"$SLURM_SUBMIT_DIR/launcher.sh" train.py --lr 1', 'train.py', '--lr 1', ''],
    ['"$SLURM_SUBMIT_DIR/on.sh" train.py --lr 1', 'train.py', '--lr 1', ''],
  ])('is searched if a command is passed to it: %s', (line, entry, args, wrappers) => {
    const launch = started(line);
    expect(launch && display(launch.entry.word)).toBe(entry);
    expect(launch && texts(launch.args).join(' ')).toBe(args);
    expect(launch?.wrappers.join(', ')).toBe(wrappers);
    expect(launch?.command.doubtful).toEqual([]);
  });

  it.each([
    'bash /w/here.sh python train.py',
    './nope.sh train.py',
    './nope.sh train.py config.yaml',
    './nope.sh 8 train.py --lr 1',
    '"$SLURM_SUBMIT_DIR/here.sh" train.py --lr 1',
    'bash /w/on.sh train.py --lr 1',
    './nope train.py --lr 1',
    '/usr/bin/pgrep python train.py',
    './find in python train.py',
    'pgrep python train.py',
    './install.sh python 3.12',
  ])('is not passed a command: %s', (line) => {
    const launch = started(line);
    expect(launch?.entry.kind === 'script' ? display(launch.entry.word) : undefined).toBeUndefined();
  });

  it('may pass a Python file more words than it was given', () => {
    expect(started('srun ./launch.sh train.py --lr 1')?.open).toHaveLength(1);
    expect(started('srun ./bind.sh python train.py --lr 1')?.open).toEqual([]);
  });

  it('may start it any number of times', () => {
    expect(started('srun -n 8 ./bind.sh python train.py')?.worldSize.kind).toBe('unknown');
    expect(started('./bind.sh torchrun --nproc_per_node 8 train.py')?.worldSize).toEqual(known(8));
  });
});
