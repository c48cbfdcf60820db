import { describe, expect, it } from 'vitest';
import { noProfile } from '../../../server/src/value/machine.ts';
import { loadKnowledge, testLinter } from '../../support/knowledge.ts';
import { memoryHost } from '../../support/memoryHost.ts';

const knowledge = loadKnowledge();

function lint(path: string, text: string, versions: { readonly [name: string]: string } = {}): string[] {
  const { findings } = testLinter(knowledge, memoryHost({ [path]: text }), { ...noProfile, versions }).lint(
    path,
    text,
  );
  return findings.map(({ rule, severity }) => `${severity} ${rule}`);
}

const errors = (found: readonly string[]): readonly string[] =>
  found.filter((one) => one.startsWith('error'));

describe('an AReaL file without AReaL in the workspace', () => {
  const newest = knowledge.frameworks.get('areal')?.base.yaml ?? '';
  const check = (text: string, versions?: { readonly [name: string]: string }) =>
    lint('/repository/config.yaml', text, versions);
  const withGone = (...keys: readonly string[]) =>
    newest.replace('actor:', `actor:\n${keys.map((key) => `  ${key}`).join('\n')}`);
  const withoutLater = (text: string) =>
    text.replace(/^ +backend: .*\n/gm, '').replace(/^ {2}rejection_sampling:\n(?: {4}.*\n)+/m, '');
  const older = ['behave_imp_weight_cap: 5.0', 'behave_imp_weight_mode: token_mask'];

  it('is checked against the newest release if only one name is gone', () => {
    expect(check(newest)).toEqual([]);
    expect(check(withGone('behave_imp_weight_cap: 5.0'))).toEqual(['error removed-option']);
  });

  it('counts as written for an earlier release if several names and requirements suggest it', () => {
    const text = withoutLater(withGone(...older));
    const found = check(text);
    expect(errors(found)).toEqual([]);
    expect(found).toEqual(
      expect.arrayContaining(['warning removed-option', 'warning required-option', 'info earlier-option']),
    );
    expect(errors(check(text, { areal: '1.0.4' }))).toContain('error removed-option');
  });

  it('gets an error for a value that the option’s type never allowed', () => {
    const written = withoutLater(withGone(...older));
    expect(check(written.replace(/^seed: .*/m, 'seed: two'))).toContain('error invalid-value');
    // That option was a string in earlier releases.
    const withModules = check(written.replace(/^vllm:$/m, '$&\n  lora_modules: one'));
    expect(withModules).toContain('warning invalid-value');
    expect(errors(withModules)).toEqual([]);
  });

  it('reports at one place what every release requires and what only some require', () => {
    const text = newest.replace(/^actor:\n {2}backend: .*\n {2}experiment_name: .*\n/m, 'actor:\n');
    const demands = (versions?: { readonly [name: string]: string }) =>
      check(text, versions).filter((one) => one.endsWith('required-option'));
    expect(demands()).toEqual(['warning required-option', 'warning required-option']);
    // That release has no backends there.
    expect(demands({ areal: '1.0.2' })).toEqual(['warning required-option']);
  });

  it('may leave out what its release does not require yet', () => {
    const text = [
      'experiment_name: e',
      'trial_name: t',
      'async_training: true',
      'allocation_mode: sglang.d4p1t1+d4',
      'actor:\n  experiment_name: e\n  trial_name: t\n  path: m\n  group_size: 4\n  group_reward_norm: true',
      'train_dataset:\n  batch_size: 8\n  path: d',
    ].join('\n');
    const missing = (versions: { readonly [name: string]: string } = {}) =>
      testLinter(knowledge, memoryHost({}), { ...noProfile, versions })
        .lint('/repository/config.yaml', text)
        .findings.filter(({ rule }) => rule === 'required-option')
        .map(({ settings: [name] }) => name)
        .filter((name) => name === 'train_dataset.type');
    expect(missing()).toEqual([]);
    expect(missing({ areal: '0.3.3' })).toEqual([]);
    expect(missing({ areal: '0.3.4' })).toEqual(['train_dataset.type']);
  });

  it('reports which release has a key that was removed without a successor', () => {
    const text = withGone('group_reward_norm: true');
    const { findings } = testLinter(knowledge, memoryHost({})).lint('/repository/config.yaml', text);
    expect(findings.map(({ message }) => message)).toEqual([
      'actor.group_reward_norm is not an option here. AReaL has it up to 0.3.3.',
    ]);
  });

  it('reports each name once', () => {
    const text = withoutLater(withGone(...older));
    const places = testLinter(knowledge, memoryHost({}))
      .lint('/repository/config.yaml', text)
      .findings.filter(({ rule }) => rule === 'earlier-option' || rule === 'removed-option')
      .map(({ place }) => text.slice(place.span.start, place.span.end));
    expect(places.sort()).toEqual(['behave_imp_weight_cap', 'behave_imp_weight_mode']);
  });

  it('is refused by every release if it also sets options that came later', () => {
    const text = withGone('dynamic_sampling: true', 'behav_imp_weight_cap: 5.0');
    expect(check(text)).not.toContain('info earlier-option');
    expect(errors(check(text))).toEqual(['error removed-option', 'error removed-option']);
  });

  it('may be written for a commit between two releases', () => {
    expect(check(withGone(...older))).toContain('info earlier-option');
  });

  it('counts as earlier also if removed options only cause warnings', () => {
    const sections = ['cluster', 'saver', 'recover', 'evaluator', 'stats_logger', 'valid_dataset'];
    const rewards = [
      'experiment_name: e\ntrial_name: t\ntokenizer_path: m\ntotal_train_epochs: 1',
      ...sections.map((name) => `${name}: {}`),
      'train_dataset:\n  type: rw',
      'model:\n  is_critic: true\nlauncher:\n  trainer_cpus_per_gpu: 4\n',
    ].join('\n');
    const found = check(rewards);
    expect(errors(found)).toEqual([]);
    expect(found).toContain('info earlier-option');
    // The section is only present under its older name.
    const later = check(rewards, { areal: '1.0.4' });
    expect(later.filter((one) => one.endsWith('reward-model-is-critic'))).toEqual([]);
    const present = rewards
      .replace('model:\n  is_critic: true', 'actor:\n  path: m')
      .replace(/launcher:[\s\S]*/, '');
    expect(check(present)).toContain('error areal/reward-model-is-critic');
  });

  it('still reports names that no release has as errors', () => {
    const text = withoutLater(withGone(...older, 'eps_clp: 0.2'));
    expect(errors(check(text))).toEqual(['error unknown-option']);
  });
});

