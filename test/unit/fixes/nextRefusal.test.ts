import { describe, expect, test } from 'vitest';
import { fixed, megatron, skyrl, titles } from '../../support/firstFix.ts';

describe('a fix is not offered if the next check refuses its value', () => {
  test('Megatron-LM: sizes must leave room for whole groups of experts', () => {
    const experts = ['--num-experts 8', '--expert-tensor-parallel-size 1', '--expert-model-parallel-size 8'];
    const sizes = ['--tensor-model-parallel-size 3', '--pipeline-model-parallel-size 2'];
    const rule = 'megatron-lm/world-size-divides';
    expect(titles(rule, megatron(...sizes))).toContain('Lower --tensor-model-parallel-size to 1');
    expect(titles(rule, megatron(...sizes, ...experts))).toEqual(['Use tensor parallelism of 1 alone']);
  });

  test('SkyRL: the same with its sizes of Megatron', () => {
    const policy = 'trainer.policy.megatron_config';
    const sizes = [
      'trainer.strategy=megatron',
      'trainer.placement.policy_num_gpus_per_node=4',
      `${policy}.tensor_model_parallel_size=3`,
      `${policy}.pipeline_model_parallel_size=2`,
    ];
    const experts = [`${policy}.expert_model_parallel_size=4`, `${policy}.expert_tensor_parallel_size=1`];
    expect(titles('skyrl/megatron-sizes', skyrl(...sizes))).toContain('Use a tensor parallel size of 1');
    expect(titles('skyrl/megatron-sizes', skyrl(...sizes, ...experts))).not.toContain(
      'Use a tensor parallel size of 1',
    );
  });

  test("SkyRL: the engines' GPUs must suit the policy's sizes and the reference model", () => {
    const placement = 'trainer.placement';
    const words = [`${placement}.policy_num_gpus_per_node=abc`, `${placement}.ref_num_gpus_per_node=4`];
    const title = "Use the engines' 4 GPUs";
    const rule = 'skyrl/size-not-a-number';
    const engines = 'generator.inference_engine.num_engines=4';
    expect(titles(rule, skyrl(...words, engines))).toContain(title);
    const context = 'trainer.policy.megatron_config.context_parallel_size=8';
    expect(titles(rule, skyrl(...words, engines, 'trainer.strategy=megatron', context))).not.toContain(title);
    const [gpus = ''] = words;
    const others = `${placement}.ref_num_gpus_per_node=8`;
    expect(titles(rule, skyrl(gpus, others, engines))).not.toContain(title);
  });

  test.each([
    ['true', "SkyRL's first package", 'python -m skyrl_train.entrypoints.main_base', 'skyrl-train'],
    ['-1', 'SkyRL', 'python -m skyrl.train.entrypoints.main_base', 'skyrl'],
  ])('a batch of %s is no size of a mini-batch in %s', (batch, _, program, framework) => {
    const text = `${program} \\\n  trainer.policy_mini_batch_size=64 \\\n  trainer.train_batch_size=${batch}\n`;
    const rule = `${framework}/mini-batch-above-batch`;
    expect(titles(rule, text)).toEqual(['Use batches of 64 prompts']);
    expect(fixed(rule, text)?.rules).not.toContain(rule);
  });
});
