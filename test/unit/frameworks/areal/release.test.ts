import { describe, expect, it } from 'vitest';
import { alone, base, findings, launched, script } from './arealRun.ts';

const reported = (words: string, files: { readonly [path: string]: string }): string[] =>
  launched(words, files).map(({ rule, severity }) => `${severity} ${rule}`);
const older = '+actor.behave_imp_weight_cap=5.0 +actor.behave_imp_weight_mode=token_mask';

describe('the AReaL releases that a training script can run with', () => {
  const sections = ['cluster', 'saver', 'recover', 'evaluator', 'stats_logger'];
  const earlySft = [
    'experiment_name: e\ntrial_name: t\ntokenizer_path: m\ntotal_train_epochs: 1',
    ...sections.map((name) => `${name}: {}`),
    'train_dataset: {path: d, type: sft, batch_size: 8}\nmodel:\n  path: m\n  backend: fsdp\n',
  ].join('\n');
  const trained = (imports: string): string[] =>
    findings('/repository/run.sh', {
      '/repository/sft.yaml': earlySft,
      '/repository/train.py': `${imports}\nconfig, _ = load_expr_config(args, SFTConfig)\nwith SFTTrainer(config) as trainer:\n    trainer.train()\n`,
      '/repository/run.sh': 'python3 train.py --config sft.yaml\n',
    }).map(({ rule, severity }) => `${severity} ${rule}`);

  it('refuse what was removed before the first of them', () => {
    expect(trained('from areal import SFTTrainer')).toContain('error renamed-option');
    expect(trained('from areal.trainer import SFTTrainer')).toContain('error renamed-option');
    expect(trained('from areal import (\n    SFTTrainer,\n)')).toContain('error renamed-option');
  });

  it('may accept what only the first of them still has', () => {
    const errors = reported(older, { '/repository/train.py': `from areal import PPOTrainer\n${script}` });
    expect(errors).toContain('info earlier-option');
    expect(errors.filter((one) => one.startsWith('error'))).toEqual([]);
  });

  it('are the early ones if it imports what only those have', () => {
    const early = 'from areal.experimental.trainer import SFTTrainer';
    expect(trained(early).filter((one) => one.startsWith('error'))).toEqual([]);
    expect(reported('+scheduler.typ=ray', { '/repository/train.py': `${early}\n${script}` })).toContain(
      'warning unknown-option',
    );
  });

  it('accept what was removed only after the last of them', () => {
    const removed = (imports: string): string[] =>
      reported('+actor.group_size=4', { '/repository/train.py': `${imports}\n${script}` }).filter((one) =>
        one.endsWith('renamed-option'),
      );
    expect(removed('from areal import PPOTrainer')).toEqual(['error renamed-option']);
    expect(removed('from areal.core import RolloutWorkflow')).toEqual(['warning renamed-option']);
    expect(removed('from areal.utils.device import log_gpu_stats')).toEqual([]);
  });

  it('are not inferred from an import that may not run, nor from two that no release has together', () => {
    const calm = (imports: string): string[] => trained(imports).filter((one) => one.startsWith('error'));
    expect(calm('def main():\n    from areal import SFTTrainer')).toEqual([]);
    expect(calm('# from areal import SFTTrainer')).toEqual([]);
    expect(calm('import areal.core\nfrom areal import SFTTrainer')).toEqual([]);
  });
});

describe('a role without a backend', () => {
  const files = { '/repository/config.yaml': base.replace(/^ +backend: fsdp.*\n/m, '') };
  const missing = (words: string, more = {}): string[] =>
    reported(words, { ...files, ...more }).filter((one) => one.endsWith('required-option'));

  it('may get it from the allocation string of earlier releases', () => {
    expect(missing('')).toEqual(['error required-option']);
    expect(missing('+allocation_mode=sglang:d4+fsdp:d4')).toEqual(['warning required-option']);
    expect(missing('+allocation_mode=""')).toEqual(['error required-option']);
  });

  it('is refused by every release if the key has no value', () => {
    const marked = { '/repository/config.yaml': base.replace(/(backend: )fsdp.*/, "$1'???'") };
    expect(missing('+allocation_mode=sglang:d4+fsdp:d4', marked)).toEqual(['error required-option']);
  });

  it('is refused by a release known to require it', () => {
    const pinned = { '/repository/requirements.txt': 'areal==1.0.4' };
    expect(missing('+allocation_mode=sglang:d4+fsdp:d4', pinned)).toEqual(['error required-option']);
  });
});

describe('the AReaL release that a project pins', () => {
  const pinned = (file: string, text: string, words: string): string[] =>
    reported(words, { [`/repository/${file}`]: text });
  const awex = 'actor.weight_update_mode=awex actor.backend=megatron:d8';

  it('makes what only it refuses an error', () => {
    const error = 'error areal/awex-needs-newer-release';
    expect(reported(awex, {})).toContain('warning areal/awex-needs-newer-release');
    expect(pinned('requirements.txt', 'torch\nareal[sglang]==1.0.4\n', awex)).toContain(error);
    expect(pinned('pyproject.toml', 'dependencies = ["areal==1.0.4"]\n', awex)).toContain(error);
    expect(
      pinned(
        'pyproject.toml',
        'areal = { git = "https://github.com/inclusionAI/AReaL", tag = "v1.0.4" }',
        awex,
      ),
    ).toContain(error);
    expect(
      pinned('Dockerfile', 'RUN git clone -b v1.0.4 https://github.com/areal-project/AReaL.git /a\n', awex),
    ).toContain(error);
  });

  it('accepts what that release accepts', () => {
    const git = (release: string): string =>
      `areal @ git+https://github.com/inclusionAI/AReaL.git@v${release}\n`;
    expect(pinned('requirements.txt', git('2.0.0'), awex)).toEqual([]);
    const errors = (words: string): readonly string[] =>
      pinned('requirements.txt', git('1.0.3'), words).filter((one) => one.startsWith('error'));
    expect(errors(`${older} scheduler.typ=x`)).toEqual([]);
    expect(errors(`${older} +++scheduler.type=local`)).toEqual(['error invalid-override']);
  });

  it('is not inferred from a range, a comment, a fork or two pins', () => {
    const warning = 'warning areal/awex-needs-newer-release';
    for (const text of [
      'areal>=1.0.4\n',
      'areal==1.0.*\n',
      '# areal==1.0.4\n',
      'my-areal==1.0.4\n',
      'areal @ git+https://github.com/somebody/AReaL.git@v1.0.4\n',
      'areal==1.0.4; python_version < "3.12"\nareal==2.0.0; python_version >= "3.12"\n',
    ])
      expect(pinned('requirements.txt', text, awex), text).toContain(warning);
  });

  it('also applies to a standalone configuration', () => {
    const text = base
      .replace('weight_update_mode: xccl', 'weight_update_mode: awex')
      .replace('fsdp:d4', 'megatron:d4');
    const severities = (files: { readonly [path: string]: string }): (string | undefined)[] =>
      alone(text, files).flatMap(({ rule, severity }) => (rule.includes('awex') ? [severity] : []));
    expect(severities({})).toEqual(['warning']);
    expect(severities({ '/repository/requirements.txt': 'areal==1.0.4' })).toEqual(['error']);
  });
});
