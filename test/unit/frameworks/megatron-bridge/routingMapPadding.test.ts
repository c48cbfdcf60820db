import { describe, expect, it } from 'vitest';
import { bound, found } from '../../../support/bridge.ts';

describe('routing map padding under its old name', () => {
  const recipe = 'torchrun scripts/training/run_recipe.py --recipe qwen3_235b_a22b_pretrain_config';

  it('needs FP8 as well', () => {
    const reported = found(bound(`${recipe} model.moe_router_padding_for_fp8=true`)).join();
    expect(reported).toContain('router-padding-needs-low-precision');
    const low = 'mixed_precision=bf16_with_fp8_current_scaling_mixed';
    expect(found(bound(`${recipe} model.moe_router_padding_for_fp8=true ${low}`)).join()).not.toContain(
      'router-padding',
    );
  });
});
