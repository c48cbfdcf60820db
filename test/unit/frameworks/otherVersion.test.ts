import { describe, expect, it } from 'vitest';
import type { MachineProfile } from '../../../server/src/value/machine.ts';
import { classOf, knowledge, lint, namesIn } from './otherVersionRun.ts';

describe('a repository containing SkyRL', () => {
  const fields = namesIn('skyrl', 'skyrl/train/config/config.py');
  const run =
    'python -m skyrl.train.entrypoints.main_base trainer.own_key=1 trainer.placement.colocate_all=true trainer.placement.policy_num_gpus_per_node=3\n';
  const check = (declared: readonly string[]) =>
    lint('/repository/run.sh', {
      '/repository/run.sh': run,
      '/repository/skyrl/train/config/config.py': classOf(declared),
    });

  it('is checked against what is known, or only gets warnings', () => {
    expect(check(fields)).toContain('error unknown-option');
    expect(check(fields)).toContain('error skyrl/colocated-gpus-differ');
    expect(check([...fields, 'own_key'])).not.toContain('error unknown-option');
    expect(check(fields.slice(1)).filter((one) => one.startsWith('error'))).toEqual([]);
  });

  it('may register more estimators and losses', () => {
    const registry = '/repository/skyrl/backends/skyrl_train/utils/ppo_utils.py';
    const found = (registered: string) =>
      lint('/repository/run.sh', {
        '/repository/run.sh':
          'python -m skyrl.train.entrypoints.main_base trainer.algorithm.advantage_estimator=own_td\n',
        '/repository/skyrl/train/config/config.py': classOf(fields),
        [registry]: `@register_advantage_estimator("${registered}")\n`,
      });
    expect(found('other_td')).toContain('error skyrl/advantage-estimator');
    expect(found('own_td')).not.toContain('error skyrl/advantage-estimator');
  });

  it('does not treat a loss in the same file as an estimator', () => {
    const found = (estimators: string) =>
      lint('/repository/run.sh', {
        '/repository/run.sh':
          'python -m skyrl.train.entrypoints.main_base trainer.algorithm.advantage_estimator=gspo\n',
        '/repository/skyrl/train/config/config.py': classOf(fields),
        '/repository/skyrl/backends/skyrl_train/utils/ppo_utils.py': `class AdvantageEstimator(StrEnum):\n    ${estimators}\n\nclass PolicyLossType(StrEnum):\n    REGULAR = "regular"\n    GSPO = "gspo"\n`,
      });
    expect(found('GRPO = "grpo"')).toContain('error skyrl/advantage-estimator');
    expect(found('GRPO = "grpo"; GSPO = "gspo"')).not.toContain('error skyrl/advantage-estimator');
  });
});

