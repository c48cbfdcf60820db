import { describe, expect, it } from 'vitest';
import { slime } from '../../../../server/src/frameworks/slime/framework.ts';
import { bound, found } from '../trainerRun.ts';

const job =
  'python3 train.py --num-layers 4 --hidden-size 64 --ffn-hidden-size 128 --num-attention-heads 4 --swiglu --disable-bias-linear ' +
  '--normalization RMSNorm --position-embedding-type rope --vocab-size 1000 --hf-checkpoint /m/ours --load /m/ours_dist ' +
  '--prompt-data /d/p.jsonl --label-key label --rm-type math --num-rollout 10 --rollout-batch-size 4 --n-samples-per-prompt 4 ' +
  '--global-batch-size 16 --rollout-max-response-len 512 --actor-num-nodes 1 --actor-num-gpus-per-node 4 --rollout-num-gpus 8';

/** The findings about a file that an option names, without advice. */
const reported = (option: string, text: string, words = ''): readonly string[] =>
  found(
    bound(slime, `${job} ${option} /w/settings.yaml ${words}`, {
      env: { CUDA_DEVICE_MAX_CONNECTIONS: '1' },
      files: { '/w/settings.yaml': text },
    }),
  )
    .filter((finding) => !finding.startsWith('info'))
    .map((finding) => finding.replace('slime/', ''));

describe('an evaluation file', () => {
  const evaluations = (text: string): readonly string[] =>
    reported('--eval-config', text, '--eval-interval 5');
  const dataSet = (settings: string, defaults = '{}'): readonly string[] =>
    evaluations(
      `eval:\n  defaults: ${defaults}\n  datasets:\n    - {name: a, path: /d/a.jsonl${settings}}\n`,
    );

  it('needs positive sample counts, also from defaults that a data set takes', () => {
    const refusal = ['error evaluation-samples-not-positive'];
    expect(dataSet(', min_eval_samples: 0')).toEqual(refusal);
    expect(dataSet(', min_eval_samples: "5"')).toEqual(refusal);
    expect(dataSet('', '{min_eval_samples: 0}')).toEqual(refusal);
    expect(dataSet(', min_eval_samples: 4', '{min_eval_samples: 0}')).toEqual([]);
    expect(dataSet(', min_eval_samples: null')).toEqual([]);
  });

  it('must sample each prompt at least once if it is evaluated at all', () => {
    const refusal = ['error evaluation-file-without-samples'];
    expect(dataSet(', n_samples_per_eval_prompt: 0')).toEqual(refusal);
    expect(dataSet(', n_samples_per_eval_prompt: null')).toEqual(refusal);
    expect(dataSet('', '{n_samples_per_eval_prompt: "4"}')).toEqual(refusal);
    expect(dataSet(', n_samples_per_eval_prompt: 4', '{n_samples_per_eval_prompt: 0}')).toEqual([]);
    const seldom = '--eval-interval 50 --skip-eval-before-train';
    const none = 'datasets: [{name: a, path: /d/a.jsonl, n_samples_per_eval_prompt: 0}]';
    expect(reported('--eval-config', none, seldom)).toEqual([]);
  });

  it('treats no reference or resolver as text, except for a variable', () => {
    const refusal = ['error evaluation-file-without-samples'];
    expect(dataSet(', n_samples_per_eval_prompt: "${oc.decode:${oc.env:SAMPLES,8}}"')).toEqual([]);
    expect(dataSet(', n_samples_per_eval_prompt: "${samples}"')).toEqual([]);
    expect(dataSet(', n_samples_per_eval_prompt: "${oc.env:SAMPLES,8}"')).toEqual(refusal);
    expect(dataSet(', n_samples_per_eval_prompt: "4${oc.decode:0}"')).toEqual(refusal);
  });

  it('has shared settings under defaults, and helpers under names of their own', () => {
    const beside = (key: string): readonly string[] =>
      evaluations(`eval:\n  ${key}: {top_p: 0.9}\n  datasets:\n    - {name: a, path: /d/a.jsonl}\n`);
    expect(beside('default')).toEqual(['warning evaluation-config-key-not-read']);
    expect(beside('_common')).toEqual([]);
    expect(beside('defaults')).toEqual([]);
  });

  it('needs distinct names to keep results apart', () => {
    const named = (one: string, other: string): readonly string[] =>
      evaluations(
        `datasets:\n  - {name: ${one}, path: /d/a.jsonl}\n  - {name: ${other}, path: /d/b.jsonl}\n`,
      );
    expect(named('a', 'a')).toEqual(['warning evaluation-data-sets-share-a-name']);
    expect(named('a', 'b')).toEqual([]);
  });

  it('must override metadata with a map', () => {
    const refusal = ['error evaluation-data-set-overrides-no-map'];
    expect(dataSet(', metadata_overrides: [1]')).toEqual(refusal);
    expect(dataSet('', '{metadata_overrides: level}')).toEqual(refusal);
    expect(dataSet(', metadata_overrides: {level: 3}')).toEqual([]);
  });

  it('must not have empty data sets', () => {
    expect(evaluations('eval:\n  datasets:\n    -\n')).toEqual(['error evaluation-data-set-without-name']);
    expect(evaluations('eval:\n  datasets:\n    a:\n')).toEqual(['error evaluation-data-set-without-path']);
    expect(evaluations('eval:\n  defaults: {path: /d/a.jsonl}\n  datasets:\n    a:\n')).toEqual([]);
  });
});

