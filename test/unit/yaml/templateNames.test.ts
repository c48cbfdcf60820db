import { describe, expect, test } from 'vitest';
import { lintFile } from '../../support/lintFile.ts';

describe('a file that is a template of YAML by its name', () => {
  const job = `kind: PyTorchJob
spec:
  pytorchReplicaSpecs:
    Worker:
      replicas: \${NUM_NODES}
      template:
        spec:
          containers:
            - image: \${IMAGE}
              command: [torchrun, "--nproc_per_node=\${GPUS}", "--nnodes=\${NUM_NODES}"]
              args:
                - pretrain_gpt.py
                - --tensor-model-parallel-size=\${TP}
                - --num-layers=twelve
                - --hidden-size=512
                - --num-attention-heads=8
                - --seq-length=\${SEQ}
`;
  const told = (path: string, text: string) =>
    lintFile(path, text).findings.filter(({ severity }) => severity !== 'info');

  test('holds what it starts', () => {
    const found = lintFile('/repository/job.yaml-template', job);
    expect(found.runs.map(({ framework }) => framework)).toEqual(['megatron-lm']);
    expect(found.findings.map(({ rule }) => rule)).toContain('invalid-value');
  });

  test('is no configuration, as what is filled in is not known', () => {
    const config = 'MODEL_ARGS:\n  --num-layers: ${LAYERS}\n  --hidden-size: wide\n';
    expect(told('/repository/model_config.yaml', config)).not.toEqual([]);
    expect(lintFile('/repository/model_config.yaml.j2', config)).toMatchObject({ runs: [], findings: [] });
    expect(told('/repository/model_config.yaml.j2', 'MODEL_ARGS: [\n')).toEqual([]);
  });
});
