import { describe, expect, it } from 'vitest';
import { applyEdits } from '../../../server/src/text/edit.ts';
import { lintFile } from '../../support/lintFile.ts';

const path = '/repository/run.sh';
const rules = ['unread-variable', 'unexported-variable', 'number-of-a-library', 'no-assignment'];

function lint(text: string, others: { readonly [path: string]: string } = {}) {
  return lintFile(path, text, others).findings.filter(({ rule }) => rules.includes(rule));
}

const launch = 'torchrun --nproc_per_node 8 pretrain_gpt.py --num-layers 4 --hidden-size 64\n';

describe('environment variables', () => {
  it.each([
    [
      'export PYTORCH_CUDA_ALOC_CONF=x:1',
      'export PYTORCH_CUDA_ALLOC_CONF=x:1',
      'unread-variable',
      'No library reads PYTORCH_CUDA_ALOC_CONF. Did you mean PYTORCH_CUDA_ALLOC_CONF?',
    ],
    [
      'export A=1 NCCL_DEBG=INFO',
      'export A=1 NCCL_DEBUG=INFO',
      'unread-variable',
      'Did you mean NCCL_DEBUG?',
    ],
    [
      'export NCCL_ASYNC_ERROR_HADNLING=1',
      'export NCCL_ASYNC_ERROR_HANDLING=1',
      'unread-variable',
      'Did you mean NCCL_ASYNC_ERROR_HANDLING?',
    ],
    ['export HCCL_BUFSIZE=200', 'export HCCL_BUFFSIZE=200', 'unread-variable', 'Did you mean HCCL_BUFFSIZE?'],
    [
      'NCCL_DEBUG=INFO',
      'export NCCL_DEBUG=INFO',
      'unexported-variable',
      'NCCL_DEBUG is assigned and not exported, so the launch does not get it.',
    ],
    [
      'SHARP_COLL_LOG_LEVEL=3 \\\n  NCCL_TOPO_FILE=$TOPO \\\n  NCCL_COLLNET_ENABLE=1',
      'export SHARP_COLL_LOG_LEVEL=3 \\\n  NCCL_TOPO_FILE=$TOPO \\\n  NCCL_COLLNET_ENABLE=1',
      'unexported-variable',
      'NCCL_TOPO_FILE is assigned and not exported',
    ],
    ['  OMP_NUM_THREADS="8"', '  export OMP_NUM_THREADS="8"', 'unexported-variable', 'OMP_NUM_THREADS'],
    [
      'export NCCL_P2P_DISABLE=True',
      'export NCCL_P2P_DISABLE=1',
      'number-of-a-library',
      'NCCL reads a number from NCCL_P2P_DISABLE, and True is not one: it reads 0.',
    ],
    ['export NCCL_NVLS_ENABLE="on"', 'export NCCL_NVLS_ENABLE="1"', 'number-of-a-library', 'on is not one'],
    [
      'export NCCL_P2P_NET_CHUNKSIZE=2gib',
      'export NCCL_P2P_NET_CHUNKSIZE=2147483648',
      'number-of-a-library',
      '2gib is not one',
    ],
    [
      'export NCCL_BUFFSIZE=8M',
      'export NCCL_BUFFSIZE=8388608',
      'number-of-a-library',
      'NCCL reads a number from NCCL_BUFFSIZE, and 8M is not one: it reads 8.',
    ],
    [
      'export NCCL_SOCKET_IFNAME eth0',
      'export NCCL_SOCKET_IFNAME=eth0',
      'no-assignment',
      'export marks NCCL_SOCKET_IFNAME and eth0 here and assigns nothing: the equals sign is missing.',
    ],
    ['export OMP_NUM_THREADS 4', 'export OMP_NUM_THREADS=4', 'no-assignment', 'the equals sign is missing'],
    [
      'set OMP_NUM_THREADS=4',
      'export OMP_NUM_THREADS=4',
      'no-assignment',
      'set makes OMP_NUM_THREADS=4 the first argument of the script',
    ],
    ['setenv OMP_NUM_THREADS 4', 'export OMP_NUM_THREADS=4', 'no-assignment', 'setenv is of another shell'],
    [
      'env OMP_NUM_THREADS=4',
      'export OMP_NUM_THREADS=4',
      'no-assignment',
      'env sets OMP_NUM_THREADS=4 for a command after it, and there is none.',
    ],
  ])('are reported and fixed: %s', (line, mended, rule, message) => {
    const text = `${line}\n${launch}`;
    const [finding, ...more] = lint(text);
    expect(more).toEqual([]);
    expect(finding).toMatchObject({ rule, severity: 'warning', certainty: 'likely' });
    expect(finding?.message).toContain(message);
    expect(applyEdits(text, finding?.fixes[0]?.edits ?? [])).toBe(`${mended}\n${launch}`);
    expect(lint(`${mended}\n${launch}`)).toEqual([]);
  });

  it('get no number as a fix if a switch is neither on nor off', () => {
    const [finding] = lint(`export NCCL_IB_DISABLE=maybe\n${launch}`);
    expect(finding?.message).toContain('maybe is not one: it reads 0.');
    expect(finding?.fixes).toEqual([]);
  });

  it('are not taken for others set beside them', () => {
    expect(lint(`export HCCL_DETERMINISTIC=true NCCL_DETERMINISTIC=1\n${launch}`)).toEqual([]);
    expect(lint(`export NCCL_DETERMINISTIC=1\n${launch}`)).toHaveLength(1);
  });

  it('are reported before a command', () => {
    expect(lint(`NCCL_DEBG=INFO ${launch}`).map(({ rule }) => rule)).toEqual(['unread-variable']);
  });

  it('are reported at their place in a script in a YAML file', () => {
    const yaml = `resources: {accelerators: "H100:8"}\nrun: |\n  export NCCL_DEBG=INFO\n  ${launch}`;
    const found = lintFile('/repository/job.yaml', yaml).findings.find(
      ({ rule }) => rule === 'unread-variable',
    );
    expect(applyEdits(yaml, found?.fixes[0]?.edits ?? [])).toBe(yaml.replace('DEBG', 'DEBUG'));
  });

  it('are an info if training does not depend on them', () => {
    const text = (name: string): string => `export ${name}=16\n${launch}`;
    const [finding, ...more] = lint(text('PYTHONBUFFERED'));
    expect(more).toEqual([]);
    expect(finding).toMatchObject({ rule: 'unread-variable', severity: 'info', certainty: 'likely' });
    expect(finding?.message).toBe('No library reads PYTHONBUFFERED. Did you mean PYTHONUNBUFFERED?');
    expect(applyEdits(text('PYTHONBUFFERED'), finding?.fixes[0]?.edits ?? [])).toBe(text('PYTHONUNBUFFERED'));
  });

  it.each([
    'export NCCL_GIN_ENABLE=1 NCCL_CHECK_MODE=1',
    'export NCCL_DEBUG=INFO NCCL_IB_HCA=mlx5 NCCL_IB_TC=1 NCCL_MAX_NCHANNELS=8',
    'export NVTE_FLASH_ATTN_V2=1',
    'export MCCL_IB_GID_INDEX=3 MCCL_CHECK_POINTERS=0 HCCL_IB_TC=1 RCCL_DEBUG=INFO',
    'export NCCL_P2P_DISABLE=1 NCCL_IB_DISABLE=$OFF NCCL_P2P_LEVEL=NVL',
    'MY_NCCL_DEBG=1',
    'export PYTHONUNBUFFERED=1 PYTHONHASHSEED=0 BUFFERED=1',
    'NCCL_DEBUG=INFO\nexport NCCL_DEBUG',
    'NCCL_DEBUG=INFO \\\n  NCCL_IB_TC=1 \\\n  python other.py',
    'export A=1 \\\n  NCCL_DEBUG=INFO',
    'NCCL_DEBUG=$(cat level)',
    'NCCL_DEBUG=INFO\necho $NCCL_DEBUG',
    'set -a\nNCCL_DEBUG=INFO',
    'export FLAG OTHER',
    'FLAG=1\nexport FLAG other',
    'export NCCL_DEBUG',
    'set -x',
    'set -- A=1 b',
    'env A=1 python other.py',
    '# NCCL_DEBUG=INFO\n# export NCCL_DEBG=1',
    'echo NCCL_DEBG=1',
  ])('are left alone: %s', (line) => {
    expect(lint(`${line}\n${launch}`)).toEqual([]);
  });

  it('are looked up in what the script sources', () => {
    const text = `NCCL_DEBUG=INFO\nsource ./more.sh\n${launch}`;
    expect(lint(text, { '/repository/more.sh': 'export NCCL_DEBUG\n' })).toEqual([]);
    expect(lint(text, { '/repository/more.sh': 'echo hi\n' })).toHaveLength(1);
  });

  it('are not checked if none of our frameworks is launched', () => {
    expect(lint('export NCCL_DEBG=INFO\npython other.py\n')).toEqual([]);
  });
});
