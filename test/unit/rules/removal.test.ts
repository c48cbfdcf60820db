import { describe, expect, it } from 'vitest';
import { noProfile } from '../../../server/src/value/machine.ts';
import { loadKnowledge, testLinter } from '../../support/knowledge.ts';
import { memoryHost } from '../../support/memoryHost.ts';
import { mended } from '../../support/mended.ts';

const script = (lines: readonly string[]): string =>
  `ARGS=(\n${lines.map((line) => `  ${line}\n`).join('')}  # the end\n)\ntorchrun --nproc_per_node 8 pretrain_gpt.py --micro-batch-size 1 --global-batch-size 8 "\${ARGS[@]}"\n`;

describe('an ambiguous option', () => {
  const text =
    'torchrun --nproc_per_node 8 scripts/performance/run_script.py -m llama -mr llama3_8b -g h100 -e 2 -ng 8\n';

  it('gets each candidate as an example fix if there are few', () => {
    const host = memoryHost({ '/repository/run.sh': text });
    const { findings } = testLinter(loadKnowledge(), host, noProfile).lint('/repository/run.sh', text);
    const [reported] = findings.filter(({ rule }) => rule === 'ambiguous-option');
    expect(reported?.fixes.map(({ title, safety }) => `${safety}: ${title}`)).toEqual([
      'example: Write -ep',
      'example: Write -et',
      'example: Write -en',
    ]);
    const replaced = reported?.fixes.flatMap(({ edits }) =>
      edits.map(({ span }) => text.slice(span.start, span.end)),
    );
    expect(replaced).toEqual(['-e', '-e', '-e']);
  });
});

