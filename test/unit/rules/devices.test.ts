import { describe, expect, it } from 'vitest';
import { applyEdits } from '../../../server/src/text/edit.ts';
import { lintFile } from '../../support/lintFile.ts';

const path = '/repository/run.sh';

/** What is reported about a script, and the script after the fix. */
function reported(text: string) {
  const [finding] = lintFile(path, text).findings.filter(({ rule }) => rule === 'more-processes-than-gpus');
  if (finding === undefined) return undefined;
  const [fix] = finding.fixes;
  return { severity: finding.severity, after: fix === undefined ? undefined : applyEdits(text, fix.edits) };
}

describe('processes per node beside the GPUs that CUDA shows them', () => {
  const program = 'pretrain_gpt.py --num-layers 2 --micro-batch-size 1\n';

  it.each([
    ['export CUDA_VISIBLE_DEVICES=0,1,2,3\ntorchrun --nproc_per_node 8 ', 'torchrun --nproc_per_node 4 '],
    ['CUDA_VISIBLE_DEVICES=2 torchrun --nproc-per-node=8 ', 'torchrun --nproc-per-node=1 '],
    ['export CUDA_VISIBLE_DEVICES=0-7\ntorchrun --nproc_per_node 8 ', 'torchrun --nproc_per_node 1 '],
    ['export CUDA_VISIBLE_DEVICES="0, 1"\ntorchrun --nproc_per_node 8 ', 'torchrun --nproc_per_node 2 '],
    [
      'GPUS=8\nexport CUDA_VISIBLE_DEVICES=0,1\npython -m torch.distributed.run --nproc_per_node $GPUS ',
      'GPUS=2\n',
    ],
  ])('are too many: %s', (launcher, after) => {
    const found = reported(launcher + program);
    expect(found?.severity).toBe('error');
    expect(found?.after).toContain(after);
  });

  it.each([
    'export CUDA_VISIBLE_DEVICES=-1\ntorchrun --nproc_per_node 8 ',
    'export CUDA_VISIBLE_DEVICES=0,0\ntorchrun --nproc_per_node 8 ',
    'GPUS=$((4 * 2))\nexport CUDA_VISIBLE_DEVICES=0,1\ntorchrun --nproc_per_node $GPUS ',
  ])('are too many, and no written number can fix it: %s', (launcher) => {
    expect(reported(launcher + program)).toEqual({ severity: 'error', after: undefined });
  });

  it.each([
    '#SBATCH --gpus-per-node=4\ntorchrun --nproc_per_node 8 ',
    '#SBATCH --nodes=2 --gres=gpu:a100:4\nsrun torchrun --nnodes 2 --master_addr x --nproc_per_node=8 ',
    '#SBATCH --gres gpu:4\nsrun --ntasks-per-node=1 bash -c "torchrun --nproc_per_node 8 ',
  ])('are too many for what the job requests: %s', (launcher) => {
    const found = reported(`#!/bin/bash\n${launcher}${program.trim()}${launcher.includes('"') ? '"' : ''}\n`);
    expect(found?.severity).toBe('warning');
    expect(found?.after).toMatch(/--nproc_per_node[ =]4 /);
  });

  it.each([
    '#SBATCH --gpus-per-node=8\ntorchrun --nproc_per_node 8 ',
    '#SBATCH --gres=gpu:2,gpu:8\ntorchrun --nproc_per_node 8 ',
    '#SBATCH --gres=lustre\ntorchrun --nproc_per_node 8 ',
    '#SBATCH --gpus-per-node=4 --gres=gpu:8\ntorchrun --nproc_per_node 8 ',
    '#SBATCH --gpus-per-node=4\nsrun --gpus-per-node=8 torchrun --nproc_per_node 8 ',
    '#SBATCH --gpus-per-node=4\nsrun $ARGS torchrun --nproc_per_node 8 ',
    '#SBATCH --gpus-per-node=4\nexport CUDA_VISIBLE_DEVICES=$GPUS\ntorchrun --nproc_per_node 8 ',
    '##SBATCH --gpus-per-node=4\ntorchrun --nproc_per_node 8 ',
  ])('may fit what the job requests: %s', (launcher) => {
    expect(reported(`#!/bin/bash\n${launcher}${program}`)).toBeUndefined();
  });

  it.each([
    'export CUDA_VISIBLE_DEVICES=0,1,2,3\ntorchrun --nproc_per_node 4 ',
    'export CUDA_VISIBLE_DEVICES=$GPUS\ntorchrun --nproc_per_node 8 ',
    'export CUDA_VISIBLE_DEVICES=0,1\ntorchrun --nproc_per_node $N ',
    'export CUDA_VISIBLE_DEVICES=0,1\ntorchrun --nproc_per_node gpu ',
    'export CUDA_VISIBLE_DEVICES=0\nsrun -N 2 --ntasks-per-node=8 python ',
    'torchrun --nproc_per_node 8 ',
  ])('fit, or may: %s', (launcher) => {
    expect(reported(launcher + program)).toBeUndefined();
  });
});
