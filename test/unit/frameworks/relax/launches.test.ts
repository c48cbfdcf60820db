import { describe, expect, it } from 'vitest';
import { megatronLm as megatron } from '../../../../server/src/frameworks/megatron-lm/framework.ts';
import { relax } from '../../../../server/src/frameworks/relax/framework.ts';
import { slime } from '../../../../server/src/frameworks/slime/framework.ts';
import { bound, effective, found, problems, recognised } from '../trainerRun.ts';

const model =
  '--num-layers 4 --hidden-size 64 --ffn-hidden-size 128 --num-attention-heads 4 --swiglu --disable-bias-linear ' +
  '--normalization RMSNorm --position-embedding-type rope --vocab-size 1000';
const job =
  '--hf-checkpoint /m/ours --ref-load /m/ours_dist --prompt-data /d/p.jsonl --num-rollout 10 --rollout-batch-size 4 ' +
  '--n-samples-per-prompt 4 --global-batch-size 16 --rollout-max-response-len 512';
const line = (extra: string): string =>
  `ray job submit -- python3 -m relax.entrypoints.train ${model} ${job} ${extra}`;
const run = (extra: string) => bound(relax, line(extra), { env: { CUDA_DEVICE_MAX_CONNECTIONS: '1' } });
const resource = (text: string): string => `--resource '${text}'`;

describe('recognising Relax launches', () => {
  it.each([
    ['python3 -m relax.entrypoints.train --resource x', true],
    ['ray job submit -- python3 relax/entrypoints/train.py --x', true],
    ['python3 /root/Relax/relax/entrypoints/train.py', true],
    [`python3 train.py ${job} --actor-num-nodes 1`, false],
    ['python3 -m relax.entrypoints.deploy --x', false],
  ])('%s', (text, expected) => {
    expect(recognised(relax, text) !== undefined).toBe(expected);
  });

  it('does not accept a slime launch', () => {
    expect(recognised(slime, `python3 train.py ${job}`)).toBeDefined();
    expect(recognised(relax, `python3 train.py ${job}`)).toBeUndefined();
  });
});

describe('a module whose folder is misspelt', () => {
  const text = line(resource('{"actor": [1, 4], "rollout": [1, 2]}')).replace('entrypoints', 'entrypoint');

  it('is attributed to Relax, not to slime', () => {
    expect(recognised(slime, text)).toBeUndefined();
    expect(problems(bound(relax, text))).toEqual(['warning unknown-module relax.entrypoint.train']);
  });

  it('is no mistake if the workspace has it', () => {
    const files = { '/w/relax/entrypoint/train.py': 'pass' };
    expect(problems(bound(relax, text, { files }))).toEqual([]);
  });
});

describe('--resource', () => {
  it('gives a role its nodes and GPUs', () => {
    const split = run(resource('{"actor": [1, 4], "rollout": [1, 2], "reference": [1, 2]}'));
    expect(effective(split, 'world_size')).toBe(4);
    expect(effective(split, 'world_size', 'megatron-lm')).toBe(4);
    expect(split.worldSize).toEqual({ kind: 'known', data: 8 });
  });

  it('shares them when colocated', () => {
    const colocated = run(`--colocate ${resource('{"actor": [1, 4], "rollout": [1, 4]}')}`);
    expect(colocated.worldSize).toEqual({ kind: 'known', data: 4 });
    expect(effective(colocated, 'offload_train')).toBe(true);
  });

  it('is required', () => {
    expect(found(run(''))).toContain('error relax/resource-required');
  });

  it.each([
    ['{"actor": 4, "rollout": [1, 4]}', 'resource-shape'],
    ['{"actor": [1, 4.5], "rollout": [1, 4]}', 'resource-shape'],
    ['{"actor": [2, 4], "rollout": [1, 4]}', 'resource-one-service-a-role'],
  ])('refuses %s', (text, rule) => {
    expect(found(run(resource(text)))).toContain(`error relax/${rule}`);
  });

  it('warns of a planned role without a service or GPUs', () => {
    const planned = (text: string, words = '') =>
      found(run(`${words} ${resource(text)}`)).filter((each) => /needs-actor|without-gpus/.test(each));
    expect(planned('{"actor": [1, 4]}')).toEqual(['warning relax/resource-needs-actor-and-rollout']);
    expect(planned('{"actor": [1, 4], "rollout": [1, 0]}')).toEqual([
      'warning relax/resource-role-without-gpus',
    ]);
    expect(planned('{"actor": [1, 8], "rollout": [1, 8], "critic": [1, 0]}', '--colocate')).toEqual([]);
    expect(planned('{"actor": [1, 8], "rollout": [1, 8], "genrm": [1, 0]}', '--colocate')).toEqual([]);
  });

  it('warns of an unknown role', () => {
    const misspelt = run(resource('{"actor": [1, 4], "rollout": [1, 4], "rewards": [1, 1]}'));
    expect(found(misspelt)).toContain('warning relax/resource-unknown-role');
  });

  it('says nothing about a value from outside', () => {
    const outside = found(run('--resource "$RESOURCE"'));
    expect(outside.filter((finding) => finding.includes('resource') || finding.startsWith('error'))).toEqual(
      [],
    );
  });
});

