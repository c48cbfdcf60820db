import { describe, expect, it } from 'vitest';
import { memoryFloorsOf } from '../../../server/src/rules/memoryFloors.ts';
import { loadKnowledge } from '../../support/knowledge.ts';
import { lintFile } from '../../support/lintFile.ts';

const { knowledgeOf } = loadKnowledge();

/** The least that each kind of GPU needs in a script's first launch: parts in bytes, by GPU. */
const floorsOf = (script: string, path = '/repository/run.sh') => {
  const [run] = lintFile(path, script).runs;
  const floors = run === undefined ? [] : memoryFloorsOf(run, knowledgeOf);
  return new Map(
    floors.map((floor) => [
      floor.gpu,
      {
        ...floor,
        parts: Object.fromEntries(floor.parts.map(({ name, bytes }) => [name, bytes])),
      },
    ]),
  );
};

const pretrain = (more: string, gpus = 8): string =>
  `torchrun --nproc_per_node ${gpus} pretrain_gpt.py --num-layers 4 --hidden-size 1024 --num-attention-heads 8 --ffn-hidden-size 4096 ` +
  `--seq-length 64 --max-position-embeddings 64 --micro-batch-size 1 --mock-data --bf16 --lr 1e-4 ${more}\n`;
const layers = 4 * (4 * 1024 * 1024 + 2 * 1024 * 4096);
const training = 'the fullest training GPU';

describe('the minimum memory of a GPU', () => {
  it('is the sum of its parts, and says what is not counted', () => {
    const floor = floorsOf(pretrain('--train-iters 5 --use-distributed-optimizer')).get(training);
    expect(floor?.parts).toMatchObject({
      weights: 2 * layers,
      gradients: 4 * layers,
      optimizer: (12 * layers) / 8,
    });
    expect(floor?.bytes).toBe(7.5 * layers + (floor?.parts.activations ?? Number.NaN));
    expect(floor?.notCounted).not.toContain('activations');
    expect(floor?.isCertain).toBe(true);
    expect(floor?.available).toBeUndefined();
  });

  it('lists uncertain parts among what is not counted', () => {
    const floor = floorsOf(pretrain('--train-iters 5 --fp8-format hybrid')).get(training);
    expect(Object.keys(floor?.parts ?? {})).toEqual(['weights', 'gradients', 'optimizer']);
    expect(floor?.notCounted[0]).toBe('activations');
  });

  it('counts no activations beside the optimizer state that the only step makes at its end', () => {
    const partsOf = (more: string) => floorsOf(pretrain(more)).get(training)?.parts;
    for (const only of [
      '--train-iters 1',
      '--train-iters 9 --exit-interval 1',
      '--train-samples 8',
      '--train-iters 9 --exit-duration-in-mins 5',
      '--train-iters 9 --exit-duration-in-mins -1',
      '--train-samples 800 --phase-transition-iterations 10,1',
    ])
      expect(partsOf(only)).toEqual({ weights: 2 * layers, gradients: 4 * layers, optimizer: 12 * layers });
    for (const more of [
      '--train-samples 16',
      '--train-iters 9 --exit-duration-in-mins 230',
      '--train-iters 9 --exit-duration-in-mins 0',
      '--train-samples 800 --phase-transition-iterations 10,11',
    ])
      expect(partsOf(more)?.activations).toBeGreaterThan(0);
    expect(partsOf('--train-iters 0')?.optimizer).toBe(4 * layers);
  });

  it('counts for FSDP what each rank keeps, in the precisions that are certain', () => {
    const partsOf = (more: string) => floorsOf(pretrain(`--train-iters 5 ${more}`)).get(training)?.parts;
    const all = { weights: layers / 4, gradients: layers / 4, optimizer: (12 * layers) / 8 };
    expect(partsOf('--use-torch-fsdp2')).toEqual(all);
    expect(partsOf('--use-megatron-fsdp')).toEqual(all);
    const whole = 2 * layers;
    const strategy = '--use-megatron-fsdp --data-parallel-sharding-strategy';
    expect(partsOf(`${strategy} optim_grads`)).toEqual({ ...all, weights: whole });
    expect(partsOf(`${strategy} optim`)).toEqual({ ...all, weights: whole, gradients: whole });
    expect(partsOf('--use-megatron-fsdp --megatron-fsdp-main-params-dtype auto')?.optimizer).toBe(layers / 2);
  });

  it('counts the layers of a hybrid model by their symbols', () => {
    const hybrid = (more: string, program = 'pretrain_hybrid') =>
      floorsOf(
        pretrain(`--train-iters 5 ${more}`).replace('pretrain_gpt', program).replace('--num-layers 4', ''),
      ).get(training)?.parts;
    // 32 heads of 64 on two inner widths, 8 groups of 128 states.
    const mamba = 1024 * (3 * 2048 + 2 * 8 * 128 + 32);
    const counted = 2 * mamba + 4 * 1024 * 1024 + 3 * 2 * 1024 * 4096;
    const parts = { weights: 2 * counted, gradients: 4 * counted, optimizer: 12 * counted };
    expect(hybrid('--hybrid-layer-pattern M-*-M-')).toEqual(parts);
    expect(hybrid('--hybrid-layer-pattern M-*-M-/M*')).toEqual(parts);
    const spec = '--spec megatron.core.models.hybrid.hybrid_layer_specs hybrid_stack_spec';
    expect(hybrid(`--hybrid-layer-pattern M-*-M- ${spec}`, 'pretrain_mamba')).toEqual(parts);
    expect(hybrid('--hybrid-layer-pattern M-*-M- --spec ours.specs hybrid_stack_spec')).toBeUndefined();
    expect(hybrid('--hybrid-layer-pattern M-*-M-', 'pretrain_gpt')).toBeUndefined();
  });

  it('is likely if more settings may follow', () => {
    expect(floorsOf(pretrain('--train-iters 5 "$@"')).get(training)?.isCertain).toBe(false);
  });

  it('is not reported if the model may be another, or for a third-party program', () => {
    expect(floorsOf(pretrain('--train-iters 5 --use-torch-fsdp2 --num-experts 8')).size).toBe(0);
    expect(floorsOf(pretrain('--train-iters 5 --use-megatron-fsdp --megatron-fsdp-version 2')).size).toBe(0);
    expect(floorsOf(pretrain('--train-iters 5').replace('pretrain_gpt', 'pretrain_ours')).size).toBe(0);
  });
});

