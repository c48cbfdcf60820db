import { expect, test } from 'vitest';
import { applyEdits } from '../../../server/src/text/edit.ts';
import { fixed, lint, megatron, skyrl, titles } from '../../support/firstFix.ts';
import { loadKnowledge, testLinter } from '../../support/knowledge.ts';
import { lintFile } from '../../support/lintFile.ts';
import { memoryHost } from '../../support/memoryHost.ts';

const knowledge = loadKnowledge();

test('a key in a map of free keys counts as part of the map', () => {
  const after = fixed(
    'skyrl/prefill-needs-nixl',
    skyrl(
      'trainer.placement.colocate_all=false',
      'generator.inference_engine.num_engines=4',
      'generator.inference_engine.enable_pd=true',
      'generator.inference_engine.num_prefill=2',
    ),
  );
  expect(after?.text).toContain('kv_transfer_config.kv_connector=NixlConnector');
  expect(after?.rules).not.toContain('skyrl/prefill-needs-nixl');
});

const areal = (words: string): string =>
  `python3 -m areal.infra.launcher.local train.py --config grpo.yaml \\\n  ${words}\n`;

test('a key removed with ~ is written after that word, even if it is in another file', () => {
  const grpo = [
    'experiment_name: a\ntrial_name: b\nseed: 1\ntokenizer_path: /m/ours',
    'cluster: {n_nodes: 1, n_gpus_per_node: 8}',
    'rollout: {backend: "sglang:d4"}',
    'actor: {backend: "fsdp:d4", path: /m/ours}',
    'sglang: {random_seed: 1}\n',
  ].join('\n');
  const words = 'ARGS="~sglang.random_seed scheduler.type=local"\n';
  const files = {
    '/w/run.sh': `. ./args.sh\n${areal('+allocation_mode=sglang:d4+fsdp:d4 $ARGS')}`,
    '/w/args.sh': words,
    '/w/grpo.yaml': grpo,
  };
  const { findings } = testLinter(knowledge, memoryHost(files, '/w')).lint('/w/run.sh', files['/w/run.sh']);
  const [fix] = findings.find(({ rule }) => rule === 'areal/spmd-sglang-seed-not-written')?.fixes ?? [];
  expect(fix?.edits.map(({ path }) => path)).toEqual(['/w/args.sh']);
  expect(applyEdits(words, fix?.edits ?? [])).toBe(
    'ARGS="~sglang.random_seed ++sglang.random_seed=1 scheduler.type=local"\n',
  );
});

test('a section made only by overrides in a list of words is no key of the file that holds them', () => {
  const pod = [
    'kind: Pod\nspec:\n  containers:\n  - image: i\n    command:',
    '    - python3\n    - train.py\n    - --config\n    - grpo.yaml',
    '    - +critic.backend=fsdp:d4\n    - +critic.path=/m/ours\n',
  ].join('\n');
  const grpo = [
    'experiment_name: a\ntrial_name: b\ncluster: {n_nodes: 1, n_gpus_per_node: 8}',
    'actor: {backend: "fsdp:d4", path: /m/ours, gradient_checkpointing: true}',
    'rollout: {backend: "sglang:d4"}\n',
  ].join('\n');
  const files = { '/w/pod.yaml': pod, '/w/grpo.yaml': grpo };
  const { findings } = testLinter(knowledge, memoryHost(files, '/w')).lint('/w/pod.yaml', pod);
  const [fix] = findings.find(({ rule }) => rule === 'areal/critic-without-checkpointing')?.fixes ?? [];
  expect(applyEdits(pod, fix?.edits ?? [])).toContain(
    '- +critic.path=/m/ours\n    - "++critic.gradient_checkpointing=true"\n',
  );
});

test('two launches that share a variable are fixed together', () => {
  const launch = [
    'torchrun --nproc_per_node 8 --nnodes 1 pretrain_gpt.py --num-layers 8 --hidden-size 512 --num-attention-heads 8',
    '--seq-length 512 --max-position-embeddings 512 --micro-batch-size 1 --train-iters 5 --lr 1e-4 --mock-data',
    '--context-parallel-size $C --transformer-impl local\n',
  ].join(' ');
  const text = `C=2\n${launch}${launch}`;
  const after = fixed('megatron-lm/context-parallel-needs-transformer-engine', text);
  expect(after?.text).not.toContain('--transformer-impl');
  expect(after?.rules).not.toContain('megatron-lm/context-parallel-needs-transformer-engine');
});

