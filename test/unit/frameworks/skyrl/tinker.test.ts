import { describe, expect, it } from 'vitest';
import { lintFile } from '../../../support/lintFile.ts';
import { reported } from '../commandRun.ts';

const script = '/repository/run.sh';

describe('the Tinker server', () => {
  const server = (words: string): string[] =>
    reported(`uv run -m skyrl.tinker.api --base-model Q --backend fsdp ${words}`);

  it('takes the last of two flags, and only JSON', () => {
    const [found, ...others] = server(`--backend-config '{"trainer.epochz":1}' --backend-config '{}'`);
    expect(found).toContain('duplicate-option');
    expect(others).toEqual([]);
    expect(server(`--backend-config '{"trainer.epochz":1}'`)).not.toEqual([]);
    for (const text of ["{'a': 4}", '{"a": 4,}', '{"a": 4} # x'])
      expect(server(`--backend-config ${JSON.stringify(text).replaceAll('$', '')}`).join('\n')).toContain(
        'not JSON',
      );
  });

  it('trains with the strategy in its JSON', () => {
    const words = '"trainer.logprobs_chunk_size": null';
    expect(server(`--backend-config '{${words}}'`)).not.toEqual([]);
    expect(server(`--backend-config '{"strategy": "megatron", ${words}}'`)).toEqual([]);
  });

  it('gets a finding for each JSON value that it replaces, unless they are equal', () => {
    const replaced = (words: string): boolean =>
      server(`--backend-config '{${words}}'`).some((finding) => finding.includes('tinker-value-replaced'));
    expect(replaced('"trainer.policy.model.path": "R"')).toBe(true);
    expect(replaced('"trainer.policy.model.path": "Q"')).toBe(false);
    expect(replaced('"trainer.strategy": "megatron"')).toBe(true);
    expect(replaced('"trainer.strategy": "fsdp"')).toBe(false);
    expect(replaced('"trainer.policy.optimizer_config.num_warmup_steps": 10')).toBe(true);
    expect(replaced('"trainer.policy.optimizer_config.num_warmup_steps": 0')).toBe(false);
  });

  const start = 'uv run -m skyrl.tinker.api';

  it('must be started with uv', () => {
    const alone = 'python -m skyrl.tinker.api --base-model Q';
    expect(reported(alone)).toEqual([
      'skyrl/tinker-without-uv: The tinker server must be started with uv run; here Python starts it directly.',
    ]);
    expect(reported(`CUDA_VISIBLE_DEVICES=0 ${alone}`)).not.toEqual([]);
    const others = [
      `uv run ${alone}`,
      `timeout 9 ${alone}`,
      `exec ${alone}`,
      `A=1 exec ${alone}`,
      `bash -c "${alone}"`,
    ];
    for (const command of others) expect(reported(command)).toEqual([]);
    const declared = {
      '/repository/skyrl/train/config/config.py': '@dataclass\nclass SkyRLTrainConfig:\n    data: str\n',
    };
    expect(reported(alone, declared)).not.toEqual([]);
    expect(reported(alone, { ...declared, '/repository/skyrl/tinker/api.py': 'start_engine()\n' })).toEqual(
      [],
    );
  });

  it.each([
    ['--base-modle Q', 'Did you mean --base-model?'],
    ['--base-model Q --tensor-parallel-size 4', '--tensor-parallel-size is not an option here.'],
    ['--base-model Q --port abc', '--port takes a whole number, not abc.'],
    ['--base-model Q --backend sglang', '--backend does not take sglang.'],
    ['--base-model Q --forwarding-inference-max-connections many', 'takes a whole number or None'],
    ['--base-model Q --database-url postgres://db/tinker', 'begins with sqlite:// or postgresql://'],
    ['--backend fsdp', '--base-model is required and missing.'],
  ])('has flags of its own: %s', (words, reason) => {
    const found = reported(`${start} ${words}`);
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(reason);
  });

  it.each([
    '--base Q --port=8001 --host 0.0.0.0',
    '--base-model Q --forwarding-inference-max-connections None',
    '--base-model Q --database-url postgresql://db/tinker',
    '--base-model Q --database-url mysql+aiomysql://db/tinker',
    '"$@"',
    '--backend fsdp $MORE',
    `--base-model Q --backend-config '{"max_lora_adapters": 2}'`,
  ])('accepts %s', (words) => {
    expect(reported(`${start} ${words}`)).toEqual([]);
  });

  it('gets no findings on extra options of a server in the workspace', () => {
    const files = {
      '/repository/skyrl/tinker/config.py': 'class EngineConfig(BaseModel):\n    queue_size: int = 4\n',
      '/repository/skyrl/tinker/engine.py': 'if backend_name == "sglang":\n',
    };
    const words = '--queue-size 8 --backend sglang';
    expect(reported(`${start} ${words}`)).toHaveLength(3);
    expect(reported(`${start} ${words}`, files)).toEqual([]);
  });

  it.each([
    ['{"max_lora_rnk": 8}', 'Did you mean max_lora_rank?'],
    ['{"trainer.epochs": 1}', 'trainer.epochs is not an option here'],
    ['{"max_lora_rank": 8,}', 'not JSON: there is a comma before the closing }'],
    ['[8]', 'not a JSON object'],
    ['{"tensor_parallel_size": null}', 'tensor_parallel_size must be a whole number'],
    ['{"tensor_parallel_size": 1.5}', 'tensor_parallel_size must be a whole number'],
    ['{"use_ray": true}', 'use_ray needs num_processes'],
  ])('refuses what its JAX backend, the default, does not know: %s', (text, reason) => {
    for (const backend of ['', '--backend jax'])
      expect(reported(`${start} --base-model Q ${backend} --backend-config '${text}'`).join('\n')).toContain(
        reason,
      );
  });

  it.each([
    '{"max_lora_adapters": "2", "enforce_eager": 1, "num_processes": null}',
    '{"ray_actor_options": {"num_cpus": 4}, "ray_pg_bundles": [{"CPU": 1}]}',
    '{"tensor_parallel_size": 4, "fully_sharded_data_parallel_size": 2, "mhc_expansion_rate": 2}',
  ])('accepts options of its JAX backend: %s', (text) => {
    expect(reported(`${start} --base-model Q --backend-config '${text}'`)).toEqual([]);
    expect(reported(`${start} --base-model Q $MORE --backend-config '{"trainer.epochs": 1}'`)).toEqual([]);
  });

  it('gets no findings on extra options of a JAX backend in the workspace', () => {
    const words = `${start} --base-model Q --backend-config '{"queue_size": 1}'`;
    const files = {
      '/repository/skyrl/tinker/config.py': 'class EngineConfig(BaseModel):\n    base_model: str\n',
      '/repository/skyrl/backends/jax.py': 'class JaxBackendConfig(BaseModel):\n    queue_size: int = 4\n',
    };
    expect(reported(words)).toHaveLength(1);
    expect(reported(words, files)).toEqual([]);
  });

  it('points at a key within a joined value', () => {
    const text = `${start} --base-model Q --backend fsdp --backend-config='{"trainer.epochz": 1}'\n`;
    const [finding] = lintFile(script, text).findings.filter(({ rule }) => rule === 'unknown-option');
    const { start: from, end } = finding?.place.span ?? { start: 0, end: 0 };
    expect(text.slice(from, end)).toBe('"trainer.epochz"');
  });
});