describe('a repository containing an older SkyRL', () => {
  const fields = namesIn('skyrl', 'skyrl/train/config/config.py');
  const renamed = 'generator.num_inference_engines=4 generator.enforce_eager=true';
  const check = (
    words: string,
    files: { readonly [path: string]: string },
    module = 'skyrl.train.entrypoints.main_base',
  ) =>
    lint('/repository/examples/run.sh', {
      ...files,
      '/repository/examples/run.sh': `python -m ${module} trainer.placement.policy_num_gpus_per_node=3 ${words}\n`,
    });
  const newest = { '/repository/skyrl/train/config/config.py': classOf(fields) };

  it('gets no findings on names that it still translates', () => {
    const table =
      '    "num_inference_engines": "num_engines",\n    "enforce_eager": None,\n    "engine_init_kwargs": None,\n';
    expect(check(renamed, newest)).toContain('error renamed-option');
    const older = { ...newest, '/repository/skyrl/train/config/legacy.py': `FIELDS = {\n${table}}\n` };
    const below = `${renamed} generator.engine_init_kwargs.max_model_len=8`;
    expect(check(below, newest)).toContain('error renamed-option');
    expect(check(below, older)).not.toContainEqual(expect.stringContaining('renamed-option'));
  });

  it('gets no findings on renamed values, nor on options that only one of the two has', () => {
    const words = 'trainer.strategy=fsdp2 generator.inference_engine.async_engine=false';
    expect(check(words, newest)).toEqual(
      expect.arrayContaining(['warning skyrl/strategy-old-name', 'error skyrl/synchronous-engine-removed']),
    );
    const older = {
      '/repository/skyrl/train/config/config.py': classOf([...fields.slice(1), 'async_engine']),
    };
    expect(check(words, older)).not.toContainEqual(expect.stringMatching(/old-name|engine-removed/));
  });

  it('is left alone if its configuration is a Hydra one', () => {
    const older = { '/repository/skyrl_train/config/ppo_base_config.yaml': 'trainer: {}\n' };
    const words = `${renamed} +generator.own=1 trainer.policy.nothing=1`;
    const found = check(words, newest, 'examples.own.main_own');
    expect(found).toEqual(expect.arrayContaining(['warning renamed-option', 'warning invalid-override']));
    expect(check(words, older, 'examples.own.main_own')).toEqual([]);
  });

  it.each([
    'args = [arg[1:] if arg.startswith("+") else arg for arg in sys.argv]\n',
    'from own import without_prefixes\nargs = without_prefixes(sys.argv[1:])\n',
  ])('may have a program that accepts Hydra’s +: %s', (first) => {
    const program = `import sys\n${first}validate_cfg(args)\n`;
    const own = { ...newest, '/repository/examples/own/main_own.py': program };
    const words = '+trainer.strategy=fsdp2';
    const found = check(words, own, 'examples.own.main_own');
    expect(found).toContain('warning skyrl/strategy-old-name');
    expect(found).not.toContain('warning invalid-override');
    const direct = 'import sys\nvalidate_cfg(SkyRLTrainConfig.from_cli_overrides(sys.argv[1:]))\n';
    const refusing = { ...newest, '/repository/examples/own/main_own.py': direct };
    expect(check(words, refusing, 'examples.own.main_own')).toContain('warning invalid-override');
  });
});

describe('a repository containing Megatron-Bridge', () => {
  const words = 'dataset.maker_name=x dataset.pack_sequences_in_batch=true';
  const run = `torchrun --nproc-per-node 8 scripts/training/run_recipe.py --recipe x --own_scheme lora ${words}\n`;
  const check = (minor: number | undefined, machine?: MachineProfile) => {
    const info = `MAJOR = 0\nMINOR = ${minor}\nPATCH = 1\n`;
    const files = { '/repository/run.sh': run };
    const held = { ...files, '/repository/src/megatron/bridge/package_info.py': info };
    return lint('/repository/run.sh', minor === undefined ? files : held, machine);
  };
  const named = /removed-option|renamed-option|unknown-option/;

  it('is checked against what is known if it is the same release', () => {
    const known = ['warning removed-option', 'warning renamed-option', 'warning unknown-option'];
    expect(check(undefined)).toEqual(expect.arrayContaining(known));
    expect(check(7)).toEqual(check(undefined));
  });

  it('gets findings on names that it no longer has, but not on later changes', () => {
    expect(check(6)).toEqual(expect.arrayContaining(['warning removed-option', 'warning renamed-option']));
    expect(check(6)).not.toContainEqual(expect.stringMatching(/unknown-option|^error/));
    expect(check(5)).not.toContainEqual(expect.stringMatching(named));
  });

  it('may also be a declared release', () => {
    const declared: MachineProfile = { versions: { 'megatron-bridge': '0.5' }, variables: {} };
    expect(check(undefined, declared)).not.toContainEqual(expect.stringMatching(named));
    expect(check(7, declared)).toEqual(check(undefined, declared));
  });
});

