import { describe, expect, it } from 'vitest';
import { maybeOurs } from '../../../../server/src/recognise.ts';
import { reported } from '../commandRun.ts';

const recipe = (words: string): string =>
  `torchrun --nproc_per_node 8 scripts/training/run_recipe.py --recipe qwen3_8b_pretrain_config ${words}`;
const benchmark = (program: string, words: string): string =>
  `python scripts/performance/${program}.py -m llama -mr llama3_8b -ng 8 -g h100 ${words}`;

describe('a script that starts one of Bridge’s programs', () => {
  it.each([
    'uv run python scripts/performance/setup_experiment.py --account a --gpu gb200 -ng x',
    'uv run python scripts/training/run_recipe.py --recipe qwen3_8b_sft_config --mode sft -mb x',
    'python -m scripts.performance.run_script -m llama -mr llama3_8b',
  ])('is linted: %s', (text) => {
    expect(maybeOurs('shell', text)).toBe(true);
  });
});

describe('flags of the benchmarks', () => {
  it('may be abbreviated if unique among their own', () => {
    for (const flag of ['--gpus 8', '--dry', '--dump'])
      expect(
        reported(benchmark('setup_experiment', flag)).filter((each) => /^(?:ambiguous|unknown)/.test(each)),
      ).toEqual([]);
  });

  // What argparse says about each of these was observed by running it.
  it.each([
    ['-vp None -et -tp 2 --moe_flex_dispatcher_backend None --expert_tensor', []],
    ['--detach yes -vb maybe', ['invalid-value: -vb takes true or false, not maybe.']],
    ['--c4_train_shards 1 2 --dataset_paths /a /b -gh100', []],
    ['--c4_train_shards 1 two', ['invalid-value: --c4_train_shards takes a whole number, not two.']],
    ['-gb 512.0', ['invalid-value: -gb takes a whole number, not 512.0.']],
    ['-gb None', ['invalid-value: -gb takes a whole number, not None.']],
    ['-tp', ['missing-value: -tp needs a value.']],
    ['--domain VLM --task sft --data mock', []],
    [
      '-c fp8_mxx',
      ['invalid-choice: -c does not take fp8_mxx. It takes bf16, fp8_cs, fp8_mx, fp8_sc, nvfp4.'],
    ],
    ['--cuda_graph_impl local --cuda_graph_scope attn,mlp -E A=1,2 -ce A=1,B=2 --profiling_ranks 0,1', []],
    ['-ce A=1,2', ['invalid-value: -ce takes NAME=value, several with commas between them, not A=1,2.']],
    ['-E A-B=1', ['invalid-value: -E takes NAME=value, not A-B=1.']],
    [
      '--profiling_ranks 0,x',
      ['invalid-value: --profiling_ranks takes whole numbers with commas between them, not 0,x.'],
    ],
    ['--deterministic=1', ['unexpected-value: --deterministic takes no value, but 1 follows it.']],
    ['--own_flag 3', ['unknown-option: --own_flag is not an option here.']],
    ['--recipe x', ['unknown-option: --recipe is not an option here. Only the recipe runner has it.']],
    ['--max-steps 3', ['unknown-option: --max-steps is not an option here. Did you mean --max_steps?']],
    ['stray', ['invalid-override: stray is not an override: no “=”.']],
    ['--dryrun 1.5', ['invalid-override: 1.5 is not an override: no “=”.']],
    ['--packed_sequence -gb x', ['invalid-value: -gb takes a whole number, not x.']],
    ['--help', []],
  ])('are checked as argparse does: %s', (words, expected) => {
    expect(reported(benchmark('run_script', words))).toEqual(expected);
  });

  it('may come from a variable before their values', () => {
    const refused = (words: string): readonly string[] =>
      reported(benchmark('setup_experiment', words)).filter((each) => each.startsWith('invalid-override'));
    // A user's own flags end with a blank: `EXTRA="--offline "`.
    expect(refused('$EXTRA-ep 8 --offline')).toEqual([]);
    expect(refused('"$FLAG" 8 9')).toEqual([]);
    expect(refused('$EXTRA --offline 8')).toEqual(['invalid-override: 8 is not an override: no “=”.']);
  });

  it('are reported if required and missing', () => {
    const run = (words: string): string =>
      reported(`python scripts/performance/run_script.py ${words}`).join();
    expect(run('-m llama -mr llama3_8b -ng 8')).toContain('--gpu or -g');
    expect(run('-m llama -mr llama3_8b -ng 8 "$@"')).not.toContain('required-option');
    expect(run('-m llama --model_size 8b -ng 8 -g h100')).not.toContain('required-option');
    expect(run('--model llama3_8b --moe_a2a_overlap true')).not.toContain('required-option');
    expect(run('-h')).not.toContain('required-option');
  });

  it('win over overrides if applied after them', () => {
    const uneven = 'megatron-bridge/global-batch-multiple-of-micro-batch';
    const words = '-gb 16 -mb 2 train.micro_batch_size=3';
    expect(reported(benchmark('run_script', words)).join()).not.toContain(uneven);
    expect(reported(benchmark('run_recipe', words)).join()).toContain(uneven);
    expect(reported(benchmark('setup_experiment', words)).join()).not.toContain(uneven);
    expect(reported(benchmark('setup_experiment', `--use_recipes ${words}`)).join()).toContain(uneven);
  });

  it('determine sequence parallelism', () => {
    const words = '-tp 2 -ep 2 model.num_moe_experts=8 model.sequence_parallel=false';
    const rule = 'experts-with-tensor-parallel-need-sequence-parallel';
    expect(reported(benchmark('run_script', words)).join()).not.toContain(rule);
    expect(reported(benchmark('run_recipe', words)).join()).toContain(rule);
  });
});

