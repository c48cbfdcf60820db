import { describe, expect, it } from 'vitest';
import choices from '../../../schemas/megatron-bridge/choices.json';
import { megatronBridge } from '../../../server/src/frameworks/megatron-bridge/framework.ts';
import { noProfile } from '../../../server/src/value/machine.ts';
import { parseYaml } from '../../../server/src/yaml/parse.ts';
import { bound, contextOf, effective, found, knowledgeOf, launchOf, runner } from '../../support/bridge.ts';
import { memoryHost } from '../../support/memoryHost.ts';

describe('what is recognised', () => {
  const sure =
    'model:\n  tensor_model_parallel_size: 2\ntrain:\n  train_iters: 3\n  micro_batch_size: 1\nddp: {}\n';
  const script = 'from megatron.bridge.training.finetune import finetune\n';
  const files = {
    '/w/mine.py': script,
    '/w/other.py': 'import torch\n',
    '/w/convert.py': 'from megatron.bridge import AutoBridge\n',
  };
  it.each([
    [`torchrun --nproc_per_node 8 ${runner}`, true],
    ['python /opt/Megatron-Bridge/scripts/training/run_recipe.py --model llama3_8b --mode sft', true],
    ['python run_recipe.py --recipe r_config', true],
    ['python run_recipe.py --config x.yaml', false],
    ['python run_recipe.py --recipe=$RECIPE --mode sft', true],
    ['python run_recipe.py --recipe mine train.train_iters=3', true],
    ['python run_recipe.py --model llama3_8b --mode sft', true],
    ['python run_recipe.py --model gpt --mode eval', false],
    ['python tools/run_recipe.py --recipe recipes/cake.json --out cake', false],
    ['python scripts/performance/setup_experiment.py -mr llama3 -ng 64', true],
    ['python scripts/training/setup_experiment.py --nodes 2 --recipe r', true],
    ['python setup_experiment.py --name x', false],
    ['torchrun mine.py train.train_iters=10', true],
    ['torchrun mine.py --lr 1', true],
    ['torchrun convert.py --lr 1', false],
    ['torchrun other.py train.train_iters=10', false],
    ['torchrun Megatron-Bridge/examples/models/x/finetune.py model.seq_length=1', true],
    ['python examples/conversion/convert.py --x 1', false],
    ['torchrun pretrain_gpt.py --tensor-model-parallel-size 2', false],
  ])('%s: %s', (line, expected) => {
    const because = megatronBridge.recogniseLaunch(launchOf(line), memoryHost(files, '/w'));
    expect(because !== undefined).toBe(expected);
  });

  it.each([
    ['model:\n  tensor_model_parallel_size: 2\ntrain:\n  train_iters: 3\n', true],
    ['train:\n  train_iters: 1\n  global_batch_size: 8\n', true],
    ['model:\n  name: x\ntrain:\n  epochs: 3\n', false],
    ['actor:\n  x: 1\ntrain:\n  train_iters: 1\n  micro_batch_size: 1\n', false],
    ['- 1\n', false],
    [`${sure}optimiser:\n  lr: 1\n`, true],
    [`${sure}seed: 1\n`, true],
    [`${sure}policy:\n  lr: 1\nactor:\n  lr: 1\n`, false],
    ['model:\n  tensor_model_parallel_size: 2\ntrain:\n  train_iters: 3\nactor:\n  lr: 1\n', false],
    [`${sure}\tseed: 1\n`, true],
    ['model:\n  name: x\ntrain:\n\tepochs: 3\n', false],
  ])('%j: %s', (text, expected) => {
    const document = parseYaml('/w/a.yaml', text)[0];
    const because = document === undefined ? undefined : megatronBridge.recogniseDocument(document);
    expect(because !== undefined).toBe(expected);
  });
});

