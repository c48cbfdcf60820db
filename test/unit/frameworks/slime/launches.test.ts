import { describe, expect, it } from 'vitest';
import { megatronLm } from '../../../../server/src/frameworks/megatron-lm/framework.ts';
import { slime } from '../../../../server/src/frameworks/slime/framework.ts';
import { loadKnowledge, testLinter } from '../../../support/knowledge.ts';
import { memoryHost } from '../../../support/memoryHost.ts';
import { bound, effective, found, launchOf, problems, recognised } from '../trainerRun.ts';

const model =
  '--num-layers 4 --hidden-size 64 --ffn-hidden-size 128 --num-attention-heads 4 --swiglu --disable-bias-linear ' +
  '--normalization RMSNorm --position-embedding-type rope --vocab-size 1000';
const job =
  '--hf-checkpoint /m/ours --load /m/ours_dist --prompt-data /d/p.jsonl --label-key label --rm-type math --num-rollout 10 --rollout-batch-size 4 ' +
  '--n-samples-per-prompt 4 --global-batch-size 16 --rollout-max-response-len 512 ' +
  '--actor-num-nodes 1 --actor-num-gpus-per-node 4 --rollout-num-gpus 4';
const environment = { CUDA_DEVICE_MAX_CONNECTIONS: '1' };
const line = (extra: string, script = 'train.py'): string => `python3 ${script} ${model} ${job} ${extra}`;
const run = (extra: string, files: { readonly [path: string]: string } = {}) =>
  bound(slime, line(extra), { env: environment, files });

describe('which launches are slime', () => {
  it.each([
    [`ray job submit --address=http://127.0.0.1:8265 -- python3 train.py ${job}`, true],
    [`python3 train_async.py ${job}`, true],
    ['python3 /root/slime/train.py --rollout-batch-size 4', true],
    ['python3 train.py --tensor-model-parallel-size 2', false],
    ['python3 train.py --rollout-batch-size 16 --n-samples-per-prompt 4', false],
    ['python3 train.py --rollout-batch-size 16 --rollout-num-gpus 4', true],
    [
      `python3 train_diffusion.py ${job} --rollout-function-path miles.rollout.sft_rollout.generate_rollout`,
      false,
    ],
    [`python3 train.py ${job} --rollout-function-path miles.rollout.sft_rollout.generate_rollout`, true],
    [`python3 my_train.py ${job}`, true],
    ['python3 my_train.py --rollout-batch-size 4', false],
    ['torchrun --nproc_per_node 8 pretrain_gpt.py --tensor-model-parallel-size 2', false],
  ])('%s', (text, expected) => {
    expect(recognised(slime, text) !== undefined).toBe(expected);
  });

  it('leaves nothing of its own to Megatron-LM', () => {
    expect(recognised(megatronLm, `ray job submit -- python3 train.py ${job}`)).toBeUndefined();
  });

  it('is not a program of another package with the same name', () => {
    const text = `python3 train.py ${job}`;
    const ours = { '/w/train.py': 'from slime.utils.arguments import parse_args\n' };
    const others = { '/w/train.py': 'from miles.utils.arguments import parse_args\n' };
    expect(recognised(slime, text, ours)).toBeDefined();
    expect(recognised(slime, text, others)).toBeUndefined();
    const launch = launchOf(text);
    const elsewhere = { ...launch, command: { ...launch.command, cwd: '/opt/miles' } };
    expect(slime.recogniseLaunch(elsewhere, memoryHost(others, '/w'))).toBeUndefined();
    const megatron = `${text} --tensor-model-parallel-size 2 --micro-batch-size 1`;
    expect(recognised(megatronLm, megatron, others)).toBeUndefined();
  });

  it('misses nothing in a program of its own that takes settings from a file', () => {
    const few = '--rollout-batch-size 4 --n-samples-per-prompt 4 --num-rollout 10 --advantage-estimator grpo';
    const missing = (script: string): number =>
      found(bound(slime, `python3 ${script} ${few} --config policies.yaml`)).length;
    expect(missing('train.py')).toBeGreaterThan(3);
    expect(missing('train_policies.py')).toBe(0);
  });

  it('is sure of no program that is not seen to use slime', () => {
    const own = (extra: string, files: { readonly [path: string]: string } = {}): (string | undefined)[] =>
      bound(slime, line(extra, 'my_train.py'), { files }).scopes.map(({ ceiling }) => ceiling);
    expect(own('')).toEqual(['warning', 'warning']);
    expect(own('', { '/w/my_train.py': 'from slime.ray import placement_group\n' })).toEqual([
      undefined,
      undefined,
    ]);
    const descendant = run(
      '--rollout-function-path miles.rollout.sft_rollout.generate_rollout --frobnicate 1',
    );
    expect(descendant.scopes.map(({ ceiling }) => ceiling)).toEqual(['warning', 'warning']);
    expect(problems(descendant)).toEqual([]);
  });

  it('says how it was started', () => {
    expect(recognised(slime, `ray job submit -- python3 train.py ${job}`)).toBe(
      "runs train.py through ray job submit with slime's options",
    );
  });
});