test('null is written if an unset key has a default', () => {
  const after = fixed(
    'skyrl/template-with-logprobs',
    skyrl('generator.batched=false', 'generator.chat_template.name_or_path=qwen3_with_thinking'),
  );
  expect(after?.text).toContain('generator.sampling_params.logprobs=null');
  expect(after?.rules).not.toContain('skyrl/template-with-logprobs');
});

test('a map in an override reads back as a map', () => {
  const after = fixed(
    'skyrl/rope-parameters-differ',
    skyrl(
      "'generator.inference_engine.engine_init_kwargs.hf_overrides.rope_parameters={rope_type: yarn, factor: 8}'",
    ),
  );
  expect(after?.text).toContain(
    "'trainer.policy.model_config_kwargs.rope_parameters={rope_type: yarn,factor: 8}'",
  );
  expect(after?.rules).toEqual([]);
});

test('a program that takes its settings as one JSON text gets no override', () => {
  const text = 'uv run --extra tinker -m skyrl.tinker.api --base-model Qwen/Qwen3-8B --backend fsdp\n';
  expect(lint(text).map(({ rule }) => rule)).toContain('skyrl/tinker-memory-fraction');
  expect(fixed('skyrl/tinker-memory-fraction', text)).toBeUndefined();
});

test.each([
  ['an array', 'ARGS=(\n  KEY # why\n)\nCOMMAND "${ARGS[@]}"\n'],
  ['an array with a variable in the value', 'ARGS=(\n  KEY"$FLAG" # why\n)\nCOMMAND "${ARGS[@]}"\n'],
  ['a variable', 'ARGS="KEY"\nCOMMAND $ARGS\n'],
  ['the command', 'COMMAND KEY\n'],
])('a key in %s is reported and corrected where it is written', (_, script) => {
  const text = script
    .replace('COMMAND', 'python -m skyrl.train.entrypoints.main_base trainer.logger=console')
    .replace('KEY"', 'trainer.placement.colocat_all="')
    .replace('KEY', 'trainer.placement.colocat_all=true');
  const [finding] = lint(text).filter(({ rule }) => rule === 'unknown-option');
  const { start, end } = finding?.place.span ?? { start: 0, end: 0 };
  expect(text.slice(start, end)).toBe('trainer.placement.colocat_all');
  expect(fixed('unknown-option', text)?.text).toBe(text.replace('colocat_all', 'colocate_all'));
});

test('a key composed of parts is reported, and nothing is replaced', () => {
  const text =
    'P=colocat\npython -m skyrl.train.entrypoints.main_base trainer.logger=console trainer.placement.${P}_all=true\n';
  expect(lint(text).map(({ rule }) => rule)).toContain('unknown-option');
  expect(fixed('unknown-option', text)).toBeUndefined();
});

test.each([
  [
    'model.recompute_modules="core_attn,moe_act"',
    'invalid-override',
    'model.recompute_modules="[core_attn,moe_act]"',
  ],
  ['logger.wandb_exp_name=run,1', 'invalid-override', `logger.wandb_exp_name='"run,1"'`],
  ['ddp.grad_reduce_in_fp32=False,', 'invalid-override', 'ddp.grad_reduce_in_fp32=false'],
  [
    'model.recompute_modules=[core_attn, \\\n moe_act]',
    'invalid-override',
    'model.recompute_modules=[core_attn,moe_act]',
  ],
  ['train.train_iters=1 +train.train_iters=1', 'override-key-exists', '++train.train_iters=1'],
  ['--train.train_iters=1', 'unknown-option', ' train.train_iters=1'],
  ['model.recompute_granularity=ful', 'invalid-choice', 'model.recompute_granularity=full'],
])('a word that Bridge refuses is written as intended: %s', (word, rule, meant) => {
  const recipe = 'torchrun --nproc_per_node 8 scripts/training/run_recipe.py --recipe my_sft_config';
  const after = fixed(rule, `${recipe} ${word}\n`);
  expect(after?.text).toContain(meant);
  expect(after?.rules).not.toContain(rule);
});

