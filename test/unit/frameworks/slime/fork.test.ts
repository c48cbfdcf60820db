import { describe, expect, it } from 'vitest';
import { megatronLm } from '../../../../server/src/frameworks/megatron-lm/framework.ts';
import { slime } from '../../../../server/src/frameworks/slime/framework.ts';
import { bound, effective, found, problems, recognised } from '../trainerRun.ts';

/** Declarations of the flags by which slime is recognised, and further ones. */
const declaring = (...further: readonly string[]): string =>
  [
    'actor-num-nodes',
    'actor-num-gpus-per-node',
    'rollout-num-gpus',
    'rollout-num-gpus-per-engine',
    'rollout-batch-size',
    'n-samples-per-prompt',
    'num-rollout',
    'debug-rollout-only',
  ]
    .map((flag) => `parser.add_argument("--${flag}", type=int)\n`)
    .concat(further)
    .join('');

const train = 'from brook.utils.arguments import parse_args\n';
const line = (extra: string, script = 'train.py'): string =>
  `ray job submit -- python3 ${script} --actor-num-nodes 1 --actor-num-gpus-per-node 8 --rollout-num-gpus 8 ${extra}`;

/** A workspace with a fork of slime named `brook`. */
const fork = (checks: string, ...further: readonly string[]) => ({
  '/w/train.py': train,
  '/w/train_async.py': train,
  '/w/brook/utils/arguments.py': `${declaring(...further)}${checks}`,
});

const reported = (extra: string, files: { readonly [path: string]: string }, script?: string) =>
  found(bound(slime, line(extra, script), { files })).filter((finding) =>
    finding.startsWith('warning slime'),
  );

