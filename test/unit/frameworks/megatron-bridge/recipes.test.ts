import { describe, expect, it } from 'vitest';
import { positionsIn } from '../../../../server/src/frameworks/positions.ts';
import { noProfile } from '../../../../server/src/value/machine.ts';
import { bound, effective, findingsOf, found, knowledgeOf } from '../../../support/bridge.ts';
import { lintFile } from '../../../support/lintFile.ts';

const launch = (recipe: string, rest = '', gpus = 8): string =>
  `torchrun --nproc_per_node ${gpus} scripts/training/run_recipe.py --recipe ${recipe} ${rest}`;
const llama = 'llama3_70b_pretrain_config';

/** What recipes.json says about one setting of a recipe. */
function listed(recipe: string, name: string): unknown {
  const { recipes } = knowledgeOf('megatron-bridge');
  const set = recipes?.sets[recipes.recipes[recipe] ?? -1] ?? '';
  return positionsIn(set)
    .map((at) => recipes?.settings[at])
    .find((pair) => pair?.[0] === name)?.[1];
}

describe('what a recipe sets', () => {
  it('is effective, as are the defaults of what it leaves alone', () => {
    const run = bound(launch(llama));
    expect(listed(llama, 'model.pipeline_model_parallel_size')).toBeGreaterThan(1);
    expect(effective(run, 'model.pipeline_model_parallel_size')).toBe(
      listed(llama, 'model.pipeline_model_parallel_size'),
    );
    expect(effective(run, 'optimizer.use_precision_aware_optimizer')).toBe(false);
    expect(effective(run, 'model.num_layers')).toBe(80);
  });

  it('has no hybrid layers unless it lists them', () => {
    const rules = (line: string) => lintFile('/w/run.sh', `${line}\n`).findings.map(({ rule }) => rule);
    const told = 'megatron-lm/query-groups-divide-heads';
    expect(effective(bound(launch(llama)), 'model.hybrid_layer_pattern')).toBe(null);
    expect(rules(launch(llama, 'model.num_query_groups=3'))).toContain(told);
    const hybrid = 'nemotronh_4b_pretrain_config';
    expect(effective(bound(launch(hybrid)), 'model.hybrid_layer_pattern')).toBe(
      listed(hybrid, 'model.hybrid_layer_pattern'),
    );
    expect(effective(bound(launch('my_70b_pretrain_config')), 'model.hybrid_layer_pattern')).toBe('?');
  });

  it('is unknown for another release', () => {
    const name = 'model.pipeline_model_parallel_size';
    const machine = { ...noProfile, versions: { 'megatron-bridge': '0.5.0' } };
    expect(effective(bound(launch(llama), { machine }), name)).toBe('?');
    const files = { '/w/src/megatron/bridge/package_info.py': 'MAJOR = 0\nMINOR = 5\nPATCH = 0\n' };
    expect(effective(bound(launch(llama), { files }), name)).toBe('?');
  });

  it('is overridden by what the user gives', () => {
    const run = bound(launch(llama, 'model.pipeline_model_parallel_size=1 train.micro_batch_size=2'));
    expect(effective(run, 'model.pipeline_model_parallel_size')).toBe(1);
    expect(effective(run, 'train.micro_batch_size')).toBe(2);
    expect(effective(run, 'train.global_batch_size')).toBe(listed(llama, 'train.global_batch_size'));
  });

  it('is also found by model and mode', () => {
    const run = bound('torchrun scripts/training/run_recipe.py --model llama3_70b --mode pretrain');
    expect(effective(run, 'model.num_layers')).toBe(80);
  });

  it.each([
    ['a recipe of somebody', launch('my_70b_pretrain_config')],
    ['a name that objects have', launch('constructor')],
    ['a name that is not known', launch('$RECIPE')],
    [
      'a program of somebody',
      'torchrun Megatron-Bridge/finetune.py --recipe llama3_70b_pretrain_config a.b=1',
    ],
  ])('is unknown for %s', (_, line) => {
    expect(effective(bound(line), 'model.pipeline_model_parallel_size')).toBe('?');
  });

  it.each([
    ['a section that is replaced', '--dataset mock', 'dataset.dataloader_type'],
    ['a key that is taken away', '~dataset.dataloader_type=single', 'dataset.dataloader_type'],
    ['a named precision that is replaced', 'mixed_precision=$PRECISION', 'ddp.grad_reduce_in_fp32'],
    ['what --deterministic changes', '--deterministic', 'model.cross_entropy_loss_fusion'],
  ])('is unknown for %s', (_, words, name) => {
    expect(effective(bound(launch(llama)), name)).not.toBe('?');
    expect(effective(bound(launch(llama, words)), name)).toBe('?');
  });

  it('includes a pipeline layout only for the stages it was made for', () => {
    const recipe = 'deepseek_v3_pretrain_config';
    const name = 'model.pipeline_model_parallel_layout';
    expect(effective(bound(launch(recipe)), name)).toBeInstanceOf(Array);
    expect(effective(bound(launch(recipe, '-pp 4')), name)).toBe('?');
    expect(effective(bound(launch(llama, '-pp 4')), name)).toBe(null);
    expect(effective(bound(launch(llama, '-pp 4')), 'model.num_layers_in_first_pipeline_stage')).toBe(null);
  });

  it('includes what the named precision overwrites in other sections', () => {
    const recipe = 'llama3_8b_pretrain_config';
    expect(listed(recipe, 'mixed_precision')).toBe('bf16_mixed');
    const run = bound(launch(recipe, 'ddp.grad_reduce_in_fp32=false'));
    expect(effective(run, 'ddp.grad_reduce_in_fp32')).toBe(true);
    const fp16 = bound(launch(recipe, 'mixed_precision=fp16_mixed'));
    expect(effective(fp16, 'model.fp16')).toBe(true);
    const odd = bound(launch(recipe, 'mixed_precision=constructor'));
    expect(effective(odd, 'model.fp16')).toBe('?');
    const none = bound(launch(recipe, 'mixed_precision=null ddp.grad_reduce_in_fp32=false'));
    expect(effective(none, 'ddp.grad_reduce_in_fp32')).toBe(false);
  });

  it('is reported as replacing the model’s precision, not as a model without one', () => {
    const rules = found(
      bound(launch('llama3_8b_pretrain_config', 'model.fp8=e4m3 model.fp8_recipe=mxfp8')),
    ).join();
    expect(rules).toContain('megatron-bridge/mixed-precision-replaces');
    expect(rules).not.toContain('fp8-options-without-fp8');
  });

  it('includes its environment, overridden by that of the launch', () => {
    const variable = 'env.NCCL_GRAPH_REGISTER';
    expect(effective(bound(launch(llama)), variable)).toBe('0');
    expect(effective(bound(launch(llama), { env: { NCCL_GRAPH_REGISTER: '1' } }), variable)).toBe('1');
    expect(effective(bound(launch(llama, 'env_vars.NCCL_DEBUG=INFO')), variable)).toBe('?');
  });

  it('is changed by the runner when fine-tuning over several context-parallel ranks', () => {
    const name = 'ddp.average_in_collective';
    expect(effective(bound(launch('llama3_8b_sft_config', '--mode sft')), name)).not.toBe('?');
    expect(effective(bound(launch('llama3_8b_sft_config', '--mode sft -cp 2')), name)).toBe('?');
    expect(effective(bound(launch('llama3_8b_pretrain_config', '-cp 2')), name)).not.toBe('?');
  });
});