test('a loop value changes in the loop’s list, and stays if the list is computed', () => {
  const loop = (list: string): string =>
    `for GBS in ${list}; do\n  torchrun --nproc_per_node 8 pretrain_gpt.py --micro-batch-size 1 --global-batch-size $GBS\ndone\n`;
  const rule = 'megatron-lm/global-batch-size-divides';
  const after = fixed(rule, loop('8 12 24'));
  expect(after?.text).toBe(loop('8 16 24'));
  expect(after?.rules).not.toContain(rule);
  expect(fixed(rule, loop('8 "12"'))?.text).toBe(loop('8 "16"'));
  expect(lint(loop('{11..12}')).map((finding) => finding.rule)).toContain(rule);
  expect(fixed(rule, loop('{11..12}'))).toBeUndefined();
});

test('a fix that another rule would refuse is not offered if another fix works', () => {
  const rule = 'megatron-lm/mxfp8-buffer-needs-fp8-parameters';
  const buffer = ['--reuse-grad-buf-for-mxfp8-param-ag', '--use-distributed-optimizer'];
  expect(titles(rule, megatron(...buffer, '--fp8-format e4m3', '--fp8-recipe mxfp8'))).toHaveLength(2);
  expect(titles(rule, megatron(...buffer))).toEqual(['Remove --reuse-grad-buf-for-mxfp8-param-ag']);
});

test('a fix that affects another path to the same command is not offered if that is then refused', () => {
  const rule = 'megatron-lm/layers-divide-stages';
  const script = (odd: string, even: string, stages: string): string =>
    [
      'SIZE="${1:?}"',
      'case "$SIZE" in',
      `  odd) ${odd} ;;`,
      `  *) ${even} ;;`,
      'esac',
      'torchrun --nproc_per_node 8 pretrain_gpt.py --hidden-size 512 --num-attention-heads 8 \\',
      `  $MODEL --pipeline-model-parallel-size ${stages} --micro-batch-size 1\n`,
    ].join('\n');
  const [nine, eight] = ['MODEL="--num-layers 9"', 'MODEL="--num-layers 8"'];
  const virtual = 'MODEL="--num-layers 8 --num-layers-per-virtual-pipeline-stage 1"';
  expect(titles(rule, script(nine, virtual, '4'))).toEqual([]);
  expect(titles(rule, script(nine, eight, '4'))).toEqual(['Use one pipeline stage']);
  const own = script(`${nine}; STAGES=4`, `${virtual}; STAGES=4`, '$STAGES');
  expect(fixed(rule, own)?.text).toBe(own.replace('STAGES=4', 'STAGES=1'));
});

test('using one pipeline stage removes the virtual stages, too', () => {
  const rule = 'megatron-lm/cpu-offload-needs-one-stage';
  const stages = ['--pipeline-model-parallel-size 2', '--num-virtual-stages-per-pipeline-rank 2'];
  const after = fixed(rule, megatron('--cpu-offloading-num-layers 2', ...stages), 'Use one pipeline stage');
  expect(after?.text).toBe(megatron('--cpu-offloading-num-layers 2', '--pipeline-model-parallel-size 1'));
  expect(after?.rules).not.toContain('megatron-lm/interleaving-needs-two-stages');
});

test('a misspelt option is not added again', () => {
  const text = 'torchrun --nproc_per_node 8 pretrain_gpt.py --micr-obatch-size 1 --global-batch-size 8\n';
  expect(titles('unknown-option', text)).toEqual(['Write --micro-batch-size']);
  expect(titles('megatron-lm/micro-batch-size-required', text)).toEqual([]);
});

test('an evaluation batch that does not divide follows training again', () => {
  const rule = 'megatron-lm/global-batch-size-divides';
  const sizes = ['--micro-batch-size 1', '--global-batch-size 16'];
  const after = fixed(rule, megatron(...sizes, '--eval-global-batch-size 12'));
  expect(after?.text).toBe(megatron(...sizes));
});

