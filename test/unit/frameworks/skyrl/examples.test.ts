import { describe, expect, it } from 'vitest';
import { reported } from '../commandRun.ts';

const sizes =
  'trainer.logger=console trainer.placement.policy_num_gpus_per_node=4 trainer.placement.ref_num_gpus_per_node=4 generator.inference_engine.num_engines=4 trainer.train_batch_size=64 trainer.policy_mini_batch_size=64';

const run = (module: string, words: string): string[] => reported(`python -m ${module} ${sizes} ${words}`);

describe('an example generator built on SkyRL’s', () => {
  const recursive = 'examples.train.rlm.main_rlm';
  const coding = 'examples.train.mini_swe_agent.main_mini_swe';

  it('is refused the same as SkyRL’s', () => {
    expect(
      run(recursive, 'generator.step_wise_trajectories=true generator.batched=true').join('\n'),
    ).toContain('skyrl/step-wise-generation');
    expect(run(coding, 'generator.chat_template.name_or_path=qwen4').join('\n')).toContain(
      'skyrl/chat-template-name',
    );
    expect(run(recursive, 'generator.step_wise_trajectories=true')).toEqual([]);
    expect(run(coding, '')).toEqual([]);
  });

  it('refuses what it cannot do itself', () => {
    expect(run(recursive, '').join('\n')).toContain('skyrl/recursive-generator-step-wise');
    expect(run('examples.train.rlm.main_rlm_eval', '').join('\n')).toContain(
      'skyrl/recursive-generator-step-wise',
    );
    expect(run('examples.train.multiply.main_multiply', '')).toEqual([]);
  });
});

describe('Harbor’s generator', () => {
  const harbor = (words: string): string =>
    run(
      'examples.train_integrations.harbor.entrypoints.main_harbor',
      `trainer.algorithm.max_seq_len=4096 ${words}`,
    ).join('\n');
  const good =
    'generator.step_wise_trajectories=true generator.merge_stepwise_output=true generator.inference_engine.served_model_name=Qwen3-8B';

  it('requires step-wise training, and a name without a slash', () => {
    expect(harbor(good)).toBe('');
    expect(
      harbor(good.replace('=true', '=false').replace('merge_stepwise_output=true', 'max_turns=1')),
    ).toContain('harbor-step-wise');
    expect(harbor(good.replace('=Qwen3', '=Qwen/Qwen3'))).toContain('harbor-served-name');
    expect(harbor('harbor_trial_config.trials_dir=$TRIALS')).toContain('harbor-step-wise');
    expect(harbor(`${good} harbor_trial_config.agent.kwargs.enable_summarize=true`)).toContain(
      'harbor-summaries',
    );
  });

  it('is not assumed for a program without Harbor’s options', () => {
    expect(run('skyrl.train.entrypoints.main_base', '')).toEqual([]);
  });
});

describe('an environment', () => {
  const registers = (...names: string[]): { readonly [path: string]: string } => ({
    '/repository/skyrl-gym/skyrl_gym/envs/__init__.py': names
      .map((name) => `register(id="${name}", entry_point="x:Y")`)
      .join('\n'),
  });
  const environment = (files: { readonly [path: string]: string }, module: string): string =>
    reported(`python -m ${module} ${sizes} environment.env_class=ifeval`, files).join('\n');

  it('must be registered by skyrl-gym, or by the one in the workspace', () => {
    const base = 'skyrl.train.entrypoints.main_base';
    expect(environment({}, base)).toContain('There is no environment ifeval');
    expect(environment(registers('gsm8k'), base)).toContain('There is no environment ifeval');
    expect(environment(registers('gsm8k', 'ifeval'), base)).toBe('');
    expect(environment({}, 'examples.train.multiply.main_multiply')).toBe('');
    expect(environment({}, 'my.main')).toBe('');
  });
});

describe('a critic with an empty path', () => {
  const critic = (path: string): string =>
    run(
      'skyrl.train.entrypoints.main_base',
      `'trainer.critic.model.path=${path}' trainer.critic_mini_batch_size=64 trainer.micro_train_batch_size_per_gpu=1`,
    ).join('\n');

  it('is not built, so its GPUs do not matter', () => {
    expect(critic('x')).toContain('skyrl/colocated-critic-gpus-differ');
    expect(critic('""')).not.toContain('skyrl/colocated-critic-gpus-differ');
  });
});