describe('the three parsers', () => {
  it('finds nothing wrong with a plain launch', () => {
    const plain = run('');
    expect(problems(plain)).toEqual([]);
    expect(found(plain).filter((finding) => !finding.startsWith('info'))).toEqual([]);
  });

  it('reads SGLang arguments under their prefix, abbreviated ones too', () => {
    expect(effective(run('--sglang-mem-fraction-static 0.7'), 'sglang_mem_fraction_static')).toBe(0.7);
    expect(effective(run('--sglang-mem-frac 0.6'), 'sglang_mem_fraction_static')).toBe(0.6);
  });

  it('tells of words that none of the parsers takes', () => {
    expect(problems(run('--colocate False'))).toEqual([
      'warning unexpected-value --colocate The switch is on, and False is ignored.',
    ]);
    expect(problems(run('--sglang-enable-metrics False --rm-url http://a b'))).toEqual([
      'warning unexpected-value --sglang-enable-metrics The switch is on, and False is ignored.',
      'warning ignored-word b --rm-url takes one word; quotes keep several together.',
    ]);
    expect(problems(bound(slime, line('--colocate off x', 'my_train.py')))).toEqual([
      'warning unexpected-value --colocate The switch is on, and off is ignored.',
    ]);
  });

  it('does not abbreviate its own options', () => {
    expect(problems(run('--max-tokens-per 512'))).toEqual([
      'warning unknown-option --max-tokens-per It is ignored. Did you mean --max-tokens-per-gpu?',
    ]);
  });

  it.each([
    ['--max-token-per-gpu 512', 'Did you mean --max-tokens-per-gpu?'],
    ['--mem-fraction-static 0.7', "SGLang's options are written --sglang-mem-fraction-static here."],
    ['--megatron-to-hf-mode bridge', 'slime dropped the choice of converters.'],
    ['--frobnicate-the-engine 3', 'none of the parsers knows it'],
    ['--sglang-frobnicate-everything', 'unless the SGLang that is installed has it'],
  ])('tells why %s is ignored', (extra, hint) => {
    const [problem, ...others] = problems(run(extra));
    expect(others).toEqual([]);
    expect(problem).toContain('warning unknown-option');
    expect(problem).toContain(hint);
  });

  it('leaves it to the user whether a flag of SGLang was meant for the engines', () => {
    const [problem] = run('--expert-parallel-size 8').problems;
    expect([problem?.replacement, problem?.isExample]).toEqual(['--sglang-expert-parallel-size', true]);
  });

  it('takes no flag for another one that stands there as well', () => {
    const both = '--max-token-per-gpu 512 --max-tokens-per-gpu 512';
    expect(problems(run(both))).toEqual([expect.stringContaining('none of the parsers knows it')]);
  });

  it('knows the options that the user added', () => {
    const added = bound(slime, line('--my-flag 3'), { env: environment, extraOptions: ['--my-flag'] });
    expect(problems(added)).toEqual([]);
  });

  it('says nothing of unknown options that another script may add', () => {
    expect(problems(bound(slime, line('--my-flag 3', 'my_train.py'), { env: environment }))).toEqual([]);
  });

  it('is not sure of a slime that takes two options of its own, but of one with another SGLang', () => {
    const ceilings = (extra: string) => run(extra).scopes.map(({ ceiling }) => ceiling);
    expect(ceilings('--lora-rank 8 --own-thing 1')).toEqual(['warning', 'warning']);
    expect(ceilings('--sglang-foo-bar --sglang-own-thing 1')).toEqual([undefined, undefined]);
  });

  it('does not parse the arguments of engines that are not started', () => {
    const trained = run('--debug-train-only --sglang-mem-fraction-static 0.7');
    expect(problems(trained)).toEqual([
      'warning ignored-option --sglang-mem-fraction-static: no engines are started in this mode',
    ]);
  });

  it('refuses values that a parser refuses', () => {
    expect(problems(run('--advantage-estimator grpoo'))[0]).toContain('invalid-choice');
    expect(problems(run('--rollout-max-context-len many'))[0]).toContain('invalid-value');
  });

  it('knows the rewards of a fork that the workspace holds', () => {
    const hub = (name: string) => ({
      '/w/slime/rollout/rm_hub/__init__.py': `    elif rm_type == "${name}":\n        return run(sample)\n`,
    });
    const rules = (name: string): string => found(run('--rm-type code_execution', hub(name))).join();
    expect(rules('code_execution')).not.toContain('slime/reward-type-unknown');
    expect(rules('code_review')).toContain('slime/reward-type-unknown');
  });

  it('asks for the data formats that the slime of the workspace reads', () => {
    const reader = (ending: string) => ({
      '/w/slime/utils/data.py': `    if path.endswith("${ending}"):\n        return read(path)\n`,
    });
    const words = '--prompt-data /data/a.json --eval-interval 20 --eval-prompt-data aime /data/b.json@[0:9]';
    const rules = (ending: string): string => found(run(words, reader(ending))).join();
    expect(rules('.jsonl')).toMatch(/prompt-data-format.*evaluation-data-format/);
    expect(rules('.json')).not.toContain('data-format');
  });

  it('is not sure of another backend, which earlier releases had, nor of what that would demand', () => {
    const older = run('--train-backend fsdp');
    expect(problems(older)[0]).toContain('warning invalid-choice');
    expect(older.scopes.map(({ set, ceiling }) => [set, ceiling])).toEqual([['slime', 'warning']]);
    const foreign = '--lora-rank 8 --hf-checkpoint /models/Qwen3-4B --balance-data';
    expect(problems(run(`--train-backend fsdp ${foreign}`)).join()).not.toContain('unknown-option');
    expect(problems(run(foreign)).join()).toContain('unknown-option --lora-rank');
    expect(found(run(`--train-backend fsdp ${foreign}`)).join()).not.toMatch(/checkpoint-has-another/);
    expect(found(run(foreign)).join()).toMatch(/checkpoint-has-another/);
    const theirs = (backend: string): string =>
      problems(run(`--train-backend ${backend} --optimizer adamw --expert-parallel-size 8`)).join();
    expect(theirs('own')).not.toMatch(/--optimizer|--expert-parallel-size/);
    expect(theirs('megatron')).toMatch(/--optimizer.*--expert-parallel-size/);
    const [own] = run('--train-backend megatron').scopes;
    expect([own?.set, own?.ceiling]).toEqual(['slime', undefined]);
  });
});

