import { describe, expect, it } from 'vitest';
import { base, errorsOf, launch, lint, rulesOf, small } from './skyrlRun.ts';

describe('the memory of a SkyRL launch', () => {
  const expandable = 'export PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True\n';

  it('knows that the allocator variable reaches the engines', () => {
    expect(rulesOf(lint(expandable + launch(base, ...small)))).toContain(
      'warning skyrl/expandable-environment-reaches-engines',
    );
  });

  it('detects weight transfer with expandable memory', () => {
    const text = expandable + launch(base, ...small, 'trainer.use_expandable_segments=false');
    expect(rulesOf(lint(text))).toContain('warning skyrl/expandable-environment-breaks-weight-transfer');
  });

  it('needs the vLLM version before it calls sleep mode impossible', () => {
    const text = launch(base, ...small, 'generator.inference_engine.use_expandable_segments=true');
    const old = lint(text, {}, { versions: { vllm: '0.19.0' }, variables: {} });
    expect(errorsOf(old)).toEqual(['error skyrl/engine-expandable-with-sleep']);
    expect(rulesOf(lint(text))).toEqual(['info skyrl/engine-expandable-with-unknown-vllm']);
    expect(rulesOf(lint(text, {}, { versions: { vllm: '0.26.0' }, variables: {} }))).toEqual([]);
  });

  it("applies Megatron-core's own constraints to each role, as warnings", () => {
    const text = launch(
      base,
      ...small,
      'trainer.strategy=megatron',
      'trainer.policy.megatron_config.optimizer_config_kwargs.exp_avg_dtype=fp8',
    );
    const found = lint(text).findings.filter(({ rule }) => rule.startsWith('megatron-lm/'));
    expect(found.map(({ severity }) => severity)).toEqual(['warning']);
    expect(found[0]?.settings[0]).toBe(
      'trainer.policy.megatron_config.optimizer_config_kwargs.exp_avg_dtype',
    );
  });
});
