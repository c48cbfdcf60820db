import { describe, expect, it } from 'vitest';
import { lintFile } from '../../support/lintFile.ts';

const path = '/repository/run.sh';
const launch = 'torchrun --nproc_per_node 8 pretrain_gpt.py --num-layers 4 --hidden-size 64\n';

function lint(text: string, id = 'value-of-a-library') {
  return lintFile(path, text).findings.filter(({ rule }) => rule === id);
}

describe('value-of-a-library', () => {
  it.each([
    ['TORCH_DISTRIBUTED_DEBUG', '1', 'error', '1'],
    ['TORCH_DISTRIBUTED_DEBUG', '', 'error', 'empty'],
    ['NCCL_DEBUG', 'DEBUG', 'warning', 'DEBUG'],
    ['NVTE_FLASH_ATTN', 'true', 'warning', 'true'],
    ['NVTE_FP8_DPA_BWD', 'off', 'warning', 'off'],
    ['VLLM_USE_V1', 'False', 'warning', 'False'],
    ['WANDB_MODE', 'none', 'warning', 'none'],
    ['WANDB_MODE', 'Offline', 'warning', 'Offline'],
    ['NCCL_ALGO', 'Rings', 'warning', 'Rings'],
    ['NCCL_ALGO', 'Ring, Tree', 'warning', 'Ring, Tree'],
    ['NCCL_ALGO', 'allreduce:ring;tree', 'warning', 'allreduce:ring;tree'],
    ['NCCL_PROTO', 'simple,LL256', 'warning', 'simple,LL256'],
    ['NCCL_P2P_LEVEL', 'nvl', 'warning', 'nvl'],
    ['NCCL_SOCKET_FAMILY', 'IPv4', 'warning', 'IPv4'],
    ['TORCH_NCCL_BLOCKING_WAIT', 'on', 'warning', 'on'],
    ['TORCH_NCCL_ASYNC_ERROR_HANDLING', 'true', 'warning', 'true'],
    ['VLLM_WORKER_MULTIPROC_METHOD', 'thread', 'warning', 'thread'],
    ['VLLM_ENABLE_V1_MULTIPROCESSING', 'false', 'warning', 'false'],
  ])('reports %s=%s', (name, value, severity, shown) => {
    const text = `export ${name}="${value}"\n${launch}`;
    const [finding, ...more] = lint(text);
    expect(more).toEqual([]);
    expect(finding).toMatchObject({ severity, certainty: severity === 'error' ? 'certain' : 'likely' });
    expect(finding?.message).toContain(`${name} is ${shown} here: `);
    if (value !== '') expect(text.slice(finding?.place.span.start, finding?.place.span.end)).toContain(value);
  });

  it.each([
    'export TORCH_DISTRIBUTED_DEBUG=detail',
    'export TORCH_DISTRIBUTED_DEBUG=$1',
    'export NCCL_DEBUG=INFO',
    'export NCCL_DEBUG=',
    'export NCCL_DEBUG=none',
    'export NCCL_ALGO=Tree,Ring,NVLS',
    'export NCCL_ALGO="^NVLS"',
    'export NCCL_ALGO="ring,collnetdirect;allreduce:tree,pat;broadcast:^ring"',
    'export NCCL_PROTO="^LL128;allreduce:LL128,Simple"',
    'export NCCL_P2P_LEVEL=NVL NCCL_NET_GDR_LEVEL=3 NCCL_SOCKET_FAMILY=AF_INET',
    'export TORCH_NCCL_BLOCKING_WAIT=False TORCH_NCCL_HEARTBEAT_TIMEOUT_SEC=600',
    'export NVTE_FLASH_ATTN=0',
    'export WANDB_MODE=offline',
    'TORCH_DISTRIBUTED_DEBUG=1',
    'TORCH_DISTRIBUTED_DEBUG=1 python other.py',
  ])('is silent for %s', (line) => {
    expect(lint(`${line}\n${launch}`)).toEqual([]);
  });

  it('is reported for the environment of a Ray job', () => {
    const json = '{"env_vars": {"TORCH_DISTRIBUTED_DEBUG": "2"}}';
    const text = `ray job submit --runtime-env-json='${json}' -- python3 train.py --num-rollout 8 --actor-num-nodes 1\n`;
    expect(lint(text).map(({ severity }) => severity)).toEqual(['error']);
  });
});

describe('diagnosis-left-on', () => {
  it.each([
    ['CUDA_LAUNCH_BLOCKING', '1', '0'],
    ['TORCH_DISTRIBUTED_DEBUG', 'DETAIL', 'OFF'],
    ['TORCH_NCCL_BLOCKING_WAIT', '1', '0'],
    ['PYTORCH_NO_CUDA_MEMORY_CACHING', '1', undefined],
  ])('reports %s=%s, and what switches it off', (name, value, off) => {
    const [finding, ...more] = lint(`export ${name}=${value}\n${launch}`, 'diagnosis-left-on');
    expect(more).toEqual([]);
    expect(finding).toMatchObject({ severity: 'info', certainty: 'possible' });
    expect(finding?.message).toContain(`${name}=${value} slows`);
    expect(finding?.fixes[0]?.edits[0]?.newText).toBe(off);
  });

  it.each([
    ['# do not remove: hangs without it\nexport CUDA_LAUNCH_BLOCKING=1', 'example'],
    ['export CUDA_LAUNCH_BLOCKING=1 # until the driver is mended', 'example'],
    ['#SBATCH --nodes=1\nexport CUDA_LAUNCH_BLOCKING=1', 'suggested'],
    ['# up\n\nexport CUDA_LAUNCH_BLOCKING=1', 'suggested'],
    ['export CUDA_LAUNCH_BLOCKING=1\n# below', 'suggested'],
  ])('leaves what is explained to the user: %s', (lines, safety) => {
    const [finding] = lint(`set -e\n${lines}\n${launch}`, 'diagnosis-left-on');
    expect(finding?.fixes.map((fix) => `${fix.safety} ${fix.title}`)).toEqual([
      `${safety} Write CUDA_LAUNCH_BLOCKING=0`,
    ]);
  });

  it.each([
    'export CUDA_LAUNCH_BLOCKING=0',
    'export CUDA_LAUNCH_BLOCKING=${DEBUG:?}',
    'export TORCH_DISTRIBUTED_DEBUG=INFO',
    'CUDA_LAUNCH_BLOCKING=1 python other.py',
  ])('is silent for %s', (line) => {
    expect(lint(`${line}\n${launch}`, 'diagnosis-left-on')).toEqual([]);
  });
});