describe('what slime settles', () => {
  it('takes the actors for the world of Megatron-LM, and adds the engines for the job', () => {
    const split = run('');
    expect(effective(split, 'world_size')).toBe(4);
    expect(effective(split, 'world_size', 'megatron-lm')).toBe(4);
    expect(split.worldSize).toEqual({ kind: 'known', data: 8 });
  });

  it('lets colocated engines share the GPUs of the actors', () => {
    const colocated = run('--colocate');
    expect(colocated.worldSize).toEqual({ kind: 'known', data: 4 });
    expect(effective(colocated, 'offload_train')).toBe(true);
    expect(effective(colocated, 'rollout_num_gpus')).toBe(4);
  });

  it('always shards the optimizer', () => {
    expect(effective(run(''), 'use_distributed_optimizer', 'megatron-lm')).toBe(true);
    expect(effective(run(''), 'bf16', 'megatron-lm')).toBe(true);
    expect(effective(run('--fp16'), 'bf16', 'megatron-lm')).toBe(false);
  });

  it('sets Megatron-LM aside where nothing is trained', () => {
    expect(run('--debug-rollout-only').scopes.map((scope) => scope.set)).toEqual(['slime']);
    expect(run('').scopes.map((scope) => scope.set)).toEqual(['slime', 'megatron-lm']);
  });

  it('compares no answers of rollouts where it only evaluates', () => {
    const rule = 'warning slime/reward-compares-with-no-label';
    const unlabelled = (extra: string) =>
      found(bound(slime, line(extra).replace('--label-key label ', ''), { env: environment }));
    expect(unlabelled('')).toContain(rule);
    expect(unlabelled('--num-rollout 0 --eval-interval 1')).not.toContain(rule);
  });

  it('knows which script rules out colocation', () => {
    const colocated = bound(slime, line('--colocate', 'train_async.py'), { env: environment });
    expect(found(colocated)).toContain('error slime/colocate-with-asynchronous-training');
    expect(found(run('--colocate'))).not.toContain('error slime/colocate-with-asynchronous-training');
  });

  it('leaves the allocator to slime', () => {
    const experts =
      '--num-experts 8 --expert-model-parallel-size 4 --moe-ffn-hidden-size 64 --moe-router-topk 2 --moe-grouped-gemm';
    const large = found(run(`${experts} --hidden-size 4096 --moe-token-dispatcher-type alltoall`));
    expect(large).not.toContain('info megatron-lm/expandable-segments-against-fragmentation');
  });
});

