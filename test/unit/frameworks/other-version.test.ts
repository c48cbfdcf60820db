import { describe, expect, it } from 'vitest';
import type { FrameworkId } from '../../../server/src/frameworks/framework.ts';
import type { MachineProfile } from '../../../server/src/value/machine.ts';
import { noProfile } from '../../../server/src/value/machine.ts';
import { loadKnowledge, testLinter } from '../../support/knowledge.ts';
import { memoryHost } from '../../support/memoryHost.ts';

const knowledge = loadKnowledge();

function namesIn(framework: FrameworkId, file: string): string[] {
  const options = knowledge.knowledgeOf(framework).options;
  const own = options.filter(
    ({ source, removed, parser }) =>
      source.startsWith(`${file}:`) && removed === undefined && parser !== 'entry',
  );
  return [...new Set(own.map(({ name }) => name.slice(name.lastIndexOf('.') + 1).replace('[]', '')))];
}

/** A Python file with one class of the given fields. */
const classOf = (fields: readonly string[]): string =>
  `@dataclass\nclass Config:\n${fields.map((name) => `    ${name}: int = 1\n`).join('')}`;

function lint(path: string, files: { readonly [path: string]: string }, machine: MachineProfile = noProfile) {
  const { findings } = testLinter(knowledge, memoryHost(files), machine).lint(path, files[path] ?? '');
  return findings
    .filter(({ severity }) => severity !== 'info')
    .map(({ rule, severity }) => `${severity} ${rule}`);
}

describe('a repository that holds AReaL', () => {
  const fields = namesIn('areal', 'areal/api/cli_args.py');
  const text = (knowledge.frameworks.get('areal')?.base.yaml ?? '')
    .replace('batch_size: 64', 'batch_size: 30')
    .replace('lr: 1.0e-6', 'lr: 1.0e-6\n    weight_decays: 1');
  const check = (declared: readonly string[] | undefined, machine?: MachineProfile) =>
    lint(
      '/repository/examples/config.yaml',
      {
        '/repository/examples/config.yaml': text,
        ...(declared === undefined ? {} : { '/repository/areal/api/cli_args.py': classOf(declared) }),
      },
      machine,
    );
  const certain = ['error unknown-option', 'error areal/batch-divisible-by-data-parallel'];

  it('is held against what is known when it is the same version', () => {
    expect(check(fields)).toEqual(expect.arrayContaining(certain));
    expect(check(undefined)).toEqual(expect.arrayContaining(certain));
  });

  it('may have a few options of its own', () => {
    const found = check([...fields, 'weight_decays']);
    expect(found).toContain('error areal/batch-divisible-by-data-parallel');
    expect(found.filter((one) => one.endsWith('unknown-option'))).toEqual([]);
  });

  it('is only warned when it is another version', () => {
    expect(check(fields.slice(1)).filter((one) => one.startsWith('error'))).toEqual([]);
    const newer = [...fields, ...['a', 'b', 'c', 'd', 'e', 'f'].map((letter) => `new_${letter}`)];
    expect(check(newer)).toContain('warning areal/batch-divisible-by-data-parallel');
    expect(check(newer)).toContain('warning unknown-option');
  });

  it('is told nothing of keys, values and demands that another version may have', () => {
    const words = text
      .replace('actor:', 'actor:\n  group_size: 4')
      .replace(/weight_update_mode: .*/, 'weight_update_mode: pigeon')
      .replace('trial_name:', 'trial_nam:');
    const found = (declared: readonly string[], more = '') =>
      lint('/repository/examples/config.yaml', {
        '/repository/examples/config.yaml': words,
        '/repository/areal/api/cli_args.py': `${classOf(declared)}${more}`,
      });
    const told = ['warning required-option', 'error renamed-option', 'error areal/weight-update-mode'];
    expect(found(fields)).toEqual(expect.arrayContaining(told));
    const other = found([...fields.slice(1), 'group_size'], 'MODES = ("xccl", "pigeon")\n');
    expect(other).not.toContainEqual(
      expect.stringMatching(/required-option|renamed-option|weight-update-mode/),
    );
    expect(found(fields.slice(1))).toContain('warning areal/weight-update-mode');
  });

  it('is held against the newer options where it declares those', () => {
    const base = knowledge.frameworks.get('areal')?.base.yaml ?? '';
    const found = (teacher: string) =>
      lint('/repository/examples/config.yaml', {
        '/repository/examples/config.yaml': `${base}teacher:\n${teacher}`,
        '/repository/areal/api/cli_args.py': classOf([...fields.slice(1), 'warmup_steps']),
      });
    expect(found('  path: Qwen/Qwen3-8B\n  rollout: {backend: "sglang:d4"}\n')).not.toContain(
      'warning unknown-option',
    );
    expect(found('  backend: fsdp:d4\n')).toContain('warning unknown-option');
  });

  it('is only warned when the project declares another version', () => {
    const declared = (areal: string): MachineProfile => ({ versions: { areal }, variables: {} });
    expect(check(undefined, declared('0.5.2')).filter((one) => one.startsWith('error'))).toEqual([]);
    expect(check(undefined, declared('1.0'))).toEqual(expect.arrayContaining(certain));
  });

  it('is not taken for its predecessor, which names families of models', () => {
    const older = 'experiment_name: a\ntrial_name: b\nactor:\n  type:\n    _class: qwen2\n  nothing: 1\n';
    expect(lint('/repository/config.yaml', { '/repository/config.yaml': older })).toEqual([]);
  });
});

