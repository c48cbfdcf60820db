import { describe, expect, it } from 'vitest';
import { bound, effective, found } from '../../../support/bridge.ts';

describe('a pipeline layout for a model whose prediction layers are not known', () => {
  const launch = (layout: string): string =>
    'torchrun --nproc_per_node 8 scripts/training/run_recipe.py --recipe qwen3_8b_pretrain_config ' +
    `model.pipeline_model_parallel_size=2 'model.pipeline_model_parallel_layout=${layout}' model.virtual_pipeline_model_parallel_size=null`;

  it('has to place all other layers', () => {
    const run = bound(launch('Et*4|t*4L'));
    expect(effective(run, 'model.mtp_num_layers')).toBe('?');
    expect(found(run).join()).toContain('layout-fits-model');
    expect(found(bound(launch('Et*18|t*18L'))).join()).not.toContain('layout-fits-model');
  });

  it('may place as many prediction layers as it likes', () => {
    expect(found(bound(launch('Et*18|t*18mL'))).join()).not.toContain('layout-fits-model');
  });
});