test('several new options appear in the order in which they are listed', () => {
  const after = fixed(
    'megatron-lm/checkpoint-activations-removed',
    megatron('--checkpoint-activations', '--bf16'),
  );
  const settings = ['--recompute-granularity full', '--recompute-method uniform', '--recompute-num-layers 1'];
  expect(after?.text).toBe(megatron(...settings, '--bf16'));
});

test.each([
  ['skyrl/logger', skyrl(`trainer.logger="['console','swanlab']"`), 'Log to swanlab'],
  [
    'skyrl/mini-batch-not-divisible-by-micro-batch',
    skyrl(
      'trainer.train_batch_size=16',
      'trainer.policy_mini_batch_size=4',
      'generator.n_samples_per_prompt=5',
      'trainer.placement.policy_num_gpus_per_node=4',
      'trainer.micro_train_batch_size_per_gpu=8',
    ),
    'Use micro-batches of 5',
  ],
  [
    'skyrl/cispo-corrected-twice',
    skyrl(
      'trainer.algorithm.policy_loss_type=cispo',
      'trainer.algorithm.cispo.cispo_anchor=rollout',
      'trainer.algorithm.use_tis=true',
    ),
    'Turn the ratio off',
  ],
  [
    'megatron-lm/rl-intervals-divide',
    megatron(
      '--perform-rl-step --grpo-prompts-per-step 16 --grpo-group-size 4 --global-batch-size 16',
      '--save /x --save-interval 6',
    ).replace('pretrain_gpt', 'train_rl'),
    'Round the intervals up to multiples of 8',
  ],
])('the nearest value that %s allows is offered first', (rule, text, title) => {
  expect(titles(rule, text)[0]).toBe(title);
  expect(fixed(rule, text)?.rules).not.toContain(rule);
});

test('a default is written out if the key is required', () => {
  const after = fixed(
    'megatron-lm/grouped-attention-without-groups',
    'torchrun --nproc_per_node 8 pretrain_gpt.py \\\n  --num-layers 4 \\\n  --hidden-size 512 \\\n  --num-attention-heads 4 \\\n  --group-query-attention\n',
  );
  expect(after?.text).toContain('--num-query-groups 1');
  expect(after?.rules).not.toContain('megatron-lm/grouped-attention-without-groups');
});

test('sizes that do not fit even individually give way to tensor parallelism', () => {
  const after = fixed(
    'megatron-lm/world-size-divides',
    'torchrun --nproc_per_node 2 pretrain_gpt.py \\\n  --num-layers 16 \\\n  --tensor-model-parallel-size 4 \\\n  --pipeline-model-parallel-size 4 \\\n  --num-layers-per-virtual-pipeline-stage 2 \\\n  --bf16\n',
  );
  expect(after?.text).toContain('--tensor-model-parallel-size 2 \\\n  --bf16');
  expect(after?.rules).not.toContain('megatron-lm/world-size-divides');
});

test('a copy that the program makes of a setting follows the fix of the setting', () => {
  const after = fixed(
    'megatron-bridge/sequence-length-multiple-of-twice-context-parallel',
    'torchrun --nproc_per_node 8 scripts/training/run_recipe.py --recipe my_recipe_config --mode pretrain \\\n  model.context_parallel_size=4 \\\n  dataset.seq_length=4100\n',
  );
  expect(after?.text).toContain('dataset.seq_length=4104');
  expect(after?.rules).not.toContain('megatron-bridge/sequence-length-multiple-of-twice-context-parallel');
});

test('old names of graphs are not reported as without effect: they are translated', () => {
  const rules = lint(
    'torchrun --nproc_per_node 8 scripts/training/run_recipe.py --recipe qwen2_500m_pretrain_config --mode pretrain \\\n  model.cuda_graph_modules=[full_iteration]\n',
  ).map(({ rule }) => rule);
  expect(rules).toContain('megatron-lm/graph-modules-old-names');
  expect(rules).not.toContain('megatron-lm/graph-modules-without-implementation');
});

test('overlapping experts is offered only if they are split over ranks', () => {
  const titles = lint(
    'torchrun --nproc_per_node 8 scripts/training/run_recipe.py --recipe qwen3_8b_pretrain_config --mode pretrain \\\n  model.delay_wgrad_compute=true\n',
  )
    .filter(({ rule }) => rule === 'megatron-lm/delayed-weight-gradient-needs-overlap')
    .flatMap(({ fixes }) => fixes.map(({ title }) => title));
  expect(titles).toEqual(['Remove model.delay_wgrad_compute']);
});