describe('a slime fork under another name', () => {
  it('is recognised by the package whose arguments its program reads', () => {
    expect(recognised(slime, line(''), fork(''))).toBe(
      'runs train.py through ray job submit; brook descends from slime: brook/utils/arguments.py declares its options',
    );
    expect(
      recognised(slime, line('', 'train_policies.py'), { ...fork(''), '/w/train_policies.py': train }),
    ).toContain('brook descends from slime');
    expect(recognised(slime, line('', '/root/brook/train.py'), fork(''))).toContain(
      'brook descends from slime',
    );
    expect(recognised(megatronLm, line('--tensor-model-parallel-size 2'), fork(''))).toBeUndefined();
  });

  it('is not a package that declares only some of the flags', () => {
    const few = {
      '/w/train.py': train,
      '/w/brook/utils/arguments.py': '"--rollout-batch-size" "--num-rollout"',
    };
    expect(recognised(slime, line(''), few)).toBeUndefined();
  });

  it('gets findings for what its own sources refuse, and only that', () => {
    const check = 'if args.balance_by_flops:\n    assert args.use_dynamic_batch_size\n';
    const own = 'parser.add_argument("--balance-by-flops", action="store_true")\n';
    expect(reported('--balance-by-flops', fork(check, own))).toEqual([
      'warning slime/balance-by-flops-needs-dynamic-batch',
    ]);
    expect(reported('--balance-by-flops', fork('', own))).toEqual([]);
    expect(reported('--balance-by-flops', fork('print(args.balance_by_flops)\n', own))).toEqual([]);
  });

  it('gets no findings on options of an engine that it lacks', () => {
    const rule = 'info slime/memory-fraction-missing-for-colocation';
    const all = (files: { readonly [path: string]: string }) =>
      found(bound(slime, line('--colocate'), { files }));
    expect(all(fork('from brook.sglang_arguments import sglang_parse_args\n'))).toContain(rule);
    expect(all(fork('from brook.vllm_arguments import vllm_parse_args\n'))).not.toContain(rule);
  });

  it('gets no findings on limits of an engine that it lacks', () => {
    const rule = 'warning slime/fp8-experts-cut-within-a-block';
    const experts = `--num-experts 128 --moe-ffn-hidden-size 768 --hf-checkpoint /models/Qwen3-30B-A3B-FP8`;
    const rules = (checks: string) => reported(`${experts} --rollout-num-gpus-per-engine 8`, fork(checks));
    expect(rules('from brook.sglang_arguments import sglang_parse_args\n')).toContain(rule);
    expect(rules('from brook.vllm_arguments import vllm_parse_args\n')).not.toContain(rule);
  });

  it('gets no findings on a variable that its own sources do not read', () => {
    const rule = 'info slime/expandable-segments-are-removed-for-engines';
    const rules = (actor: string) =>
      found(
        bound(slime, line('--colocate').replace('ray job submit -- ', ''), {
          env: { PYTORCH_CUDA_ALLOC_CONF: 'expandable_segments:True' },
          files: { ...fork('from brook.sglang_arguments import x\n'), '/w/brook/ray/train_actor.py': actor },
        }),
      );
    expect(rules('os.environ["PYTORCH_CUDA_ALLOC_CONF"] = "expandable_segments:True"\n')).toContain(rule);
    expect(rules('import torch\n')).not.toContain(rule);
  });

  it('gets findings for what its own program refuses', () => {
    const refusing = { ...fork(''), '/w/train_async.py': `${train}assert not args.colocate\n` };
    const rule = 'warning slime/colocate-with-asynchronous-training';
    expect(reported('--colocate', refusing, 'train_async.py')).toContain(rule);
    expect(reported('--colocate', fork(''), 'train_async.py')).not.toContain(rule);
  });

  it('has the defaults that it declares', () => {
    const other = 'parser.add_argument("--num-gpus-per-node", type=int, default=4)\n';
    const same = 'parser.add_argument("--num-gpus-per-node", type=int, default=8)\n';
    expect(effective(bound(slime, line(''), { files: fork('', other) }), 'num_gpus_per_node')).toBe('?');
    expect(effective(bound(slime, line(''), { files: fork('', same) }), 'num_gpus_per_node')).toBe(8);
    const switched = 'parser.add_argument("--balance-data", action="store_true", default=True)\n';
    expect(effective(bound(slime, line(''), { files: fork('', switched) }), 'balance_data')).toBe('?');
  });

  it('may declare its own flags anywhere', () => {
    const files = { ...fork(''), '/w/brook/rollout/tree.py': 'register("rollout_max_respons_len")\n' };
    expect(problems(bound(slime, line('--tree-width 4 --rollout-max-respons-len 100'), { files }))).toEqual(
      [],
    );
    expect(problems(bound(slime, line('--rollout-max-respons-len 100'), { files: fork('') }))).toEqual([
      'warning unknown-option --rollout-max-respons-len Did you mean --rollout-max-response-len?',
    ]);
  });

  it('may lack some slime options', () => {
    const lacking = bound(slime, line('--balance-by-flops --record-memory-history'), { files: fork('') });
    expect(problems(lacking)).toEqual([
      'warning unknown-option --balance-by-flops slime has it, and brook does not.',
    ]);
  });

  it('may lack what a Megatron-LM patch adds if its own patch does not add it', () => {
    const patched = (patch: string) => ({
      ...fork(''),
      '/w/docker/patch/latest/megatron.patch': `+    group.add_argument('--${patch}', action='store_true')\n`,
    });
    const of = (files: { readonly [path: string]: string }) =>
      problems(bound(slime, line('--use-gated-attention'), { files }));
    expect(of(patched('use-gated-attention'))).toEqual([]);
    expect(of(fork(''))).toEqual([]);
    expect(of(patched('post-mlp-layernorm'))).toEqual([
      'warning unknown-option --use-gated-attention slime has it, and brook does not.',
    ]);
  });

  it('reads flags as it declares them', () => {
    const same = 'parser.add_argument("--num-gpus-per-node", type=int)\n';
    const other = 'parser.add_argument("--num-gpus-per-node", type=str)\n';
    const given = (own: string) =>
      problems(bound(slime, line('--num-gpus-per-node all'), { files: fork('', own) }));
    expect(given(same)).toEqual(['warning invalid-value --num-gpus-per-node']);
    expect(given(other)).toEqual([]);
  });
});

describe('a fork that keeps the name', () => {
  it('has the defaults that it declares', () => {
    const files = {
      '/w/train.py': 'from slime.utils.arguments import parse_args\n',
      '/w/slime/utils/arguments.py': declaring('parser.add_argument("--num-gpus-per-node", default=4)\n'),
    };
    expect(effective(bound(slime, line(''), { files }), 'num_gpus_per_node')).toBe('?');
  });
});