describe('a launch of the recipe runner', () => {
  it('gets no batch findings that only follow from parallel sizes that do not fit', () => {
    const uneven = 'megatron-bridge/global-batch-multiple-of-micro-batch';
    const sizes = 'megatron-bridge/model-parallel-size-divides-world-size';
    const launch =
      'torchrun --nproc_per_node 8 scripts/training/run_recipe.py --recipe vanilla_gpt_pretrain_config';
    const tooLarge = reported(
      `${launch} model.tensor_model_parallel_size=16 train.global_batch_size=10 train.micro_batch_size=4`,
    ).join('\n');
    expect(tooLarge).toContain(sizes);
    expect(tooLarge).toContain('A global batch of 10 cannot be split into micro-batches of 4.');
    const uneasy = reported(
      `${launch} model.tensor_model_parallel_size=3 train.global_batch_size=16 train.micro_batch_size=4`,
    ).join('\n');
    expect(uneasy).toContain(sizes);
    expect(uneasy).not.toContain(uneven);
  });
});

describe('common names for options', () => {
  it.each([
    ['model.tensor_parallel=2', 'model.tensor_model_parallel_size'],
    ['model.tensor_parallel_size=2', 'model.tensor_model_parallel_size'],
    ['model.pipeline_parallel=2', 'model.pipeline_model_parallel_size'],
    ['model.num_experts=8', 'model.num_moe_experts'],
    ['train.seq_length=8192', 'dataset.seq_length'],
    ['trainer.max_steps=5', 'train.train_iters'],
  ])('suggest the intended option: %s', (words, meant) => {
    expect(reported(recipe(words)).join('\n')).toContain(`Did you mean ${meant}?`);
  });
});

