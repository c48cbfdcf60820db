import { describe, expect, it } from 'vitest';
import { applyEdits } from '../../../server/src/text/edit.ts';
import { lintFile } from '../../support/lintFile.ts';

const path = '/repository/run.sh';
const rules = ['rank-of-first-node', 'launcher-in-every-task', 'nodes-disagree', 'nodes-without-srun'];

function lint(text: string) {
  return lintFile(path, text).findings.filter(({ rule }) => rules.includes(rule));
}

const head = '#!/bin/bash\n#SBATCH --nodes=2\n';
const program = 'pretrain_gpt.py --num-layers 4 --hidden-size 64\n';
const c10d = '--rdzv_id $SLURM_JOB_ID --rdzv_backend c10d --rdzv_endpoint $HOST:6000';

describe('torchrun in a Slurm job', () => {
  it.each([
    [
      `srun torchrun --nnodes $SLURM_NNODES --node_rank $SLURM_NODEID --master_addr $HOST --master_port 6000 ${program}`,
      `srun torchrun --nnodes $SLURM_NNODES ${c10d} ${program}`,
      'rank-of-first-node',
      '--node_rank $SLURM_NODEID is read once, before srun starts torchrun on the nodes: all 2 nodes',
    ],
    [
      `srun torchrun --nnodes=2 --node_rank=0 --master_addr=$HOST --master_port=6000 ${program}`,
      `srun torchrun --nnodes=2 ${c10d} ${program}`,
      'rank-of-first-node',
      '--node_rank 0 is read once',
    ],
    [
      `srun torchrun --nnodes 2 --master_addr $HOST --master_port 6000 ${program}`,
      `srun torchrun --nnodes 2 ${c10d} ${program}`,
      'rank-of-first-node',
      'torchrun is given no rank, which is 0 then',
    ],
    [
      `srun --ntasks-per-node=8 torchrun --nnodes 2 --nproc_per_node 8 ${c10d} ${program}`,
      `srun --ntasks-per-node=1 torchrun --nnodes 2 --nproc_per_node 8 ${c10d} ${program}`,
      'launcher-in-every-task',
      'srun starts torchrun 8 times on every node, and each of them starts 8 processes.',
    ],
    [
      `srun --ntasks-per-node=8 --gpus 16 bash -c "torchrun --nnodes 2 --nproc_per_node 8 ${c10d} ${program.trim()}"\n`,
      `srun --ntasks-per-node=1 --gpus 16 bash -c "torchrun --nnodes 2 --nproc_per_node 8 ${c10d} ${program.trim()}"\n`,
      'launcher-in-every-task',
      'srun starts torchrun 8 times on every node, and each of them starts 8 processes.',
    ],
    [
      `srun bash -c "torchrun --nnodes 2 --node_rank $SLURM_PROCID --master_addr $HOST --master_port 6000 ${program.trim()}"\n`,
      `srun bash -c "torchrun --nnodes 2 ${c10d} ${program.trim()}"\n`,
      'rank-of-first-node',
      '--node_rank $SLURM_PROCID is read once, before srun starts torchrun on the nodes: all 2 nodes',
    ],
    [
      `srun torchrun --nnodes 4 ${c10d} ${program}`,
      `srun torchrun --nnodes 2 ${c10d} ${program}`,
      'nodes-disagree',
      'torchrun waits for 4 nodes, but the job has 2.',
    ],
    [
      `torchrun --nnodes 2 ${c10d} ${program}`,
      `srun torchrun --nnodes 2 ${c10d} ${program}`,
      'nodes-without-srun',
      'Only the first of the 2 nodes runs this: nothing starts torchrun on the others, for which it waits.',
    ],
    [
      `torchrun --nnodes 2 --node_rank $SLURM_NODEID --master_addr $HOST --master_port 6000 ${program}`,
      `srun torchrun --nnodes 2 ${c10d} ${program}`,
      'nodes-without-srun',
      'Only the first',
    ],
  ])('is reported and fixed: %s', (broken, mended, rule, message) => {
    const [finding, ...more] = lint(head + broken);
    expect(more).toEqual([]);
    expect(finding).toMatchObject({ rule, severity: 'warning', certainty: 'likely' });
    expect(finding?.message).toContain(message);
    expect(applyEdits(head + broken, finding?.fixes[0]?.edits ?? [])).toBe(head + mended);
    expect(lint(head + mended)).toEqual([]);
  });

  it('is reported at the line that requests the tasks', () => {
    const text = `${head}#SBATCH --ntasks-per-node=4\nsrun torchrun --nnodes 2 --nproc_per_node 4 ${c10d} ${program}`;
    const [finding] = lint(text);
    expect(finding).toMatchObject({ rule: 'launcher-in-every-task' });
    expect(text.slice(finding?.place.span.start, finding?.place.span.end)).toContain('4');
    expect(applyEdits(text, finding?.fixes[0]?.edits ?? [])).toBe(text.replace('node=4', 'node=1'));
  });

  it.each(['$SLURM_GPUS_PER_NODE', '$SLURM_GPUS_ON_NODE'])(
    'starts as many processes as there are GPUs: %s',
    (gpus) => {
      const job = `${head}#SBATCH --ntasks-per-node=4\n#SBATCH --gpus-per-node=4\n`;
      const run = `CMD="torchrun --nnodes 2 --nproc_per_node=${gpus} ${c10d} ${program.trim()}"\nsrun bash -c "$CMD"\n`;
      expect(lint(job + run).map(({ message }) => message)).toEqual([
        'srun starts torchrun 4 times on every node, and each of them starts 4 processes.',
      ]);
      expect(lint(job.replace('-node=4', '-node=1') + run)).toEqual([]);
    },
  );

  it.each([
    ['one node', `#!/bin/bash\n#SBATCH --nodes=1\nsrun torchrun --nproc_per_node 8 ${program}`],
    [
      'a loop over the nodes',
      `${head}for i in 0 1; do srun -N1 -n1 -w node$i torchrun --nnodes 2 --node_rank $i --master_addr $HOST --master_port 1 ${program.trim()} & done\n`,
    ],
    [
      'a shell on each node',
      `${head}srun bash -c 'torchrun --nnodes 2 --node_rank $SLURM_NODEID --master_addr $HOST --master_port 1 ${program.trim()}'\n`,
    ],
    [
      'a shell on each node that reads its rank',
      `${head}CMD="torchrun --nnodes 2 --node_rank \\$SLURM_PROCID --master_addr $HOST --master_port 1 ${program.trim()}"\nsrun bash -c "$CMD"\n`,
    ],
    [
      'a shell that starts it in one task of each node',
      `${head}#SBATCH --ntasks-per-node=8\nsrun bash -c 'if [ $SLURM_LOCALID = 0 ]; then torchrun --nnodes 2 --nproc_per_node 8 ${c10d} ${program.trim()}; fi'\n`,
    ],
    [
      'a shell that starts it in one case of the tasks',
      `${head}#SBATCH --ntasks-per-node=8\nsrun bash -c 'case "$SLURM_LOCALID" in 0) torchrun --nnodes 2 --nproc_per_node 8 ${c10d} ${program.trim()};; esac'\n`,
    ],
    [
      'a shell in one task of each node',
      `${head}#SBATCH --ntasks-per-node=1\nsrun bash -c "torchrun --nnodes 2 --nproc_per_node 8 ${c10d} ${program.trim()}"\n`,
    ],
    ['one process in each task', `${head}#SBATCH --ntasks-per-node=8\nsrun python ${program}`],
    [
      'a rank in the environment',
      `${head}export PET_NODE_RANK=1\nsrun torchrun --nnodes 2 --master_addr $HOST ${program}`,
    ],
    [
      'nodes that are reached otherwise',
      `${head}for h in $HOSTS; do ssh $h ./run.sh; done\ntorchrun --nnodes 2 ${c10d} ${program}`,
    ],
    ['no job', `srun torchrun --nnodes 2 --node_rank 0 --master_addr $HOST ${program}`],
    [
      'unknown options',
      `${head}srun $OPTIONS torchrun --nnodes 2 --node_rank 0 --master_addr $HOST ${program}`,
    ],
  ])('is left alone with %s', (_, text) => {
    expect(lint(text)).toEqual([]);
  });
});
