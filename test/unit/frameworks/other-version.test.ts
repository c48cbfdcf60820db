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
    .replace('lr: 1.0e-6', 'lr: 1.0e-6\n    own_key: 1');
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
    const found = check([...fields, 'own_key']);
    expect(found).toContain('error areal/batch-divisible-by-data-parallel');
    expect(found.filter((one) => one.endsWith('unknown-option'))).toEqual([]);
  });

  it('is only warned when it is another version', () => {
    expect(check(fields.slice(1)).filter((one) => one.startsWith('error'))).toEqual([]);
    const newer = [...fields, ...['a', 'b', 'c', 'd', 'e', 'f'].map((letter) => `new_${letter}`)];
    expect(check(newer)).toContain('warning areal/batch-divisible-by-data-parallel');
    expect(check(newer)).toContain('warning unknown-option');
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
