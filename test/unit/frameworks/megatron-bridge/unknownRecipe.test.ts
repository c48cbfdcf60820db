import { describe, expect, it } from 'vitest';
import { bound, found } from '../../../support/bridge.ts';

describe('what is refused whatever an unknown recipe sets', () => {
  const recipe = 'torchrun scripts/training/run_recipe.py --mode pretrain --recipe my_recipe';

  it.each([
    [
      'graph-moe-needs-padding',
      'model.cuda_graph_impl=transformer_engine model.cuda_graph_modules=[moe] model.moe_expert_capacity_factor=null',
    ],
    [
      'expert-overlap-dispatcher',
      'comm_overlap.overlap_moe_expert_parallel_comm=true model.moe_token_dispatcher_type=allgather',
    ],
    [
      'single-grouped-needs-grouped-tensor',
      'model.moe_single_grouped_weight=true model.moe_use_grouped_tensor=false',
    ],
  ])('is reported: %s', (rule, words) => {
    expect(found(bound(`${recipe} ${words}`))).toContain(`error megatron-lm/${rule}`);
  });

  it('is reported once if the other fact is known as well', () => {
    const dense =
      'model.cuda_graph_impl=transformer_engine model.cuda_graph_modules=[moe] model.moe_expert_capacity_factor=null';
    expect(
      found(bound(`${recipe} ${dense} model.num_moe_experts=null`)).filter((one) => one.includes('graph-')),
    ).toEqual(['error megatron-lm/graph-experts-need-experts']);
  });
});