describe('values that are not in the text', () => {
  it('calls nothing wrong that an open end may set right', () => {
    const open = bound(slime, `python3 train.py ${model} ${job} --use-dynamic-batch-size $MORE`, {
      env: environment,
    });
    expect(open.open).toBe(true);
    expect(found(open).filter((finding) => finding.startsWith('error'))).toEqual([]);
  });

  it('says nothing of model arguments that cannot be read', () => {
    const unread = bound(slime, `python3 train.py $MODEL_ARGS ${job}`, { env: environment });
    expect(found(unread).filter((finding) => !finding.startsWith('info'))).toEqual([]);
    const absent = bound(slime, `python3 train.py ${job}`, { env: environment });
    expect(found(absent)).toContain('error megatron-lm/shape-required');
  });

  it('takes variables of a computed runtime environment for unknown', () => {
    const submitted = (options: string): readonly string[] =>
      found(
        bound(
          slime,
          `ray job submit ${options} -- python3 train.py ${model} ${job} --tensor-model-parallel-size 2 --sequence-parallel`,
        ),
      );
    const rule = 'megatron-lm/connections-with-tensor-or-context-parallel';
    expect(submitted('--runtime-env-json="$ENV_JSON"').join()).not.toContain(rule);
    expect(submitted('--runtime-env env.yaml').join()).not.toContain(rule);
  });
});