describe('an option to remove', () => {
  it('is removed alone if it takes no value', () => {
    const text = script(['--bf16', '--embedding-weights-in-fp32  # old', '--lr 1e-4']);
    const fixed = mended('/repository/run.sh', text, 'removed-option');
    expect(fixed).toMatchObject({
      title: 'Remove --embedding-weights-in-fp32',
      safety: 'suggested',
      left: 0,
    });
    expect(fixed.after).toBe(script(['--bf16', '# old', '--lr 1e-4']));
  });

  it('is removed with its values', () => {
    const text = script(['--bf16', '--retro-project-dir /data/retro', '--lr 1e-4']);
    expect(mended('/repository/run.sh', text, 'removed-option')).toMatchObject({
      after: script(['--bf16', '--lr 1e-4']),
      left: 0,
    });
  });

  it('is removed with the word after it if it takes none', () => {
    const text = script(['--bf16', '--embedding-weights-in-fp32 True', '--lr 1e-4']);
    expect(mended('/repository/run.sh', text, 'removed-option')).toMatchObject({
      title: 'Remove --embedding-weights-in-fp32',
      after: script(['--bf16', '--lr 1e-4']),
      left: 0,
    });
  });

  it('is removed without unknown words that may be options themselves', () => {
    const text = script(['--bf16', '--retro-project-dir /data/retro $MORE', '--lr 1e-4']);
    expect(mended('/repository/run.sh', text, 'removed-option')).toMatchObject({
      after: script(['--bf16', '$MORE', '--lr 1e-4']),
      left: 0,
    });
  });

  it.each([
    ['True', 'Remove True', '--sequence-parallel'],
    ['1', 'Remove 1', '--sequence-parallel'],
    ['False', 'Remove --sequence-parallel False', undefined],
    ['0', 'Remove --sequence-parallel 0', undefined],
  ])('may be a word after a switch: %s', (word, title, left) => {
    const others = ['--tensor-model-parallel-size 2', '--lr 1e-4'];
    const text = script([`--sequence-parallel ${word}`, ...others]);
    expect(mended('/repository/run.sh', text, 'unexpected-value')).toMatchObject({
      title,
      after: script([...(left === undefined ? [] : [left]), ...others]),
      left: 0,
    });
  });

  it('may be a switch that does nothing, with the word after it', () => {
    const fixed = mended(
      '/repository/run.sh',
      script(['--sequence-parallel True', '--lr 1e-4']),
      'megatron-lm/sequence-parallel-without-tensor-parallel',
    );
    expect(fixed).toMatchObject({ after: script(['--lr 1e-4']), left: 0 });
  });

  it('is reported as having no effect if deprecated and unread', () => {
    const fixed = mended('/repository/run.sh', script(['--use-mcore-models', '--bf16']), 'deprecated-option');
    expect(fixed).toEqual({
      message: '--use-mcore-models is deprecated and has no effect.',
      title: 'Remove --use-mcore-models',
      safety: 'suggested',
      after: script(['--bf16']),
      left: 0,
    });
  });

  it('is kept if deprecated but still effective', () => {
    const fixed = mended(
      '/repository/run.sh',
      script(['--checkpoint-activations', '--bf16']),
      'deprecated-option',
    );
    expect(fixed.title).not.toBe('Remove --checkpoint-activations');
  });

  it('is removed if another one says the same', () => {
    const text = script(['--no-position-embedding', '--position-embedding-type rope', '--bf16']);
    expect(mended('/repository/run.sh', text, 'deprecated-option')).toMatchObject({
      message:
        '--no-position-embedding is deprecated; --position-embedding-type rope, which is given as well, says the same.',
      after: script(['--position-embedding-type rope', '--bf16']),
    });
  });

  it('is not reported because one of its values is deprecated', () => {
    const text = script(['--export-model-type GPTModel', '--bf16']);
    expect(mended('/repository/run.sh', text, 'deprecated-option').message).toBeUndefined();
  });

  it('is not reported beside a rule that says more exactly what has become of it', () => {
    const message = (rule: string) =>
      mended('/repository/run.sh', script(['--use-dist-ckpt', '--bf16']), rule).message;
    expect(message('megatron-lm/old-checkpoint-flags')).toContain('--ckpt-format decides');
    expect(message('deprecated-option')).toBeUndefined();
  });

  it('is not reported if its newer name would conflict with the other of two that exclude each other', () => {
    const text = script(['--enable-cuda-graph', '--external-cuda-graph', '--bf16']);
    expect(mended('/repository/run.sh', text, 'deprecated-option').message).toBeUndefined();
    const kept = mended('/repository/run.sh', text, 'megatron-lm/old-graph-flags-exclusive').after ?? '';
    expect(kept).toBe(script(['--enable-cuda-graph', '--bf16']));
    expect(mended('/repository/run.sh', kept, 'deprecated-option').after).toBe(
      script(['--cuda-graph-impl local', '--bf16']),
    );
  });

  it('is removed from model_config.yaml', () => {
    const fixed = mended(
      '/repository/model_config.yaml',
      'ENV_VARS:\n  CUDA_DEVICE_MAX_CONNECTIONS: 1\nMODEL_ARGS:\n  --num-layers: 12\n  --use-mcore-models: true # core\n  --bf16: true\n',
      'deprecated-option',
    );
    expect(fixed.after).toBe(
      'ENV_VARS:\n  CUDA_DEVICE_MAX_CONNECTIONS: 1\nMODEL_ARGS:\n  --num-layers: 12\n  --bf16: true\n',
    );
  });

  it('is replaced by another one with its value, in both syntaxes', () => {
    const title = 'Write --position-embedding-type rope';
    expect(
      mended(
        '/repository/run.sh',
        script(['--use-rotary-position-embeddings', '--bf16']),
        'deprecated-option',
      ),
    ).toMatchObject({ title, after: script(['--position-embedding-type rope', '--bf16']), left: 0 });
    const yaml = (lines: string): string =>
      `ENV_VARS:\n  A: 1\nMODEL_ARGS:\n  --num-layers: 12\n${lines}  --bf16: true\n`;
    expect(
      mended(
        '/repository/model_config.yaml',
        yaml('  --use-rotary-position-embeddings: true\n'),
        'deprecated-option',
      ),
    ).toMatchObject({ title, after: yaml('  --position-embedding-type: rope\n'), left: 0 });
  });

  it('is removed if its successor is given with the same value', () => {
    const position = (value: string, ...more: readonly string[]): string =>
      script([`--position-embedding-type ${value}`, ...more, '--bf16']);
    const fixed = mended(
      '/repository/run.sh',
      position('rope', '--use-rotary-position-embeddings'),
      'deprecated-option',
    );
    expect(fixed).toMatchObject({
      message:
        '--use-rotary-position-embeddings is deprecated; --position-embedding-type rope, which is given as well, says the same.',
      title: 'Remove --use-rotary-position-embeddings',
      after: position('rope'),
      left: 0,
    });
    const other = position('yarn', '--use-rotary-position-embeddings');
    expect(mended('/repository/run.sh', other, 'deprecated-option').title).toBe(
      'Write --position-embedding-type rope',
    );
  });

  it('is removed, or left as it is, if its new name is given as well', () => {
    const yaml = (...lines: readonly string[]): string =>
      `ENV_VARS:\n  A: 1\nMODEL_ARGS:\n  --num-layers: 12\n${lines.map((line) => `  ${line}\n`).join('')}  --bf16: true\n`;
    const fixed = (...lines: readonly string[]) =>
      mended('/repository/model_config.yaml', yaml(...lines), 'deprecated-option');
    const [now, old] = ['--cuda-graph-modules: attn', '--cuda-graph-scope: attn'];
    for (const lines of [
      [now, old],
      [old, now],
    ])
      expect(fixed(...lines)).toMatchObject({
        message:
          '--cuda-graph-scope is deprecated; --cuda-graph-modules, which is given as well, says the same.',
        title: 'Remove --cuda-graph-scope',
        after: yaml(now),
        left: 0,
      });
    expect(fixed('--cuda-graph-scope: mlp', now).title).toBeUndefined();
  });

  it('is removed from an AReaL configuration, also as a whole section', () => {
    const text = `experiment_name: a
trial_name: b
total_train_epochs: 1
tokenizer_path: \${actor.path}
cluster: {n_nodes: 1, n_gpus_per_node: 8}
rollout:
  backend: sglang:d4
actor:
  path: /models/m
  backend: fsdp:d4
  # how far
  behave_imp_weight_cap: 5.0
  mb_spec: {max_tokens_per_mb: 8192}
`;
    expect(mended('/repository/a.yaml', text, 'removed-option')).toMatchObject({
      title: 'Write actor.rejection_sampling.upper',
      after: text.replace('  behave_imp_weight_cap: 5.0\n', '  rejection_sampling:\n    upper: 5\n'),
      left: 0,
    });
    const off = text.replace('weight_cap: 5.0', 'weight_cap: null');
    expect(mended('/repository/a.yaml', off, 'removed-option').title).toMatch(/^Remove actor/);
    const [launch, file] = ['/repository/run.sh', '/repository/a.yaml'];
    const files = { [file]: text, [launch]: 'python train.py --config a.yaml scheduler.type=local\n' };
    const all = { ...files, '/repository/train.py': 'load_expr_config(args, GRPOConfig)\n' };
    const { findings } = testLinter(loadKnowledge(), memoryHost(all)).lint(launch, files[launch] ?? '');
    const [fix] = findings.find(({ rule }) => rule === 'removed-option')?.fixes ?? [];
    expect(fix?.edits.map(({ path }) => path)).toEqual([file]);
    const advice = findings.map(({ rule }) => rule);
    expect(advice).not.toContain('areal/decoupled-loss-without-rejection-sampling');
    const section = 'launcher:\n  inference_server_cpus_per_gpu: 4\n';
    expect(
      mended('/repository/a.yaml', `${text.replace(/ {2}behave.*\n/, '')}${section}`, 'removed-option'),
    ).toMatchObject({
      title: 'Remove launcher',
      after: text.replace(/ {2}behave.*\n/, ''),
    });
  });

  it('is kept if several indicate an earlier release that has them', () => {
    const fixed = mended(
      '/repository/a.yaml',
      'experiment_name: a\ntrial_name: b\nallocation_mode: sglang.d4+fsdp:d4\ntokenizer_path: /m\ncluster: {n_nodes: 1}\nlauncher:\n  inference_server_cpus_per_gpu: 4\nrollout: {max_concurrent_rollouts: 8}\nactor:\n  path: /m\n  behav_imp_weight_cap: 5.0\n',
      'removed-option',
    );
    expect(fixed.message).toContain('was removed');
    expect(fixed.title).toBeUndefined();
  });

  it('is kept if it indicates an earlier Megatron-LM', () => {
    const text = script(['--bf16', '--retro-project-dir /data/retro']);
    const fixed = mended('/repository/run.sh', text, 'removed-option', noProfile);
    expect(fixed.message).toContain('was removed');
    expect(fixed.title).toBeUndefined();
  });

  it('is removed from the overrides of SkyRL', () => {
    const line = (override: string): string =>
      `python -m skyrl.train.entrypoints.main_base trainer.epochs=1 ${override}generator.n_samples_per_prompt=4\n`;
    expect(
      mended('/repository/run.sh', line('trainer.placement.reward_num_nodes=1 '), 'removed-option'),
    ).toMatchObject({ after: line(''), left: 0 });
  });
});

