import { describe, expect, it } from 'vitest';
import { cut } from '../../../server/src/launch/pieces.ts';
import { nestedShell } from '../../../server/src/launch/wrappers/nested.ts';
import { display } from '../../../server/src/value/word.ts';
import { words } from './command.ts';

describe('shell text within a command', () => {
  const cases: readonly [string, string | undefined][] = [
    ['bash -c "python t.py" name', 'text python t.py'],
    ['bash -lc "python t.py"', 'text python t.py'],
    ['bash -x -c "$CMD"', 'text $CMD'],
    ['sh -c "a" b c', 'text a'],
    ['bash -o pipefail -c "a"', 'text a'],
    ['bash -euo pipefail -c "a" b', 'text a'],
    ['srun bash -eux -o pipefail run.sh a', 'file run.sh'],
    ['bash -- -run.sh a', 'file -run.sh'],
    ['srun -l --container-image=x --export=ALL,A=1 sh -c "a"', 'text a'],
    ['srun --mpi=pmix bash -c "$FULL_CMD"', 'text $FULL_CMD'],
    ['srun $ARGS bash -c "a"', 'text a'],
    ['srun $ARGS --wait=60 --kill-on-bad-exit=1 --no-container-mount-home bash -c "a"', 'text a'],
    ['srun $ARGS --no-such-switch bash -c "a"', undefined],
    ['ray job submit --address=x -- bash -c "a"', 'text a'],
    ['docker run --rm -v a:b img bash -c "a"', 'text a'],
    ['docker exec box bash -lc "a"', 'text a'],
    ['kubectl exec pod -- bash -c "a"', 'text a'],
    ['ssh host "cd /x && bash run.sh"', 'text cd /x && bash run.sh'],
    ['ssh host bash -c "a"', 'text a'],
    ["ssh host cd /x '&&' python t.py", 'text cd /x && python t.py'],
    ['ssh -p 22 host A=1 python t.py "--x=a b"', 'text A=1 python t.py --x=a b'],
    ['ssh host python t.py', undefined],
    ['pdsh -w n[1-4] bash -c "python t.py"', 'text bash -c python t.py'],
    ['docker run --entrypoint bash img -ec "a" b', 'text a'],
    ['docker --context c run --entrypoint /bin/sh img run.sh', 'file run.sh'],
    ['tmux -L socket new-session -d "a"', 'text a'],
    ['sbatch -N 2 --wrap="srun python t.py"', 'text srun python t.py'],
    ['sbatch --wrap "srun python t.py"', 'text srun python t.py'],
    ['tmux new-session -d -s x "python t.py"', 'text python t.py'],
    ['tmux new-window -t x -n y "python t.py"', 'text python t.py'],
    ['tmux split-window -h -p 30 "python t.py"', 'text python t.py'],
    ['gcloud compute ssh vm --zone z --command "cd /x && python t.py"', 'text cd /x && python t.py'],
    ['gcloud compute tpus tpu-vm ssh vm --worker=all --command="python t.py"', 'text python t.py'],
    ['sky exec box --env A=1 "cd x && python t.py"', 'text cd x && python t.py'],
    ["sky launch -c box --gpus H100:8 cd x '&&' python t.py", 'text cd x && python t.py'],
    [
      'sky launch -y --network-tier best -t p5 --wait-for jobs "cd x && python t.py"',
      'text cd x && python t.py',
    ],
    ['sky exec box "cd x && python t.py" --env A=1 -d', 'text cd x && python t.py'],
    ['sky jobs launch --job-recovery FAILOVER -n x "a b" --gpus H100:8 -y', 'text a b'],
    ['sky exec box -- bash "a" -d', 'file a'],
    ['ngc batch run --name x --instance y --commandline "python t.py" --image z', 'text python t.py'],
    ['dlc submit pytorchjob --name=x --command="bash run.sh" --workers=2', 'text bash run.sh'],
    ['runai submit x -g 8 -e A=1 -- bash -c "a"', 'text a'],
    ['qsub -v A=1 -l select=1:ngpus=8 job a', 'file job'],
    ['qsub -h -wd /data -hold_jid 7 job a', 'file job'],
    ['qsub -V', 'input -V'],
    ['sky exec -c box "cd x && python t.py"', 'text cd x && python t.py'],
    ['ngc batch run -n run -in dgx1v -c "python t.py"', 'text python t.py'],
    ['qsub -cwd -b y -pe smp 8 python t.py', undefined],
    ['tmux send-keys -t x "python t.py" Enter', 'text python t.py'],
    ['tmux send-keys -t x', undefined],
    ['screen -S x -p 0 -X stuff "python t.py"', 'text python t.py'],
    ['clush -w n[1-4] "python t.py"', 'text python t.py'],
    ['parallel-ssh -h hosts -i "python t.py"', 'text python t.py'],
    ['script -q -c "python t.py" log', 'text python t.py'],
    ['su - user -c "python t.py"', 'text python t.py'],
    ['flock -n lock -c "python t.py"', 'text python t.py'],
    ['nsys profile -o x bash -c "a"', 'text a'],
    ['bash -n run.sh', undefined],
    ['bash run.sh a b', 'file run.sh'],
    ['bash -x run.sh a b', 'file run.sh'],
    ['bash "$DIR/run.sh"', 'file $DIR/run.sh'],
    ['./run.sh a', 'file ./run.sh'],
    ['srun ./run.sh a', 'file ./run.sh'],
    ['sbatch -N 4 --job-name=x job.slurm a', 'file job.slurm'],
    ['sbatch job a', 'file job'],
    ['torchrun --no-python ./run.sh a', 'file ./run.sh'],
    ['sbatch', 'input sbatch'],
    ['sbatch -N 2', 'input 2'],
    ['bash', 'input bash'],
    ['bash -s arg', 'input -s'],
    ['bash -euo pipefail -s -- arg', 'input --'],
    ['srun bash', 'input bash'],
    ['ssh host', 'input host'],
    ['python t.py', undefined],
    ['bash -c', undefined],
    ['srun python t.py --prompt "bash -c x"', undefined],
    ['ls run.sh', undefined],
  ];
  it.each(cases)('%s', (line, expected) => {
    const list = words(line);
    const nested = nestedShell(list);
    const word = nested === undefined ? undefined : list[nested.index];
    const others = nested?.isLine === true ? list.slice(nested.index + 1) : [];
    const shown =
      nested === undefined || word === undefined
        ? undefined
        : `${nested.kind} ${[cut(word, nested.skip), ...others].map(display).join(' ')}`;
    expect(shown).toBe(expected);
  });
});