describe('the minimum memory of a Megatron-LM GPU', () => {
  it('is not reported if another model may be built', () => {
    for (const more of ['--heterogeneous-layers-config-encoded-json {}', '--modelopt-enabled'])
      expect(floorsOf(pretrain(`--train-iters 5 ${more}`)).size).toBe(0);
  });

  it('counts logits that are made in fp32 once', () => {
    const words = '--train-iters 5 --tokenizer-type NullTokenizer --vocab-size 1024';
    const activationsOf = (more: string) =>
      floorsOf(pretrain(`${words} ${more}`)).get(training)?.parts.activations ?? Number.NaN;
    const tokens = 64;
    expect(activationsOf('') - activationsOf('--output-logit-dtype fp32')).toBe(tokens * 1024 * (6 - 4));
  });
});

const sizes =
  '--num-layers 4 --hidden-size 1024 --ffn-hidden-size 4096 --num-attention-heads 8 --swiglu --disable-bias-linear --hf-checkpoint /models/ours ' +
  '--load /models/ours_torch_dist --prompt-data /data/p.jsonl --label-key label --rm-type deepscaler --num-rollout 100 --rollout-batch-size 32 ' +
  '--n-samples-per-prompt 8 --global-batch-size 256 --rollout-max-response-len 8192 --vocab-size 1000 --untie-embeddings-and-output-weights';
const matrices = 4 * (4 * 1024 * 1024 + 3 * 1024 * 4096);