describe('settings', () => {
  it('lets overrides win over flags, and flags over the file', () => {
    const files = {
      '/w/o.yaml':
        'model:\n  tensor_model_parallel_size: 1\n  context_parallel_size: 4\ntrain:\n  micro_batch_size: 4\n',
    };
    const run = bound(
      `torchrun ${runner} model.tensor_model_parallel_size=8 -tp 2 -mb 2 --config-file o.yaml`,
      { files },
    );
    expect(effective(run, 'model.tensor_model_parallel_size')).toBe(8);
    expect(effective(run, 'train.micro_batch_size')).toBe(2);
    expect(effective(run, 'model.context_parallel_size')).toBe(4);
  });

  it('takes later overrides, additions and deletions', () => {
    const run = bound(
      `torchrun ${runner} train.train_iters=1 train.train_iters=2 +model.num_layers=4 ++model.hidden_size=8 checkpoint.save=/c ~checkpoint.save`,
    );
    expect(effective(run, 'train.train_iters')).toBe(2);
    expect(effective(run, 'model.num_layers')).toBe(4);
    expect(effective(run, 'model.hidden_size')).toBe(8);
    expect(effective(run, 'checkpoint.save')).toBe('?');
  });

  it('knows nothing of what the recipe sets', () => {
    const run = bound(`torchrun ${runner}`);
    expect(effective(run, 'model.tensor_model_parallel_size')).toBe('?');
    expect(effective(run, 'env.NCCL_GRAPH_REGISTER')).toBe('?');
    expect(effective(run, 'alloc_conf.expandable_segments')).toBe('?');
  });

  it("knows the defaults of fields that no recipe sets, unless the script is of one's own", () => {
    const gloo = 'dist.use_decentralized_pg=true';
    const rule = 'error megatron-bridge/decentralized-groups-need-nccl';
    expect(found(bound(`torchrun --nproc_per_node 8 ${runner} ${gloo}`))).toContain(rule);
    const own = 'torchrun --nproc_per_node 8 Megatron-Bridge/examples/finetune.py train.train_iters=1';
    expect(found(bound(`${own} ${gloo}`))).not.toContain(rule);
  });

  it('takes the launch environment before env_vars', () => {
    const line = `torchrun ${runner} env_vars.A=1 env_vars.PYTORCH_CUDA_ALLOC_CONF=max_split_size_mb:64`;
    const run = bound(line, { env: { A: '2' } });
    expect(effective(run, 'env.A')).toBe('2');
    expect(effective(run, 'alloc_conf.max_split_size_mb')).toBe('64');
    expect(effective(run, 'alloc_conf.expandable_segments')).toBe(null);
  });

  it('does not trust fields that mixed_precision and comm_overlap overwrite', () => {
    const given = 'ddp.grad_reduce_in_fp32=false ddp.overlap_grad_reduce=false';
    const doubtful = bound(`torchrun ${runner} ${given}`);
    expect(effective(doubtful, 'ddp.grad_reduce_in_fp32')).toBe('?');
    expect(effective(doubtful, 'ddp.overlap_grad_reduce')).toBe('?');
    const certain = bound(`torchrun ${runner} ${given} mixed_precision=null comm_overlap=null`);
    expect(effective(certain, 'ddp.grad_reduce_in_fp32')).toBe(false);
    expect(effective(certain, 'ddp.overlap_grad_reduce')).toBe(false);
    const written = bound(`torchrun ${runner} ${given} mixed_precision.grad_reduce_in_fp32=true`);
    expect(effective(written, 'ddp.grad_reduce_in_fp32')).toBe(true);
  });

  it('takes the sequence length of the data set under the recipe runner', () => {
    expect(effective(bound(`torchrun ${runner} model.seq_length=8192`), 'model.seq_length')).toBe('?');
    expect(effective(bound(`torchrun ${runner} model.seq_length=8192 -sl 4096`), 'model.seq_length')).toBe(
      4096,
    );
  });

  it('points at the characters of a value', () => {
    const line = `torchrun ${runner} train.train_iters=10`;
    const setting = bound(line).settings.find((item) => item.name === 'train.train_iters');
    expect(line.slice(setting?.valuePlace?.span.start, setting?.valuePlace?.span.end)).toBe('10');
    expect(line.slice(setting?.keyPlace.span.start, setting?.keyPlace.span.end)).toBe('train.train_iters');
  });
});