describe('a repository that holds SkyRL', () => {
  const fields = namesIn('skyrl', 'skyrl/train/config/config.py');
  const run =
    'python -m skyrl.train.entrypoints.main_base trainer.own_key=1 trainer.placement.colocate_all=true trainer.placement.policy_num_gpus_per_node=3\n';
  const check = (declared: readonly string[]) =>
    lint('/repository/run.sh', {
      '/repository/run.sh': run,
      '/repository/skyrl/train/config/config.py': classOf(declared),
    });

  it('is held against what is known, or only warned', () => {
    expect(check(fields)).toContain('error unknown-option');
    expect(check(fields)).toContain('error skyrl/colocated-gpus-differ');
    expect(check([...fields, 'own_key'])).not.toContain('error unknown-option');
    expect(check(fields.slice(1)).filter((one) => one.startsWith('error'))).toEqual([]);
  });
});

describe('a repository that holds an older SkyRL', () => {
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

  it('is not told of names that it still translates', () => {
    const table =
      '    "num_inference_engines": "num_engines",\n    "enforce_eager": None,\n    "engine_init_kwargs": None,\n';
    expect(check(renamed, newest)).toContain('error renamed-option');
    const older = { ...newest, '/repository/skyrl/train/config/legacy.py': `FIELDS = {\n${table}}\n` };
    const below = `${renamed} generator.engine_init_kwargs.max_model_len=8`;
    expect(check(below, newest)).toContain('error renamed-option');
    expect(check(below, older)).not.toContainEqual(expect.stringContaining('renamed-option'));
  });

  it('is not told of values that got another name, nor of options that only one of the two has', () => {
    const words = 'trainer.strategy=fsdp2 generator.inference_engine.async_engine=false';
    expect(check(words, newest)).toEqual(
      expect.arrayContaining(['warning skyrl/strategy-old-name', 'error skyrl/synchronous-engine-removed']),
    );
    const older = {
      '/repository/skyrl/train/config/config.py': classOf([...fields.slice(1), 'async_engine']),
    };
    expect(check(words, older)).not.toContainEqual(expect.stringMatching(/old-name|engine-removed/));
  });

  it('is left alone where its configuration is one of Hydra', () => {
    const older = { '/repository/skyrl_train/config/ppo_base_config.yaml': 'trainer: {}\n' };
    const words = `${renamed} +generator.own=1 trainer.policy.nothing=1`;
    const found = check(words, newest, 'examples.own.main_own');
    expect(found).toEqual(expect.arrayContaining(['warning renamed-option', 'warning invalid-override']));
    expect(check(words, older, 'examples.own.main_own')).toEqual([]);
  });

  it.each([
    'args = [arg[1:] if arg.startswith("+") else arg for arg in sys.argv]\n',
    'from own import without_prefixes\nargs = without_prefixes(sys.argv[1:])\n',
  ])('may have a program that takes the + of Hydra: %s', (first) => {
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

describe('a repository that holds Megatron-Bridge', () => {
  const words = 'dataset.maker_name=x dataset.pack_sequences_in_batch=true';
  const run = `torchrun --nproc-per-node 8 scripts/training/run_recipe.py --recipe x --own_scheme lora ${words}\n`;
  const check = (minor: number | undefined, machine?: MachineProfile) => {
    const info = `MAJOR = 0\nMINOR = ${minor}\nPATCH = 0\n`;
    const files = { '/repository/run.sh': run };
    const held = { ...files, '/repository/src/megatron/bridge/package_info.py': info };
    return lint('/repository/run.sh', minor === undefined ? files : held, machine);
  };
  const named = /removed-option|renamed-option|unknown-option/;

  it('is held against what is known when it is the same release', () => {
    const known = ['warning removed-option', 'warning renamed-option', 'warning unknown-option'];
    expect(check(undefined)).toEqual(expect.arrayContaining(known));
    expect(check(7)).toEqual(check(undefined));
  });

  it('is told of the names that it has not any more, and of nothing that came later', () => {
    expect(check(6)).toEqual(expect.arrayContaining(['warning removed-option', 'warning renamed-option']));
    expect(check(6)).not.toContainEqual(expect.stringMatching(/unknown-option|^error/));
    expect(check(5)).not.toContainEqual(expect.stringMatching(named));
  });

  it('may be declared', () => {
    const declared: MachineProfile = { versions: { 'megatron-bridge': '0.5' }, variables: {} };
    expect(check(undefined, declared)).not.toContainEqual(expect.stringMatching(named));
    expect(check(7, declared)).toEqual(check(undefined, declared));
  });
});

describe('a repository that holds Megatron-LM', () => {
  const words =
    '--tensor-model-parallel-size 1 --micro-batch-size 1 --ckpt-fully-parallel-save --moe-enable-deepep --sequence-parallel --async-save';
  const check = (minor: number | undefined, declared?: string) => {
    const files = { '/repository/run.sh': `torchrun --nproc-per-node 8 pretrain_own.py --bf16 ${words}\n` };
    const info = `MAJOR = 0\nMINOR = ${minor}\nPATCH = 0\n`;
    const held = { ...files, '/repository/megatron/core/package_info.py': info };
    const versions = declared === undefined ? {} : { 'megatron-core': declared };
    return lint('/repository/run.sh', minor === undefined ? files : held, { versions, variables: {} });
  };
  const old = 'warning megatron-lm/old-checkpoint-flags';
  const unsynchronized = 'warning megatron-lm/async-save-needs-worker';
  const always = 'warning megatron-lm/sequence-parallel-without-tensor-parallel';
  const deprecated = 'warning deprecated-option';

  it('is told all that is known when it is the same release', () => {
    expect(check(undefined)).toEqual(expect.arrayContaining([old, unsynchronized, always, deprecated]));
    expect(check(20)).toEqual(check(undefined));
    expect(check(21)).toEqual(check(undefined));
  });

  it('is told nothing that came later', () => {
    expect(check(17)).toEqual(expect.arrayContaining([unsynchronized, always, deprecated]));
    expect(check(17)).not.toContain(old);
    expect(check(12)).toContain(always);
    expect(check(12)).not.toContain(unsynchronized);
    expect(check(12)).not.toContain(deprecated);
  });

  it('may be declared', () => {
    expect(check(undefined, '0.12')).toContain(always);
    expect(check(20, '0.12')).not.toContain(unsynchronized);
  });
});

describe('a repository that holds slime', () => {
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

  it('may know more choices', () => {
    const words = '--advantage-estimator own';
    expect(check(words, declared)).toContain('error invalid-choice');
    expect(check(words, `${declared}choices=["grpo", "own"]\n`)).not.toContain('error invalid-choice');
    expect(check(words, declared)).toContain('error slime/rollout-count-missing');
  });

  it('is held against the Megatron-LM that the project declares beside it', () => {
    const words = '--num-rollout 8 --hf-checkpoint /x --load /x --ckpt-fully-parallel-save';
    const found = (versions: MachineProfile['versions']) =>
      lint(
        '/repository/run.sh',
        {
          '/repository/run.sh': `python3 train.py --rollout-batch-size 8 --rollout-num-gpus 8 ${words}\n`,
        },
        { versions, variables: {} },
      );
    const old = 'warning megatron-lm/old-checkpoint-flags';
    expect(found({})).toContain(old);
    expect(found({ 'megatron-core': '0.16' })).not.toContain(old);
  });

  it('is only warned when options are missing there', () => {
    expect(check('', 'parser.add_argument("--rollout-batch-size")\n')).not.toContainEqual(
      expect.stringMatching(/^error/),
    );
  });

  it('is none when train.py above the script reads the arguments of another package', () => {
    const run = 'python3 train.py --rollout-batch-size 8 --n-samples-per-prompt 8 --train-backend fsdp\n';
    const found = lint('/repository/tests/run.sh', {
      '/repository/tests/run.sh': run,
      '/repository/train.py': 'from another.utils.arguments import parse_args\n',
    });
    expect(found).toEqual([]);
  });

  it('leaves Megatron-LM alone under another backend', () => {
    const found = check('--train-backend fsdp', `${declared}choices=["fsdp"]\n`);
    expect(found.filter((one) => one.includes('megatron-lm/'))).toEqual([]);
  });
});

describe('a repository that holds Relax', () => {
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

  it('is held against what is known when it is the same version', () => {
    const found = ['error relax/in-flight-steps-are-for-supervised', 'warning unknown-option'];
    expect(check(refused, undefined)).toEqual(expect.arrayContaining(found));
    expect(check(refused, declared)).toEqual(expect.arrayContaining(found));
  });

  it('may have a few options of its own', () => {
    const found = check(refused, `${declared}parser.add_argument("--own-flag")\n`);
    expect(found).toContain('error relax/in-flight-steps-are-for-supervised');
    expect(found).not.toContain('warning unknown-option');
  });

  it('is only warned when it is another version', () => {
    const older = declared.replace('"--selective-offload"', '"--former-offload"');
    expect(older).not.toBe(declared);
    const found = check(refused, older);
    expect(found).toContain('warning relax/in-flight-steps-are-for-supervised');
    expect(found.filter((one) => one.startsWith('error'))).toEqual([]);
  });
});

describe('a configuration of AReaL for a newer release', () => {
  const base = knowledge.frameworks.get('areal')?.base.yaml ?? '';
  const uneven = base.replace('batch_size: 64', 'batch_size: 30');
  const newer = uneven.replace('lr: 1.0e-6', 'lr: 1.0e-6\n    warmup_steps: 10');
  const all = (text: string, versions: MachineProfile['versions'] = {}) =>
    testLinter(knowledge, memoryHost({ '/project/config.yaml': text }), { ...noProfile, versions })
      .lint('/project/config.yaml', text)
      .findings.map(({ rule, severity, message }) => ({ rule, severity, message }));
  const rules = (text: string, versions: MachineProfile['versions'] = {}) =>
    all(text, versions).map(({ rule, severity }) => `${severity} ${rule}`);

  it('tells by what it uses that nothing is certain', () => {
    const found = rules(newer);
    expect(found).toContain('info newer-option');
    expect(found).toContain('warning areal/batch-divisible-by-data-parallel');
    expect(found.filter((one) => one.startsWith('error') || one.endsWith('unknown-option'))).toEqual([]);
  });

  it('says so once, however many names are new', () => {
    const twice = newer.replace('warmup_steps: 10', 'warmup_steps: 10\n  logprobs_chunk_size: 512');
    expect(rules(twice).filter((one) => one === 'info newer-option')).toHaveLength(1);
    expect(all(newer).find(({ rule }) => rule === 'newer-option')?.message).toMatch(
      /^actor\.optimizer\.warmup_steps needs a newer release than 1\.0\.4, .* 2\.0\.0 takes it\.$/,
    );
  });

  it('is as it should be where that release is declared, and refused where the older one is', () => {
    expect(rules(newer, { areal: '2.0.0' }).filter((one) => /newer-option|unknown-option/.test(one))).toEqual(
      [],
    );
    expect(rules(newer, { areal: '1.0.4' })).toContain('error unknown-option');
    expect(rules(newer, { areal: '1.0.2' })).toContain('warning unknown-option');
  });

  it('is told what ended with an older release only where that may be there', () => {
    const short = base.replace('lr: 1.0e-6', 'lr: 1.0e-6\n  dtype: bf16');
    expect(all(short).find(({ rule }) => rule === 'areal/short-dtype')).toMatchObject({
      severity: 'warning',
    });
    expect(rules(short, { areal: '1.0.4' })).toContain('warning areal/short-dtype');
    expect(rules(short, { areal: '2.0.0' })).not.toContain('warning areal/short-dtype');
    const used = short.replace('lr: 1.0e-6', 'lr: 1.0e-6\n    warmup_steps: 10');
    expect(rules(used)).not.toContain('warning areal/short-dtype');
  });

  it('is held against the options of the newer release where that is declared', () => {
    const declared = { areal: '2.0.0' };
    expect(rules(base, declared).filter((one) => one.startsWith('error'))).toEqual([]);
    const teacher = `${base}teacher:\n  backend: fsdp:d4\n  path: Qwen/Qwen3-8B\n`;
    expect(rules(teacher)).not.toContain('warning unknown-option');
    expect(rules(teacher, declared)).toContain('warning unknown-option');
    const chunked = base.replace('lr: 1.0e-6', 'lr: 1.0e-6\n    warmup_steps: many');
    expect(rules(chunked, declared)).toContain('error invalid-value');
  });

  it('is told what began with a newer release only where that may be there', () => {
    const wide = base.replace('dtype: bfloat16', 'dtype: float64');
    expect(rules(wide)).not.toContain('error areal/dtype-choice');
    expect(rules(wide, { areal: '1.0.4' })).not.toContain('error areal/dtype-choice');
    expect(rules(wide, { areal: '2.0.0' })).toContain('error areal/dtype-choice');
    expect(rules(wide, { areal: '2.1' })).toContain('error areal/dtype-choice');
    const used = wide.replace('lr: 1.0e-6', 'lr: 1.0e-6\n    warmup_steps: 10');
    expect(rules(used)).toContain('warning areal/dtype-choice');
  });

  it('is sure of a newer release only of what shows at the start and has not ended with it', () => {
    expect(rules(uneven, { areal: '2.0.0' })).toContain('warning areal/batch-divisible-by-data-parallel');
    const offloaded = base.replace('path: Qwen/Qwen3-8B', 'path: Qwen/Qwen3-8B\n  offload: true');
    expect(rules(offloaded, { areal: '2.0.0' })).toContain('error areal/offload-needs-enable-offload');
    const placed = base.replace('gpu: 1\n', 'gpu: 1\n      ray_placement_strategy: spread\n');
    expect(rules(placed)).toContain('error areal/ray-placement-strategy');
    expect(rules(placed, { areal: '2.0.0' })).toContain('warning areal/ray-placement-strategy');
  });

  it('leaves what no release knows an error', () => {
    expect(rules(uneven.replace('lr: 1.0e-6', 'lr: 1.0e-6\n    weight_decays: 1'))).toContain(
      'error unknown-option',
    );
  });
});