describe('an added value', () => {
  const text = (load: string): string =>
    [
      'MODELS=${MODELS:-/repository/models}',
      `CKPT_ARGS=(\n   --hf-checkpoint /m\n   --load ${load}\n)`,
      'GRPO_ARGS=(\n   --kl-loss-coef 0.001\n   --kl-loss-type k1\n)',
      'python3 train.py --num-rollout 8 --rollout-batch-size 8 "${CKPT_ARGS[@]}" "${GRPO_ARGS[@]}"\n',
    ].join('\n');

  it.each([
    ['"${MODELS}/a"', '"${MODELS}/a"'],
    ['$MODELS/a', '$MODELS/a'],
    ['/models/a', '/models/a'],
  ])('is written like its source: %s', (load, written) => {
    const { after } = mended('/repository/run.sh', text(load), 'slime/kl-loss-coefficient-without-loss');
    expect(after).toContain(`--ref-load ${written}\n`);
  });

  it('has a line of its own if the line before continues without a space', () => {
    const lines = (...more: readonly string[]): string =>
      [
        'python3 train.py --num-rollout 8 --rollout-batch-size 8 --hf-checkpoint /m --load /x \\',
        ...more,
      ].join('\n');
    const text = lines('    --kl-loss-coef 0.1\\', '    --kl-loss-type k1\n');
    const { after } = mended('/repository/run.sh', text, 'slime/kl-loss-coefficient-without-loss');
    expect(after).toBe(
      lines(
        '    --kl-loss-coef 0.1\\',
        '    --use-kl-loss\\',
        '    --ref-load /x\\',
        '    --kl-loss-type k1\n',
      ),
    );
  });
});
