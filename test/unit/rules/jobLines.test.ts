import { describe, expect, it } from 'vitest';
import { lintFile } from '../../support/lintFile.ts';

const launch =
  'srun python pretrain_gpt.py --num-layers 8 --hidden-size 512 --num-attention-heads 8 --tensor-model-parallel-size 8 --pipeline-model-parallel-size 4 --seq-length 512 --max-position-embeddings 512 --micro-batch-size 1 --global-batch-size 8 --bf16 --mock-data --use-mcore-models';

/** What is reported about how a job's processes are divided. */
function reported(text: string) {
  const { findings } = lintFile('/repository/train.sh', text);
  return findings
    .filter(({ rule }) => rule === 'megatron-lm/world-size-divides')
    .map(({ severity, certainty }) => `${severity} ${certainty}`);
}

const head = '#!/bin/bash\n#SBATCH --nodes=2\n#SBATCH --ntasks-per-node=8\n';

describe('numbers in #SBATCH lines', () => {
  it('refuse a launch as written, though sbatch may be given others', () => {
    expect(reported(`${head}${launch}\n`)).toEqual(['error likely']);
  });

  it('are certain if the text submits the job', () => {
    expect(reported(`sbatch <<'EOF'\n${head}${launch}\nEOF\n`)).toEqual(['error certain']);
  });

  it('do not count if a comment tells people to give sbatch others', () => {
    expect(reported(`${head}# Usage: sbatch --nodes=4 train.sh\n${launch}\n`)).toEqual([]);
    expect(reported(`${head}# Usage: sbatch --time=4:00:00 train.sh\n${launch}\n`)).toEqual(['error likely']);
  });

  it('do not matter if the step has its own', () => {
    const step = launch.replace('srun', 'srun --nodes=2 --ntasks-per-node=8');
    expect(reported(`${head}# Usage: sbatch --nodes=4 train.sh\n${step}\n`)).toEqual(['error certain']);
  });
});
