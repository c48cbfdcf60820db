import type { OptionStyle } from './options.ts';
import type { ProcessRule, Wrapper } from './wrapper.ts';

/** The words of a list that is written as one text. */
function words(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}

const slurmCommon = words(`
  -A --account --acctg-freq -B --extra-node-info --bb --bbf -b --begin -M --clusters --cluster-constraint
  --comment -C --constraint --container --container-id --core-spec -S --cores-per-socket -c --cpus-per-task
  --cpu-freq --cpus-per-gpu --deadline --delay-boot -d --dependency -D --chdir -e --error -x --exclude --export
  -G --gpus --gpu-bind --gpu-freq --gpus-per-node --gpus-per-socket --gpus-per-task --gres --gres-flags --hint
  -i --input -J --job-name -L --licenses -m --distribution --mail-type --mail-user --mcs-label --mem --mem-bind
  --mem-per-cpu --mem-per-gpu --mincpus --network -w --nodelist -F --nodefile -N --nodes -n --ntasks
  --ntasks-per-core --ntasks-per-gpu --ntasks-per-node --ntasks-per-socket --open-mode -o --output -p
  --partition --power --prefer --priority --profile -q --qos --reservation --signal --sockets-per-node
  --switches --thread-spec --threads-per-core -t --time --time-min --tmp --uid --gid --wckey --tres-per-job
  --tres-per-task --extra --segment --container-image --container-mounts --container-workdir --container-name
  --container-save --container-env`);

const jobOptions = [...slurmCommon, ...words('-a --array --batch --export-file --wrap')];

/** Slurm's job options, as `sbatch`, `salloc` and `#SBATCH` lines take them; those with an optional value take it joined. */
export const slurmJob: OptionStyle = { values: jobOptions };

const slurmStep = [
  ...slurmCommon,
  ...words(`
  --accel-bind --bcast-exclude --cpu-bind --epilog --prolog --task-epilog --task-prolog
  --jobid --het-group --mpi --multi-prog-file -r --relative
  --slurmd-debug -T --threads -W --wait --treewidth --tres-bind `),
];

/** Options of srun without a value, those of the containers that Pyxis starts among them; one with an optional value takes it joined. */
const slurmSwitches = words(`
  --contiguous --disable-status -X --exact --exclusive --external-launcher -H --hold --help --interactive -I --immediate -K --kill-on-bad-exit
  -l --label --multi-prog -k --no-kill -Z --no-allocate --overcommit -O --overlap --oversubscribe -s -E --preserve-env --propagate --pty
  --quit-on-interrupt -Q --quiet --reboot --resv-ports --spread-job --unbuffered -u --use-min-nodes -v --verbose -V --version --wait-all-nodes
  --container-entrypoint --no-container-entrypoint --container-mount-home --no-container-mount-home --container-readonly
  --container-remap-root --no-container-remap-root --container-writable`);

const slurmProcesses: ProcessRule = {
  total: ['-n', '--ntasks'],
  nodes: ['-N', '--nodes'],
  perNode: ['--ntasks-per-node'],
  slurm: true,
};

const torchrunOptions = words(`
  --nnodes --nproc-per-node --rdzv-backend --rdzv-endpoint --rdzv-id --rdzv-conf --max-restarts
  --monitor-interval --start-method --event-log-handler --role --log-dir --redirects -r --tee -t
  --local-ranks-filter --node-rank --master-addr --master-port --local-addr --logs-specs --numa-binding
  --signals-to-handle --duplicate-stdout-filters --duplicate-stderr-filters`);
const torchrunProcesses: ProcessRule = {
  nodes: ['--nnodes'],
  perNode: ['--nproc-per-node'],
  defaultNodes: 1,
  defaultPerNode: 1,
  nodesVariable: 'PET_NNODES',
  perNodeVariable: 'PET_NPROC_PER_NODE',
};