describe('a SkyRL launch without SkyRL in the workspace', () => {
  const check = (...words: readonly string[]) =>
    lint('/repository/run.sh', `python -m skyrl.train.entrypoints.main_base ${words.join(' ')}\n`);
  const old = ['generator.num_inference_engines=4', 'generator.inference_engine_tensor_parallel_size=1'];

  it('counts as written for an earlier release if all engine settings have their old names', () => {
    expect(errors(check(...old))).toEqual([]);
    expect(check(...old)).toContain('info earlier-option');
  });

  it('is refused if old and new names are mixed', () => {
    const found = check(...old, 'generator.inference_engine.backend=vllm');
    expect(errors(found)).toEqual(['error renamed-option', 'error renamed-option']);
  });
});

describe('a release that the project declares', () => {
  const text = (knowledge.frameworks.get('areal')?.base.yaml ?? '').replace(
    'actor:',
    'actor:\n  behave_imp_weight_cap: 5.0',
  );
  const check = (areal: string) => lint('/repository/config.yaml', text, { areal });

  it('has options removed after it and lacks those added after it', () => {
    expect(check('1.0.3')).toEqual(['warning unknown-option']);
    expect(check('1.0.3.post1')).toEqual(check('1.0.3'));
    // The rollout's backend came with 1.0.3, rejection_sampling later.
    expect(check('1.0.2').filter((one) => one === 'warning unknown-option')).toHaveLength(2);
  });

  it('requires nothing that came after it', () => {
    const older = text
      .replace(/^ +backend: .*\n/gm, '')
      .replace(/^ {2}rejection_sampling:\n(?: {4}.*\n)+/m, '');
    const demands = (areal: string) =>
      lint('/repository/config.yaml', older, { areal }).filter((one) => one.endsWith('required-option'))
        .length;
    expect(demands('1.0.2')).toBe(0);
    expect(demands('1.0.3')).toBe(2);
  });
});

