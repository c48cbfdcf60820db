import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { base, errorsOf, knowledge, launch, lint, rulesOf, small } from './skyrlRun.ts';

describe('a SkyRL launch', () => {
  it('is recognised by its module, its path or its keys', () => {
    for (const command of [
      launch(base, ...small),
      `python /src/skyrl/train/entrypoints/main_base.py ${small.join(' ')}\n`,
      `python my_training.py ${small.join(' ')}\n`,
      launch('skyrl.train.main_sft', 'strategy=fsdp'),
    ])
      expect(lint(command).runs.map((run) => run.framework)).toEqual(['skyrl']);
    for (const others of [
      'trainer.total_epochs=3 actor_rollout_ref.rollout.n=4',
      "trainer.devices='[0]' +trainer.limit_val_batches=1 trainer.strategy=auto",
      '+trainer.max_epochs=1 trainer.strategy=ddp',
    ])
      expect(lint(`python train.py ${others} trainer.epochs=3\n`).runs).toEqual([]);
  });

  it('is clean if upstream accepts it', () => {
    expect(errorsOf(lint(launch(base, ...small)))).toEqual([]);
  });

  it('has as many GPUs as its roles request', () => {
    const sizes = (...args: readonly string[]): unknown =>
      lint(launch(base, ...small, ...args)).runs[0]?.worldSize;
    expect(sizes()).toEqual({ kind: 'known', data: 4 });
    expect(sizes('trainer.placement.colocate_all=false')).toEqual({ kind: 'known', data: 8 });
    expect(
      sizes('trainer.placement.colocate_all=false', 'trainer.placement.colocate_policy_ref=false'),
    ).toEqual({ kind: 'known', data: 12 });
    expect(sizes('trainer.placement.policy_num_gpus_per_node=$GPUS')).toMatchObject({ kind: 'unknown' });
  });

  it('knows later additions to SkyRL', () => {
    const keys = [
      'trainer.policy.model.expert_mxfp8.enabled=true',
      'trainer.policy.megatron_config.fp8=e4m3',
      'trainer.ref.megatron_config.ddp_config.fp8_param_gather=true',
      'generator.inference_engine.serialized_weight_sync_mode=mxfp8',
    ];
    expect(errorsOf(lint(launch(base, ...small, ...keys)))).toEqual([]);
  });

  it('points at the exact characters of an unknown key', () => {
    const text = launch(base, ...small, 'trainer.placement.reward_num_nodes=1');
    const finding = lint(text).findings.find(({ rule }) => rule === 'removed-option');
    const { start, end } = finding?.place.span ?? { start: 0, end: 0 };
    expect(text.slice(start, end)).toBe('trainer.placement.reward_num_nodes');
  });

  it('concludes nothing from a default whose old name is set', () => {
    const old = small.map((word) => word.replace('inference_engine.num_engines', 'num_inference_engines'));
    expect(errorsOf(lint(launch(base, ...old)))).toEqual(['error renamed-option']);
  });

  it('names the program that has an option this one lacks', () => {
    const findings = lint(launch(base, ...small, 'trainer.algorithm.overlong_buffer_len=512')).findings;
    expect(findings.map(({ message }) => message)).toContain(
      'trainer.algorithm.overlong_buffer_len is not an option here. It belongs to examples.train.algorithms.dapo.main_dapo.',
    );
    expect(
      errorsOf(
        lint(
          launch(
            'examples.train.algorithms.dapo.main_dapo',
            ...small,
            'trainer.algorithm.overlong_buffer_len=512',
          ),
        ),
      ),
    ).toEqual([]);
  });

  it('refuses Hydra’s + and offers the bare key', () => {
    const { findings } = lint(
      launch(base, ...small, '+generator.inference_engine.engine_init_kwargs.seed=1'),
    );
    const finding = findings.find(({ rule }) => rule === 'invalid-override');
    expect(finding?.fixes[0]?.edits[0]?.newText).toBe('generator.inference_engine.engine_init_kwargs.seed');
  });

  it('reports a missing key before an equals sign', () => {
    const { findings } = lint(launch(base, ...small, '=3'));
    expect(findings.filter(({ severity }) => severity === 'error').map(({ message }) => message)).toEqual([
      '=3 is not an override: there is no key before the “=”.',
    ]);
  });

  it('has no ~ to delete a key', () => {
    const text = launch(base, ...small, '~trainer.eval_interval');
    const finding = lint(text).findings.find(({ rule }) => rule === 'unknown-option');
    expect(finding?.message).toBe(
      '~trainer.eval_interval is not an option here. A ~ deletes nothing here; leave the key out to have its default.',
    );
    expect(finding?.fixes.map(({ title }) => title)).toEqual(['Remove ~trainer.eval_interval']);
  });

  it('suggests the key within a group, not the group', () => {
    const { findings } = lint(launch(base, ...small, 'trainer.policy.model.lora.r=32'));
    const finding = findings.find(({ rule }) => rule === 'unknown-option');
    expect(finding?.fixes[0]?.edits[0]?.newText).toBe('trainer.policy.model.lora.rank');
  });

  it('hands over to another program by trainer.override_entrypoint', () => {
    const arctic = lint(
      launch(
        base,
        ...small,
        'trainer.override_entrypoint=integrations.arctic_rl.entrypoint',
        'trainer.arctic_rl.colocate=true',
      ),
    );
    expect(errorsOf(arctic)).toEqual([]);
    expect(errorsOf(lint(launch(base, ...small, 'trainer.arctic_rl.colocate=true')))).toEqual([
      'error unknown-option',
    ]);
  });
});