describe('an option that is given twice', () => {
  const told = (order: string, script = '--moe-token-dispatcher-type flex'): readonly string[] => {
    const text = `source /w/model.sh\nOWN=(${script})\npython3 /root/slime/train.py ${job} ${order}\n`;
    const files = { '/w/run.sh': text, '/w/model.sh': 'MODEL=(--moe-token-dispatcher-type alltoall)\n' };
    return testLinter(loadKnowledge(), memoryHost(files, '/w'))
      .lint('/w/run.sh', text)
      .findings.flatMap(({ rule, severity, place }) =>
        rule === 'duplicate-option' ? [`${severity} ${place.path}`] : [],
      );
  };

  it('has its last value on purpose where that stands behind a file of the model', () => {
    expect(told('"${MODEL[@]}" "${OWN[@]}"')).toEqual([]);
  });

  it('is lost where such a file has it after the script', () => {
    expect(told('"${OWN[@]}" "${MODEL[@]}"')).toEqual(['warning /w/run.sh']);
  });

  it('is a slip within the script', () => {
    const own = '--moe-token-dispatcher-type flex --moe-token-dispatcher-type allgather';
    expect(told('"${OWN[@]}"', own)).toEqual(['warning /w/run.sh']);
  });
});

describe('files that options name', () => {
  it('lets the file of --custom-config-path override the command line', () => {
    const custom = run('--custom-config-path /w/custom.yaml', {
      '/w/custom.yaml': 'rollout_batch_size: 8\nmy_own_key: 3\n',
    });
    expect(effective(custom, 'rollout_batch_size')).toBe(8);
    expect(problems(custom)).toEqual(['warning duplicate-option --rollout-batch-size']);
  });

  it('is less sure where that file cannot be read', () => {
    expect(run('--custom-config-path /elsewhere/custom.yaml').open).toBe(true);
  });

  it('reads that file after the check of the token budget', () => {
    const file = { '/w/custom.yaml': 'max_tokens_per_gpu: 4096\n' };
    const late = run('--use-dynamic-batch-size --custom-config-path /w/custom.yaml', file);
    expect(found(late).join()).toContain('dynamic-batch-needs-token-budget');
    const both = run(
      '--use-dynamic-batch-size --max-tokens-per-gpu 8 --custom-config-path /w/custom.yaml',
      file,
    );
    expect(found(both).join()).not.toContain('dynamic-batch-needs-token-budget');
  });

  it('tells of keys in a role that are no arguments', () => {
    const roles = run('--megatron-config-path roles.yaml', {
      '/w/roles.yaml':
        'megatron:\n  - role: critic\n    overrides:\n      lr: 1e-5\n      learning_rate: 1\n      num_nodes: 2\n',
    });
    expect(problems(roles)).toEqual([
      'warning unknown-option learning_rate It is set on the role all the same, and most likely read by nothing.',
      'warning ignored-option num_nodes: the GPUs of a role follow from the command line',
    ]);
  });

  it('checks a role with the arguments that it changes, once', () => {
    const file = {
      '/w/roles.yaml': 'megatron:\n  - role: critic\n    overrides:\n      recompute_granularity: full\n',
    };
    const path = '--megatron-config-path roles.yaml';
    const critic = run(`${path} --advantage-estimator ppo`, file);
    expect(critic.scopes.map(({ set, role }) => role ?? set)).toEqual(['slime', 'megatron-lm', 'critic']);
    expect(found(critic)).toContain('warning megatron-lm/full-recompute-needs-method');
    expect(found(run(path, file)).join()).not.toContain('full-recompute');
    const both = found(run(`${path} --advantage-estimator ppo --recompute-granularity full`, file));
    expect(both.filter((finding) => finding.includes('full-recompute-needs-method'))).toEqual([
      'error megatron-lm/full-recompute-needs-method',
    ]);
  });

  it('refuses a role that stands twice, a critic where there is one', () => {
    const twice = (role: string, words = '') =>
      found(
        run(`--megatron-config-path roles.yaml ${words}`, {
          '/w/roles.yaml': `megatron:\n  - role: ${role}\n  - role: ${role}\n`,
        }),
      );
    const refusal = 'error slime/role-config-names-a-role-twice';
    expect(twice('actor')).toContain(refusal);
    expect(twice('critic')).not.toContain(refusal);
    expect(twice('critic', '--advantage-estimator ppo')).toContain(refusal);
  });

  it('leaves the size of engines to the groups of a file', () => {
    const engines = '--rollout-num-gpus-per-engine 0';
    const file = {
      '/w/engines.yaml':
        'sglang:\n  - name: default\n    server_groups:\n      - {worker_type: regular, num_gpus: 4, num_gpus_per_engine: 2}\n',
    };
    const refusal = 'error slime/engine-gpus-not-positive';
    expect(found(run(engines))).toContain(refusal);
    expect(found(run(`${engines} --sglang-config engines.yaml`, file))).not.toContain(refusal);
  });

  it('counts the GPUs of the engines in a file', () => {
    const engines = (gpus: number) =>
      found(
        run('--sglang-config engines.yaml', {
          '/w/engines.yaml': `sglang:\n  - name: actor\n    server_groups:\n      - worker_type: regular\n        num_gpus: ${gpus}\n`,
        }),
      );
    expect(engines(2)).toContain('error slime/engine-config-gpu-total');
    expect(engines(4)).not.toContain('error slime/engine-config-gpu-total');
  });

  it('tells of a key that stands twice in the file of evaluations, which OmegaConf refuses', () => {
    const text = 'eval:\n  defaults: {}\n  defaults: {}\n  datasets:\n    - {name: a, path: /a.jsonl}\n';
    expect(problems(run('--eval-config e.yaml', { '/w/e.yaml': text }))).toEqual([
      'error duplicate-key defaults',
    ]);
    expect(problems(run('--sglang-config e.yaml', { '/w/e.yaml': text }))).toEqual([]);
  });

  it('knows nothing of a file outside the workspace', () => {
    const outside = found(run('--sglang-config /elsewhere/engines.yaml --eval-config /elsewhere/e.yaml'));
    expect(outside.filter((finding) => finding.startsWith('error'))).toEqual([]);
  });
});