describe('findings', () => {
  it('include those of Megatron-core for a single value where a list is allowed', () => {
    const command = launch('wan_1_3b_pretrain_config', 'model.moe_router_topk=1');
    expect(found(bound(command))).toContain('warning megatron-lm/top-1-needs-pre-softmax');
  });

  it('treat null like a flag that Megatron-LM is not given', () => {
    const command =
      'torchrun --nproc_per_node 8 scripts/training/run_recipe.py --recipe qwen3_30b_a3b_pretrain_8gpu_b200_bf16_config';
    const rule = 'warning megatron-lm/expert-parallel-needs-experts';
    expect(found(bound(`${command} model.num_moe_experts=null`))).toContain(rule);
    expect(found(bound(command))).not.toContain(rule);
  });

  it('based on a recipe are warnings, and show which of its settings', () => {
    const [finding] = findingsOf(bound(launch(llama))).filter(({ severity }) => severity === 'warning');
    expect(finding?.rule).toBe('megatron-bridge/model-parallel-size-divides-world-size');
    expect(finding?.certainty).toBe('likely');
    expect(finding?.related.map(({ message }) => message)).toContain(
      `--recipe = ${llama} sets model.tensor_model_parallel_size = 4, model.pipeline_model_parallel_size = 4, model.context_parallel_size = 2`,
    );
  });

  it('are errors if the recipe does not matter', () => {
    const words = 'optimizer.use_precision_aware_optimizer=false optimizer.main_grads_dtype=torch.bfloat16';
    const rule = 'megatron-bridge/optimizer-precision-needs-precision-aware';
    expect(found(bound(launch(llama, words, 32)))).toContain(`error ${rule}`);
    const [, second = ''] = words.split(' ');
    expect(found(bound(launch(llama, second, 32)))).toContain(`warning ${rule}`);
    expect(found(bound(launch('my_config', second, 32))).join()).not.toContain(rule);
  });

  it('do not occur for a plain recipe, unless it is refused by itself or requires something of the launch', () => {
    const { recipes } = knowledgeOf('megatron-bridge');
    const reported = Object.keys(recipes?.recipes ?? {}).flatMap((name) =>
      found(bound(`python scripts/training/run_recipe.py --recipe ${name}`)),
    );
    const rules = new Set(reported.filter((finding) => !finding.startsWith('info')));
    expect([...rules].sort()).toEqual([
      'warning megatron-bridge/adapters-need-a-base',
      'warning megatron-bridge/fine-tuning-without-weights',
      'warning megatron-bridge/recipe-does-not-fit-its-gpus',
      'warning megatron-bridge/recipe-learning-rates-out-of-order',
      'warning megatron-bridge/recipe-of-experts-without-sequence-parallel',
      'warning megatron-bridge/recipe-trusts-a-cache',
      'warning megatron-bridge/recipe-with-an-uneven-batch',
      'warning megatron-bridge/recipe-with-other-virtual-stages',
      'warning megatron-bridge/recipe-with-two-numbers-of-multiprocessors',
      'warning megatron-bridge/sizes-left-to-the-launch',
    ]);
  });

  it('report the recipes whose own learning rates are out of order', () => {
    const { recipes } = knowledgeOf('megatron-bridge');
    const named = Object.keys(recipes?.recipes ?? {}).filter((name) =>
      found(bound(`python scripts/training/run_recipe.py --recipe ${name}`)).includes(
        'warning megatron-bridge/recipe-learning-rates-out-of-order',
      ),
    );
    expect(named.sort()).toEqual([
      'nemotron_nano_12b_v2_sft_4gpu_h100_bf16_config',
      'nemotron_nano_12b_v2_sft_config',
      'qwen2_audio_7b_sft_1gpu_h100_bf16_config',
      'qwen2_audio_7b_sft_config',
    ]);
  });

  it('offer a fix that undoes what the runner overwrites', () => {
    const script = `${launch('llama3_8b_sft_config', '--mode sft model.seq_length=8192')}\n`;
    const { findings } = lintFile('/w/a.sh', script);
    const finding = findings.find(({ rule }) => rule === 'megatron-bridge/sequence-lengths-differ');
    expect(finding?.fixes.map(({ title }) => title)).toEqual([
      'Give the dataset this length as well',
      "Use the dataset's length",
    ]);
  });

  it('ask for the checkpoint that adapters need', () => {
    const rule = 'warning megatron-bridge/adapters-need-a-base';
    expect(found(bound(launch('llama3_8b_peft_config', '--mode lora')))).toContain(rule);
    const words = '--mode lora checkpoint.pretrained_checkpoint=/c';
    expect(found(bound(launch('llama3_8b_peft_config', words)))).not.toContain(rule);
  });
});

