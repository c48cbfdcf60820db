import { describe, expect, it } from 'vitest';
import { applyEdits } from '../../../../server/src/text/edit.ts';
import { noProfile } from '../../../../server/src/value/machine.ts';
import { testLinter } from '../../../support/knowledge.ts';
import { memoryHost } from '../../../support/memoryHost.ts';
import { findings, knowledge, lint, model } from './megatronRun.ts';

describe('files for --yaml-cfg', () => {
  it('replace the command line', () => {
    const report = lint(`torchrun --nproc_per_node 8 pretrain_gpt.py --yaml-cfg model.yaml --num-layers 7\n`);
    expect(findings(report)).toEqual(['ignored-option']);
    const more = lint(
      'torchrun --nproc_per_node 8 pretrain_gpt.py --lr 1 --yaml-cfg model.yaml --num-layers 7 --bf16\n',
    );
    expect(more.findings).toMatchObject([
      {
        message: expect.stringMatching(/^--lr has no effect here, nor have the 2 options after it/),
        related: [{}, {}],
      },
    ]);
  });

  it('are checked', () => {
    const yaml =
      'language_model:\n  num_layers: 8\n  num_attention_heads: 6\n  recompute_granularity: selective\n  recompute_num_layers: 2\nmodel_parallel:\n  tensor_model_parallel_size: 4\n  num_moe_experts: 8\nmicro_batch_size: 1\n';
    const files = { '/repository/model.yaml': yaml };
    const report = lint('torchrun --nproc_per_node 8 pretrain_gpt.py --yaml-cfg model.yaml\n', files);
    expect(findings(report)).toEqual([
      'megatron-lm/heads-divide-tensor-parallel',
      'megatron-lm/selective-excludes-layers',
    ]);
    expect(report.findings.map(({ place }) => place.path)).toEqual([
      '/repository/model.yaml',
      '/repository/model.yaml',
    ]);
    const alone = testLinter(knowledge, memoryHost(files)).lint('/repository/model.yaml', yaml);
    expect(findings(alone)).toHaveLength(2);
  });

  it('keep keys that a fix would remove, since upstream stops at a missing one', () => {
    const yaml =
      'language_model:\n  recompute_granularity: selective\n  recompute_num_layers: 2 # was full\nmodel_parallel:\n  tensor_model_parallel_size: 1\n';
    const files = { '/repository/model.yaml': yaml };
    const report = lint('torchrun --nproc_per_node 8 pretrain_gpt.py --yaml-cfg model.yaml\n', files);
    expect(findings(report)).toEqual(['megatron-lm/selective-excludes-layers']);
    const after = applyEdits(yaml, report.findings[0]?.fixes[0]?.edits ?? []);
    expect(after).toBe(yaml.replace('recompute_num_layers: 2', 'recompute_num_layers: null'));
  });

  it('have rules that do not apply to the command line alone', () => {
    const schedule =
      '--train-iters 10 --train-samples 320 --step-batch-size-schedule "0:32 1000:64" --global-batch-size 32';
    const report = lint(`torchrun --nproc_per_node 8 pretrain_gpt.py ${model} ${schedule}\n`);
    expect(findings(report).filter((rule) => rule.startsWith('megatron-lm/yaml-'))).toEqual([]);
  });

  it('get no findings about keys without effect, since every key must be present', () => {
    const yaml =
      'use_checkpoint_args: false\ndisable_msc_deprecated: false\nenable_msc: false\nlanguage_model:\n  fp8: null\n  fp8_margin: 0\n  fp8_wgrad: true\n  recompute_granularity: null\n  recompute_num_layers: 2\nmodel_parallel:\n  tensor_model_parallel_size: 1\n';
    const launch = 'torchrun --nproc_per_node 8 pretrain_gpt.py --yaml-cfg model.yaml\n';
    expect(findings(lint(launch, { '/repository/model.yaml': yaml }))).toEqual([
      'megatron-lm/yaml-configuration-never-starts',
    ]);
  });

  it('get a warning if they lack keys that newer releases read, or an error if one of these is declared', () => {
    const yaml =
      'use_checkpoint_args: false\nlanguage_model:\n  num_layers: 8\nmodel_parallel:\n  tensor_model_parallel_size: 1\n';
    const files = { '/repository/model.yaml': yaml };
    const launch = 'torchrun --nproc_per_node 8 pretrain_gpt.py --yaml-cfg model.yaml\n';
    const severities = (release?: string): readonly string[] =>
      lint(launch, files, {
        ...noProfile,
        versions: release === undefined ? {} : { 'megatron-core': release },
      }).findings.map(({ rule, severity }) => `${severity} ${rule}`);
    const [lacks, never] = ['megatron-lm/yaml-lacks-keys', 'megatron-lm/yaml-configuration-never-starts'];
    expect(severities()).toEqual([`warning ${never}`, `warning ${lacks}`]);
    expect(severities('0.20')).toEqual([`error ${never}`, `error ${lacks}`]);
    expect(severities('0.17')).toEqual([`error ${never}`]);
    expect(severities('0.10')).toEqual([]);
  });

  it('are checked with the environment of a launch, but not on their own', () => {
    const yaml =
      'language_model:\n  num_layers: 8\nmodel_parallel:\n  tensor_model_parallel_size: 2\n  sequence_parallel: true\n';
    const files = { '/repository/model.yaml': yaml };
    const launch = 'torchrun --nproc_per_node 8 pretrain_gpt.py --yaml-cfg model.yaml\n';
    expect(findings(lint(launch, files))).toEqual(['megatron-lm/yaml-sequence-parallel-connections']);
    expect(findings(lint(`export CUDA_DEVICE_MAX_CONNECTIONS=1\n${launch}`, files))).toEqual([]);
    const alone = testLinter(knowledge, memoryHost(files)).lint('/repository/model.yaml', yaml);
    expect(findings(alone)).toEqual([]);
  });

  it('only get warnings if no launch names them and they lack what upstream always reads', () => {
    const yaml = (head: string): string =>
      `${head}global_batch_size: 8\ntrain_iters: 10\ntrain_samples: 80\nlanguage_model:\n  num_layers: 8\nmodel_parallel:\n  tensor_model_parallel_size: 1\n`;
    const severities = (text: string) =>
      testLinter(knowledge, memoryHost({ '/repository/model.yaml': text }))
        .lint('/repository/model.yaml', text)
        .findings.filter(({ rule }) => rule === 'megatron-lm/yaml-iterations-exclude-samples')
        .map(({ severity }) => severity);
    expect(severities(yaml('use_checkpoint_args: false\n'))).toEqual(['error']);
    expect(severities(yaml(''))).toEqual(['warning']);
  });
});
