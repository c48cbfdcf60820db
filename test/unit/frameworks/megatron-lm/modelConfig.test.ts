import { describe, expect, it } from 'vitest';
import { applyEdits } from '../../../../server/src/text/edit.ts';
import { lintFile } from '../../../support/lintFile.ts';
import { findings } from './megatronRun.ts';

describe('configuration files', () => {
  it('reads the arguments of a functional test', () => {
    const path = '/repository/model_config.yaml';
    const text =
      'ENV_VARS:\n  CUDA_DEVICE_MAX_CONNECTIONS: 1\nMODEL_ARGS:\n  --num-layers: 12\n  --pipeline-model-parallel-size: 5\n  --recompute-granularity: selective\n  --recompute-method: uniform\n';
    const report = lintFile(path, text);
    expect(report.runs.map(({ framework }) => framework)).toEqual(['megatron-lm']);
    const rules = report.findings.filter(({ severity }) => severity === 'error').map(({ rule }) => rule);
    expect(rules).toContain('megatron-lm/selective-excludes-method');
    expect(rules).toContain('megatron-lm/layers-divide-stages');
  });

  it('reports nothing missing in a part that is combined with others', () => {
    const path = '/repository/runtime_configs/tp1pp1ep8.yaml';
    const reported = (text: string): string[] => findings(lintFile(path, text));
    const part = 'MODEL_ARGS:\n  --expert-model-parallel-size: 8\n  --micro-batch-size: 1\n';
    expect(reported(part)).toEqual([]);
    const rest = '  --num-layers: 8\n  --hidden-size: 512\n  --num-attention-heads: 8\n';
    expect(reported(part + rest)).toContain('megatron-lm/expert-parallel-needs-experts');
    expect(
      reported(`${part}  --recompute-granularity: selective\n  --recompute-method: uniform\n`),
    ).toContain('megatron-lm/selective-excludes-method');
  });

  it('turn a flag on with true in a fix, whatever it sets', () => {
    const path = '/repository/model_config.yaml';
    const text =
      'ENV_VARS:\n  CUDA_DEVICE_MAX_CONNECTIONS: 1\nMODEL_ARGS:\n  --num-layers: 8\n  --hidden-size: 512\n  --num-attention-heads: 8\n  --num-experts: 8\n  --tensor-model-parallel-size: 2\n  --sequence-parallel: true\n';
    const [fix] =
      lintFile(path, text).findings.find(
        ({ rule }) => rule === 'megatron-lm/expert-bias-needs-one-tensor-rank',
      )?.fixes ?? [];
    expect(applyEdits(text, fix?.edits ?? [])).toContain('\n  --disable-bias-linear: true\n');
  });
});