describe('a slime launch without slime in the workspace', () => {
  const path = '/repository/run.sh';
  const script = (words: string) =>
    `python3 train.py --hf-checkpoint /m --num-rollout 8 --rollout-batch-size 8 --n-samples-per-prompt 8 ${words}\n`;
  const check = (words: string, versions?: { readonly [name: string]: string }) =>
    lint(path, script(words), versions);
  const refused = 'error invalid-choice';

  it('counts as written for an earlier release if a removed backend has its options', () => {
    const found = check('--train-backend fsdp --attn-implementation flash_attention_2');
    expect(found).not.toContain(refused);
    expect(found).toEqual(expect.arrayContaining(['warning invalid-choice', 'info earlier-option']));
  });

  it.each([
    ['--num-epoch two', 'invalid-value'],
    ['--num-epoch', 'missing-value'],
    ['--rollout-data-postprocess-path', 'missing-value'],
    ['--kl-loss-type k9', 'invalid-choice'],
    ['--colocate=yes', 'unexpected-value'],
  ])('is refused by every release for what none of them accepts: %s', (words, rule) => {
    expect(check(words)).toContain(`error ${rule}`);
    const found = check(`--advantage-estimator on_policy_distillation --use-slime-router ${words}`);
    expect(found).toEqual(expect.arrayContaining([`error ${rule}`, 'info earlier-option']));
    expect(lint(path, script(words), { slime: '0.2.3' })).toContain(`error ${rule}`);
    // That release was never checked.
    expect(lint(path, script(words), { slime: '0.0.9' })).toContain(`warning ${rule}`);
  });

  it.each([
    // The first release accepted `kl`; --log-probs-chunk-size came after it.
    ['--kl-loss-type kl', 'invalid-choice'],
    ['--log-probs-chunk-size few', 'invalid-value'],
  ])('may be accepted by an earlier release: %s', (words, rule) => {
    const found = check(`--advantage-estimator on_policy_distillation --use-slime-router ${words}`);
    expect(found).toContain(`warning ${rule}`);
    expect(errors(found)).toEqual([]);
  });

  it('only gets a warning without further evidence, and the rest stays certain', () => {
    const found = check('--train-backend fsdp --no-such-option 1');
    expect(found).toContain('warning invalid-choice');
    expect(found).not.toContain('info earlier-option');
  });

  it('skips rules that came only after the value was removed', () => {
    // 0.2.2 was the last release with this backend; 0.3.1 is the first that colocates without engines.
    const without = '--actor-num-nodes 1 --actor-num-gpus-per-node 8 --colocate --rollout-num-gpus 0';
    expect(check(without)).toContain('warning slime/rollouts-without-engines');
    expect(check(`${without} --train-backend fsdp`)).not.toContain('warning slime/rollouts-without-engines');
  });

  it('is refused if it also uses something that came later', () => {
    expect(check('--train-backend fsdp --fsdp-cpu-offload --release-train')).toContain(refused);
  });

  it('is refused with options that the removed backend always refused', () => {
    for (const words of ['--num-layers 36 --hidden-size 2560', '--tensor-model-parallel-size 2'])
      expect(check(`--train-backend fsdp ${words}`)).toContain(refused);
    const older = '--train-backend fsdp --attn-implementation flash_attention_2 --num-layers 36';
    expect(check(older)).toContain(refused);
    expect(check(older)).not.toContain('info earlier-option');
    expect(check('--train-backend fsdp --optimizer adam --lr 1e-6 --bf16')).not.toContain(refused);
  });

  it('gets an error if the declared release refuses the combination', () => {
    const reported = (words: string) => check(`--train-backend fsdp ${words}`, { slime: '0.2.2' });
    expect(reported('--num-layers 36')).toContain('error invalid-choice');
    expect(reported('--attn-implementation sdpa').join()).not.toContain('invalid-choice');
  });
});
