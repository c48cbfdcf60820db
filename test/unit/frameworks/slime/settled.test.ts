import { describe, expect, it } from 'vitest';
import { slime } from '../../../../server/src/frameworks/slime/framework.ts';
import { bound, effective, found } from '../trainerRun.ts';

import { environment, line, run } from './slimeRun.ts';

describe('what slime sets itself', () => {
  it('uses the actors as Megatron-LM’s world, and adds the engines for the job', () => {
    const split = run('');
    expect(effective(split, 'world_size')).toBe(4);
    expect(effective(split, 'world_size', 'megatron-lm')).toBe(4);
    expect(split.worldSize).toEqual({ kind: 'known', data: 8 });
  });

  it('lets colocated engines share the GPUs of the actors', () => {
    const colocated = run('--colocate');
    expect(colocated.worldSize).toEqual({ kind: 'known', data: 4 });
    expect(effective(colocated, 'offload_train')).toBe(true);
    expect(effective(colocated, 'rollout_num_gpus')).toBe(4);
  });

  it('always shards the optimizer', () => {
    expect(effective(run(''), 'use_distributed_optimizer', 'megatron-lm')).toBe(true);
    expect(effective(run(''), 'bf16', 'megatron-lm')).toBe(true);
    expect(effective(run('--fp16'), 'bf16', 'megatron-lm')).toBe(false);
  });

  it('skips Megatron-LM if nothing is trained', () => {
    expect(run('--debug-rollout-only').scopes.map((scope) => scope.set)).toEqual(['slime']);
    expect(run('').scopes.map((scope) => scope.set)).toEqual(['slime', 'slime', 'megatron-lm']);
  });

  it('applies Megatron-LM’s changes before the rules that need them, and only those', () => {
    const [own, late] = run('--micro-batch-size 2').scopes;
    const dataOf = (scope: typeof own): unknown => {
      const value = scope?.lookup('state_bytes')?.value;
      return value?.kind === 'known' ? typeof value.data : undefined;
    };
    expect([dataOf(own), dataOf(late)]).toEqual([undefined, 'number']);
    for (const id of ['state-beside-engines-exceeds-memory', 'colocated-training-stays-resident'])
      expect([own?.excludes?.has(id), late?.excludes?.has(id)]).toEqual([true, false]);
    for (const id of ['dynamic-batch-needs-token-budget', 'engine-weights-exceed-memory'])
      expect([own?.excludes?.has(id), late?.excludes?.has(id)]).toEqual([false, true]);
  });

  it('compares no rollout answers if it only evaluates', () => {
    const rule = 'warning slime/reward-compares-with-no-label';
    const unlabelled = (extra: string) =>
      found(bound(slime, line(extra).replace('--label-key label ', ''), { env: environment }));
    expect(unlabelled('')).toContain(rule);
    expect(unlabelled('--num-rollout 0 --eval-interval 1')).not.toContain(rule);
  });

  it('knows which script rules out colocation', () => {
    const colocated = bound(slime, line('--colocate', 'train_async.py'), { env: environment });
    expect(found(colocated)).toContain('error slime/colocate-with-asynchronous-training');
    expect(found(run('--colocate'))).not.toContain('error slime/colocate-with-asynchronous-training');
  });

  it('leaves the allocator to slime', () => {
    const experts =
      '--num-experts 8 --expert-model-parallel-size 4 --moe-ffn-hidden-size 64 --moe-router-topk 2 --moe-grouped-gemm';
    const large = found(run(`${experts} --hidden-size 4096 --moe-token-dispatcher-type alltoall`));
    expect(large).not.toContain('info megatron-lm/expandable-segments-against-fragmentation');
  });
});