describe('the minimum activation memory of a pretraining step', () => {
  const activationsOf = (rest: string): unknown =>
    effective(
      bound(launch('llama3_8b_pretrain_config', `model.context_parallel_size=1 ${rest}`)),
      'activation_bytes',
    );
  const tokens = 8192;
  const heads = 2 * 128 * (32 + 8);
  const layer = 4 * 4096 + heads + 3 * 14336;
  // For the recipe's tokenizer, in Transformer Engine's loss.
  const logits = 2 * tokens * 32_000;

  it('is what each layer keeps, plus the logits, as divided by tensor parallelism', () => {
    expect(activationsOf('model.tensor_model_parallel_size=1')).toBe(2 * tokens * 32 * layer + logits);
    const two = 'model.tensor_model_parallel_size=2 model.sequence_parallel';
    expect(activationsOf(`${two}=true`)).toBe((2 * tokens * 32 * layer + logits) / 2);
    expect(activationsOf(`${two}=false`)).toBe(
      2 * tokens * 32 * (4 * 4096 + (heads + 3 * 14336) / 2) + logits / 2,
    );
  });

  it('counts logits for the model’s minimum vocabulary, with a copy if the loss makes one', () => {
    const one = 'model.tensor_model_parallel_size=1';
    const without = 2 * tokens * 32 * layer;
    const logitsOf = (rest: string): number => Number(activationsOf(`${one} ${rest}`)) - without;
    expect(logitsOf('model.cross_entropy_fusion_impl=native')).toBe(3 * logits);
    expect(logitsOf('model.cross_entropy_fusion_impl=native model.fp16_lm_cross_entropy=true')).toBe(logits);
    expect(logitsOf('tokenizer.vocab_size=64000')).toBe(2 * logits);
    expect(logitsOf('tokenizer.use_tokenizer_vocab_size=false model.vocab_size=128000')).toBe(4 * logits);
    const ours = 'tokenizer.tokenizer_type=HuggingFaceTokenizer tokenizer.tokenizer_model';
    expect(logitsOf(`${ours}=meta-llama/Llama-3.1-8B`)).toBe(2 * tokens * (128_256 - 2400));
    expect(logitsOf(`${ours}=/models/ours`)).toBe(0);
  });

  it('counts the average tokens per expert if nothing drops or moves them', () => {
    const expertsOf = (rest: string): number =>
      Number(
        effective(
          bound(
            launch(
              'qwen3_30b_a3b_pretrain_config',
              `model.cuda_graph_impl=none mixed_precision=bf16_mixed ${rest}`,
            ),
          ),
          'kept_elements',
        ),
      );
    const routed = expertsOf('model.moe_router_topk=8') - expertsOf('');
    expect(routed).toBeGreaterThan(0);
    expect(routed).toBe(2 * (expertsOf('model.moe_router_topk=4') - expertsOf('')));
    expect(expertsOf('model.moe_router_topk=8 model.moe_expert_capacity_factor=1.0')).toBe(expertsOf(''));
  });

  it('is the input of each layer if layers are recomputed or less may be kept', () => {
    const inputs = 2 * tokens * 32 * 4096 + logits;
    const full = 'model.recompute_granularity=full model.recompute_method=uniform model.recompute_num_layers';
    expect(activationsOf(`model.tensor_model_parallel_size=1 ${full}=1`)).toBe(inputs);
    expect(activationsOf(`model.tensor_model_parallel_size=1 ${full}=4`)).toBe(
      (inputs - logits) / 4 + logits,
    );
    for (const less of [
      'mixed_precision=bf16_with_fp8_current_scaling_mixed',
      'model.activation_func_fp8_input_store=true',
      'model.recompute_granularity=selective model.recompute_modules=[mlp]',
    ])
      expect(activationsOf(`model.tensor_model_parallel_size=1 ${less}`)).toBe(inputs);
  });

  it('counts one micro-batch per stage on the first stage', () => {
    const stages =
      'model.tensor_model_parallel_size=1 model.pipeline_model_parallel_size=4 train.micro_batch_size=1 train.global_batch_size';
    expect(activationsOf(`${stages}=64`)).toBe(2 * tokens * 32 * layer);
    expect(activationsOf(`${stages}=4`)).toBe((2 * 2 * tokens * 32 * layer) / 4);
  });

  it('is not reported if a step may be the only one or its sequences shorter', () => {
    for (const other of [
      'train.train_iters=1',
      'train.exit_interval=1',
      'train.exit_duration_in_mins=10',
      '--dataset squad',
      'model.cuda_graph_impl=local',
      'model.fine_grained_activation_offloading=true',
      'model.num_layers_in_first_pipeline_stage=4 model.pipeline_model_parallel_size=4',
    ])
      expect(activationsOf(`model.tensor_model_parallel_size=1 ${other}`)).toBe(0);
  });
});