const bridge = (...words: readonly string[]): string =>
  [
    'torchrun --nproc_per_node 2 scripts/training/run_recipe.py',
    '--recipe nemotronh_4b_pretrain_config',
    ...words,
  ]
    .join(' \\\n  ')
    .concat('\n');

test('a fix of Bridge that Megatron-core would refuse is not offered if another fix works, nor the reverse', () => {
  const switched = 'megatron-bridge/cpu-offloading-switch-missing';
  const layers = 'model.cpu_offloading_num_layers=4';
  expect(titles(switched, bridge(layers))).toContain('Turn offloading on');
  expect(titles(switched, bridge(layers, 'model.recompute_granularity=selective'))).toEqual([
    'Remove model.cpu_offloading_num_layers',
  ]);
  const modules = 'megatron-lm/graph-modules-without-implementation';
  expect(titles(modules, bridge('model.cuda_graph_modules=[attn]'))).not.toContain(
    'Capture with Transformer Engine',
  );
});

test('a fix of slime that Megatron-LM would refuse is not offered if another fix works', () => {
  const text = (batch: number): string =>
    `${[
      'python3 train.py --num-layers 24 --micro-batch-size 1 --actor-num-nodes 1 --actor-num-gpus-per-node 8',
      '--rollout-batch-size 32 --n-samples-per-prompt 8 --num-steps-per-rollout 2 --num-rollout 10',
      `--global-batch-size ${batch}`,
    ].join(' \\\n  ')}\n`;
  const rule = 'slime/num-steps-and-global-batch-disagree';
  expect(titles(rule, text(64))).toEqual(['Let the number of steps decide', 'Let the global batch decide']);
  expect(titles(rule, text(100))).toEqual(['Let the number of steps decide']);
});

test('a null value is changed in place, although no rule counts it as given', () => {
  const text = bridge('model.recompute_method=uniform', 'model.recompute_num_layers=null');
  const after = fixed('megatron-lm/recompute-options-without-granularity', text);
  expect(after?.text).toBe(
    bridge(
      'model.recompute_method=uniform',
      'model.recompute_granularity=full',
      'model.recompute_num_layers=1',
    ),
  );
  expect(after?.rules).not.toContain('duplicate-option');
});

test.each([
  ['skyrl/no-samples-for-a-gpu', [], 'Use mini-batches of 8 prompts'],
  [
    'skyrl/arctic-mini-batch-fills-ranks',
    ['trainer.override_entrypoint=integrations.arctic_rl.entrypoint', 'trainer.policy_mini_batch_size=9'],
    'Use mini-batches of 16 prompts',
  ],
])(
  'mini-batches required by %s are whole micro-batches on each rank, and divide the batch',
  (rule, words, title) => {
    const text = skyrl(
      'trainer.placement.colocate_all=false',
      'trainer.placement.policy_num_gpus_per_node=4',
      'trainer.train_batch_size=18',
      'trainer.policy_mini_batch_size=1',
      'trainer.micro_train_batch_size_per_gpu=4',
      'generator.n_samples_per_prompt=2',
      ...words,
    );
    expect(titles(rule, text)).toEqual([title]);
    const { rules } = fixed(rule, text) ?? { rules: [rule] };
    expect(rules.filter((each) => each.includes('batch') || each === rule)).toEqual([]);
  },
);

test('a fraction is not offered as a size, and is rounded down if a divisor is offered', () => {
  const rule = 'skyrl/mini-batch-above-batch';
  const larger = 'Use batches of 256 prompts';
  expect(titles(rule, skyrl('trainer.train_batch_size=12'))).toEqual([
    'Use one mini-batch of 12 prompts',
    larger,
  ]);
  expect(titles(rule, skyrl('trainer.train_batch_size=12.5'))).toEqual([larger]);
  const micro = 'skyrl/mini-batch-not-divisible-by-micro-batch';
  const sizes = ['trainer.placement.policy_num_gpus_per_node=4', 'generator.n_samples_per_prompt=5'];
  expect(titles(micro, skyrl(...sizes, 'trainer.micro_train_batch_size_per_gpu=12.5'))).toEqual([
    'Use micro-batches of 4',
  ]);
});