describe('world size', () => {
  it.each([
    [`torchrun --nproc_per_node 8 --nnodes 2 ${runner}`, 16],
    [`srun -N 2 --ntasks-per-node 8 python ${runner}`, 16],
    [`python ${runner}`, '?'],
    ['python scripts/performance/run_script.py -mr llama -ng 64', 64],
    ['python scripts/training/setup_experiment.py --nodes 2 --gpus-per-node 8 --recipe r', 16],
    ['python scripts/training/setup_experiment.py --recipe r', '?'],
  ])('%s: %s', (line, expected) => {
    const value = bound(line).worldSize;
    expect(value.kind === 'known' ? value.data : '?').toBe(expected);
  });
});

describe('problems', () => {
  const upstreams = 'scripts/training/run_recipe.py --recipe llama32_1b_pretrain_config';
  const own = 'Megatron-Bridge/examples/finetune.py';
  const rules = (line: string): readonly string[] =>
    bound(line)
      .problems.filter(({ rule }) => rule !== 'unknown-recipe')
      .map((problem) => `${problem.severity} ${problem.rule} ${problem.replacement ?? ''}`.trim());

  it.each([
    [`torchrun ${runner} train.train_iter=1`, ['error unknown-option train.train_iters']],
    [`torchrun ${runner} train.unheard_of_thing=1`, ['error unknown-option']],
    [`torchrun ${runner} trainer.unheard_of_thing=1`, ['error unknown-option']],
    [`torchrun ${runner} +train.train_iter=1`, ['warning unknown-option train.train_iters']],
    [`torchrun ${runner} ++train.unheard_of_thing=1`, ['warning unknown-option']],
    [`torchrun ${runner} model.some_own_field=1 mixed_precision.x=1 env_vars.Y=1`, []],
    [`torchrun ${upstreams} model.some_own_field=1`, []],
    [`torchrun ${upstreams} dataset.some_own_field=1`, ['warning unknown-option']],
    [`torchrun ${upstreams} model.tp=2`, ['error unknown-option model.tensor_model_parallel_size']],
    [`torchrun ${runner} model.tp=2`, ['warning unknown-option model.tensor_model_parallel_size']],
    [`torchrun ${runner} checkpoint.save_dir=/c`, ['error unknown-option checkpoint.save']],
    [`torchrun ${upstreams} model.context_parallel=2`, ['error unknown-option model.context_parallel_size']],
    [`torchrun ${upstreams} model.moe=2`, []],
    [
      `torchrun ${upstreams} model.tensor_model_paralel_size=1`,
      ['error unknown-option model.tensor_model_parallel_size'],
    ],
    [`torchrun ${upstreams} model.vision_recompute_method=block`, ['warning removed-option']],
    [`torchrun ${own} train.unheard_of_thing=1`, []],
    [`torchrun ${runner} --train.train_iters=1`, ['error unknown-option train.train_iters']],
    [`torchrun ${runner} --train.train_iters 1`, ['error unknown-option']],
    [`torchrun ${runner} --train.elsewhat=1`, ['error unknown-option']],
    [`torchrun ${runner} --recipes other_config`, ['error unknown-option --recipe']],
    [
      `torchrun ${runner} model.tensor_model_paralel_size=1`,
      ['warning unknown-option model.tensor_model_parallel_size'],
    ],
    [
      `torchrun ${runner} --tensor_model_parallel_sizes 2`,
      ['error unknown-option --tensor_model_parallel_size'],
    ],
    [`torchrun ${runner} --something-else 2`, ['warning unknown-option']],
    [`torchrun ${runner} --mode pretain`, ['error invalid-choice pretrain']],
    [`torchrun ${runner} --step_func qwen3vl_step`, ['error invalid-choice qwen3_vl_step']],
    [`torchrun ${runner} --step-func Qwen3_VL_step`, []],
    [`torchrun ${runner} --step-func own_step`, ['warning invalid-choice']],
    [`torchrun ${runner} --dataset moc`, ['error invalid-choice mock']],
    ['torchrun scripts/training/run_recipe.py train.train_iters=2', ['error required-option']],
    ['torchrun scripts/training/run_recipe.py $ARGS', []],
    ['torchrun scripts/training/run_recipe.py --recipe $RECIPE', []],
    [`torchrun ${runner} --mode=elsewise`, ['warning invalid-choice']],
    [`torchrun ${runner} --mode $MODE`, []],
    [`torchrun ${runner} model.recompute_granularity=ful`, ['error invalid-choice full']],
    [`torchrun ${runner} model.recompute_granularity=null`, []],
    [`torchrun ${runner} scheduler.lr_decay_style=cosin`, ['error invalid-choice cosine']],
    [`torchrun ${runner} model.recompute_method=uniforms`, ['warning invalid-choice uniform']],
    [
      `torchrun ${runner} model.recompute_method=uniforms model.recompute_granularity=full`,
      ['error invalid-choice uniform'],
    ],
    [
      `torchrun ${runner} model.recompute_method=uniforms model.recompute_granularity=null`,
      ['warning invalid-choice uniform'],
    ],
    [`torchrun ${runner} model.position_embedding_type=mrope`, []],
    [`torchrun ${runner} train.train_iters=10,20`, ['error invalid-override']],
    [`torchrun ${runner} ddp.grad_reduce_in_fp32=False,`, ['error invalid-override']],
    [`torchrun ${runner} some.thing=1,2`, ['error invalid-override', 'error unknown-option']],
    [`torchrun ${own} some.thing=1,2`, []],
    [`torchrun ${own} train.train_iters=1,2`, ['error invalid-override']],
    [
      `torchrun ${runner} model.recompute_modules=[core_attn, mlp, moe]`,
      ['error invalid-override [core_attn,mlp,moe]'],
    ],
    [`torchrun ${runner} 'model.recompute_modules=[core_attn, mlp]'`, []],
    [`torchrun ${runner} model.recompute_modules=[core_attn, $MORE]`, ['error invalid-override']],
    [
      `torchrun ${runner} train.train_iters=5 +train.train_iters=6`,
      ['warning duplicate-option', 'error override-key-exists +train.train_iters'],
    ],
    [`torchrun ${runner} -ms 5 +train.train_iters=6`, ['error override-key-exists +train.train_iters']],
    [`torchrun ${runner} train.train_iters=null +train.train_iters=6`, ['warning duplicate-option']],
    [`torchrun ${runner} train.train_iters=$N +train.train_iters=6`, []],
    [`torchrun ${runner} +train.micro_batch_size=2 ++train.train_iters=3`, []],
    [
      `torchrun ${upstreams} +train.micro_batch_size=2 +model.recompute_modules=[mlp] +train.num_epochs=2`,
      ['warning override-key-exists +train.micro_batch_size'],
    ],
    [`torchrun ${runner} stray`, ['error invalid-override']],
    [`torchrun ${runner} train.train_iters=$N $MORE "$QUOTED"`, []],
    ['python scripts/training/setup_experiment.py --env A=b --mount /a:/b --recipe r', []],
  ])('%s', (line, expected) => {
    expect(rules(line)).toEqual(expected);
  });

  it.each([
    ['--recipe qwen3_vl_8b_sft_config', undefined],
    ['--recipe qwen3_vl_8b_sft_configs', 'error qwen3_vl_8b_sft_config'],
    ['--recipe qwen3_8b_sft', 'error qwen3_8b_sft_config'],
    ['--recipe qwen3_8b_finetune_config_8', 'info '],
    ['--recipe qwen3_9b_sft_config', 'info '],
    ['--recipe sft_qwen3_8b_config', 'error qwen3_8b_sft_config'],
    ['--model qwen3_8bb --mode lora', 'error qwen3_8b'],
    ['--model qwen3_8b --mode lora', undefined],
    ['--model qwen3_8b --mode $MODE', undefined],
  ])('of recipes: %s', (flags, expected) => {
    const told = (files: { readonly [path: string]: string }): readonly string[] =>
      bound(`torchrun scripts/training/run_recipe.py ${flags}`, { files })
        .problems.filter(({ rule }) => rule === 'unknown-recipe')
        .map(({ severity, meant }) => `${severity} ${meant?.value ?? ''}`);
    expect(told({})).toEqual(expected === undefined ? [] : [expected]);
    const bridge = { '/w/src/megatron/bridge/package_info.py': '' };
    expect(told(bridge)).toEqual(expected === undefined ? [] : [expected.replace('error', 'warning')]);
    const name = /(?<=--recipe )\w+/.exec(flags)?.[0] ?? 'qwen3_8bb_peft_config';
    expect(told({ ...bridge, '/w/src/megatron/bridge/recipes/own/x.py': `def ${name}():\n` })).toEqual([]);
  });

  it.each([
    ['model.recompute_modules=core_attn,mlp', ['core_attn', 'mlp']],
    ['"logger.wandb_exp_name=run, lr=1"', 'run, lr=1'],
    ['ddp.grad_reduce_in_fp32=False,', false],
    ['train.train_iters=10,', 10],
    ['train.train_iters=10,20', undefined],
    ['train.train_iters=ten,', undefined],
    ['model.recompute_modules=core_attn,$X', undefined],
  ])('tell what %s was meant to be', (word, meant) => {
    expect(bound(`torchrun ${runner} ${word}`).problems[0]?.meant?.value).toEqual(meant);
  });

  it('know options of which values are told by their choices', () => {
    const { options } = knowledgeOf('megatron-bridge');
    const named = [
      ...Object.keys(choices.refused),
      ...Object.keys(choices.refusedBeside),
      ...choices.unheardOf,
    ];
    for (const name of named)
      expect(options.find((option) => option.name === name)?.choices?.length, name).toBeGreaterThan(1);
    for (const { read } of Object.values(choices.refusedBeside))
      expect(options.map(({ name }) => name)).toContain(read);
  });

  it('leave fields alone that a Bridge in the workspace declares', () => {
    const files = {
      '/w/src/megatron/bridge/package_info.py': `MAJOR = 0\nMINOR = ${knowledgeOf('megatron-bridge').release?.split('.')[1]}\n`,
      '/w/src/megatron/bridge/training/config.py': '    own_field: int = 1\n',
      '/w/3rdparty/Megatron-LM/megatron/core/optimizer/optimizer_config.py': '    own_rate: float = 1\n',
    };
    const names = 'train.own_field=1 optimizer.own_rate=1 ddp.own_rate=1';
    const { problems } = bound(`torchrun ${runner} ${names}`, { files });
    const told = problems.filter(({ rule }) => rule === 'unknown-option');
    expect(told.map(({ severity, values }) => [severity, values.name])).toEqual([['error', 'ddp.own_rate']]);
  });

  it('know what keys of older releases are called now', () => {
    const [flag] = bound(`torchrun --nproc_per_node 8 ${runner} dist.lazy_init=true`).problems;
    expect(flag).toMatchObject({
      rule: 'renamed-option',
      severity: 'error',
      replacement: 'dist.lazy_mpu_init',
    });
    const text = 'dataset:\n  pack_sequences_in_batch: true\ntrain:\n  train_iters: 5\n';
    const [document] = parseYaml('/w/o.yaml', text);
    if (document === undefined) throw new Error('no document');
    const [key] = megatronBridge.bindDocument(document, 'of a test', contextOf({}, noProfile)).problems;
    expect(key).toMatchObject({ rule: 'renamed-option', replacement: 'enable_in_batch_packing' });
  });

  it.each([
    ['train:\n  train_iters: abc\n', ['warning invalid-value']],
    ['train:\n  global_batch_size: 64,\n', ['warning invalid-value 64']],
    ['train:\n  train_iters: "10"\n', ['warning invalid-value 10']],
    ['train:\n  train_iters: null\n  micro_batch_size: ${train.train_iters}\n', []],
    ['ddp:\n  grad_reduce_in_fp32: "false"\n', ['warning invalid-value false']],
    ['ddp:\n  grad_reduce_in_fp32: off\n', []],
    ['train:\n  micro_batch_size: 1\n  micro_batch_size: 2\n', ['error duplicate-key']],
    ['rng:\n  seed: ${rng.sed}\n', ['error invalid-interpolation']],
    ['rng:\n  seed: ${seeds.first}\n', ['error invalid-interpolation']],
    ['rng:\n  seed: ${model.own}${oc.env:SEED}${env_vars.X}${.other}\n', []],
    ['optimiser:\n  lr: 1\n', ['warning unknown-option optimizer']],
    ['sgd:\n  lr: 1\n', ['warning unknown-option']],
    ['optimizer:\n  finetune_lr: 1\n', ['warning unknown-option']],
    ['optimizer:\n  _target_: a.B\nmodel:\n  own: 1\n', []],
    ['model:\n  recompute_granularity: ful\n', ['error invalid-choice full']],
    ['model:\n  recompute_method: ful\n', ['warning invalid-choice']],
    ['model:\n  recompute_method: ful\n  recompute_granularity: full\n', ['error invalid-choice']],
    ['optimiser:\n\tlr: 1\n', []],
  ])('of a file: %j', (text, expected) => {
    const [document] = parseYaml('/w/o.yaml', text);
    if (document === undefined) throw new Error('no document');
    const { problems } = megatronBridge.bindDocument(document, 'of a test', contextOf({}, noProfile));
    expect(
      problems.map(({ severity, rule, replacement }) => `${severity} ${rule} ${replacement ?? ''}`.trim()),
    ).toEqual(expected);
  });

  it('compares no text with a reference in it', () => {
    const text = 'model:\n  seq_length: ${dataset.seq_len}\ndataset:\n  seq_length: 2048\n';
    const [document] = parseYaml('/w/o.yaml', text);
    if (document === undefined) throw new Error('no document');
    const run = megatronBridge.bindDocument(document, 'of a test', contextOf({}, noProfile));
    expect(found(run)).toEqual([]);
  });

  it('suggests keys in files', () => {
    const document = parseYaml(
      '/w/a.yaml',
      'train:\n  train_iters: 1\n  micro_batchsize: 2\n  global_batch_size: 4\n',
    )[0];
    const run =
      document === undefined
        ? undefined
        : megatronBridge.bindDocument(document, 'x', contextOf({}, noProfile));
    expect(run?.problems.map((problem) => [problem.severity, problem.replacement])).toEqual([
      ['warning', 'micro_batch_size'],
    ]);
  });
});