describe('a configuration for Megatron-Bridge', () => {
  const text = [
    'model:',
    '  tensor_model_parallel_size: 1',
    '  recompute_granularity: selective',
    '  recompute_modules: [core_attn, moe]',
    '  fine_grained_activation_offloading: true',
    '  offload_modules: [expert_fc1, moe_act]',
    'train:',
    '  train_iters: 3',
    'ddp:',
    '  average_in_collective: true',
    '',
  ].join('\n');

  it('is checked against the Megatron-core of that release', () => {
    const found = (release: string) =>
      lint(
        '/repository/config.yaml',
        { '/repository/config.yaml': text },
        { versions: { 'megatron-bridge': release }, variables: {} },
      ).join();
    const rule = 'megatron-lm/offload-inside-recomputed-moe';
    expect(found('0.7')).toContain(rule);
    expect(found('0.6')).toContain(rule);
    expect(found('0.5')).not.toContain(rule);
  });

  it.each([
    // The check came with the two sizes.
    [
      'validation.eval_global_batch_size=10 validation.eval_micro_batch_size=4',
      'evaluation-batch-multiple-of-micro-batch',
      '0.4',
      '0.5',
    ],
    ['profiling.profile_step_start=9 profiling.profile_step_end=3', 'profile-range-inverted', '0.1', '0.2'],
    // Until 0.5, the message was worded differently.
    ['train.train_iters=10 train.train_samples=100', 'one-training-length', '0.1', '0.2'],
  ])('is refused for %s by the releases that check it', (words, rule, before, since) => {
    const path = '/repository/run.sh';
    const text = `torchrun scripts/training/run_recipe.py --recipe llama32_1b_pretrain_config ${words}\n`;
    const found = (release: string) =>
      lint(path, { [path]: text }, { versions: { 'megatron-bridge': release }, variables: {} }).join();
    expect(found(before)).not.toContain(rule);
    expect(found(since)).toContain(`warning megatron-bridge/${rule}`);
    expect(found('0.7')).toContain(`error megatron-bridge/${rule}`);
  });
});

describe('a repository containing Megatron-LM', () => {
  const words =
    '--tensor-model-parallel-size 1 --micro-batch-size 1 --ckpt-fully-parallel-save --moe-enable-deepep --sequence-parallel --async-save';
  const check = (minor: number | undefined, declared?: string) => {
    const files = { '/repository/run.sh': `torchrun --nproc-per-node 8 pretrain_own.py --bf16 ${words}\n` };
    const info = `MAJOR = 0\nMINOR = ${minor}\nPATCH = 1\n`;
    const held = { ...files, '/repository/megatron/core/package_info.py': info };
    const versions = declared === undefined ? {} : { 'megatron-core': declared };
    return lint('/repository/run.sh', minor === undefined ? files : held, { versions, variables: {} }, true);
  };
  const old = 'info megatron-lm/old-checkpoint-flags';
  const unsynchronized = 'warning megatron-lm/async-save-needs-worker';
  const always = 'info megatron-lm/sequence-parallel-without-tensor-parallel';
  const deprecated = 'info deprecated-option';

  it('gets all known findings if it is the same release', () => {
    expect(check(undefined)).toEqual(expect.arrayContaining([old, unsynchronized, always, deprecated]));
    expect(check(20)).toEqual(check(undefined));
    expect(check(21)).toEqual(check(undefined));
  });

  it('gets no findings on what came later', () => {
    expect(check(17)).toEqual(expect.arrayContaining([old, unsynchronized, always, deprecated]));
    expect(check(9)).not.toContain(old);
    expect(check(12)).toContain(always);
    expect(check(12)).not.toContain(unsynchronized);
    const count = (minor: number) => check(minor).filter((rule) => rule === deprecated).length;
    expect([count(17), count(12)]).toEqual([1, 0]);
  });

  it('gets trainer rules only for its own trainer', () => {
    const of = (entry: string) => {
      const run = `torchrun ${entry} --num-layers 2 --bf16 --micro-batch-size 1 --transformer-impl transformer_engine --reset-attention-mask\n`;
      const info = 'MAJOR = 0\nMINOR = 13\nPATCH = 0\n';
      return lint('/repository/run.sh', {
        '/repository/run.sh': run,
        '/repository/megatron/core/package_info.py': info,
      });
    };
    expect(of('pretrain_gpt.py')).toContain('warning megatron-lm/document-mask-is-not-read');
    expect(of('pretrain_own.py')).not.toContain('warning megatron-lm/document-mask-is-not-read');
  });

  it('may also be a declared release', () => {
    expect(check(undefined, '0.12')).toContain(always);
    expect(check(20, '0.12')).not.toContain(unsynchronized);
  });
});