describe('the minimum memory of reinforcement learning GPUs', () => {
  it.each([
    'python3 train.py --actor-num-nodes 1 --actor-num-gpus-per-node 8 --rollout-num-gpus 8',
    `python3 -m relax.entrypoints.train --resource '{"actor": [1, 8], "rollout": [1, 8]}'`,
  ])('is reported for the trained policy and the engines: %s', (program) => {
    const script = (more: string): string =>
      `ray job submit -- ${program} --rollout-num-gpus-per-engine 2 ${sizes} ${more}\n`;
    const floors = floorsOf(script(''));
    const parameters = matrices + 2 * 1024 * 1024;
    expect(floors.get(training)?.parts).toMatchObject({
      weights: 2 * parameters,
      gradients: 4 * parameters,
      optimizer: (12 * parameters) / 8,
    });
    expect(floors.get('each GPU of the engines')?.parts).toEqual({ weights: (2 * matrices) / 2 });
    for (const fewer of ['--sglang-torchao-config int4wo-128', '--sglang-kt-num-gpu-experts 1'])
      expect([...floorsOf(script(fewer)).keys()]).toEqual([full, training]);
  });

  const full = 'the fullest training GPU in a full micro-batch';
  const slime = (more: string): string =>
    `ray job submit -- python3 train.py --actor-num-nodes 1 --actor-num-gpus-per-node 8 ${sizes} ${more}\n`;
  const uniform = '--recompute-granularity full --recompute-method uniform --recompute-num-layers 1';
  const activationsOf = (more: string, gpu: string): number | undefined =>
    floorsOf(slime(`--rollout-num-gpus 8 ${uniform} --vocab-size 102400 ${more}`)).get(gpu)?.parts
      .activations;

  it('is certain only for what samples are padded to, and likely for an answer at its limit', () => {
    const vocabulary = 102_400;
    const last = 2 * (4 * 1024 + 2 * 1024) + 8 * vocabulary;
    expect(activationsOf('', training)).toBe(128 * last);
    expect(activationsOf('--data-pad-size-multiplier 64', training)).toBe(64 * last);
    expect(activationsOf('--tensor-model-parallel-size 2', training)).toBe(256 * (last - 4 * vocabulary));
    expect(activationsOf('--num-rollout 1', training)).toBeUndefined();
    expect(activationsOf('', full)).toBe(8192 * last);
    expect(activationsOf('--rollout-max-context-len 4096', full)).toBe(4096 * last);
    expect(activationsOf('--context-parallel-size 2', full)).toBe(4096 * last);
    expect(activationsOf('--rollout-temperature 0.7', full)).toBe(8192 * (last + 4 * vocabulary));
    const packed = '--use-dynamic-batch-size --max-tokens-per-gpu';
    expect(activationsOf(`${packed} 16384`, full)).toBe(16384 * last);
    expect(activationsOf(`${packed} 65536`, full)).toBe(8192 * last);
    for (const other of ['--loss-type sft_loss', '--rollout-function-path ours.generate', '--num-rollout 1'])
      expect(activationsOf(other, full)).toBeUndefined();
  });

  it('adds what engines keep on GPUs that training stays on', () => {
    const during = 'the fullest training GPU during rollouts';
    const colocated = (more: string) =>
      floorsOf(slime(`--colocate --sglang-mem-fraction-static 0.5 ${more}`), '/repository/run.sh');
    expect(colocated('').has(during)).toBe(false);
    expect(colocated('--no-offload-train').has(during)).toBe(false);
    expect(colocated('--no-offload-rollout').get(full)?.parts['weights of the engine']).toBe(2 * matrices);
    expect(colocated('--no-offload-train').get(full)?.parts['weights of the engine']).toBeUndefined();
  });

  const qwen = 24 * (2 * 896 * 64 * (14 + 2) + 3 * 896 * 4864) + 151936 * 896;
  it('is reported for each SkyRL model', () => {
    const script = (more: string): string =>
      `uv run -m skyrl.train.entrypoints.main_base data.train_data="['/d/t.parquet']" trainer.policy.model.path=Qwen/Qwen2.5-0.5B-Instruct \\
      trainer.placement.policy_num_gpus_per_node=4 trainer.placement.ref_num_gpus_per_node=4 trainer.placement.critic_num_gpus_per_node=4 ${more}\n`;
    const floors = floorsOf(
      script('trainer.critic.model.path=Qwen/Qwen2.5-0.5B-Instruct trainer.critic.fsdp_config.fsdp_size=2'),
    );
    expect(floors.get('the fullest GPU of the policy')?.parts).toEqual({
      weights: qwen,
      gradients: qwen,
      optimizer: 2 * qwen,
    });
    expect(floors.get('the fullest GPU of the critic')?.bytes).toBe((16 * qwen) / 2);
    expect(floors.get('the fullest GPU of the reference model')?.bytes).toBe(qwen / 2);
    const megatron = floorsOf(
      script('trainer.strategy=megatron trainer.policy.megatron_config.tensor_model_parallel_size=2'),
    );
    expect(megatron.get('the fullest GPU of the policy')?.parts).toEqual({
      weights: qwen,
      gradients: 2 * qwen,
      optimizer: 3 * qwen,
    });
    const other = 'trainer.strategy=megatron +trainer.policy.megatron_config.';
    for (const more of ['optimizer_config_kwargs.optimizer=sgd', 'transformer_config_kwargs.num_layers=2'])
      expect(floorsOf(script(other + more)).has('the fullest GPU of the policy')).toBe(false);
  });

  it('counts experts by the ranks that share them, and other weights by theirs', () => {
    const experts = 48 * 128 * 3 * 2048 * 768;
    const rest = 48 * (2 * 2048 * 128 * (32 + 4) + 2048 * 128) + 2 * 151936 * 2048;
    const kept = rest / 2 + experts / 8;
    const expected = { weights: 2 * kept, gradients: 4 * kept, optimizer: (12 * (rest + experts)) / 8 };
    const skyrl = floorsOf(
      `uv run -m skyrl.train.entrypoints.main_base data.train_data="['/d/t.parquet']" trainer.policy.model.path=Qwen/Qwen3-30B-A3B \
      trainer.strategy=megatron trainer.placement.policy_num_gpus_per_node=8 trainer.policy.megatron_config.tensor_model_parallel_size=2 \
      trainer.policy.megatron_config.expert_model_parallel_size=8 trainer.policy.megatron_config.expert_tensor_parallel_size=1\n`,
    );
    expect(skyrl.get('the fullest GPU of the policy')?.parts).toEqual(expected);
    const areal = (more: string) =>
      floorsOf(
        `experiment_name: math
trial_name: first
rollout: {backend: "sglang:d1t4"}
sglang: {model_path: Qwen/Qwen3-30B-A3B}
scheduler: {type: local}
actor:
  backend: megatron:d4t2e8
  path: Qwen/Qwen3-30B-A3B
  optimizer: {type: adam}
${more}`,
        '/repository/grpo.yaml',
      ).get('the fullest GPU of the actor')?.parts;
    expect(areal('')).toEqual(expected);
    const whole = { ...expected, optimizer: 12 * kept };
    expect(areal('  megatron: {ddp: {use_distributed_optimizer: false}}\n')).toEqual(whole);
  });

  it('is reported for each AReaL role, and for what shares the actor’s GPUs', () => {
    const beside = `  is_critic: true
  optimizer: {type: adam}
  scheduling_strategy: {type: colocation, target: actor}
`;
    const model = (name: string, more: string): string =>
      `${name}:\n  backend: fsdp:d4\n  path: Qwen/Qwen2.5-0.5B-Instruct\n  dtype: bfloat16\n${more}`;
    const run = (config: string) =>
      floorsOf(
        `experiment_name: math
trial_name: first
rollout: {backend: "sglang:d1t4"}
sglang: {model_path: Qwen/Qwen2.5-0.5B-Instruct, dtype: bfloat16, mem_fraction_static: 0.8}
scheduler: {type: local}
${model('actor', '  optimizer: {type: adam}\n  kl_ctl: 0.1\n')}${config}`,
        '/repository/grpo.yaml',
      );
    const actor = run('').get('the fullest GPU of the actor');
    expect(actor?.parts).toEqual({ weights: qwen / 2, gradients: qwen / 2, optimizer: qwen });
    const shared = 'the fullest GPU of the actor with the roles that share it';
    expect(run('').has(shared)).toBe(false);
    expect(run(model('critic', beside)).get(shared)?.parts).toEqual({ actor: 1.5 * qwen, critic: 2 * qwen });
    const strategy = '  scheduling_strategy: {type: colocation, target: actor}\n';
    const offered = run(model('ref', strategy));
    expect(offered.get(shared)?.parts).toEqual({ actor: 2 * qwen, ref: qwen / 2 });
    expect(offered.get('the fullest GPU of the ref')?.bytes).toBe(qwen / 2);
    expect(run(model('ref', `${strategy}  offload: true\n`)).has(shared)).toBe(false);
  });

  it('counts logits in bf16 beside their gradient in fp32 where SkyRL trains with Megatron', () => {
    const activations = (strategy: string): number | undefined =>
      floorsOf(
        `python -m skyrl.train.main_sft model.path=Qwen/Qwen2.5-0.5B-Instruct strategy=${strategy} dummy_run_full_ctx=true max_length=16384 ` +
          'placement.num_gpus_per_node=1 batch_size=1 micro_train_batch_size_per_gpu=1 megatron_config.tensor_model_parallel_size=1\n',
      ).get(training)?.parts.activations;
    const inputs = 24 * 896;
    expect(activations('megatron')).toBe(2 * 16384 * (3 * 151936 + inputs));
    expect(activations('fsdp')).toBe(2 * 16384 * (151936 + inputs));
  });
});
