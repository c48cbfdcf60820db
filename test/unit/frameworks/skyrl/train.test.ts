import { describe, expect, it } from 'vitest';
import { loadKnowledge, testLinter } from '../../../support/knowledge.ts';
import { memoryHost } from '../../../support/memoryHost.ts';

const knowledge = loadKnowledge();
const script = '/repository/skyrl-train/examples/run.sh';
const config = '/repository/skyrl-train/skyrl_train/config';
const checks = '/repository/skyrl-train/skyrl_train/utils/utils.py';

function lint(text: string, files: { readonly [path: string]: string } = {}) {
  const host = memoryHost({ ...files, [script]: text });
  return testLinter(knowledge, host).lint(script, text);
}

const launch = (words: string, module = 'skyrl_train.entrypoints.main_base'): string =>
  `uv run --isolated -m ${module} ${words}\n`;
const rulesOf = (text: string, files: { readonly [path: string]: string } = {}): string[] =>
  lint(text, files)
    .findings.map(({ severity, rule }) => `${severity} ${rule}`)
    .sort();

const halves = 'trainer.train_batch_size=64 trainer.policy_mini_batch_size=48';
const tree = {
  [`${config}/ppo_base_config.yaml`]: [
    'defaults:',
    '  - _self_',
    '  - megatron_config@trainer.policy.megatron_config: policy',
    '  - skyrl_gym_config: default',
    'trainer:',
    '  placement: {colocate_all: false, policy_num_nodes: 1, policy_num_gpus_per_node: 4}',
    '  strategy: fsdp2',
    '  algorithm: {advantage_estimator: grpo}',
    '  policy: {model: {path: Qwen/Qwen2.5-1.5B-Instruct}, sequence_parallel_size: 1}',
    '  critic: {model: {path: null}}',
    '  train_batch_size: 64',
    '  policy_mini_batch_size: 32',
    '  micro_train_batch_size_per_gpu: 4',
    '  own_key: 1',
    'generator:',
    '  n_samples_per_prompt: 5',
    '  engine_init_kwargs: {}',
  ].join('\n'),
  [`${config}/megatron_config/policy.yaml`]:
    '# @package megatron_config.policy\ntensor_model_parallel_size: 1\n',
  [`${config}/skyrl_gym_config/default.yaml`]: '# @package environment.skyrl_gym\nmax_env_workers: 32\n',
};