describe('what Relax inherits from slime', () => {
  const split = resource('{"actor": [1, 4], "rollout": [1, 4]}');

  it('finds nothing wrong with a plain launch', () => {
    const plain = run(split);
    expect(problems(plain)).toEqual([]);
    expect(found(plain).filter((finding) => !finding.startsWith('info'))).toEqual([]);
  });

  it('applies slime rules that hold', () => {
    expect(found(run(`${split} --use-dynamic-batch-size`))).toContain(
      'error slime/dynamic-batch-needs-token-budget',
    );
    expect(run(split).scopes.map((scope) => scope.set)).toEqual(['relax', 'slime', 'slime', 'megatron-lm']);
  });

  it('skips those that do not', () => {
    const excluded = run(split).scopes.find((scope) => scope.set === 'slime')?.excludes;
    expect(excluded?.has('rollout-gpus-missing')).toBe(true);
    expect(excluded?.has('dynamic-batch-needs-token-budget')).toBe(false);
    expect(found(run(`${split} --disable-rollout-global-dataset`))).not.toContain(
      'warning slime/rollouts-need-the-global-data-set',
    );
  });

  it('compares only the norm epsilon of a checkpoint, unless disabled', () => {
    const compared = (words: string): string =>
      found(run(`${split} --hf-checkpoint /models/Qwen3-4B ${words}`)).join();
    const refusal = 'error relax/checkpoint-has-another-norm-epsilon';
    expect(compared('--norm-epsilon 1e-5')).toContain(refusal);
    expect(compared('')).toContain(refusal);
    expect(compared('--norm-epsilon 1e-6')).not.toMatch(/checkpoint-has-another/);
    expect(compared('--norm-epsilon 1e-5 --skip-hf-validate')).not.toContain(refusal);
    expect(compared('--hf-checkpoint s3://models/Qwen3-4B')).not.toContain(refusal);
  });

  it('has options that slime lacks, and vice versa', () => {
    expect(problems(run(`${split} --train-memory-margin-bytes 1073741824`))).toEqual([]);
    expect(problems(run(`${split} --release-train`))[0]).toContain('unknown-option --release-train');
  });
});

describe('the modes of Relax', () => {
  it('knows that hybrid is asynchronous', () => {
    const hybrid = run(`--hybrid ${resource('{"actor": [1, 4], "rollout": [1, 4]}')}`);
    expect(effective(hybrid, 'fully_async')).toBe(true);
    expect(hybrid.worldSize).toEqual({ kind: 'known', data: 8 });
  });

  it('refuses colocation beside asynchronous training', () => {
    const both = found(run(`--fully-async --colocate ${resource('{"actor": [1, 4], "rollout": [1, 4]}')}`));
    expect(both).toContain('error relax/asynchronous-and-colocated');
  });

  it('refuses expandable segments beside offloading', () => {
    const offloaded = bound(relax, line(`--colocate ${resource('{"actor": [1, 4], "rollout": [1, 4]}')}`), {
      env: { CUDA_DEVICE_MAX_CONNECTIONS: '1', PYTORCH_CUDA_ALLOC_CONF: 'expandable_segments:True' },
    });
    expect(found(offloaded)).toContain('error relax/expandable-segments-with-offload');
  });
});