test('a file other than the one a finding is shown in is named, once', () => {
  const path = '/repository/run.sh';
  const text =
    'source "$(dirname "${BASH_SOURCE[0]}")/model.sh"\ntorchrun --nproc_per_node 3 pretrain_gpt.py --tensor-model-parallel-size 3 --micro-batch-size 1 "${MODEL[@]}"\n';
  const model = '/repository/model.sh';
  const shape =
    '--num-layers 4 --hidden-size 64 --num-attention-heads 32 --max-position-embeddings 8 --seq-length 8';
  const { findings } = lintFile(path, text, { [model]: `MODEL=(${shape})\n` });
  const found = findings.find(({ rule }) => rule === 'megatron-lm/heads-divide-tensor-parallel');
  expect(found?.place.path).toBe(model);
  const elsewhere = found?.fixes.filter(({ edits }) => edits.every((edit) => edit.path === path)) ?? [];
  expect(elsewhere.length).toBeGreaterThan(0);
  for (const { title } of elsewhere) expect(title).toMatch(/^[^()]+ \(in run\.sh\)$/);
});

test('nothing else is offered with the correction of a misspelt name', () => {
  const budget = (flag: string): readonly string[] | undefined =>
    lintFile(
      '/repository/run.sh',
      `python3 train.py --use-dynamic-batch-size ${flag} --rollout-batch-size 8 --sglang-mem-fraction-static 0.7\n`,
    )
      .findings.find(({ rule }) => rule === 'slime/dynamic-batch-needs-token-budget')
      ?.fixes.map(({ title }) => title);
  expect(budget('--max-token-per-gpu 9216')).toEqual([]);
  expect(budget('')?.length).toBeGreaterThan(0);
});

test('settings that no GPU can hold are not offered', () => {
  const offered = (hidden: number, gpus: number, before = ''): readonly string[] => {
    const words = `--num-layers 96 --hidden-size ${hidden} --num-attention-heads 96 --seq-length 2048 --max-position-embeddings 2048`;
    const sizes =
      '--tensor-model-parallel-size 8 --pipeline-model-parallel-size 16 --micro-batch-size 1 --global-batch-size 64';
    const rest =
      '--lr 1e-4 --train-iters 10 --mock-data --bf16 --eval-iters 0 --tokenizer-type NullTokenizer --vocab-size 50257';
    const text = `${before}torchrun --nproc_per_node ${gpus} pretrain_gpt.py ${words} ${sizes} ${rest}\n`;
    const { findings } = lintFile('/repository/run.sh', text);
    const finding = findings.find(({ rule }) => rule === 'megatron-lm/world-size-divides');
    expect(finding?.severity).toBe('error');
    return finding?.fixes.map(({ title }) => title) ?? [];
  };
  const alone = 'Use tensor parallelism of 8 alone';
  // 175B takes 324 GiB on each of 8 GPUs, and a tenth of it 22 GiB.
  expect(offered(12288, 8)).toEqual([]);
  expect(offered(3072, 8)).toEqual(['Lower --pipeline-model-parallel-size to 1', alone]);
  // 81 GiB are too much for some GPUs.
  expect(offered(6144, 8)).toEqual(['Lower --pipeline-model-parallel-size to 1', alone]);
  expect(offered(6144, 8, '#SBATCH --gres=gpu:a100:8\n')).toEqual([]);
});

test('an option that is in a launch too often is not removed by a fix', () => {
  const offered = (times: number): readonly string[] => {
    const text = `torchrun pretrain_gpt.py --num-layers 24 \\\n${'  --moe-layer-freq 1 \\\n'.repeat(times)}  --hidden-size 64\n`;
    const { findings } = lintFile('/repository/run.sh', text);
    const found = findings.filter(({ rule }) => rule === 'megatron-lm/expert-options-without-experts');
    expect(found.length).toBe(1);
    return found.flatMap(({ fixes }) => fixes.map(({ title }) => title));
  };
  expect(offered(40)).toEqual(offered(1));
  expect(offered(40).length).toBeGreaterThan(0);
  for (const times of [60, 5000]) expect(offered(times)).toEqual([]);
});
