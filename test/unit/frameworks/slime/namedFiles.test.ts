import { describe, expect, it } from 'vitest';
import { effective, found, problems } from '../trainerRun.ts';

import { run } from './slimeRun.ts';

describe('a file that an option names', () => {
  it('overrides the command line with --custom-config-path', () => {
    const custom = run('--custom-config-path /w/custom.yaml', {
      '/w/custom.yaml': 'rollout_batch_size: 8\nmy_own_key: 3\n',
    });
    expect(effective(custom, 'rollout_batch_size')).toBe(8);
    expect(problems(custom)).toEqual(['warning duplicate-option --rollout-batch-size']);
  });

  it('makes results less certain if it cannot be read', () => {
    expect(run('--custom-config-path /elsewhere/custom.yaml').open).toBe(true);
  });

  it('is read after the check of the token budget', () => {
    const file = { '/w/custom.yaml': 'max_tokens_per_gpu: 4096\n' };
    const late = run('--use-dynamic-batch-size --custom-config-path /w/custom.yaml', file);
    expect(found(late).join()).toContain('dynamic-batch-needs-token-budget');
    const both = run(
      '--use-dynamic-batch-size --max-tokens-per-gpu 8 --custom-config-path /w/custom.yaml',
      file,
    );
    expect(found(both).join()).not.toContain('dynamic-batch-needs-token-budget');
  });

  it('is reported for keys in a role that are not arguments', () => {
    const roles = run('--megatron-config-path roles.yaml', {
      '/w/roles.yaml':
        'megatron:\n  - role: critic\n    overrides:\n      lr: 1e-5\n      learning_rate: 1\n      num_nodes: 2\n',
    });
    expect(problems(roles)).toEqual([
      'warning unknown-option learning_rate It is set on the role all the same, and most likely read by nothing.',
      'warning ignored-option num_nodes: the GPUs of a role follow from the command line',
    ]);
  });

  it('has each role checked once, with the arguments that it changes', () => {
    const file = {
      '/w/roles.yaml': 'megatron:\n  - role: critic\n    overrides:\n      recompute_granularity: full\n',
    };
    const path = '--megatron-config-path roles.yaml';
    const critic = run(`${path} --advantage-estimator ppo`, file);
    expect(critic.scopes.map(({ set, role }) => role ?? set)).toEqual([
      'slime',
      'slime',
      'megatron-lm',
      'critic',
    ]);
    expect(found(critic)).toContain('warning megatron-lm/full-recompute-needs-method');
    expect(found(run(path, file)).join()).not.toContain('full-recompute');
    const both = found(run(`${path} --advantage-estimator ppo --recompute-granularity full`, file));
    expect(both.filter((finding) => finding.includes('full-recompute-needs-method'))).toEqual([
      'error megatron-lm/full-recompute-needs-method',
    ]);
  });

  it('must not repeat a role, or a critic if there is one', () => {
    const twice = (role: string, words = '') =>
      found(
        run(`--megatron-config-path roles.yaml ${words}`, {
          '/w/roles.yaml': `megatron:\n  - role: ${role}\n  - role: ${role}\n`,
        }),
      );
    const refusal = 'error slime/role-config-names-a-role-twice';
    expect(twice('actor')).toContain(refusal);
    expect(twice('critic')).not.toContain(refusal);
    expect(twice('critic', '--advantage-estimator ppo')).toContain(refusal);
  });

  it('gives the size of engines in its groups', () => {
    const engines = '--rollout-num-gpus-per-engine 0';
    const file = {
      '/w/engines.yaml':
        'sglang:\n  - name: default\n    server_groups:\n      - {worker_type: regular, num_gpus: 4, num_gpus_per_engine: 2}\n',
    };
    const refusal = 'error slime/engine-gpus-not-positive';
    expect(found(run(engines))).toContain(refusal);
    expect(found(run(`${engines} --sglang-config engines.yaml`, file))).not.toContain(refusal);
  });

  it('has the GPUs of its engines counted', () => {
    const engines = (gpus: number) =>
      found(
        run('--sglang-config engines.yaml', {
          '/w/engines.yaml': `sglang:\n  - name: actor\n    server_groups:\n      - worker_type: regular\n        num_gpus: ${gpus}\n`,
        }),
      );
    expect(engines(2)).toContain('error slime/engine-config-gpu-total');
    expect(engines(4)).not.toContain('error slime/engine-config-gpu-total');
  });

  it('must not repeat a key if it holds evaluations, as OmegaConf refuses that', () => {
    const text = 'eval:\n  defaults: {}\n  defaults: {}\n  datasets:\n    - {name: a, path: /a.jsonl}\n';
    expect(problems(run('--eval-config e.yaml', { '/w/e.yaml': text }))).toEqual([
      'error duplicate-key defaults',
    ]);
    expect(problems(run('--sglang-config e.yaml', { '/w/e.yaml': text }))).toEqual([]);
  });

  it('is unknown if it is outside the workspace', () => {
    const outside = found(run('--sglang-config /elsewhere/engines.yaml --eval-config /elsewhere/e.yaml'));
    expect(outside.filter((finding) => finding.startsWith('error'))).toEqual([]);
  });
});
