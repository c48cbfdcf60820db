import { describe, expect, it } from 'vitest';
import { type MachineProfile, noProfile } from '../../../server/src/value/machine.ts';
import { loadKnowledge, testLinter } from '../../support/knowledge.ts';
import { memoryHost } from '../../support/memoryHost.ts';

const path = '/repository/run.sh';
const script =
  'export CUDA_DEVICE_MAX_CONNECTIONS=8\ntorchrun --nproc_per_node 8 pretrain_gpt.py --tensor-model-parallel-size 2\n';

/** How certain the linter is of a refusal that does not apply to newer GPUs. */
function certaintyOn(machine: MachineProfile): string | undefined {
  const { findings } = testLinter(loadKnowledge(), memoryHost({ [path]: script }), machine).lint(
    path,
    script,
  );
  return findings.find(({ rule }) => rule === 'megatron-lm/connections-with-tensor-or-context-parallel')
    ?.certainty;
}

describe('a refusal that depends on the GPU', () => {
  it('is certain on a declared GPU', () => {
    expect(certaintyOn({ ...noProfile, computeCapability: 90 })).toBe('certain');
  });

  it('is likely if no GPU is declared', () => {
    expect(certaintyOn(noProfile)).toBe('likely');
  });

  it('is not reported for a GPU without that restriction', () => {
    expect(certaintyOn({ ...noProfile, computeCapability: 100 })).toBeUndefined();
  });
});