describe('a repository containing slime', () => {
  const options = knowledge
    .knowledgeOf('slime')
    .options.filter(
      ({ source, removed }) => source.startsWith('slime/utils/arguments.py:') && removed === undefined,
    );
  const declared = options
    .flatMap(({ flags = [] }) => flags)
    .map((flag) => `parser.add_argument("${flag}")\n`)
    .join('');
  const check = (words: string, source: string) =>
    lint('/repository/run.sh', {
      '/repository/run.sh': `python3 train.py --rollout-batch-size 8 --n-samples-per-prompt 8 ${words}\n`,
      '/repository/train.py': 'from slime.utils.arguments import parse_args\n',
      '/repository/slime/utils/arguments.py': source,
    });

  it('may have more choices', () => {
    const words = '--advantage-estimator own';
    expect(check(words, declared)).toContain('error invalid-choice');
    expect(check(words, `${declared}choices=["grpo", "own"]\n`)).not.toContain('error invalid-choice');
    expect(check(words, declared)).toContain('error slime/rollout-count-missing');
  });

  it('does not get the choices of another flag', () => {
    const modes = (choices: string) =>
      `${declared}parser.add_argument("--update-weight-mode", choices=[${choices}])\nparser.add_argument("--update-weight-transport", choices=["nccl", "disk"])\n`;
    const words = '--update-weight-mode disk';
    expect(check(words, modes('"full", "delta"'))).toContain('error invalid-choice');
    expect(check(words, modes('"full", "delta", "disk"'))).not.toContain('error invalid-choice');
    expect(check(words, modes('"full", *MORE'))).not.toContain('error invalid-choice');
    expect(check(words, modes('').replace('[]', 'MODES'))).not.toContain('error invalid-choice');
  });

  it('may require less than upstream', () => {
    const asking = (condition: string): string =>
      `${declared}if ${condition}:\n    assert args.eval_datasets\n`;
    const words = '--eval-interval 20 --eval-function-path own.evaluate';
    const rule = 'error slime/evaluation-needs-data';
    expect(check(words, asking('args.eval_interval is not None'))).toContain(rule);
    const own = 'args.eval_interval is not None and args.eval_function_path is None';
    expect(check(words, asking(own))).not.toContain(rule);
  });

  it('is found beside the started program, wherever the script is', () => {
    const found = (choices: string) =>
      lint('/repository/terminal/run.sh', {
        '/repository/terminal/run.sh':
          'HERE="$(cd "$(dirname "$0")" && pwd)"\npython3 "$HERE/../trainer/train_async.py" --rollout-batch-size 8 --n-samples-per-prompt 8 --advantage-estimator own\n',
        '/repository/trainer/train_async.py': 'from slime.utils.arguments import parse_args\n',
        '/repository/trainer/slime/utils/arguments.py': `${declared}choices=[${choices}]\n`,
      });
    expect(found('"grpo"')).toContain('error invalid-choice');
    expect(found('"grpo", "own"')).not.toContain('error invalid-choice');
  });

  it('may be what runs, from the workspace root, if the script is not at its path', () => {
    const found = (words: string, files: { readonly [path: string]: string }) =>
      lint('/repository/jobs/run.sh', {
        ...files,
        '/repository/jobs/run.sh': `python3 /root/slime/train.py --num-rollout 8 --rollout-batch-size 8 --n-samples-per-prompt 8 ${words}\n`,
      }).filter((one) => / (?:unknown-option|invalid-choice)$/.test(one));
    const own = `${declared}parser.add_argument("--own-mode")\nchoices=["grpo", "own"]\n`;
    const copy = { '/repository/vendored/slime/utils/arguments.py': own };
    expect(found('--own-mode x', {})).toEqual(['warning unknown-option']);
    expect(found('--own-mode x', copy)).toEqual([]);
    expect(found('--other-mode x', copy)).toEqual(['warning unknown-option']);
    expect(found('--advantage-estimator own', {})).toEqual(['error invalid-choice']);
    expect(found('--advantage-estimator own', copy)).toEqual([]);
    const older = {
      '/repository/vendored/slime/utils/arguments.py': 'parser.add_argument("--rollout-batch-size")\n',
    };
    expect(found('--advantage-estimator own', older)).toEqual(['warning invalid-choice']);
  });

  it('is checked against the Megatron-LM that the project declares beside it', () => {
    const words = '--num-rollout 8 --hf-checkpoint /x --load /x --ckpt-fully-parallel-save';
    const found = (versions: MachineProfile['versions']) =>
      lint(
        '/repository/run.sh',
        {
          '/repository/run.sh': `python3 train.py --rollout-batch-size 8 --rollout-num-gpus 8 ${words}\n`,
        },
        { versions, variables: {} },
        true,
      );
    const old = 'info megatron-lm/old-checkpoint-flags';
    expect(found({})).toContain(old);
    expect(found({ 'megatron-core': '0.16' })).toContain(old);
    expect(found({ 'megatron-core': '0.9' })).not.toContain(old);
  });

  it('only gets warnings if options are missing there', () => {
    expect(check('', 'parser.add_argument("--rollout-batch-size")\n')).not.toContainEqual(
      expect.stringMatching(/^error/),
    );
  });

  it('is not recognised if train.py above the script reads another package’s arguments', () => {
    const run = 'python3 train.py --rollout-batch-size 8 --n-samples-per-prompt 8 --train-backend fsdp\n';
    const found = lint('/repository/tests/run.sh', {
      '/repository/tests/run.sh': run,
      '/repository/train.py': 'from another.utils.arguments import parse_args\n',
    });
    expect(found).toEqual([]);
  });

  it('gets no Megatron-LM findings with another backend', () => {
    const found = check('--train-backend fsdp', `${declared}choices=["fsdp"]\n`);
    expect(found.filter((one) => one.includes('megatron-lm/'))).toEqual([]);
  });
});