describe('checkpoints that are known by name', () => {
  const qwen = (extra: string): readonly string[] =>
    found(
      bound(
        slime,
        `python3 train.py ${job} --hf-checkpoint /root/Qwen3-4B --swiglu --disable-bias-linear --normalization RMSNorm ` +
          `--num-layers 36 --hidden-size 2560 --num-attention-heads 32 --ffn-hidden-size 9728 --vocab-size 151936 ${extra}`,
        { env: environment },
      ),
    );

  it('compares the model arguments with them', () => {
    const right = '--norm-epsilon 1e-6 --rotary-base 1000000 --position-embedding-type rope';
    expect(qwen(right).filter((finding) => finding.includes('checkpoint-'))).toEqual([]);
    expect(qwen('--norm-epsilon 1e-6 --rotary-base 10000 --position-embedding-type rope')).toContain(
      'error slime/checkpoint-has-another-rope-theta',
    );
  });
});

describe('options that slime got later', () => {
  it('knows them, and what they ask for', () => {
    expect(found(run('--use-score-centering')).filter((one) => one.includes('unknown'))).toEqual([]);
    expect(
      found(run('--use-swanlab --swanlab-mode offline')).filter((one) => one.includes('unknown')),
    ).toEqual([]);
    expect(found(run('--use-score-centering --advantage-estimator gspo'))).toContain(
      'warning slime/score-centering-rules',
    );
  });

  it('lets its own objective take the log-probs of the rollout beside importance sampling', () => {
    const both = '--use-tis --use-rollout-logprobs';
    const refused = 'error slime/rollout-log-probs-beside-importance-sampling';
    expect(found(run(both))).toContain(refused);
    expect(found(run(`${both} --pg-loss-type reinforce`))).not.toContain(refused);
  });
});