const containerOptions = words(`
  --add-host -a --attach --cap-add --cap-drop --cgroup-parent --cgroupns --cidfile -c --cpu-shares --cpus
  --cpuset-cpus --cpuset-mems --device --device-cgroup-rule --dns --domainname --entrypoint -e --env --env-file
  --expose --gpus --group-add --health-cmd -h --hostname --ip --ipc --isolation -l --label --link --log-driver
  --log-opt --mac-address -m --memory --memory-swap --mount --name --net --network --network-alias
  --oom-score-adj --pid --pids-limit --platform -p --publish --pull --restart --runtime --security-opt
  --shm-size --stop-signal --storage-opt --sysctl --tmpfs --ulimit -u --user --userns --uts -v --volume
  --volume-driver --volumes-from -w --workdir`);

const uvOptions = words(`
  --extra --no-extra --group --no-group --only-group --env-file --with -w --with-editable --with-requirements
  --package --index --default-index -i --index-url --extra-index-url -f --find-links -P --upgrade-package
  --index-strategy --keyring-provider --resolution --prerelease --fork-strategy --exclude-newer
  --exclude-newer-package --reinstall-package --link-mode -C --config-setting --config-settings-package
  --no-build-isolation-package --no-build-package --no-binary-package --refresh-package --cache-dir -p --python
  --python-preference --color --allow-insecure-host --directory --project --config-file --python-platform
  --torch-backend --no-sources-package --max-recursion-depth --from -c --constraints -b --build-constraints
  --overrides --upgrade-group --env-file`);

const mpiOptions = words(`
  -np -n --np -c -N --npernode -npernode -ppn --ppn -perhost -H -host --host -hostfile --hostfile -machinefile
  --machinefile -f -x --bind-to -bind-to --map-by -map-by --rank-by -rank-by --prefix -wdir --wdir -wd
  --oversubscribe-by --output-filename -output-filename --tag-output-by --report-state --timeout -rf --rankfile
  -am --tune -launcher -bootstrap -iface -genvlist -envlist -ofi --cpu-set --personality`);

/** A wrapper that only changes how a program runs. */
function plain(calls: string, values: readonly string[] = [], rest: Partial<Wrapper> = {}): Wrapper {
  return { calls: calls.split(', '), command: 'words', values, ...rest };
}

/** A tool that runs a Python file, or a module with `-m`. */
function pythonTool(calls: string, values: readonly string[] = [], rest: Partial<Wrapper> = {}): Wrapper {
  return { calls: calls.split(', '), command: 'python', values, module: ['-m', '--module'], ...rest };
}

