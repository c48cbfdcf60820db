import { describe, expect, it } from 'vitest';
import { classOf, knowledge, lint, namesIn } from './otherVersionRun.ts';

describe('framework sources in the workspace', () => {
  const check = (line: string, files: { readonly [path: string]: string }): readonly string[] =>
    lint('/repository/run.sh', { ...files, '/repository/run.sh': `${line}\n` });
  const condition = (option: string): string =>
    `        if (\n            self.moe_router_topk == 1\n            and not self.moe_router_pre_softmax\n            and not self.${option}\n        ):\n`;
  const config = '/repository/megatron/core/transformer/transformer_config.py';

  it('may add an option of their own to a check', () => {
    const rule = 'megatron-lm/top-1-needs-pre-softmax';
    const pretraining = (words: string, text: string) =>
      check(
        `torchrun --nproc_per_node 8 pretrain_gpt.py --num-experts 8 --disable-bias-linear --moe-router-topk 1 --bf16 --micro-batch-size 1 --train-iters 10 ${words}`,
        { [config]: text, '/repository/pretrain_gpt.py': 'import megatron\n' },
      ).join();
    expect(pretraining('--moe-own-routing', condition('moe_own_routing'))).not.toContain(rule);
    expect(pretraining('--moe-own-routing', condition('moe_other_routing'))).toContain(rule);
    expect(pretraining('', condition('moe_own_routing'))).toContain(rule);
  });

  it('do not change a check by naming an option beside another in a table', () => {
    const table =
      '        table = {\n            "topk": self.moe_router_topk,\n            "own": self.moe_own_routing,\n        }\n';
    const found = check(
      'torchrun --nproc_per_node 8 pretrain_gpt.py --num-experts 8 --disable-bias-linear --moe-router-topk 1 --bf16 --micro-batch-size 1 --train-iters 10 --moe-own-routing',
      { [config]: table, '/repository/pretrain_gpt.py': 'import megatron\n' },
    );
    expect(found.join()).toContain('megatron-lm/top-1-needs-pre-softmax');
  });

  it('may state a Megatron-LM release before they have all its checks', () => {
    const fused = (text: string) =>
      check(
        'torchrun --nproc_per_node 8 pretrain_gpt.py --bf16 --micro-batch-size 1 --train-iters 10 --cross-entropy-loss-fusion --cross-entropy-fusion-impl te',
        {
          '/repository/pretrain_gpt.py': 'import megatron\n',
          '/repository/megatron/core/package_info.py': 'MAJOR = 0\nMINOR = 18\n',
          '/repository/megatron/training/arguments.py': text,
        },
      );
    const rule = 'error megatron-lm/te-cross-entropy';
    expect(fused('    assert x, "Fusion is disabled due to stability issues."\n')).toContain(rule);
    expect(fused('    assert x\n')).not.toContain(rule);
  });

  it('may predate a check', () => {
    const saved = (text: string) =>
      check('torchrun --nproc_per_node 8 pretrain_vlm.py --num-layers 8', {
        '/repository/pretrain_vlm.py': text,
        '/repository/megatron/training/arguments.py': '',
      }).join();
    const rule = 'megatron-lm/vision-language-checkpoint-format';
    const asserts =
      '    assert args.ckpt_format == \'torch\', "Only ckpt-format torch is supported for VLM training."\n';
    expect(saved(asserts)).toContain(rule);
    expect(saved('import megatron\n')).not.toContain(rule);
  });

  it('may predate the renaming of a CUDA graph module', () => {
    const graphs = (text: string) =>
      check(
        'torchrun --nproc_per_node 8 pretrain_gpt.py --bf16 --micro-batch-size 1 --train-iters 10 --cuda-graph-impl local --cuda-graph-scope full_iteration_inference',
        {
          '/repository/pretrain_gpt.py': 'import megatron\n',
          '/repository/megatron/core/package_info.py': 'MAJOR = 0\nMINOR = 18\n',
          [config]: text,
        },
      ).join();
    const rule = 'megatron-lm/graph-modules-old-names';
    expect(graphs('    get_deprecated_cuda_graph_modules_migration,\n')).toContain(rule);
    expect(graphs('    cuda_graph_scope: str = "full"\n')).not.toContain(rule);
  });

  it('may have commented a check out', () => {
    const shared = (text: string) =>
      check('torchrun --nproc_per_node 6 pretrain_gpt.py --tensor-model-parallel-size 4', {
        '/repository/pretrain_gpt.py': 'import megatron\n',
        '/repository/megatron/training/arguments.py': text,
      }).join();
    const sizes =
      '    assert args.world_size % size == 0, (\n        f"world size ({args.world_size})"\n    )\n';
    expect(shared(sizes)).toContain('megatron-lm/world-size-divides');
    expect(shared(sizes.replace(/^/gm, '    # '))).not.toContain('megatron-lm/world-size-divides');
  });

  it('may start slime’s rollouts without its data set', () => {
    const declared = knowledge
      .knowledgeOf('slime')
      .options.map(({ flags: [flag = ''] = [], default: value }) => {
        const isGiven = typeof value === 'string';
        return `    parser.add_argument("${flag}"${isGiven ? `, default="${value}"` : ''})\n`;
      });
    const others = ['--own-gym', '--other-gym'].map((flag) => `    parser.add_argument("${flag}")\n`);
    const rollouts = (words: string) =>
      check(
        `python3 train.py --hf-checkpoint /m --num-rollout 8 --rollout-batch-size 8 --n-samples-per-prompt 8 --disable-rollout-global-dataset ${words}`,
        {
          '/repository/train.py': 'from slime.utils.arguments import parse_args\n',
          '/repository/slime/utils/arguments.py': [...declared, ...others].join(''),
          '/repository/slime/rollout/sglang_rollout.py':
            '    assert args.rollout_global_dataset or args.own_gym\n',
        },
      ).join();
    const rule = 'slime/rollouts-need-the-global-data-set';
    expect(rollouts('--own-gym')).not.toContain(rule);
    expect(rollouts('--other-gym')).toContain(rule);
  });

  it.each([
    [
      'skyrl/async-loss',
      'skyrl/train/fully_async_trainer.py',
      'examples.train.fully_async.main_fully_async trainer.algorithm.policy_loss_type=regular',
      'assert self.cfg.trainer.algorithm.policy_loss_type == "x"',
    ],
    [
      'skyrl/logger',
      'skyrl/train/utils/tracking.py',
      "skyrl.train.entrypoints.main_base trainer.logger=['console']",
      'def __init__(self, backend: str = "console")',
    ],
  ])('have the check %s if a file has the text that identifies it', (rule, file, words, text) => {
    const fields = namesIn('skyrl', 'skyrl/train/config/config.py');
    const found = (source: string | undefined) =>
      check(`python -m ${words}`, {
        '/repository/skyrl/train/config/config.py': classOf(fields),
        ...(source === undefined ? {} : { [`/repository/${file}`]: `        ${source}\n` }),
      }).join();
    expect(found(text)).toContain(rule);
    expect(found(undefined)).toContain(rule);
    expect(found('self.train()')).not.toContain(rule);
  });

  it('may have mended what a rule is about', () => {
    const bridged = (text: string | undefined) =>
      check(
        'ray job submit -- python3 train.py --actor-num-nodes 1 --actor-num-gpus-per-node 8 --rollout-num-gpus 8 --megatron-to-hf-mode bridge --recompute-granularity full --recompute-method uniform --recompute-num-layers 1',
        {
          '/repository/train.py': 'from slime.utils.arguments import parse_args\n',
          '/repository/slime/utils/arguments.py':
            'parser.add_argument("--megatron-to-hf-mode", choices=["raw", "bridge"], default="raw")\n',
          ...(text === undefined
            ? {}
            : { '/repository/slime/backends/megatron_utils/model_provider.py': text }),
        },
      ).join();
    const rule = 'slime/checkpoint-built-model-keeps-all-activations';
    const provider = '        provider.sequence_parallel = args.sequence_parallel\n';
    expect(bridged(undefined)).toContain(rule);
    expect(bridged(provider)).toContain(rule);
    expect(bridged(`    if args.megatron_to_hf_mode == "bridge":\n${provider}`)).toContain(rule);
    expect(bridged(`${provider}        # provider.recompute_granularity\n`)).toContain(rule);
    expect(
      bridged(`${provider}        provider.recompute_granularity = args.recompute_granularity\n`),
    ).not.toContain(rule);
  });

  it('can be searched for the text that identifies each check', () => {
    for (const framework of ['areal', 'megatron-lm', 'skyrl', 'slime'] as const)
      for (const { id, upstreamHas, upstreamLacks, upstream } of knowledge.knowledgeOf(framework).constraints)
        if ((upstreamHas ?? upstreamLacks) !== undefined)
          expect(upstream.join(), id).toMatch(/^[\w/]+\.py[:,]/);
  });
});
