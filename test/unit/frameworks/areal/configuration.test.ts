import { describe, expect, it } from 'vitest';
import { testLinter } from '../../../support/knowledge.ts';
import { memoryHost } from '../../../support/memoryHost.ts';
import { alone, base, findings, knowledge, launched, pointed } from './arealRun.ts';

describe('an AReaL configuration on its own', () => {
  it('does not require what the command line usually sets', () => {
    expect(alone(base).filter(({ severity }) => severity !== 'info')).toEqual([]);
  });

  it('points at the value in the file', () => {
    const text = base.replace('backend: fsdp:d4', 'backend: fsdp.d4');
    expect(pointed(alone(text), { '/repository/config.yaml': text })).toEqual([
      'error areal/backend-parse fsdp.d4',
    ]);
  });

  it('refuses what OmegaConf refuses', () => {
    const text = base
      .replace('batch_size: 64', 'batch_size: 64.0')
      .replace('gradient_checkpointing: true', 'gradient_checkpointing: maybe')
      .replace('lr: 1.0e-6', 'lr: 1.0e-6\n    weight_decays: 1');
    expect(pointed(alone(text), { '/repository/config.yaml': text })).toEqual([
      'error invalid-value maybe',
      'error unknown-option weight_decays',
      'error invalid-value 64.0',
    ]);
  });

  it('checks the scalars of a list, not the maps in it', () => {
    const modules = (items: string) =>
      launched(`'++actor.fsdp.wrap_policy={transformer_layer_cls_to_wrap:[${items}]}'`);
    expect(modules('Qwen3DecoderLayer').map(({ rule }) => rule)).toEqual([]);
    expect(modules('{a:1}').map(({ rule }) => rule)).toEqual([]);
    expect(modules('null').map(({ rule }) => rule)).toEqual(['invalid-value']);
  });

  it('checks the values of maps with free keys', () => {
    const variables = (entries: string) =>
      launched(`'++train_dataset.dataset_kwargs={${entries}}'`).map(({ rule }) => rule);
    expect(variables('A:1,B:null')).toEqual([]);
    expect(variables("A:'???'")).toEqual(['required-option']);
    const environment = launched("'++train_dataset.scheduling_spec.env_vars={A:1,B:null}'");
    expect(environment.map(({ rule }) => rule)).toEqual(['invalid-value']);
  });

  it('refuses map keys that are not text', () => {
    const text = base.replace(
      'batch_size: 64',
      'batch_size: 64\n  dataset_kwargs: {1: a, on: b, "2": c, d: {3: x, ~: y}}',
    );
    expect(pointed(alone(text), { '/repository/config.yaml': text })).toEqual([
      'error invalid-value 1',
      'error invalid-value on',
      'error invalid-value ~',
    ]);
  });

  it('refuses a duplicate key', () => {
    const found = alone(`${base}seed: 2\n`);
    expect(found.filter(({ severity }) => severity === 'error').map(({ rule }) => rule)).toEqual([
      'duplicate-key',
    ]);
  });

  it('reports keys of older versions', () => {
    const text = base.replace('max_tokens_per_mb', 'max_tokens_per_gpu');
    expect(alone(text).find(({ rule }) => rule === 'renamed-option')).toMatchObject({ severity: 'error' });
  });

  it('does not move an older key to a section that its class lacks', () => {
    const key = 'max_concurrent_rollouts: 32\n';
    const ofPreferences = `${base.replace(/^(?:gconfig|rollout|sglang|vllm|ref):\n(?: .*\n)+/gm, '')}${key}`
      .replace(/^( {2})type: rl$/m, '$1type: rw')
      .replace(/^( {2})kl_ctl: .*$/m, '$1is_critic: true');
    const reported = (text: string) =>
      alone(text).filter(({ message }) => message.startsWith('max_concurrent'));
    expect(reported(`${base}${key}`).map(({ rule }) => rule)).toEqual(['renamed-option']);
    const [removed, ...others] = reported(ofPreferences);
    expect(others).toEqual([]);
    expect(removed?.rule).toBe('removed-option');
    expect(removed?.fixes.map(({ title }) => title)).toEqual(['Remove max_concurrent_rollouts']);
  });

  it('says nothing about keys that a custom class may have', () => {
    expect(
      alone(`${base}econfig:\n  domain: airline\nreward_path: x\n`).map(({ severity }) => severity),
    ).not.toContain('error');
  });

  it('uses the script next to it', () => {
    const files = {
      '/repository/config.py':
        'class Mine(PPOConfig):\n    econfig: dict\n\nconfig, _ = load_expr_config(args, Mine)\n',
    };
    const text = `${base.replace('actor:\n  backend: fsdp:d4', 'actor:\n  backend: fsdp:d8')}econfig: {}\n`;
    // The script starts no trainer, so no GPUs are asked for.
    expect(alone(text, files).filter(({ severity }) => severity !== 'info')).toEqual([]);
    expect(alone(text).map(({ rule }) => rule)).toContain('areal/gpus-exceed-cluster');
  });

  it('uses the scripts next to its folder of configurations', () => {
    const text = base.replace('actor:', 'actor:\n  own_part: {high: 0.5}');
    const own =
      'class MineActor(PPOActorConfig):\n    own_part: Own\n\nclass Mine(PPOConfig):\n    actor: MineActor\n\nconfig, _ = load_expr_config(args, Mine)\n';
    const unknown = (path: string, script: string): readonly string[] =>
      findings(path, { [path]: text, [script]: own }).flatMap(({ rule, message }) =>
        rule === 'unknown-option' ? [message] : [],
      );
    expect(unknown('/repository/recipe/configs/mine.yaml', '/repository/recipe/train.py')).toEqual([]);
    expect(unknown('/repository/recipe/mine/mine.yaml', '/repository/recipe/train.py')).toHaveLength(1);
  });

  it('counts the GPUs of roles that are created', () => {
    const { runs } = testLinter(knowledge, memoryHost({ '/repository/config.yaml': base })).lint(
      '/repository/config.yaml',
      base,
    );
    expect(runs.map(({ framework, worldSize }) => [framework, worldSize])).toEqual([
      ['areal', { kind: 'known', data: 8 }],
    ]);
  });
});
