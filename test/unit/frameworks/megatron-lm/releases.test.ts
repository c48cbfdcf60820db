import { describe, expect, it } from 'vitest';
import type { MachineProfile } from '../../../../server/src/value/machine.ts';
import { noProfile } from '../../../../server/src/value/machine.ts';
import { findings, lint, model } from './megatronRun.ts';

describe('releases', () => {
  const launch = (flags: string): string => `torchrun --nproc_per_node 8 pretrain_gpt.py ${model} ${flags}\n`;
  const at = (release: string): MachineProfile => ({ ...noProfile, versions: { 'megatron-core': release } });

  it('know the current name of an old flag, with a fix', () => {
    const [renamed] = lint(launch('--use-custom-fsdp')).findings;
    // The installed Megatron-LM may still accept it.
    expect(renamed).toMatchObject({ rule: 'renamed-option', severity: 'warning' });
    const [refused] = lint(launch('--use-custom-fsdp'), {}, at('0.20')).findings;
    expect(refused).toMatchObject({ rule: 'renamed-option', severity: 'error' });
    expect(renamed?.message).toContain('--use-megatron-fsdp (since Megatron-core 0.14)');
    expect(renamed?.fixes[0]?.edits[0]?.newText).toBe('--use-megatron-fsdp');
    const [removed] = lint(launch('--retro-workdir /x')).findings;
    expect(removed).toMatchObject({ rule: 'removed-option' });
    const fork = `torchrun --nproc_per_node 8 pretrain_qwen.py ${model} --use-custom-fsdp\n`;
    expect(findings(lint(fork))).toEqual([]);
  });

  it('treat the value of an option given by its old name as unknown', () => {
    const rule = 'megatron-lm/sharding-strategy-without-fsdp';
    const sharded = '--data-parallel-sharding-strategy optim_grads_params';
    const old = launch(`--use-custom-fsdp ${sharded}`);
    const declared = {
      '/w/megatron/core/package_info.py': 'MAJOR = 0\nMINOR = 13\n',
      '/w/megatron/training/arguments.py': "group.add_argument('--use-custom-fsdp', action='store_true')\n",
    };
    expect(findings(lint(launch(sharded)))).toContain(rule);
    expect(findings(lint(old))).not.toContain(rule);
    expect(findings(lint(old, declared))).not.toContain(rule);
    expect(findings(lint(old, {}, at('0.13')))).not.toContain(rule);
  });

  it('are read from a renamed copy that the script imports', () => {
    const rules = (script: string, files: { readonly [path: string]: string }): readonly string[] =>
      findings(lint(`export NCCL_ALGO=Tree\ntorchrun ${script} ${model} --deterministic-mode\n`, files));
    const rule = 'megatron-lm/deterministic-nccl-algorithm';
    const format = 'megatron-lm/vision-language-checkpoint-format';
    const copy = {
      '/repository/pretrain_vlm.py': 'from synonym.training import get_args, get_timers, pretrain\n',
      '/repository/synonym/core/package_info.py': 'MAJOR = 0\nMINOR = 8\n',
    };
    expect(rules('pretrain_vlm.py', {})).toEqual(expect.arrayContaining([rule, format]));
    const reported = rules('pretrain_vlm.py', copy);
    expect(reported).not.toContain(rule);
    expect(reported).not.toContain(format);
    const other = {
      ...copy,
      '/repository/pretrain_vlm.py': 'from megatron.training import pretrain\nimport synonym\n',
    };
    expect(rules('pretrain_vlm.py', other)).toContain(rule);
  });

  it('get no advice or fix with options that came later', () => {
    const of = (flags: string, minor: number): ReturnType<typeof lint>['findings'] =>
      lint(launch(flags), { '/repository/megatron/core/package_info.py': `MAJOR = 0\nMINOR = ${minor}\n` })
        .findings;
    const advice = 'megatron-lm/many-experts-half-precision-router';
    const many = '--num-experts 64 --disable-bias-linear --moe-ffn-hidden-size 128';
    expect(of(many, 11).map(({ rule }) => rule)).not.toContain(advice);
    expect(of(many, 12).map(({ rule }) => rule)).toContain(advice);
    const added = (minor: number): readonly string[] =>
      of('--reset-attention-mask', minor)
        .filter(({ rule }) => rule === 'megatron-lm/document-mask-is-not-read')
        .flatMap(({ fixes }) => fixes.flatMap(({ edits }) => edits.map(({ newText }) => newText.trim())));
    expect(added(19)).toContain('--dataloader-inter-document-masking');
    expect(added(18)).not.toContain('--dataloader-inter-document-masking');
    expect(added(18)).toHaveLength(1);
  });

  it('report what was deprecated before them', () => {
    const of = (flag: string, minor: number): readonly string[] =>
      lint(launch(flag), { '/repository/megatron/core/package_info.py': `MAJOR = 0\nMINOR = ${minor}\n` })
        .findings.filter(({ rule }) => rule.startsWith('megatron-lm/'))
        .map(({ rule, severity }) => `${severity} ${rule}`);
    const gone = 'warning megatron-lm/checkpoint-activations-removed';
    expect(of('--checkpoint-activations', 8)).toContain(gone);
    expect(of('--checkpoint-activations', 13)).toContain(gone);
    const unread = 'info megatron-lm/old-checkpoint-flags';
    expect(of('--use-dist-ckpt', 13)).toContain(unread);
    expect(of('--use-dist-ckpt', 8)).not.toContain(unread);
  });

  it('know flags from earlier years', () => {
    const [removed] = lint(launch('--DDP-impl local')).findings;
    expect(removed).toMatchObject({ rule: 'removed-option', severity: 'warning' });
    const [refused] = lint(launch('--DDP-impl local'), {}, at('0.20')).findings;
    expect(refused).toMatchObject({ rule: 'removed-option', severity: 'error' });
    const [renamed] = lint(launch('--layernorm-epsilon 1e-6'), {}, at('0.20')).findings;
    expect(renamed?.fixes[0]?.edits[0]?.newText).toBe('--norm-epsilon');
  });

  it.each(['0.12', '0.16', '0.18'])('keep findings that do not depend on later changes: %s', (release) => {
    const rules = findings(lint(launch('--tensor-model-parallel-size 3'), {}, at(release)));
    expect(rules).toContain('megatron-lm/world-size-divides');
  });

  it('know values that earlier ones accepted', () => {
    const line = launch('--ckpt-format zarr');
    expect(lint(line).findings).toMatchObject([{ rule: 'invalid-choice', severity: 'warning' }]);
    expect(findings(lint(line, {}, at('0.15')))).toEqual([]);
    expect(lint(line, {}, at('0.20')).findings).toMatchObject([
      { rule: 'invalid-choice', severity: 'error' },
    ]);
  });

  it('may have read values of now deprecated options differently', () => {
    const about = (line: string, release?: MachineProfile): readonly string[] =>
      lint(line, {}, release)
        .findings.filter(({ rule }) => rule === 'invalid-value' || rule === 'megatron-lm/warmup-removed')
        .map(({ rule, severity }) => `${severity} ${rule}`);
    expect(about(launch('--warmup .01'))).toEqual(['error megatron-lm/warmup-removed']);
    expect(about(launch('--warmup .01 --data-impl mmap'))).toEqual([]);
    expect(about(launch('--warmup .01 --data-impl mmap'), at('0.20'))).toEqual([
      'error megatron-lm/warmup-removed',
    ]);
    expect(about(launch('--eval-iters .5 --data-impl mmap'))).toEqual(['warning invalid-value']);
  });

  it('determine by the declared version which flags exist', () => {
    expect(findings(lint(launch('--use-custom-fsdp --ckpt-format torch_dist'), {}, at('0.13.1')))).toEqual(
      [],
    );
    const [young] = lint(launch('--moe-flex-dispatcher-backend deepep'), {}, at('0.13')).findings;
    expect(young).toMatchObject({ rule: 'unknown-option', severity: 'error' });
    expect(young?.message).toContain('came with Megatron-core 0.16; here it is 0.13');
    expect(findings(lint(launch('--moe-flex-dispatcher-backend deepep'), {}, at('0.20')))).not.toContain(
      'unknown-option',
    );
  });

  it('call an option deprecated only once its successor exists', () => {
    const old = launch('--enable-cuda-graph --te-rng-tracker');
    const reported = (release: MachineProfile) =>
      lint(old, {}, release).findings.filter(({ rule }) => rule === 'deprecated-option');
    const [finding] = reported(noProfile);
    expect(finding?.severity).toBe('info');
    expect(finding?.fixes[0]?.edits[0]?.newText).toBe('--cuda-graph-impl local');
    expect(reported(at('0.13'))).toEqual([]);
  });

  it('accept any expression as a layer pattern before 0.13', () => {
    const rules = (release: string): readonly string[] =>
      lint(launch("--num-experts 8 --moe-layer-freq '[0] + [1]*7'"), {}, at(release)).findings.flatMap(
        ({ rule, severity }) => (rule === 'invalid-value' ? [severity] : []),
      );
    expect(rules('0.12')).toEqual([]);
    expect(rules('0.13')).toEqual(['error']);
  });

  it('call an option without a successor deprecated from the release that says so', () => {
    const rules = (release: string): readonly string[] =>
      lint(launch('--use-mcore-models'), {}, at(release)).findings.map(({ rule }) => rule);
    expect(rules('0.8')).toContain('deprecated-option');
    // Before that, it selected the models, and removing it selects others.
    expect(rules('0.7')).not.toContain('deprecated-option');
  });

  it('say nothing about the attention variables before there was an option for them', () => {
    const text = `export NVTE_FLASH_ATTN=0
${launch('')}`;
    expect(findings(lint(text, {}, at('0.11')))).toContain('megatron-lm/attention-backend-variables');
    expect(findings(lint(text, {}, at('0.10')))).toEqual([]);
  });

  it('report a deprecated option once if it is refused', () => {
    expect(findings(lint(launch('--checkpoint-activations')))).toEqual([
      'megatron-lm/checkpoint-activations-removed',
    ]);
    expect(findings(lint(launch('--checkpoint-activations --recompute-activations')))).not.toContain(
      'deprecated-option',
    );
  });

  it('make no errors of rules that another release may lack', () => {
    const text = launch('--hidden-size 513');
    const severities = (release: string): readonly string[] =>
      lint(text, {}, at(release)).findings.map(({ severity }) => severity);
    expect(severities('0.19')).toContain('error');
    expect(severities('0.13')).not.toContain('error');
  });

  it('treat a launch with removed flags as one of the release that had them all', () => {
    // The check for CUDA_DEVICE_MAX_CONNECTIONS came with 0.12; --s3-cache-path was removed in 0.13, --data-impl in 0.4.
    const refused = '--tensor-model-parallel-size 2 --hidden-size 513';
    const rules = (flags: string, machine?: MachineProfile): readonly string[] =>
      lint(launch(`${refused} ${flags}`), {}, machine).findings.map(
        ({ rule, severity }) => `${severity} ${rule}`,
      );
    const connections = 'error megatron-lm/connections-with-tensor-or-context-parallel';
    expect(rules('')).toContain(connections);
    expect(rules('--data-impl mmap').filter((said) => /error|connections/.test(said))).toEqual([]);
    expect(rules('--s3-cache-path /c')).toContain('warning megatron-lm/heads-divide-hidden-size');
    expect(rules('--s3-cache-path /c')).toContain(connections.replace('error', 'warning'));
    expect(rules('--s3-cache-path /c').join()).not.toContain('error');
    // With FSDP, under whatever name, it demands the opposite.
    expect(rules('--use-custom-fsdp').join()).not.toContain('connections');
    expect(rules('--data-impl mmap', at('0.20'))).toContain(connections);
  });

  it('also treat a launch of a custom program as one of that release', () => {
    const text = launch('--tensor-model-parallel-size 2 --data-impl mmap').replace(
      'pretrain_gpt.py',
      'own.py',
    );
    const rules = (source: string, flags = text): readonly string[] =>
      lint(flags, { '/repository/own.py': source }).findings.map(
        ({ rule, severity }) => `${severity} ${rule}`,
      );
    const connections = 'error megatron-lm/connections-with-tensor-or-context-parallel';
    const imports = 'from megatron.training import pretrain\n';
    expect(rules(imports, text.replace('--data-impl mmap', ''))).toContain(connections);
    expect(rules(imports).join()).not.toContain('connections');
    // What the program itself declares says nothing about the Megatron that it imports.
    expect(rules(`${imports}group.add_argument('--data-impl')\n`)).toContain(connections);
  });
});