describe('unknown values', () => {
  it('never cause an error', () => {
    const text = launch(
      base,
      ...small,
      'trainer.placement.policy_num_gpus_per_node=$GPUS',
      'trainer.strategy=$STRATEGY',
      'trainer.train_batch_size=$BATCH',
      '$EXTRA',
    );
    const report = lint(text);
    expect(errorsOf(report)).toEqual([]);
    expect(report.runs[0]?.open).toBe(true);
  });

  it('leave a conflict between defaults a warning if more words may come', () => {
    const missing = small.filter((word) => !word.includes('ref_num'));
    expect(errorsOf(lint(launch(base, ...missing)))).toEqual(['error skyrl/colocated-reference-gpus-differ']);
    expect(rulesOf(lint(`${launch(base, ...missing).trim()} "$@"\n`))).toContain(
      'warning skyrl/colocated-reference-gpus-differ',
    );
  });
});

describe('third-party programs', () => {
  it('may have more keys', () => {
    const own = launch('mine.main', ...small, 'trainer.my_own.key=1');
    expect(rulesOf(lint(own)).filter((rule) => rule.endsWith('unknown-option'))).toEqual([]);
    const taken = launch('mine.main', ...small, 'generator.rate_limit.enabled=true');
    expect(rulesOf(lint(taken)).filter((rule) => rule.endsWith('unknown-option'))).toEqual([]);
    expect(errorsOf(lint(launch(base, ...small, 'generator.rate_limit.enabled=true')))).toEqual([
      'error unknown-option',
    ]);
    const near = launch('mine.main', ...small, 'trainer.epoch=3');
    expect(rulesOf(lint(near))).toContain('warning unknown-option');
  });

  it('are left alone if their words are for Hydra', () => {
    const flat = 'generator.backend=vllm generator.num_inference_engines=2';
    const of = (...words: readonly string[]): readonly string[] =>
      rulesOf(lint(launch('mine.main', ...words)));
    expect(of(flat, '+trainer.own=1')).toEqual([]);
    expect(of(...small, 'hydra.searchpath=x', 'trainer.epoch=3')).toEqual([]);
    expect(of(flat)).toContain('warning renamed-option');
    expect(of('--entrypoint skyrl_train.entrypoints.main_base', flat)).toEqual([]);
    expect(of(...small, '+trainer.own=1')).toContain('warning invalid-override');
    const upstreams = launch(base, ...small, flat, '+trainer.own=1');
    expect(rulesOf(lint(upstreams))).toContain('error invalid-override');
  });

  it('get no findings from steps after the checks that they replace', () => {
    const heads = 'trainer.policy.sequence_parallel_size=8';
    const reported = (module: string): string[] =>
      errorsOf(lint(launch(module, ...small.map((word) => word.replace(/=4$/, '=8')), heads)));
    const rule = 'error skyrl/ulysses-heads';
    expect(reported(base)).toContain(rule);
    expect(reported('examples.train_integrations.harbor.entrypoints.main_harbor_generate')).not.toContain(
      rule,
    );
  });

  it('are judged by the checks that their source calls', () => {
    const text = `python main_mine.py ${small.join(' ')} trainer.micro_train_batch_size_per_gpu=0\n`;
    expect(errorsOf(lint(text))).toEqual([]);
    const source = 'cfg = Mine.from_cli_overrides(sys.argv[1:])\nvalidate_cfg(cfg)\n';
    expect(errorsOf(lint(text, { '/repository/main_mine.py': source }))).toEqual([
      'error skyrl/micro-batch-not-positive',
    ]);
  });
});