describe("a launch of SkyRL's first package", () => {
  it('is recognised by the name of the package, or by the tree', () => {
    const frameworks = (text: string, files = {}) => lint(text, files).runs.map(({ framework }) => framework);
    expect(frameworks(launch(''))).toEqual(['skyrl-train']);
    expect(frameworks(launch('trainer.policy.model.path=x', 'examples.own.main_own'), tree)).toEqual([
      'skyrl-train',
    ]);
    expect(frameworks(launch('trainer.policy.model.path=x', 'examples.own.main_own'))).toEqual(['skyrl']);
  });

  it('is recognised by the nearer tree if the repository has both packages', () => {
    const both = { ...tree, '/repository/skyrl/train/config/config.py': 'class SkyRLTrainConfig:\n' };
    const text = launch('trainer.policy.model.path=x', 'examples.own.main_own');
    const at = (path: string) =>
      testLinter(knowledge, memoryHost({ ...both, [path]: text })).lint(path, text).runs[0]?.framework;
    expect(at(script)).toBe('skyrl-train');
    expect(at('/repository/examples/run.sh')).toBe('skyrl');
  });

  it('is recognised by what a custom program has Hydra compose', () => {
    const own = launch('trainer.strategy=fsdp2 generator.backend=vllm', 'advisors.math.main_math');
    const from = (source: string) =>
      lint(own, { '/repository/advisors/math/main_math.py': source }).runs.map(({ framework }) => framework);
    const first = 'from skyrl_train.entrypoints.main_base import BasePPOExp, config_dir\n';
    const composed = '@hydra.main(config_path=config_dir, config_name="ppo_base_config")\n';
    expect(from(`import hydra\n${first}${composed}def main(cfg):\n    run(cfg)\n`)).toEqual(['skyrl-train']);
    expect(from(`${first}def main():\n    run(from_command_line())\n`)).toEqual(['skyrl']);
    expect(from(composed)).toEqual(['skyrl']);
  });

  it('is refused by what every release refuses', () => {
    expect(rulesOf(launch(halves))).toEqual(['error skyrl-train/batch-not-divisible-by-mini-batch']);
    expect(rulesOf(launch('trainer.train_batch_size=64 trainer.policy_mini_batch_size=32'))).toEqual([]);
  });

  it('is asynchronous if it runs upstream’s asynchronous program, or one that builds its trainer', () => {
    const words =
      '+generator.engine_init_kwargs.seed=1 generator.num_inference_engines=4 generator.inference_engine_tensor_parallel_size=1 generator.batched=true';
    const own = 'from skyrl_train.fully_async_trainer import FullyAsyncRayPPOTrainer\nvalidate_cfg(cfg)\n';
    const program = { '/repository/examples/own/main_own.py': own };
    const refused = 'error skyrl-train/async-batched';
    expect(rulesOf(launch(words, 'examples.fully_async.main_fully_async'))).toContain(refused);
    expect(rulesOf(launch(words, 'examples.own.main_own'), program)).toContain(refused);
    const either = `${own}trainer = FullyAsyncRayPPOTrainer if cfg.trainer.own else RayPPOTrainer\n`;
    const choosing = { '/repository/examples/own/main_own.py': either };
    expect(rulesOf(launch(words, 'examples.own.main_own'), choosing)).not.toContain(refused);
    expect(rulesOf(launch(words))).not.toContain(refused);
  });

  it('gets no findings from steps after the checks that its program replaces', () => {
    const program = (more: string) => ({
      '/repository/examples/own/main_own.py': `class Own(BasePPOExp):\n${more}\nvalidate_cfg(cfg)\n`,
    });
    const words =
      'trainer.logger=trackio +generator.engine_init_kwargs.seed=1 generator.num_inference_engines=4 generator.inference_engine_tensor_parallel_size=1';
    const reported = (more: string): string[] =>
      rulesOf(launch(words, 'examples.own.main_own'), program(more));
    expect(reported('  def get_generator(self):\n    return Mine()')).toContain('error skyrl-train/logger');
    expect(reported('  def get_tracker(self):\n    return Mine()')).not.toContain('error skyrl-train/logger');
    expect(reported('  def run(self):\n    generate(self)')).not.toContain('error skyrl-train/logger');
  });

  it("accepts keys of DeepSpeed's own configuration, about which nothing is known", () => {
    const words = 'trainer.strategy=deepspeed deepspeed_config.train.zero_optimization.stage=2';
    expect(rulesOf(launch(words)).filter((rule) => rule.endsWith('-option'))).toEqual([]);
    expect(rulesOf(launch('deepspeed_confg.train.zero_optimization.stage=2'))).toContain(
      'warning unknown-option',
    );
  });

  it('relies on no default in which the releases differ', () => {
    const micro = 'trainer.policy_mini_batch_size=4 trainer.micro_train_batch_size_per_gpu=3';
    expect(rulesOf(launch(micro))).toEqual([]);
    expect(rulesOf(launch(`${micro} trainer.placement.policy_num_gpus_per_node=1`))).toContain(
      'error skyrl-train/mini-batch-not-divisible-by-micro-batch',
    );
    expect(rulesOf(launch(micro), tree)).toContain(
      'error skyrl-train/mini-batch-not-divisible-by-micro-batch',
    );
  });

  it.each([
    ['generator.n_samples_per_prompt=None', ['warning invalid-value']],
    ['generator.n_samples_per_prompt=[1,2]', ['warning invalid-value']],
    ['trainer.placement.colocate_all=yes', ['warning invalid-value']],
    ['trainer.placement.colocate_all=1', []],
    ['generator.n_samples_per_prompt=${trainer.train_batch_size}', []],
    ['trainer.policy.model.path=7', []],
  ])('gets a warning for a string or list where a number is used: %s', (word, expected) => {
    expect(rulesOf(launch(`'${word}'`), tree)).toEqual(expected);
  });

  it('has the GPUs that its roles request', () => {
    const size = (words: string): unknown => lint(launch(words)).runs[0]?.worldSize;
    expect(size('trainer.placement.policy_num_gpus_per_node=4')).toEqual({ kind: 'known', data: 4 });
    expect(size('')).toMatchObject({ kind: 'unknown' });
  });
});