describe('a role file', () => {
  const roles = (entry: string, words = ''): readonly string[] =>
    reported('--megatron-config-path', `megatron:\n  - ${entry}\n`, words);

  it('must have entries with keys', () => {
    expect(roles('actor')).toEqual(['error role-config-entry-shape']);
    expect(roles('null')).toEqual(['error role-config-entry-shape']);
  });

  it('must override arguments by name, for roles that are trained', () => {
    const refusal = 'error role-config-overrides-shape';
    expect(roles('{role: actor, overrides: [lr]}')).toEqual([refusal]);
    expect(roles('{role: actor, overrides: , args: 5}')).toEqual([refusal]);
    expect(roles('{role: actor, overrides: []}')).toEqual([]);
    expect(roles('{role: critic, overrides: 5}')).toEqual([]);
    expect(roles('{role: critic, overrides: 5}', '--advantage-estimator ppo')).toContain(refusal);
  });

  it('is read by role, not by name', () => {
    const warning = ['warning role-config-unknown-role'];
    expect(roles('{name: actor, overrides: {lr: 1.0e-6}}')).toEqual(warning);
    expect(roles('{role: Actor, overrides: {lr: 1.0e-6}}')).toEqual(warning);
    expect(roles('{role: actor, overrides: {lr: 1.0e-6}}')).toEqual([]);
  });
});

describe('an engine file', () => {
  const engines = (model: string): readonly string[] =>
    reported('--sglang-config', `sglang:\n  - name: default\n${model}`);
  const group = (settings: string): readonly string[] =>
    engines(`    server_groups:\n      - {worker_type: regular${settings}}\n`);

  it('needs a list of groups in every model, under either name', () => {
    const refusal = ['error engine-config-groups-shape'];
    expect(engines('    server_groups: {worker_type: regular, num_gpus: 8}\n')).toEqual(refusal);
    expect(engines('    server_groups:\n      - regular\n')).toEqual(refusal);
    expect(engines('    server_groups: 8\n')).toEqual(refusal);
    expect(
      engines('    server_groups:\n    engine_groups:\n      - {worker_type: regular, num_gpus: 8}\n'),
    ).toEqual([]);
  });

  it('must give GPU counts as numbers', () => {
    expect(group(', num_gpus: "8"')).toEqual(['error engine-config-group-without-gpus']);
    expect(group('')).toEqual(['error engine-config-group-without-gpus']);
    const text = ['error engine-config-engine-size-is-text'];
    expect(group(', num_gpus: 8, num_gpus_per_engine: "2"')).toEqual(text);
    const ofModel =
      '    num_gpus_per_engine: "2"\n    server_groups:\n      - {worker_type: regular, num_gpus: 8';
    expect(engines(`${ofModel}}\n`)).toEqual(text);
    expect(engines(`${ofModel}, num_gpus_per_engine: 2}\n`)).toEqual([]);
  });

  it('must override SGLang arguments by name', () => {
    expect(group(', num_gpus: 8, overrides: [mem_fraction_static]')).toEqual([
      'error engine-config-group-overrides-no-map',
    ]);
    expect(group(', num_gpus: 8, overrides: {mem_fraction_static: 0.8}')).toEqual([]);
  });

  it('gets a warning for model keys that slime does not read', () => {
    const model = '    server_groups:\n      - {worker_type: regular, num_gpus: 8}\n';
    expect(engines(`    update_weight: false\n${model}`)).toEqual([
      'warning engine-config-model-unknown-key',
    ]);
    expect(engines(`    update_weights: true\n${model}`)).toEqual([]);
  });

  it('must serve one checkpoint with all groups of a model', () => {
    const groups = (first: string, second: string): readonly string[] =>
      engines(
        `    server_groups:\n      - {worker_type: regular, num_gpus: 4${first}}\n      - {worker_type: regular, num_gpus: 4${second}}\n`,
      );
    const other = ', overrides: {model_path: /m/judge}';
    const refusal = 'error engine-config-group-model-paths';
    expect(groups(other, '')).toContain(refusal);
    expect(groups('', other)).toContain(refusal);
    expect(groups(other, other)).not.toContain(refusal);
    expect(groups('', ', overrides: {model_path: /m/ours}')).toEqual([]);
  });

  it('must update a model that is the trained one', () => {
    const model = (settings: string): readonly string[] =>
      engines(`${settings}    server_groups:\n      - {worker_type: regular, num_gpus: 8}\n`);
    const warning = ['warning engine-config-nothing-updated'];
    expect(model('    update_weights: false\n')).toEqual(warning);
    expect(model('    model_path: /m/ours/\n')).toEqual(warning);
    expect(model('    model_path: /m/ours\n')).toEqual([]);
    expect(model('    model_path: /m/other\n    update_weights: true\n')).toEqual([]);
  });
});