describe("the Megatron-LM of Relax's image", () => {
  const split = resource('{"actor": [1, 4], "rollout": [1, 4]}');
  const refused = '--cross-entropy-loss-fusion --cross-entropy-fusion-impl te';

  it('accepts what the latest one refuses', () => {
    expect(found(run(`${split} ${refused}`))).not.toContain('error megatron-lm/te-cross-entropy');
    const words = `--num-layers 4 --hidden-size 64 --num-attention-heads 4 --seq-length 8 --micro-batch-size 1 ${refused}`;
    expect(found(bound(megatron, `torchrun pretrain_gpt.py ${words}`))).toContain(
      'error megatron-lm/te-cross-entropy',
    );
  });

  it('has options and values that the latest one lacks', () => {
    expect(problems(run(`${split} --offload-optimizer-states --post-mlp-layernorm`))).toEqual([]);
    expect(problems(run(`${split} --cross-entropy-fusion-impl linear`))).toEqual([]);
    expect(problems(run(`${split} --cross-entropy-fusion-impl none`))[0]).toContain('invalid-choice');
  });
});

describe('later additions to Relax', () => {
  const split = resource('{"actor": [1, 4], "rollout": [1, 4]}');

  it.each([
    '--advantage-estimator rloo --calculate-per-token-loss',
    '--advantage-estimator m2po --m2po-kl2-budget 0.04',
    '--task-type causal_lm --vit-lr 1e-6 --lora-rank 8 --lora-scope language',
    '--use-agentic-rollout --agent-command ./agent.sh --agent-cwd /d --agentic-concurrency 8',
  ])('are accepted: %s', (words) => {
    const launch = run(`--colocate ${split} ${words}`);
    expect(problems(launch)).toEqual([]);
    expect(found(launch).filter((one) => one.startsWith('error'))).toEqual([]);
  });

  it.each(['dpo', 'rm', 'sft'])('train on a data set with --loss-type %s', (kind) => {
    const roles = resource('{"sft": [1, 0], "actor": [1, 4]}');
    const launch = run(`--use-dynamic-batch-size --max-tokens-per-gpu 8192 --loss-type ${kind} ${roles}`);
    expect(problems(launch)).toEqual([]);
    expect(found(launch).filter((one) => one.startsWith('error'))).toEqual([]);
    const without = run(`--loss-type ${kind} ${roles}`);
    expect(found(without)).toContain('error relax/supervised-needs-dynamic-batch');
  });

  it('include several reward models, which share the GPUs of their role', () => {
    const roles = resource('{"actor": [1, 8], "rollout": [1, 4], "genrm": [1, 4]}');
    const models = '{"a": {"model_path": "/m/a", "num_gpus": 2}, "b": {"model_path": "/m/b", "num_gpus": 2}}';
    const launch = run(`--colocate ${roles} --genrm-instances '${models}'`);
    expect(found(launch).filter((one) => one.includes('reward-model') || one.includes('follow'))).toEqual([]);
    const larger = run(
      `--colocate ${roles.replace('4], "genrm"', '6], "genrm"')} --genrm-instances '${models}'`,
    );
    expect(found(larger)).toContain('error relax/reward-model-split');
  });

  it('include estimators of the workspace itself', () => {
    const words = `${split} --advantage-estimator own_one`;
    expect(problems(run(words))[0]).toContain('invalid-choice');
    const files = {
      '/w/relax/utils/arguments.py': 'parser.add_argument("--advantage-estimator", choices=names())',
      '/w/relax/algorithms/spec.py': 'ALGORITHM_SPECS = {"grpo": 1, "own_one": 2}',
    };
    expect(problems(bound(relax, line(words), { files }))).toEqual([]);
  });
});