describe('the configuration in the tree', () => {
  it('defines which keys exist', () => {
    expect(
      rulesOf(launch('trainer.own_key=2 trainer.policy.megatron_config.tensor_model_parallel_size=2'), tree),
    ).toEqual([]);
    expect(rulesOf(launch('environment.skyrl_gym.max_env_workers=8'), tree)).toEqual([]);
    expect(rulesOf(launch('trainer.micro_batch=2'), tree)).toEqual(['error unknown-option']);
    expect(rulesOf(launch('trainer.micro_batch=2'))).toEqual(['warning unknown-option']);
    const certainties = [tree, undefined].map(
      (files) => lint(launch('trainer.micro_batch=2'), files).findings[0]?.certainty,
    );
    expect(certainties).toEqual(['certain', 'likely']);
  });

  it('reports which release has a key that it lacks', () => {
    const said = (key: string) =>
      lint(launch(`trainer.${key}=2`), tree).findings.find(({ rule }) => rule === 'unknown-option')?.message;
    expect(said('placement.reward_num_nodes')).toMatch(/Its last release was skyrl_train 0\.1\.0\.$/);
    expect(said('algorithm.zero_variance_filter')).toMatch(/It came with skyrl_train 0\.4\.0\.$/);
    expect(said('micro_batch')).not.toContain('skyrl_train');
  });

  it('includes files beside it', () => {
    const base = `${config}/ppo_base_config.yaml`;
    const files = {
      ...tree,
      [base]: tree[base]?.replace('  - _self_', '  - _self_\n  - more\n  - optional own: null') ?? '',
      [`${config}/more.yaml`]: 'trainer: {micro_batch: 1}\n',
    };
    expect(rulesOf(launch('trainer.micro_batch=2'), files)).toEqual([]);
  });

  it('has the keys of a group where Hydra puts them', () => {
    const base = `${config}/ppo_base_config.yaml`;
    const found = (entry: string, header: string, word: string) =>
      rulesOf(launch(word), {
        ...tree,
        [base]: tree[base]?.replace('  - _self_', `  - _self_\n  - ${entry}`) ?? '',
        [`${config}/own/first.yaml`]: `${header}inner: 1\n`,
      });
    expect(found('own: first', '', 'own.inner=2')).toEqual([]);
    expect(found('own: first', '# @package _group_\n', 'own.inner=2')).toEqual([]);
    expect(found('own: first', '# @package _global_\n', 'inner=2')).toEqual([]);
    expect(found('own: first', '# @package other.place\n', 'other.place.inner=2')).toEqual([]);
    expect(found('own@trainer.own: first', '# @package _global_\n', 'trainer.own.inner=2')).toEqual([]);
    expect(found('own@_global_: first', '', 'inner=2')).toEqual([]);
    expect(found('own: first', '', 'trainer.inner=2')).toEqual(['error unknown-option']);
    expect(found('own: [first]', '', 'own.inner=2')).toEqual(['warning unknown-option']);
  });

  it('loses a deleted key together with its default', () => {
    const micro = 'trainer.policy_mini_batch_size=4 trainer.micro_train_batch_size_per_gpu=3';
    expect(rulesOf(launch(`${micro} ~generator.n_samples_per_prompt`), tree)).toEqual([
      'error needed-key-deleted',
    ]);
  });

  it('keeps its other names if a key is deleted', () => {
    const misspelt = 'trainer.trian_batch_size=16';
    expect(rulesOf(launch(`~trainer.fully_async ${misspelt}`), tree)).toContain('error unknown-option');
    // A custom name may be that of a group of files, which may have any keys.
    expect(rulesOf(launch(`~own ${misspelt}`), tree)).not.toContain('error unknown-option');
  });

  it('reports deleted keys that every run reads', () => {
    const rules = (words: string, command = launch(words)): readonly string[] =>
      lint(command, tree).findings.flatMap(({ rule, severity }) =>
        rule === 'needed-key-deleted' ? [severity] : [],
      );
    expect(rules('~trainer.strategy')).toEqual(['error']);
    expect(rules('~trainer.train_batch_size ~trainer.logger')).toEqual(['error', 'error']);
    // Only training reads it.
    const evaluation = 'python -m skyrl_train.entrypoints.main_generate';
    expect(rules('', `${evaluation} ~trainer.train_batch_size`)).toEqual([]);
    expect(rules('', `${evaluation} ~generator.backend`)).toEqual(['error']);
    for (const good of [
      '~trainer.epochs',
      '~trainer.strategy trainer.strategy=fsdp2',
      '~trainer.fully_async',
    ])
      expect(rules(good), good).toEqual([]);
  });

  it('refuses deletions of keys that are absent or have another value', () => {
    const said = (words: string, files = {}) =>
      lint(launch(words), files).findings.flatMap(({ rule, severity, message }) =>
        rule === 'invalid-override' ? [`${severity} ${message}`] : [],
      );
    expect(said('~trainer.train_batch_size=32', tree)).toEqual([
      'error ~trainer.train_batch_size is not an override: the key to delete is 64 in the configuration.',
    ]);
    expect(said('~trainer.train_batch_sise', tree)).toEqual([
      'error ~trainer.train_batch_sise is not an override: there is no such key to delete.',
    ]);
    expect(said('~trainer.critic.model.path', tree)).toEqual([
      'error ~trainer.critic.model.path is not an override: the key to delete has no value.',
    ]);
    expect(said('~trainer.train_batch_sise')).toHaveLength(1);
    expect(said('~trainer.train_batch_sise')[0]).toMatch(/^warning /);
    for (const good of [
      '~trainer.train_batch_size',
      '~trainer.train_batch_size=64',
      '~trainer.placement',
      '~trainer.train_batch_size=32 trainer.train_batch_size=32',
      '~generator.engine_init_kwargs.x',
      '~generator.max_input_length',
      '~trainer.sise --config-name ours',
      '~group@trainer.sise',
    ])
      expect(said(good, tree), good).toEqual([]);
  });

  it('reports a section that is removed and read later', () => {
    const sections = (words: string): string[] =>
      rulesOf(launch(words), tree).filter((one) => one.endsWith('section-not-keys'));
    expect(sections('~trainer.placement')).toEqual(['error skyrl-train/section-not-keys']);
    expect(sections('~trainer.placement +trainer.placement.colocate_all=true')).toEqual([]);
    expect(sections('~trainer.placement --config-name ours')).toEqual([]);
    expect(sections('~trainer.placement.colocate_all')).toEqual([]);
  });

  it('may have lists as defaults', () => {
    const base = `${config}/ppo_base_config.yaml`;
    const files = {
      ...tree,
      [base]: `${tree[base]}\n  run_engines_locally: false\n  num_inference_engines: 1\n  remote_inference_engine_urls: ["a:1", "b:2"]\n`,
    };
    expect(rulesOf(launch('generator.num_inference_engines=1'), files)).toEqual([
      'error skyrl-train/remote-engines-miscounted',
    ]);
    expect(rulesOf(launch('generator.num_inference_engines=2'), files)).toEqual([]);
  });

  it('is extended with a plus, and only where it has no value', () => {
    expect(rulesOf(launch('+trainer.new=2 ++trainer.own_key=3 hydra.run.dir=x'), tree)).toEqual([]);
    expect(rulesOf(launch('+generator.engine_init_kwargs.max_model_len=4096'), tree)).toEqual([]);
    expect(rulesOf(launch('+trainer.critic.model.path=x'), tree)).not.toContain('error override-key-exists');
    expect(rulesOf(launch('+trainer.own_key=3'), tree)).toEqual(['error override-key-exists']);
  });

  it('has no keys below a null map until it is given', () => {
    const scaling = 'trainer.rope_scaling';
    expect(rulesOf(launch(`${scaling}.rope_type=yarn`))).toEqual(['warning unknown-option']);
    expect(rulesOf(launch(`++${scaling}.rope_type=yarn +${scaling}.factor=4.0`))).toEqual([]);
    expect(rulesOf(launch(`'${scaling}={rope_type:yarn,factor:4.0}'`))).toEqual([]);
    expect(rulesOf(launch(`'${scaling}={rope_type:linear}' ${scaling}.rope_type=yarn`))).not.toContain(
      'warning unknown-option',
    );
    expect(rulesOf(launch(`${scaling}=null`))).toEqual([]);
  });

  it('has no keys below a single value unless a map replaces it', () => {
    expect(rulesOf(launch('trainer.strategy.x=1'), tree)).toContain('error unknown-option');
    expect(rulesOf(launch("'trainer.strategy={x:1}' trainer.strategy.x=2"), tree)).not.toContain(
      'error unknown-option',
    );
  });

  it('accepts no keys with leading dashes, which are flags to Hydra', () => {
    expect(rulesOf(launch('--trainer.epochs=2'), tree)).toContain('error invalid-override');
    expect(rulesOf(launch('--cfg job --resolve'))).toEqual([]);
  });

  it('is judged by its own program if the workspace has that too', () => {
    const program = '/repository/skyrl-train/skyrl_train/entrypoints/main_base.py';
    const source = [
      'class BasePPOExp:',
      '    def get_generator(self, cfg):',
      '    def _setup_trainer(self):',
      '        raise ValueError(f"Unknown strategy type: {self.cfg.trainer.strategy}")',
      'def main(cfg):',
      '    validate_cfg(cfg)',
    ].join('\n');
    const found = (text: string) => rulesOf(launch('trainer.strategy=ddp'), { ...tree, [program]: text });
    expect(found(source)).toContain('error skyrl-train/strategy');
    expect(found(source.replace('Unknown', 'Odd'))).not.toContain('error skyrl-train/strategy');
  });

  it('may be replaced by one about which nothing is known', () => {
    for (const other of [
      '--config-name own',
      '-cn own',
      'hydra.searchpath=[file://own] own=default',
      '+own=default',
      'megatron_config@trainer.policy.megatron_config=own',
    ])
      expect(rulesOf(launch(`${other} trainer.micro_batch=2`), tree), other).toEqual([]);
    expect(rulesOf(launch(`--config-name own ${halves}`), tree)).toEqual([
      'error skyrl-train/batch-not-divisible-by-mini-batch',
    ]);
  });

  it('is not judged if a part of it cannot be read', () => {
    const group = `${config}/skyrl_gym_config/default.yaml`;
    const { [group]: _, ...rest } = tree;
    for (const files of [
      rest,
      { ...tree, [group]: 'a: [1\nb: 2\n' },
      { ...tree, [group]: 'defaults: [own]\n' },
    ])
      expect(rulesOf(launch('trainer.micro_batch=2'), files)).toEqual(['warning unknown-option']);
  });
});