describe("Megatron-core's constraints", () => {
  it('apply to the fields of model, ddp and optimizer', () => {
    const run = bound(
      `torchrun --nproc_per_node 8 ${runner} model.cpu_offloading=true model.pipeline_model_parallel_size=2`,
    );
    expect(found(run)).toContain('error megatron-lm/cpu-offload-needs-one-stage');
  });

  it.each([
    'model.cpu_offloading_num_layers=4 model.cpu_offloading=false model.pipeline_model_parallel_size=2',
    'model.cp_comm_type=a2a model.context_parallel_size=2 model.num_layers=8',
    'optimizer.use_precision_aware_optimizer=false optimizer.main_grads_dtype=torch.float32',
    'model.pipeline_model_parallel_size=2',
    'model.recompute_granularity=full',
  ])('conclude nothing from %s', (overrides) => {
    expect(
      found(bound(`torchrun --nproc_per_node 8 ${runner} ${overrides}`)).filter((item) =>
        item.startsWith('error'),
      ),
    ).toEqual([]);
  });

  it('see what Megatron-core derives from the fields', () => {
    const overlap = 'comm_overlap.overlap_moe_expert_parallel_comm=true model.recompute_granularity=full';
    const rule = 'error megatron-lm/expert-overlap-excludes-recompute';
    expect(found(bound(`torchrun --nproc_per_node 8 ${runner} ${overlap}`))).toContain(rule);
    const offload = 'model.fine_grained_activation_offloading=true model.offload_modules=[expert_fc1]';
    const moe = 'model.recompute_granularity=selective model.recompute_modules=[moe]';
    expect(found(bound(`torchrun --nproc_per_node 8 ${runner} ${offload} ${moe}`))).toContain(
      'error megatron-lm/offload-inside-recomputed-moe',
    );
  });

  it('take null for a flag that is not given', () => {
    const run = bound(
      `torchrun --nproc_per_node 8 ${runner} model.recompute_granularity=full model.recompute_modules=null`,
    );
    expect(found(run)).not.toContain('warning megatron-lm/recompute-modules-with-full');
    const given = bound(
      `torchrun --nproc_per_node 8 ${runner} model.recompute_granularity=full model.recompute_modules=[mlp]`,
    );
    expect(found(given)).toContain('warning megatron-lm/recompute-modules-with-full');
  });
});