describe('a repository containing Relax', () => {
  const declared = knowledge
    .knowledgeOf('relax')
    .options.filter(({ source }) => source.startsWith('relax/'))
    .flatMap(({ flags = [] }) =>
      flags.filter((flag) => !flags.includes(flag.replace('--no-', '--')) || !flag.startsWith('--no-')),
    )
    .map((flag) => `parser.add_argument("${flag}")\n`)
    .join('');
  const check = (words: string, source: string | undefined) =>
    lint('/repository/scripts/run.sh', {
      '/repository/scripts/run.sh': `python3 -m relax.entrypoints.train --num-rollout 8 ${words}\n`,
      ...(source === undefined ? {} : { '/repository/relax/utils/arguments.py': source }),
    });
  const refused = '--rollout-batch-size 8 --sft-max-in-flight-steps 2 --own-flag';

  it('is checked against what is known if it is the same version', () => {
    const found = ['error relax/in-flight-steps-are-for-supervised', 'warning unknown-option'];
    expect(check(refused, undefined)).toEqual(expect.arrayContaining(found));
    expect(check(refused, declared)).toEqual(expect.arrayContaining(found));
  });

  it('may have a few options of its own', () => {
    const found = check(refused, `${declared}parser.add_argument("--own-flag")\n`);
    expect(found).toContain('error relax/in-flight-steps-are-for-supervised');
    expect(found).not.toContain('warning unknown-option');
  });

  it('only gets warnings if it is another version', () => {
    const older = declared.replace('"--selective-offload"', '"--former-offload"');
    expect(older).not.toBe(declared);
    const found = check(refused, older);
    expect(found).toContain('warning relax/in-flight-steps-are-for-supervised');
    expect(found.filter((one) => one.startsWith('error'))).toEqual([]);
  });
});