describe('checks of a tree', () => {
  const asserting = 'assert cfg.trainer.train_batch_size % cfg.trainer.policy_mini_batch_size == 0\n';

  it('decide which rules hold', () => {
    expect(rulesOf(launch(halves), { ...tree, [checks]: asserting })).toContain(
      'error skyrl-train/batch-not-divisible-by-mini-batch',
    );
    expect(
      rulesOf(launch(halves), { ...tree, [checks]: 'def validate_cfg(cfg): pass\n' }),
    ).not.toContainEqual(expect.stringContaining('batch-not-divisible'));
  });

  it('know losses and estimators registered there', () => {
    const asserted = "assert x, f'invalid advantage_estimator: {x}'\n";
    const registry = '/repository/skyrl-train/skyrl_train/utils/ppo_utils.py';
    const found = (name: string) =>
      rulesOf(launch('trainer.algorithm.advantage_estimator=own_td'), {
        ...tree,
        [checks]: asserted,
        [registry]: `class AdvantageEstimator(StrEnum):\n    OWN = "${name}"\n`,
      });
    expect(found('other')).toContain('error skyrl-train/advantage-estimator');
    expect(found('own_td')).not.toContain('error skyrl-train/advantage-estimator');
  });

  it('are uncertain if the tree is elsewhere than upstream', () => {
    const moved = Object.fromEntries(
      Object.entries(tree).map(([path, text]) => [path.replace('/skyrl-train/', '/'), text]),
    );
    expect(rulesOf(launch(halves), moved)).toContain('warning skyrl-train/batch-not-divisible-by-mini-batch');
  });

  it('run if a program calls them', () => {
    const program = '/repository/skyrl-train/examples/own/main_own.py';
    const found = (source: string) =>
      rulesOf(launch(halves, 'examples.own.main_own'), { ...tree, [program]: source });
    expect(found('def main(cfg):\n    validate_cfg(cfg)\n')).toContain(
      'error skyrl-train/batch-not-divisible-by-mini-batch',
    );
    expect(found('def main(cfg):\n    run(cfg)\n')).toEqual([]);
  });

  it('say nothing about keys if the program has its own configuration', () => {
    const program = '/repository/skyrl-train/examples/own/main_own.py';
    const found = (main: string) =>
      rulesOf(launch('trainer.policy.model.path=x trainer.own=1', 'examples.own.main_own'), {
        ...tree,
        [program]: `@hydra.main(${main}, version_base=None)\ndef main(cfg):\n    validate_cfg(cfg)\n`,
      });
    expect(found('config_path=config_dir, config_name="ppo_base_config"')).toEqual(['error unknown-option']);
    expect(found('config_path=config_dir, config_name="own"')).toEqual([]);
    expect(found('config_path="conf", config_name="ppo_base_config"')).toEqual([]);
  });
});