describe('the tinker server', () => {
  const server = (json: string): string =>
    `uv run --extra tinker --extra fsdp -m skyrl.tinker.api --base-model Qwen/Qwen3-8B --backend fsdp --backend-config '${json}'\n`;

  it('takes its overrides from JSON', () => {
    const text = server('{"trainer.placement.policy_num_gpus_per_nod": 4}');
    const finding = lint(text).findings.find(({ rule }) => rule === 'unknown-option');
    expect(finding?.message).toContain('policy_num_gpus_per_node');
    expect(
      errorsOf(
        lint(
          server(
            '{"trainer.placement.policy_num_gpus_per_node": 4, "generator.inference_engine.num_engines": 4}',
          ),
        ),
      ),
    ).toEqual([]);
  });

  it('needs valid JSON', () => {
    expect(errorsOf(lint(server('{"trainer.epochs": 1,')))).toEqual(['error invalid-override']);
  });
});

describe("vLLM's own arguments", () => {
  it('are passed on unchecked, so a near miss is only a hint', () => {
    const text = launch(
      base,
      ...small,
      'generator.inference_engine.engine_init_kwargs.max_model_length=4096',
    );
    const finding = lint(text).findings.find(({ rule }) => rule === 'unknown-option');
    expect(finding?.severity).toBe('info');
    expect(finding?.message).toContain('max_model_len');
    const unknownToUs = launch(
      base,
      ...small,
      'generator.inference_engine.engine_init_kwargs.some_new_thing=1',
    );
    expect(rulesOf(lint(unknownToUs))).toEqual([]);
  });
});

describe("Megatron's own arguments", () => {
  const block = 'trainer.policy.megatron_config';
  const megatron = (...args: readonly string[]): string =>
    launch(base, ...small, 'trainer.strategy=megatron', ...args).replace('--extra fsdp', '--extra megatron');
  const unknownIn = (text: string) => lint(text).findings.filter(({ rule }) => rule === 'unknown-option');

  it.each([
    ['transformer_config_kwargs.recompute_granularty=full', 'nothing reads this one'],
    ['optimizer_config_kwargs.optimizer_cpu_offlod=true', 'stop with a TypeError'],
  ])('that nearly match a known one are reported: %s', (words, hint) => {
    const [finding, ...others] = unknownIn(megatron(`${block}.${words}`));
    expect(others).toEqual([]);
    expect(finding?.severity).toBe('warning');
    expect(finding?.message).toContain(hint);
    expect(finding?.fixes[0]?.edits[0]?.newText).toMatch(/recompute_granularity$|optimizer_cpu_offload$/);
  });

  it('may be unknown here', () => {
    expect(unknownIn(megatron(`${block}.transformer_config_kwargs.some_new_thing=1`))).toEqual([]);
    expect(unknownIn(launch(base, ...small, `${block}.transformer_config_kwargs.bf61=1`))).toEqual([]);
  });

  it('need an extra of their own', () => {
    const wrong = megatron().replace('--extra megatron', '--extra=fsdp');
    const [finding] = lint(wrong).findings.filter(({ rule }) => rule === 'missing-extra');
    const { start, end } = finding?.place.span ?? { start: 0, end: 0 };
    expect(wrong.slice(start, end)).toContain('fsdp');
    const others = ['--all-extras', '--extra fsdp --with megatron-core', '--extra $EXTRA', ''];
    for (const options of ['--extra megatron', ...others]) {
      const text = megatron().replace('--extra megatron', options);
      expect(lint(text).findings.filter(({ rule }) => rule === 'missing-extra')).toEqual([]);
    }
  });
});