/** All wrappers that are understood. The longest matching call wins. */
export const wrappers: readonly Wrapper[] = [
  // The shell's own, and coreutils.
  plain('env', words('-u --unset -C --chdir -S --split-string'), {
    assignments: true,
    environment: { unset: ['-u', '--unset'], isolated: ['-', '-i', '--ignore-environment'] },
  }),
  plain('exec', ['-a']),
  plain('command, builtin, nohup, setsid, unbuffer, catchsegv, chronic, dumb-init, doas, eatmydata'),
  plain('time', words('-f --format -o --output')),
  plain('timeout, gtimeout', words('-k --kill-after -s --signal'), { positionals: 1 }),
  plain('proxychains, proxychains4, torsocks, tsocks', ['-f']),
  plain('stdbuf', words('-i --input -o --output -e --error')),
  plain('nice', ['-n', '--adjustment']),
  plain('ionice', words('-c --class -n --classdata')),
  plain('chrt', ['-T', '-P', '-D'], { positionals: 1 }),
  plain('taskset', [], { positionals: 1 }),
  plain('numactl', words('-i -p -N -m -C -l --interleave --preferred --cpunodebind --membind --physcpubind')),
  plain('prlimit', ['-o', '--output']),
  plain('flock', words('-c --command -w --timeout -E'), { positionals: 1, text: ['-c', '--command'] }),
  plain('tini', ['-p', '-e']),
  plain('gosu, su-exec', [], { positionals: 1 }),
  plain('strace, ltrace', words('-e -o -p -s -a -O -S -P -u -E')),
  plain('systemd-run', words('-p --property --unit -u --slice -E --setenv'), {
    environment: { set: ['-E', '--setenv'] },
  }),
  plain('sudo', words('-u --user -g --group -h --host -p --prompt -C -D -R -T -r -t'), {
    assignments: true,
    environment: { isolated: true, keep: ['-E', '--preserve-env'] },
  }),
  plain('su', words('-c --command -g -s --shell -w'), {
    positionals: 1,
    text: ['-c', '--command'],
    environment: { isolated: ['-', '-l', '--login'] },
  }),
  plain('script', words('-c --command -T -O -I -B -E -o'), { text: ['-c', '--command'], positionals: 1 }),
  plain('ssh', words('-b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w'), {
    positionals: 1,
    command: 'text',
    environment: { isolated: true },
  }),
  plain('pdsh', words('-w -x -f -l -R -t -u -g'), { command: 'text', environment: { isolated: true } }),
  plain('clush', words('-w -x -g -X -s -f -t -u -l -o -m --hostfile --worker'), {
    command: 'text',
    environment: { isolated: true },
  }),
  plain(
    'parallel-ssh, pssh',
    words('-h --hosts -H --host -l --user -p --par -o -e -t --timeout -O -x -X -g'),
    {
      command: 'text',
      environment: { isolated: true },
    },
  ),
  plain('tmux new-session, tmux new', words('-c -e -F -f -n -s -t -x -y'), {
    command: 'text',
    environment: { set: ['-e'] },
  }),
  plain('tmux send-keys, tmux send', words('-t -N -c'), {
    command: 'typed',
    environment: { isolated: true },
  }),
  plain('screen', words('-S -c -e -h -p -s -T -t -L')),

  // Environments of Python packages.
  plain('uv run, uvx, uv tool run', uvOptions, { module: ['-m', '--module'] }),
  plain('poetry run, pdm run, pipenv run, rye run, hatch run, with-contenv'),
  plain('pixi run', words('-e --environment --manifest-path --color')),
  plain('conda run, mamba run, micromamba run', words('-n --name -p --prefix --cwd')),
  plain('dotenv run', ['-f', '--file']),
  plain('doppler run, op run, infisical run, chamber exec, aws-vault exec', [], { separator: true }),

  // Tools that run a Python program.
  pythonTool(
    'coverage run, -m coverage run',
    words(`
  --concurrency --context --data-file --include --omit --rcfile --source --debug --save-signal`),
  ),
  pythonTool('memray run, -m memray run', words('-o --output --live-port -p --aggregate-interval')),
  pythonTool('scalene, -m scalene', ['--outfile', '--profile-only', '--cpu-percent-threshold']),
  pythonTool('kernprof, -m kernprof', words('-o --outfile -s --setup -p --prof-mod')),
  pythonTool('viztracer, -m viztracer', words('-o --output_file --tracer_entries --max_stack_depth')),
  pythonTool('-m cProfile, -m profile', ['-o', '-s']),
  pythonTool('-m pdb', ['-c']),
  pythonTool('-m trace', words('-f --file -C --coverdir --ignore-module --ignore-dir')),
  pythonTool('-m debugpy, debugpy', words('--listen --connect --configure --log-to')),
  pythonTool('-m torch.utils.bottleneck'),
  pythonTool('ray submit', words('--tmux --cluster-name -n -p --port-forward --script --args'), {
    positionals: 1,
    environment: { isolated: true },
  }),

  // Profilers and debuggers of programs.
  plain(
    'nsys profile, nsys launch',
    words(`
  -b --backtrace -c --capture-range --capture-range-end --command-file --cpu-core-events --cpuctxsw
  --cudabacktrace --cuda-event-trace --cuda-flush-interval --cuda-graph-trace --cuda-memory-usage
  --cuda-um-cpu-page-faults --cuda-um-gpu-page-faults -y --delay -d --duration -e --env-var --event-sample
  --export -f --force-overwrite --ftrace --gpu-metrics-device --gpu-metrics-devices --gpu-metrics-frequency
  --gpu-metrics-set --gpuctxsw -h --hotkey-capture -n --inherit-environment --kill --mpi-impl --nic-metrics -p
  --nvtx-capture --nvtx-domain-exclude --nvtx-domain-include -o --output --osrt-threshold --process-scope
  --python-backtrace --python-sampling --python-sampling-frequency --pytorch -P --resolve-symbols --run-as -s
  --sample --samples-per-backtrace --sampling-frequency --sampling-period --session --session-new --show-output
  -w -Y --start-later --stats -x --stop-on-exit -t --trace --trace-fork-before-exec --vsync --wait
  --wddm-backtraces --storage-metrics`),
    { environment: { list: ['-e', '--env-var'] } },
  ),
  plain(
    'ncu',
    words(`
  -o --export -k --kernel-name -c --launch-count -s --launch-skip --set --section --metrics --target-processes
  --replay-mode --nvtx-include --nvtx-exclude --log-file --cache-control --clock-control --kernel-id
  --kernel-name-base --graph-profiling --import-source --page --launch-skip-before-match -i`),
  ),
  plain(
    'compute-sanitizer, cuda-memcheck',
    words(`
  --tool --log-file --print-limit --leak-check --target-processes --kernel-regex --save --launch-timeout
  --error-exitcode`),
  ),
  plain(
    'nvprof, rocprof, rocprofv3, rocprof-sys-run, omnitrace-run',
    words('-o -i -d --export-profile --profile-from-start'),
  ),
  plain('py-spy record, py-spy top', words('-o --output -r --rate -d --duration -f --format')),
  plain('austin', words('-o --output -i --interval')),
  plain('gdb', ['-ex', '-x', '--command']),

  // Job submission.
  plain(
    'ray job submit',
    words(`
  --address --job-id --submission-id --runtime-env --runtime-env-json --working-dir --metadata-json
  --entrypoint-num-cpus --entrypoint-num-gpus --entrypoint-memory --entrypoint-resources
  --entrypoint-label-selector --headers --log-style --log-color --verify`),
    {
      switches: words('--no-wait -v --verbose --help'),
      refuses: ['ray job submit'],
      environment: { runtimeEnvironment: '--runtime-env-json' },
    },
  ),
  plain('ray exec', words('-n --cluster-name -p --port-forward --run-env --log-style --log-color'), {
    positionals: 1,
    command: 'text',
    environment: { isolated: true },
  }),
  plain('sbatch', jobOptions, {
    command: 'batch',
    text: ['--wrap'],
    environment: { slurmExport: true },
  }),
  plain('salloc', jobOptions),
  plain('srun', slurmStep, {
    switches: slurmSwitches,
    processes: slurmProcesses,
    environment: { slurmExport: true },
  }),
  plain('bsub', words('-J -q -n -R -o -e -W -P -m -gpu -nnodes -alloc_flags -env'), { command: 'text' }),
  plain(
    'jsrun',
    words('-n --nrs -a --tasks_per_rs -c --cpu_per_rs -g --gpu_per_rs -r --rs_per_host -b -d -E'),
    {
      environment: { set: ['-E'] },
      processes: {},
    },
  ),

  // Containers.
  plain(
    'docker run, docker container run, podman run, nerdctl run, docker create, nvidia-docker run',
    containerOptions,
    {
      positionals: 1,
      environment: { set: ['-e', '--env'], isolated: true },
    },
  ),
  plain(
    'docker exec, docker container exec, podman exec, nerdctl exec',
    words('-e --env --env-file -u --user -w --workdir --detach-keys'),
    {
      positionals: 1,
      environment: { set: ['-e', '--env'], isolated: true },
    },
  ),
  plain(
    'docker compose run, docker compose exec, docker-compose run, docker-compose exec',
    words('-e --env -u --user -w --workdir -v --volume -p --publish --name --entrypoint --index'),
    { positionals: 1, environment: { set: ['-e', '--env'], isolated: true } },
  ),
  plain(
    'singularity exec, apptainer exec, singularity run, apptainer run',
    words(`
  -B --bind --env --env-file -H --home -W --workdir --pwd --cwd -o --overlay -S --scratch --app --apply-cgroups
  --dns --fusemount --hostname --mount --network --network-args --security --add-caps --drop-caps`),
    { positionals: 1, environment: { list: ['--env'], isolated: ['-e', '--cleanenv'] } },
  ),
  plain('enroot start', words('-c --conf -e --env --rc -m --mount'), {
    positionals: 1,
    environment: { set: ['-e', '--env'] },
  }),
  plain(
    'kubectl exec, oc exec',
    words('-n --namespace -c --container --context --kubeconfig -f --filename'),
    {
      separator: true,
      environment: { isolated: true },
    },
  ),
  plain('kubectl run', words('-n --namespace --image --env --overrides --context --restart -l --labels'), {
    separator: true,
    environment: { set: ['--env'], isolated: true },
  }),

  // Launchers of distributed jobs.
  pythonTool(
    'torchrun, -m torch.distributed.run, -m torch.distributed.launch, hyperpodrun, ft_launcher, -m nvidia_resiliency_ext.fault_tolerance.launcher',
    torchrunOptions,
    {
      switches: words(
        '--standalone --module -m --no-python --run-path --use-env --virtual-local-rank --help -h',
      ),
      refuses: ['torchrun', '-m torch.distributed.run', '-m torch.distributed.launch'],
      program: ['--no-python'],
      underscores: true,
      abbreviations: true,
      processes: torchrunProcesses,
    },
  ),
  pythonTool('accelerate launch, accelerate-launch, -m accelerate.commands.launch', [], {
    unlisted: 'value',
    switches: words(`
  -m --module --no-python --quiet -q --cpu --multi-gpu --tpu --ipex --use-xpu --use-deepspeed --use-fsdp
  --use-megatron-lm --use-parallelism-config --debug --enable-cpu-affinity --same-network --use-tp
  --tpu-use-cluster --no-tpu-cluster --tpu-use-sudo --aws --main-training-function-only -h --help`),
    underscores: true,
    program: ['--no-python'],
    processes: { total: ['--num-processes', '--num_processes'], nodes: ['--num-machines', '--num_machines'] },
  }),
  pythonTool(
    'deepspeed, -m deepspeed.launcher.runner',
    words(`
  -H --hostfile -i --include -e --exclude --num-nodes --num-gpus --min-elastic-nodes --max-elastic-nodes
  --master-port --master-addr --launcher --launcher-args --autotuning --venv-script --node-rank --save-pid-file
  --elastic-training --bind-core-list --ssh-port --enable-each-rank-log`),
    {
      underscores: true,
      module: ['--module'],
      program: ['--no-python'],
      processes: { nodes: ['--num-nodes'], perNode: ['--num-gpus'] },
    },
  ),
  plain('mpirun, mpiexec, mpiexec.hydra, orterun, prterun, prun', mpiOptions, {
    pairs: words('--mca -mca -gmca --gmca --prtemca -genv -env'),
    environment: { set: ['-x'], pairs: ['-genv', '-env'] },
    processes: {
      total: words('-np -n --np -c'),
      perNode: words('-N --npernode -npernode -ppn --ppn -perhost'),
    },
  }),
  plain('horovodrun', words('-np --num-proc -H --hosts --hostfile -p --ssh-port --network-interface'), {
    processes: { total: ['-np', '--num-proc'] },
  }),
];