describe('the newer package when it still had the older configuration', () => {
  const started = '/repository/examples/train/run.sh';
  const words = 'trainer.train_batch_size=64 trainer.policy_mini_batch_size=48 trainer.own_key=2';
  const moved = (program: string, sources = ''): readonly string[] => {
    const files = Object.fromEntries(
      Object.entries(tree).map(([path, text]) => [
        path.replace(config, '/repository/skyrl/train/config'),
        text,
      ]),
    );
    const text = launch(words, 'skyrl.train.entrypoints.main_base');
    const all = {
      ...files,
      [started]: text,
      '/repository/skyrl/train/config/config.py': 'class SkyRLConfig:\n    own_key: int = 1\n',
      '/repository/skyrl/train/entrypoints/main_base.py': program,
      '/repository/skyrl/train/utils/utils.py': sources,
    };
    const { runs, findings } = testLinter(knowledge, memoryHost(all)).lint(started, text);
    return [...runs.map(({ framework }) => framework), ...findings.map(({ rule }) => rule)];
  };
  const hydra = '@hydra.main(config_path=config_dir, config_name="ppo_base_config")\ndef main(cfg):\n';

  it('counts as the older one, with the keys of its configuration', () => {
    const found = moved(
      hydra,
      'assert cfg.trainer.train_batch_size % cfg.trainer.policy_mini_batch_size == 0',
    );
    expect(found).toContain('skyrl-train');
    expect(found).not.toContain('unknown-option');
  });

  it('counts as the newer one if its program composes nothing', () => {
    expect(moved('def main():\n    cfg = SkyRLTrainConfig.from_cli_overrides(args)\n')[0]).toBe('skyrl');
  });
});
