import { describe, expect, it } from 'vitest';
import { megatronBridge } from '../../../../server/src/frameworks/megatron-bridge/framework.ts';
import { parseYaml } from '../../../../server/src/yaml/parse.ts';
import { bound, effective, findingsOf, found, launchOf, runner } from '../../../support/bridge.ts';
import { memoryHost } from '../../../support/memoryHost.ts';

describe('recognition', () => {
  const sure =
    'model:\n  tensor_model_parallel_size: 2\ntrain:\n  train_iters: 3\n  micro_batch_size: 1\nddp: {}\n';
  const script = 'from megatron.bridge.training.finetune import finetune\n';
  const files = {
    '/w/mine.py': script,
    '/w/other.py': 'import torch\n',
    '/w/bench.py': 'from argument_parser import parse_cli_args\n',
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
    ['python scripts/performance/custom_setup_experiment.py --gpu gb200', true],
    ['python my_run_script.py -mr llama3', true],
    ['python my_run_script.py --gpu gb200', false],
    ['python bench.py -mr llama3', true],
    ['python other.py -mr llama3', false],
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
    [`_target_: megatron.bridge.training.config.ConfigContainer\n${sure}`, false],
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

  it('applies later overrides, additions and deletions', () => {
    const run = bound(
      `torchrun ${runner} train.train_iters=1 train.train_iters=2 +model.num_layers=4 ++model.hidden_size=8 checkpoint.save=/c ~checkpoint.save=/c`,
    );
    expect(effective(run, 'train.train_iters')).toBe(2);
    expect(effective(run, 'model.num_layers')).toBe(4);
    expect(effective(run, 'model.hidden_size')).toBe(8);
    expect(effective(run, 'checkpoint.save')).toBe('?');
  });

  it('applies deletions in order among the overrides', () => {
    const run = bound(
      `torchrun ${runner} -gb 8 ~train.global_batch_size=8 ~train.train_iters=1 +train.train_iters=5 "model={hidden_size: 8}" ~model.hidden_size=8`,
    );
    expect(effective(run, 'train.global_batch_size')).toBe('?');
    expect(effective(run, 'train.train_iters')).toBe(5);
    expect(effective(run, 'model.hidden_size')).toBe('?');
  });

  it('leaves unknown what the recipe sets', () => {
    const run = bound(`torchrun ${runner}`);
    expect(effective(run, 'model.tensor_model_parallel_size')).toBe('?');
    expect(effective(run, 'env.NCCL_GRAPH_REGISTER')).toBe('?');
    expect(effective(run, 'alloc_conf.expandable_segments')).toBe('?');
  });

  it("knows the defaults of fields that no recipe sets, unless the script is the user's own", () => {
    const gloo = 'dist.use_decentralized_pg=true';
    const rule = 'error megatron-bridge/decentralized-groups-need-nccl';
    expect(found(bound(`torchrun --nproc_per_node 8 ${runner} ${gloo}`))).toContain(rule);
    const own = 'torchrun --nproc_per_node 8 Megatron-Bridge/examples/finetune.py train.train_iters=1';
    expect(found(bound(`${own} ${gloo}`))).not.toContain(rule);
  });

  it('prefers the launch environment to env_vars', () => {
    const line = `torchrun ${runner} env_vars.A=1 env_vars.PYTORCH_CUDA_ALLOC_CONF=max_split_size_mb:64`;
    const run = bound(line, { env: { A: '2' } });
    expect(effective(run, 'env.A')).toBe('2');
    expect(effective(run, 'alloc_conf.max_split_size_mb')).toBe('64');
    expect(effective(run, 'alloc_conf.expandable_segments')).toBe(null);
  });

  it.each([
    ['PYTORCH_CUDA_ALLOC_CONF', null],
    // The recipe may set the older variable, which takes precedence.
    ['PYTORCH_ALLOC_CONF', '?'],
  ])('treats allocator settings in %s as effective if no recipe can override them', (name, value) => {
    const env = { [name]: 'max_split_size_mb:64' };
    expect(effective(bound(`torchrun ${runner}`, { env }), 'alloc_conf.expandable_segments')).toBe(value);
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

  it('knows what comm_overlap derives for fields that a recipe leaves open', () => {
    const next =
      'scripts/training/run_recipe.py --recipe qwen3_next_80b_a3b_pretrain_64gpu_gb200_fp8mx_config --mode pretrain';
    const sent = (words: string): readonly unknown[] => {
      const run = bound(`torchrun --nproc_per_node 8 --nnodes 8 ${next} ${words}`);
      return ['model.overlap_p2p_comm', 'model.batch_p2p_comm'].map((name) => effective(run, name));
    };
    const stages = 'model.pipeline_model_parallel_size=';
    expect(sent(`${stages}1`)).toEqual([false, false]);
    expect(sent(`${stages}2 model.virtual_pipeline_model_parallel_size=null`)).toEqual([false, true]);
    expect(sent(`${stages}2 model.virtual_pipeline_model_parallel_size=2`)).toEqual([true, false]);
    expect(sent(`${stages}2 comm_overlap.batch_p2p_comm=false`)[1]).toBe(false);
    const run = bound(`torchrun --nproc_per_node 8 --nnodes 8 ${next} model.delay_wgrad_compute=true`);
    expect(effective(run, 'model.delay_wgrad_compute')).toBe(false);
    // What depends on the data-parallel ranks is not computed here.
    expect(effective(run, 'ddp.overlap_param_gather')).toBe('?');
  });

  it('uses the data set’s sequence length with the recipe runner', () => {
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

  it('use values that Megatron-core derives from the fields', () => {
    const overlap = 'comm_overlap.overlap_moe_expert_parallel_comm=true model.recompute_granularity=full';
    const rule = 'error megatron-lm/expert-overlap-excludes-recompute';
    expect(found(bound(`torchrun --nproc_per_node 8 ${runner} ${overlap}`))).toContain(rule);
    const offload = 'model.fine_grained_activation_offloading=true model.offload_modules=[expert_fc1]';
    const moe = 'model.recompute_granularity=selective model.recompute_modules=[moe]';
    expect(found(bound(`torchrun --nproc_per_node 8 ${runner} ${offload} ${moe}`))).toContain(
      'error megatron-lm/offload-inside-recomputed-moe',
    );
  });

  it('treat null as a flag that is not given', () => {
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

describe('the parallel sizes of a layout', () => {
  const sizes = [
    'tensor_model_parallel',
    'pipeline_model_parallel',
    'context_parallel',
    'expert_model_parallel',
  ];
  it.each(sizes)('are reported without %s_size if that is null', (size) => {
    const others = sizes.flatMap((other) => (other === size ? [] : `model.${other}_size=2`)).join(' ');
    const run = bound(`torchrun --nproc_per_node 3 ${runner} model.${size}_size=null ${others}`);
    const messages = findingsOf(run).map(({ message }) => message);
    expect(messages.some((message) => message.includes('cannot be split into'))).toBe(true);
    expect(messages.filter((message) => /None|null GPUs|not set/.test(message))).toEqual([]);
  });
});
