import { describe, expect, it } from 'vitest';
import { applyEdits } from '../../../server/src/text/edit.ts';
import { lintFile } from '../../support/lintFile.ts';

const path = '/repository/run.sh';
const program = 'pretrain_gpt.py --num-layers 4 --hidden-size 64';
const rules =
  /^(?:address-of-each-node|rank-beyond-nodes|standalone-on-nodes|id-of-each-node|invalid-value)$/;

function lint(text: string) {
  return lintFile(path, text).findings.filter(({ rule }) => rules.test(rule));
}

describe('nodes that do not meet', () => {
  it.each([
    ['--nnodes 2 --node_rank 2 --master_addr 10.0.0.1', 'rank-beyond-nodes', 'error', '2'],
    ['--nnodes 1 --node-rank=1 --master_addr 10.0.0.1', 'rank-beyond-nodes', 'warning', '1'],
    [
      '--nnodes 1 --node-rank=1 --master_addr 10.0.0.1 --master_port 29501',
      'rank-beyond-nodes',
      'error',
      '1',
    ],
    ['--nnodes 2 --standalone', 'standalone-on-nodes', 'error', '--standalone'],
    ['--nnodes 2 --node_rank $1 --master_addr localhost', 'address-of-each-node', 'warning', 'localhost'],
    [
      '--nnodes 2 --rdzv_backend c10d --rdzv_endpoint 127.0.0.1:29400',
      'address-of-each-node',
      'warning',
      '127.0.0.1:29400',
    ],
    [
      '--nnodes 4 --rdzv-id job-$RANDOM --rdzv_backend c10d --rdzv_endpoint 10.0.0.1:29400',
      'id-of-each-node',
      'warning',
      'job-',
    ],
    [
      '--nnodes 4 --rdzv_id $(date +%s) --rdzv_backend c10d --rdzv_endpoint 10.0.0.1:29400',
      'id-of-each-node',
      'warning',
      '$(date +%s)',
    ],
    ['--rdzv_backend c10d --rdzv_endpoint node0:', 'invalid-value', 'error', 'node0:'],
    ['--rdzv_backend c10d --rdzv_endpoint :29400', 'invalid-value', 'error', ':29400'],
    ['--rdzv-backend=c10d --rdzv-endpoint node0:294oo', 'invalid-value', 'error', 'node0:294oo'],
    ['--rdzv_backend c10d --rdzv_endpoint tcp://node0:29400', 'invalid-value', 'error', 'tcp://node0:29400'],
    ['--nnodes 2 --node_rank 1 --rdzv_endpoint 10.0.0.1', 'invalid-value', 'error', '10.0.0.1'],
    [
      '--nnodes 2 --node_rank 1 --master_addr 10.0.0.1 --master_port 99999',
      'invalid-value',
      'error',
      '99999',
    ],
  ])('are reported: torchrun %s', (options, rule, severity, shown) => {
    const text = `torchrun ${options} --nproc_per_node 8 ${program}\n`;
    const [finding, ...more] = lint(text);
    expect(more).toEqual([]);
    expect(finding).toMatchObject({ rule, severity });
    expect(text.slice(finding?.place.span.start, finding?.place.span.end)).toBe(shown);
  });

  it.each([
    `torchrun --nnodes 2 --node_rank 1 --master_addr 10.0.0.1 --master_port 65535 ${program}`,
    // The first node may call itself that, and two nodes may be tried on one machine.
    `torchrun --nnodes 2 --node_rank 0 --master_addr localhost ${program}`,
    `torchrun --nnodes 1 --node_rank $1 --master_addr localhost ${program}`,
    `torchrun --standalone --nnodes 1 ${program}`,
    `torchrun --standalone --rdzv_endpoint node0: ${program}`,
    `torchrun --standalone --master_port 99999 --node_rank +0 ${program}`,
    `torchrun --rdzv_backend c10d --rdzv_endpoint node0:1 --master_port 99999 ${program}`,
    `torchrun --rdzv_backend c10d --rdzv_endpoint node0 ${program}`,
    `torchrun --rdzv_backend c10d --rdzv_endpoint [::1]:29400 ${program}`,
    `torchrun --rdzv_backend c10d --rdzv_endpoint fe80::1:29400 ${program}`,
    `torchrun --rdzv_backend c10d --rdzv_endpoint "" ${program}`,
    `torchrun --rdzv_backend mine --rdzv_endpoint tcp://node0 ${program}`,
    `torchrun --rdzv_backend c10d --rdzv_conf store_type=file --rdzv_endpoint a:b ${program}`,
    `torchrun --rdzv_backend c10d --rdzv_endpoint node0:$PORT ${program}`,
    `torchrun --standalone --nnodes 1:2 ${program}`,
    // The environment may say otherwise.
    `torchrun --nnodes 2 --node_rank $1 --master_addr \${MASTER_ADDR:-localhost} ${program}`,
    `torchrun --nnodes \${NNODES:-2} --node_rank 2 --master_addr 10.0.0.1 ${program}`,
    `torchrun --nnodes 2 --rdzv_id \${SLURM_JOB_ID:-$RANDOM} --rdzv_backend c10d --rdzv_endpoint 10.0.0.1:29400 ${program}`,
    `torchrun $OPTIONS --nnodes 2 --node_rank 2 --master_addr 10.0.0.1 ${program}`,
    // Expanded only once, and the same all day.
    `srun torchrun --nnodes 2 --rdzv_id $RANDOM --rdzv_backend c10d --rdzv_endpoint 10.0.0.1:29400 ${program}`,
    `torchrun --nnodes 2 --rdzv_id $(date +%Y%m%d) --rdzv_backend c10d --rdzv_endpoint 10.0.0.1:29400 ${program}`,
    // Ranks do not matter to c10d.
    `torchrun --nnodes 2 --node_rank 7 --rdzv_backend c10d --rdzv_endpoint 10.0.0.1:29400 ${program}`,
  ])('are not reported: %s', (line) => {
    expect(lint(`${line}\n`)).toEqual([]);
  });

  it('meet once --standalone is removed', () => {
    const text = `torchrun --standalone --nnodes 2 --node_rank $1 --master_addr 10.0.0.1 ${program}\n`;
    const edits = lint(text).flatMap(({ fixes }) => fixes[0]?.edits ?? []);
    const mended = applyEdits(text, edits) ?? '';
    expect(mended).toBe(text.replace('--standalone ', ''));
    expect(lint(mended)).toEqual([]);
  });
});
