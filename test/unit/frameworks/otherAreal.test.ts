import { describe, expect, it } from 'vitest';
import type { MachineProfile } from '../../../server/src/value/machine.ts';
import { noProfile } from '../../../server/src/value/machine.ts';
import { testLinter } from '../../support/knowledge.ts';
import { memoryHost } from '../../support/memoryHost.ts';
import { classOf, knowledge, lint, namesIn } from './otherVersionRun.ts';

describe('a repository containing AReaL', () => {
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

  it('is checked against what is known if it is the same version', () => {
    expect(check(fields)).toEqual(expect.arrayContaining(certain));
    expect(check(undefined)).toEqual(expect.arrayContaining(certain));
  });

  it('may have a few options of its own', () => {
    const found = check([...fields, 'weight_decays']);
    expect(found).toContain('error areal/batch-divisible-by-data-parallel');
    expect(found.filter((one) => one.endsWith('unknown-option'))).toEqual([]);
  });

  it('only gets warnings if it is another version', () => {
    expect(check(fields.slice(1)).filter((one) => one.startsWith('error'))).toEqual([]);
    const newer = [...fields, ...['a', 'b', 'c', 'd', 'e', 'f'].map((letter) => `new_${letter}`)];
    expect(check(newer)).toContain('warning areal/batch-divisible-by-data-parallel');
    expect(check(newer)).toContain('warning unknown-option');
  });

  it('may count in another way how many rollouts its queue has room for', () => {
    const found = (room: string) =>
      lint('/repository/examples/config.yaml', {
        '/repository/examples/config.yaml': text
          .replace('batch_size: 30', 'batch_size: 64')
          .replace(/^(\s*)max_concurrent_rollouts: \d+/m, '$1max_concurrent_rollouts: 4'),
        '/repository/areal/api/cli_args.py': classOf(fields),
        '/repository/areal/infra/workflow_executor.py': `cap_queue = ${room}\n`,
        '/repository/areal/infra/controller/rollout_controller.py': 'qsize = 1\n',
      });
    expect(found('self.runner.max_queue_size - batch_size')).toContain('warning areal/queue-holds-one-batch');
    expect(found('limit - running')).not.toContain('warning areal/queue-holds-one-batch');
  });

  it('may take a string for what is now a list', () => {
    const words = `${text}\nvllm:\n  lora_modules: '{"name": "a"}'\n`;
    const found = (type: string) =>
      lint('/repository/examples/config.yaml', {
        '/repository/examples/config.yaml': words,
        '/repository/areal/api/cli_args.py': `${classOf(fields.slice(1))}    vllm: Engine = 1\n\nclass Engine:\n    lora_modules: ${type} = ""\n`,
      });
    expect(found('list[str] | None')).toContain('warning invalid-value');
    expect(found('str')).not.toContain('warning invalid-value');
  });

  it('gets no findings on keys, values and requirements that another version may have', () => {
    const words = text
      .replace('actor:', 'actor:\n  group_size: 4')
      .replace(/weight_update_mode: .*/, 'weight_update_mode: pigeon')
      .replace('trial_name:', 'trial_nam:');
    const found = (declared: readonly string[], more = '') =>
      lint('/repository/examples/config.yaml', {
        '/repository/examples/config.yaml': words,
        '/repository/areal/api/cli_args.py': `${classOf(declared)}${more}`,
      });
    const reported = ['warning required-option', 'error renamed-option', 'error areal/weight-update-mode'];
    expect(found(fields)).toEqual(expect.arrayContaining(reported));
    const other = found([...fields.slice(1), 'group_size'], 'MODES = ("xccl", "pigeon")\n');
    expect(other).not.toContainEqual(
      expect.stringMatching(/required-option|renamed-option|weight-update-mode/),
    );
    expect(found(fields.slice(1))).toContain('warning areal/weight-update-mode');
  });

  it('gets no finding on a key that only its own classes have', () => {
    const found = (base: string) =>
      lint('/repository/examples/config.yaml', {
        '/repository/examples/config.yaml': `${knowledge.frameworks.get('areal')?.base.yaml ?? ''}`.replace(
          'actor:',
          'actor:\n  loss_type: own',
        ),
        '/repository/areal/api/cli_args.py': [
          classOf([...fields.slice(2), 'loss_type']).replace('Config', base),
          'class ActorConfig(Base):\n    pass\n',
          'class RunConfig:\n    actor: ActorConfig | None = field(\n        default=None\n    )\n',
        ].join('\n'),
      });
    expect(found('Other')).toContain('warning unknown-option');
    expect(found('Base')).not.toContain('warning unknown-option');
  });

  it('is checked against newer options if it declares them', () => {
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

  it('of an earlier release gets no findings on later additions, in one role or all', () => {
    const rules = (release: string, words = '') =>
      lint('/repository/examples/config.yaml', {
        '/repository/examples/config.yaml': (knowledge.frameworks.get('areal')?.base.yaml ?? '')
          .replace('actor:', 'actor:\n  use_lora: true')
          .replace('rollout:', `rollout:${words}`)
          .replace('max_tokens_per_mb: 8192', 'max_tokens_per_mb: 2048')
          .replace('max_length: 2048', 'max_length: null'),
        '/repository/areal/api/cli_args.py': classOf(fields.slice(1)),
        '/repository/areal/version.py': `__version__ = "${release}"\n`,
      });
    const [flags, budget] = ['warning areal/lora-flags-agree', 'warning areal/token-budget-below-answer'];
    expect(rules('1.0.4')).toEqual(expect.arrayContaining([flags, budget]));
    // rollout.use_lora came with 0.5.0, the teacher with 1.0.2.
    expect(rules('0.3.4')).not.toContain(flags);
    expect(rules('0.3.4')).toContain(budget);
    expect(rules('0.3.4', '\n  use_lora: false')).toContain(flags);
  });

  it('gets no findings on later additions if another package states the release', () => {
    const rules = (release: string) =>
      lint('/repository/examples/config.yaml', {
        '/repository/examples/config.yaml': (knowledge.frameworks.get('areal')?.base.yaml ?? '').replace(
          /backend: ["']?fsdp:\S+/,
          'backend: fsdp',
        ),
        '/repository/areal/api/cli_args.py': classOf(fields.slice(1)),
        '/repository/pyproject.toml':
          '[project]\ndynamic = ["version"]\n[tool.setuptools.dynamic]\nversion = {attr = "older.__version__"}\n',
        '/repository/older/__init__.py': 'from .version import __version__\n',
        '/repository/older/version.py': `__version__ = "${release}-dev"\n`,
      });
    // Before 1.0.3, the field was free text that nothing read.
    expect(rules('1.0.3')).toContain('warning areal/backend-parse');
    expect(rules('0.3.0')).not.toContain('warning areal/backend-parse');
  });

  it('only gets warnings if the project declares another version', () => {
    const declared = (areal: string): MachineProfile => ({ versions: { areal }, variables: {} });
    expect(check(undefined, declared('0.5.2')).filter((one) => one.startsWith('error'))).toEqual([]);
    expect(check(undefined, declared('1.0'))).toEqual(expect.arrayContaining(certain));
  });

  it('is not confused with its predecessor, which names model families', () => {
    const older = 'experiment_name: a\ntrial_name: b\nactor:\n  type:\n    _class: qwen2\n  nothing: 1\n';
    expect(lint('/repository/config.yaml', { '/repository/config.yaml': older })).toEqual([]);
  });
});

describe('an AReaL configuration for a newer release', () => {
  const base = knowledge.frameworks.get('areal')?.base.yaml ?? '';
  const uneven = base.replace('batch_size: 64', 'batch_size: 30');
  const newer = uneven.replace('lr: 1.0e-6', 'lr: 1.0e-6\n    warmup_steps: 10');
  const all = (text: string, versions: MachineProfile['versions'] = {}) =>
    testLinter(knowledge, memoryHost({ '/project/config.yaml': text }), { ...noProfile, versions })
      .lint('/project/config.yaml', text)
      .findings.map(({ rule, severity, message }) => ({ rule, severity, message }));
  const rules = (text: string, versions: MachineProfile['versions'] = {}) =>
    all(text, versions).map(({ rule, severity }) => `${severity} ${rule}`);

  it('only gets warnings because of the options it uses', () => {
    const found = rules(newer);
    expect(found).toContain('info newer-option');
    expect(found).toContain('warning areal/batch-divisible-by-data-parallel');
    expect(found.filter((one) => one.startsWith('error') || one.endsWith('unknown-option'))).toEqual([]);
  });

  it('gets errors for what both releases refuse, but not for names that a still newer one may have', () => {
    const found = rules(
      newer.replace('batch_size: 30', 'batch_size: many').replace('trial_name:', 'trial_nam:'),
    );
    expect(found).toContain('error invalid-value');
    expect(found).not.toContain('error unknown-option');
  });

  it('is reported as such once, however many names are new', () => {
    const twice = newer.replace('warmup_steps: 10', 'warmup_steps: 10\n  logprobs_chunk_size: 512');
    expect(rules(twice).filter((one) => one === 'info newer-option')).toHaveLength(1);
    expect(all(newer).find(({ rule }) => rule === 'newer-option')?.message).toMatch(
      /^actor\.optimizer\.warmup_steps needs a newer AReaL than 1\.0\.4, .* 2\.0\.0 takes it\.$/,
    );
  });

  it('is valid if that release is declared, and refused if the older one is', () => {
    expect(rules(newer, { areal: '2.0.0' }).filter((one) => /newer-option|unknown-option/.test(one))).toEqual(
      [],
    );
    expect(rules(newer, { areal: '1.0.4' })).toContain('error unknown-option');
    expect(rules(newer, { areal: '1.0.2' })).toContain('warning unknown-option');
  });

  it('gets rules that ended with an older release only if that may be installed', () => {
    const short = base.replace('dtype: bfloat16', 'dtype: bf16');
    expect(all(short).find(({ rule }) => rule === 'areal/short-dtype')).toMatchObject({
      severity: 'warning',
    });
    expect(rules(short, { areal: '1.0.4' })).toContain('error areal/short-dtype');
    expect(rules(short, { areal: '2.0.0' }).filter((one) => one.includes('short-dtype'))).toEqual([]);
    const used = short.replace('lr: 1.0e-6', 'lr: 1.0e-6\n    warmup_steps: 10');
    expect(rules(used)).not.toContain('warning areal/short-dtype');
  });

  it('gets errors from rules that ended with an older release if that one is declared', () => {
    const saves = base
      .replace(/^ {2}backend: fsdp:.*$/m, '  backend: megatron:d4')
      .replace('dtype: bfloat16', 'dtype: bfloat16\n  megatron:\n    async_save: true');
    const reported = (areal: string): readonly string[] =>
      rules(saves, { areal }).filter((one) => one.endsWith('async-save'));
    expect(reported('1.0.4')).toEqual(['error areal/megatron-async-save']);
    // For a release that was not checked, nothing is certain.
    expect(reported('1.0.3')).toEqual(['warning areal/megatron-async-save']);
    expect(reported('2.0.0')).toEqual([]);
  });

  it('is checked against the options of the newer release if that is declared', () => {
    const declared = { areal: '2.0.0' };
    expect(rules(base, declared).filter((one) => one.startsWith('error'))).toEqual([]);
    const teacher = `${base}teacher:\n  backend: fsdp:d4\n  path: Qwen/Qwen3-8B\n`;
    expect(rules(teacher)).not.toContain('warning unknown-option');
    const unknown = (one: string): boolean => one.endsWith(' unknown-option');
    expect(rules(`${base}teacher:\n  backend: fsdp:d4\n`, declared).filter(unknown)).toHaveLength(1);
    const several = `${teacher}  dtype: bfloat16\n  mb_spec:\n    n_mbs: 2\n`;
    expect(rules(several, declared).filter(unknown)).toEqual(['warning unknown-option']);
    const chunked = base.replace('lr: 1.0e-6', 'lr: 1.0e-6\n    warmup_steps: many');
    expect(rules(chunked, declared)).toContain('error invalid-value');
  });

  it('gets rules that began with a newer release only if that may be installed', () => {
    const wide = base.replace('dtype: bfloat16', 'dtype: float64');
    expect(rules(wide)).not.toContain('error areal/dtype-choice');
    expect(rules(wide, { areal: '1.0.4' })).not.toContain('error areal/dtype-choice');
    expect(rules(wide, { areal: '2.0.0' })).toContain('error areal/dtype-choice');
    expect(rules(wide, { areal: '2.1' })).toContain('error areal/dtype-choice');
    const used = wide.replace('lr: 1.0e-6', 'lr: 1.0e-6\n    warmup_steps: 10');
    expect(rules(used)).toContain('warning areal/dtype-choice');
  });

  it('gets errors for a newer release only from checks that it still has', () => {
    expect(rules(uneven, { areal: '2.0.0' })).toContain('error areal/batch-divisible-by-data-parallel');
    const offloaded = base.replace('path: Qwen/Qwen3-8B', 'path: Qwen/Qwen3-8B\n  offload: true');
    expect(rules(offloaded, { areal: '2.0.0' })).toContain('error areal/offload-needs-enable-offload');
    const placed = base.replace('gpu: 1\n', 'gpu: 1\n      ray_placement_strategy: spread\n');
    expect(rules(placed)).toContain('error areal/ray-placement-strategy');
    expect(rules(placed, { areal: '2.0.0' })).toContain('warning areal/ray-placement-strategy');
  });

  it('still gets an error for what no release knows', () => {
    expect(rules(uneven.replace('lr: 1.0e-6', 'lr: 1.0e-6\n    weight_decays: 1'))).toContain(
      'error unknown-option',
    );
  });
});