describe('a setting with spaces', () => {
  it.each(['trainer.epochs = 3', 'trainer.epochs =3', 'trainer.epochs= 3', 'trainer.hf_save_interval = -3'])(
    'is one finding whose fix removes them: %s',
    (words) => {
      const text = launch(base, ...small, words);
      const [finding, ...others] = lint(text).findings;
      expect(others).toEqual([]);
      expect(finding?.rule).toBe('invalid-override');
      const { start, end } = finding?.place.span ?? { start: 0, end: 0 };
      expect(text.slice(start, end)).toBe(words);
      expect(finding?.fixes[0]?.edits[0]?.newText).toBe(words.replaceAll(' ', ''));
    },
  );

  it('is not assumed for a key without a value before another setting', () => {
    const text = launch(base, ...small, 'trainer.run_name= trainer.epochs=3');
    expect(lint(text).findings.filter(({ rule }) => rule === 'invalid-override')).toEqual([]);
  });
});

describe('YAML 1.1', () => {
  it.each([
    ["generator.chat_template_kwargs={reasoning_effort:'low'}", 'a space is missing after the colon'],
    ['trainer.max_training_steps=010', 'octal'],
    ['trainer.policy.model.lora.exclude_modules=none', 'the text “none”'],
  ])('reads %s as something else', (word, message) => {
    const finding = lint(launch(base, ...small, `"${word}"`)).findings.find(
      ({ rule }) => rule === 'scalar-trap',
    );
    expect(finding?.message).toContain(message);
  });

  it('recognises the words for null', () => {
    expect(
      rulesOf(lint(launch(base, ...small, 'trainer.resume_mode=none', 'trainer.resume_path=null'))),
    ).toEqual([]);
  });
});

describe('any words in the command', () => {
  it('are read without failing', () => {
    const names = knowledge.knowledgeOf('skyrl').options.map(({ name }) => name);
    const value = fc.oneof(
      fc.string({ maxLength: 12 }),
      fc.constantFrom('null', '0', '-1', '[1,2]', '{a: 1}', '1e3'),
    );
    const word = fc
      .tuple(
        fc.constantFrom('', '+', '~', '--'),
        fc.constantFrom(...names),
        fc.constantFrom('=', '', '.x='),
        value,
      )
      .map((parts) => parts.join('').replaceAll("'", ''));
    fc.assert(
      fc.property(
        fc.array(word, { maxLength: 6 }),
        fc.constantFrom(base, 'skyrl.train.main_sft'),
        (words, module) => {
          const report = lint(launch(module, 'trainer.logger=console', ...words.map((one) => `'${one}'`)));
          expect(report.runs.map((run) => run.framework)).toEqual(['skyrl']);
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('a launch with a custom environment', () => {
  const errors = (environment: string): string[] =>
    errorsOf(
      lint(
        launch(
          base,
          ...small,
          `environment.env_class=${environment}`,
          'environment.skyrl_gym.maze.size=9',
          'trainer.nosuch=1',
        ),
      ),
    );

  it('runs a modified version of the program', () => {
    expect(errors('maze')).toEqual([]);
    expect(errors('gsm8k')).toEqual(['error unknown-option', 'error unknown-option']);
  });

  it('runs upstream’s program if upstream has the environment, unless the workspace’s has more', () => {
    const folder = '/repository/skyrl-gym/skyrl_gym/envs';
    const files = {
      [`${folder}/__init__.py`]: 'register(id="search", entry_point="x")\n',
      [`${folder}/search/env.py`]: '@dataclass\nclass SearchEnvConfig:\n    proxy: str = ""\n',
    };
    const chosen = (environment: string, key: string): string =>
      launch(base, ...small, `environment.env_class=${environment}`, `environment.skyrl_gym.${key}=x`);
    expect(errorsOf(lint(chosen('gsm8k', 'gsm8k.split')))).toEqual(['error unknown-option']);
    expect(errorsOf(lint(chosen('search', 'search.proxy')))).toEqual(['error unknown-option']);
    expect(errorsOf(lint(chosen('search', 'search.proxy'), files))).toEqual([]);
  });
});
