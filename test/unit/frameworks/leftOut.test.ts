import { describe, expect, it } from 'vitest';
import { lintFile } from '../../support/lintFile.ts';

function reported(text: string) {
  return lintFile('/repository/run.sh', text).findings.map(({ rule, severity, place }) => [
    rule,
    severity,
    text.slice(place.span.start, place.span.end),
  ]);
}

const megatron = 'torchrun --nproc_per_node 8 pretrain_gpt.py --mock-data';
const bridge = 'torchrun --nproc_per_node 8 scripts/training/run_recipe.py';
const skyrl = 'uv run -m skyrl.train.entrypoints.main_base trainer.strategy=fsdp';
const slime = 'python3 train.py --actor-num-nodes 1 --rollout-batch-size 8 --colocate';

describe('dots in place of omitted words', () => {
  it.each([
    ['Megatron-LM', megatron, '...'],
    ['Megatron-LM, with a name', megatron, '...args...'],
    ['Megatron-LM, as one sign', megatron, '…'],
    ['Megatron-Bridge', bridge, '...'],
    ['SkyRL', skyrl, '...'],
  ])('are refused, and missing options are not reported: %s', (_, command, dots) => {
    expect(reported(`${command} ${dots}\n`)).toEqual([['left-out', 'error', dots]]);
    expect(reported(`${command}\n`).map(([rule]) => rule)).not.toContain('left-out');
  });

  it('are ignored where stray words are, and missing options still reported', () => {
    const found = reported(`${slime} ...\n`);
    expect(found).toContainEqual(['left-out', 'warning', '...']);
    expect(found.map(([rule]) => rule)).toContain('megatron-lm/shape-required');
  });

  it('are a value if a flag takes them', () => {
    const rules = reported(`${megatron} --data-path /data/a ...\n`).map(([rule]) => rule);
    expect(rules).not.toContain('left-out');
    expect(rules).toContain('megatron-lm/shape-required');
  });
});