describe('keys below a section that the recipe leaves empty', () => {
  it.each([
    ['comm_overlap.tp_comm_overlap=true', 'comm_overlap is null in the recipe'],
    ['tensor_inspect.enabled=true', 'the recipe has no section tensor_inspect'],
    ['env_vars.NCCL_DEBUG=INFO', 'write +env_vars.NCCL_DEBUG=…'],
  ])('are refused: %s', (words, reason) => {
    expect(reported(recipe(words)).join('\n')).toContain(reason);
  });

  it.each([
    ['tokenizer.hf_tokenizer_kwargs.use_fast=false', 'write +tokenizer.hf_tokenizer_kwargs.use_fast=…'],
    ["'tokenizer.hf_tokenizer_kwargs={use_fast:false}'", 'write +tokenizer.hf_tokenizer_kwargs={…}'],
    ["'env_vars={NCCL_DEBUG:INFO}'", 'write +env_vars={…}'],
    ['logger.mlflow_tags.team=a', 'logger.mlflow_tags is null in the recipe'],
  ])('are refused in mappings that do not have them: %s', (words, reason) => {
    expect(reported(recipe(words)).join('\n')).toContain(reason);
  });

  it.each([
    "'tokenizer.hf_tokenizer_kwargs={}'",
    '+tokenizer.hf_tokenizer_kwargs.use_fast=false',
    '+tokenizer.hf_tokenizer_kwargs.use_fast=true tokenizer.hf_tokenizer_kwargs.use_fast=false',
    "'logger.mlflow_tags={team:a}'",
    "'logger.mlflow_tags={team:a}' logger.mlflow_tags.team=b",
  ])('are accepted in mappings that have them or have no value: %s', (words) => {
    expect(reported(recipe(words)).join('\n')).not.toContain('invalid-override');
  });

  it('are refused if the data set is of another class', () => {
    const packing = 'dataset.enable_offline_packing=true';
    expect(reported(recipe(packing)).join()).toContain('of a class that has no enable_offline_packing');
    // This includes fields that no rule asks for, and what lies in a field.
    for (const field of [
      'dataset_kwargs={a:1}',
      'offline_packing_specs.packed_sequence_size=8',
      'hf_rewrite=true',
    ])
      expect(reported(recipe(`dataset.${field}`)).join()).toContain('of a class that has no');
    const sft =
      'torchrun --nproc_per_node 8 scripts/training/run_recipe.py --recipe exaone4_1p2b_peft_1gpu_h100_bf16_config';
    for (const words of [packing, 'dataset.offline_packing_specs=null', 'dataset.hf_dataset.subset=a'])
      expect(reported(`${sft} ${words}`).join()).not.toContain('of a class');
    for (const words of ['--dataset squad', '--config-file f.yaml', '+dataset.x=1', 'dataset.num_workers=2'])
      expect(reported(recipe(`${words} ${words.startsWith('dataset') ? '' : packing}`)).join()).not.toContain(
        'of a class',
      );
  });

  it('are accepted if added with +, or if a file may fill them', () => {
    expect(reported(recipe('+env_vars.NCCL_DEBUG=INFO'))).toEqual([]);
    expect(reported(recipe('--config-file f.yaml comm_overlap.tp_comm_overlap=true')).join()).not.toContain(
      'comm_overlap is null',
    );
  });
});

describe('communication overlap of a recipe', () => {
  const next = (words: string): string =>
    `torchrun --nproc_per_node 8 --nnodes 8 scripts/training/run_recipe.py --recipe qwen3_next_80b_a3b_pretrain_64gpu_gb200_fp8mx_config ${words}`;

  it.each([
    ['comm_overlap.delay_wgrad_compute=true', 'model.delay_wgrad_compute needs'],
    // Megatron-LM overlaps unless told not to, so a field that is off, as by Bridge's default, differs from Megatron-LM's default.
    [
      'model.overlap_p2p_comm_warmup_flush=true model.virtual_pipeline_model_parallel_size=null',
      'Overlap in the warm-up and flush',
    ],
  ])('is computed if left open: %s', (words, message) => {
    expect(reported(next(words)).join('\n')).toContain(message);
  });

  it.each([
    'comm_overlap.delay_wgrad_compute=false',
    'model.delay_wgrad_compute=true',
    'model.overlap_p2p_comm_warmup_flush=true',
  ])('causes no finding: %s', (words) => {
    expect(reported(next(words)).join('\n')).not.toMatch(/delay_wgrad_compute|warm-up/);
  });
});

describe('the mode implied by a recipe name', () => {
  const sft = (words: string): string =>
    `torchrun --nproc_per_node 8 scripts/training/run_recipe.py --recipe qwen3_8b_sft_config ${words}`;

  it('determines the expected data and weights', () => {
    expect(reported(sft('--dataset mock')).join('\n')).toContain('--dataset mock is not for --mode sft');
    expect(reported(recipe('--dataset squad')).join('\n')).toContain(
      '--dataset squad is not for --mode pretrain',
    );
    expect(reported(sft('--dataset squad')).join('\n')).toContain('Fine-tuning has no weights to start from');
    expect(reported(sft('--dataset squad checkpoint.pretrained_checkpoint=/m'))).toEqual([]);
  });
});

describe('an empty section in a file', () => {
  it('is reported, as it replaces the recipe’s', () => {
    const file = 'optimizer:\ntrain:\n  micro_batch_size: 1\n';
    expect(reported(recipe('--config-file f.yaml'), { '/repository/f.yaml': file }).join('\n')).toContain(
      'optimizer takes keys below it, not nothing',
    );
  });
});
