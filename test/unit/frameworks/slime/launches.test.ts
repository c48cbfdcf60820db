import { describe, expect, it } from 'vitest';
import { megatronLm } from '../../../../server/src/frameworks/megatron-lm/framework.ts';
import { slime } from '../../../../server/src/frameworks/slime/framework.ts';
import { loadKnowledge, testLinter } from '../../../support/knowledge.ts';
import { memoryHost } from '../../../support/memoryHost.ts';
import { bound, found, launchOf, problems, recognised } from '../trainerRun.ts';

import { environment, job, line, model, run } from './slimeRun.ts';

describe('recognising slime launches', () => {
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

  it('does not recognise them as Megatron-LM', () => {
    expect(recognised(megatronLm, `ray job submit -- python3 train.py ${job}`)).toBeUndefined();
  });

  it('ignores a program of another package with the same name', () => {
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

  it('misses nothing in a program that may derive settings from its own flags', () => {
    const few = '--rollout-batch-size 4 --n-samples-per-prompt 4 --num-rollout 10 --advantage-estimator grpo';
    const missing = (words: string): number => found(bound(slime, `python3 ${words} ${few}`)).length;
    expect(missing('start.py --backend megatron --num-rollout-gpus 4')).toBe(0);
    expect(missing('-m slime.start --backend megatron --num-rollout-gpus 4')).toBe(0);
    expect(missing('start.py --backend megatron')).toBeGreaterThan(0);
    expect(missing('train.py --backend megatron --num-rollout-gpus 4')).toBeGreaterThan(0);
  });

  it('misses nothing in a custom program that takes settings from a file', () => {
    const few = '--rollout-batch-size 4 --n-samples-per-prompt 4 --num-rollout 10 --advantage-estimator grpo';
    const missing = (script: string): number =>
      found(bound(slime, `python3 ${script} ${few} --config policies.yaml`)).length;
    expect(missing('train.py')).toBeGreaterThan(3);
    expect(missing('train_policies.py')).toBe(0);
  });

  it('only warns about a program that is not seen to use slime', () => {
    const own = (extra: string, files: { readonly [path: string]: string } = {}): (string | undefined)[] =>
      bound(slime, line(extra, 'my_train.py'), { files }).scopes.map(({ ceiling }) => ceiling);
    expect(own('')).toEqual(['warning', 'warning', 'warning']);
    expect(own('', { '/w/my_train.py': 'from slime.ray import placement_group\n' })).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    const descendant = run(
      '--rollout-function-path miles.rollout.sft_rollout.generate_rollout --frobnicate 1',
    );
    expect(descendant.scopes.map(({ ceiling }) => ceiling)).toEqual(['warning', 'warning', 'warning']);
    expect(problems(descendant)).toEqual([]);
  });

  it('says how it was started', () => {
    expect(recognised(slime, `ray job submit -- python3 train.py ${job}`)).toBe(
      "runs train.py through ray job submit with slime's options",
    );
  });
});

describe('values not in the text', () => {
  it('cause no errors that unknown words may correct', () => {
    const open = bound(slime, `python3 train.py ${model} ${job} --use-dynamic-batch-size $MORE`, {
      env: environment,
    });
    expect(open.open).toBe(true);
    expect(found(open).filter((finding) => finding.startsWith('error'))).toEqual([]);
  });

  it('cause no findings if they are the model arguments', () => {
    const unread = bound(slime, `python3 train.py $MODEL_ARGS ${job}`, { env: environment });
    expect(found(unread).filter((finding) => !finding.startsWith('info'))).toEqual([]);
    const absent = bound(slime, `python3 train.py ${job}`, { env: environment });
    expect(found(absent)).toContain('error megatron-lm/shape-required');
  });

  it.each([
    ['Qwen3-0.6B', '--num-layers 28 --hidden-size 1024 --ffn-hidden-size 3072 --num-attention-heads 16'],
    ['ours', '--num-layers 32 --hidden-size 4096 --num-attention-heads 32'],
    ['Qwen3-30B-A3B', '--num-layers 32 --hidden-size 4096 --num-attention-heads 32'],
  ])('offer the shape of the checkpoint %s for a missing one, if known', (checkpoint, expected) => {
    const text = `python3 train.py ${job.replace('/m/ours ', `/m/${checkpoint} `)}\n`;
    const { findings } = testLinter(loadKnowledge(), memoryHost({ '/w/run.sh': text })).lint(
      '/w/run.sh',
      text,
    );
    const fixes = findings.find(({ rule }) => rule === 'megatron-lm/shape-required')?.fixes;
    const first = fixes?.[0]?.edits.map(({ newText }) => newText).join('');
    expect(first).toContain(expected);
    expect(fixes?.[0]?.safety).toBe('example');
  });

  it.each([
    ['', ['Halve the token budget']],
    ['parser.add_argument("--recompute-loss-function")\n', ['Recompute the loss', 'Halve the token budget']],
  ])('offer no fix with an option that the workspace’s slime lacks: %s', (declaration, expected) => {
    const text = `${line('--vocab-size 151936 --use-dynamic-batch-size --max-tokens-per-gpu 20480')}\n`;
    const files = {
      '/w/run.sh': text,
      '/w/slime/utils/arguments.py': `parser.add_argument("--max-tokens-per-gpu")\n${declaration}`,
    };
    const { findings } = testLinter(loadKnowledge(), memoryHost(files, '/w')).lint('/w/run.sh', text);
    const fixes = findings.find(({ rule }) => rule === 'slime/logits-are-large')?.fixes;
    expect(fixes?.map(({ title }) => title)).toEqual(expected);
  });

  it('include variables of a computed runtime environment', () => {
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
  const reported = (order: string, script = '--moe-token-dispatcher-type flex'): readonly string[] => {
    const text = `source /w/model.sh\nOWN=(${script})\npython3 /root/slime/train.py ${job} ${order}\n`;
    const files = { '/w/run.sh': text, '/w/model.sh': 'MODEL=(--moe-token-dispatcher-type alltoall)\n' };
    return testLinter(loadKnowledge(), memoryHost(files, '/w'))
      .lint('/w/run.sh', text)
      .findings.flatMap(({ rule, severity, place }) =>
        rule === 'duplicate-option' ? [`${severity} ${place.path}`] : [],
      );
  };

  it('intentionally takes its last value if that follows a model file', () => {
    expect(reported('"${MODEL[@]}" "${OWN[@]}"')).toEqual([]);
  });

  it('is lost if a model file repeats it after the script', () => {
    expect(reported('"${OWN[@]}" "${MODEL[@]}"')).toEqual(['warning /w/run.sh']);
  });

  it('is a mistake within the script', () => {
    const own = '--moe-token-dispatcher-type flex --moe-token-dispatcher-type allgather';
    expect(reported('"${OWN[@]}"', own)).toEqual(['warning /w/run.sh']);
  });
});

describe('checkpoints known by name', () => {
  const qwen = (extra: string): readonly string[] =>
    found(
      bound(
        slime,
        `python3 train.py ${job} --hf-checkpoint /root/Qwen3-4B --swiglu --disable-bias-linear --normalization RMSNorm ` +
          `--num-layers 36 --hidden-size 2560 --num-attention-heads 32 --ffn-hidden-size 9728 --vocab-size 151936 ${extra}`,
        { env: environment },
      ),
    );

  it('are compared with the model arguments', () => {
    const right = '--norm-epsilon 1e-6 --rotary-base 1000000 --position-embedding-type rope';
    expect(qwen(right).filter((finding) => finding.includes('checkpoint-'))).toEqual([]);
    expect(qwen('--norm-epsilon 1e-6 --rotary-base 10000 --position-embedding-type rope')).toContain(
      'error slime/checkpoint-has-another-rope-theta',
    );
  });
});

describe('later slime options', () => {
  it('are known, with what they require', () => {
    expect(found(run('--use-score-centering')).filter((one) => one.includes('unknown'))).toEqual([]);
    expect(
      found(run('--use-swanlab --swanlab-mode offline')).filter((one) => one.includes('unknown')),
    ).toEqual([]);
    expect(found(run('--use-score-centering --advantage-estimator gspo'))).toContain(
      'warning slime/score-centering-rules',
    );
  });

  it('have uncertain values, as releases without them ignore these', () => {
    const written = problems(run('--pg-loss-type fp32 --score-centering-top-k few --eps-clip few'));
    expect(written.filter((one) => one.includes('invalid'))).toEqual([
      'warning invalid-choice --pg-loss-type',
      'warning invalid-value --score-centering-top-k',
      'error invalid-value --eps-clip',
    ]);
  });

  it('let its own objective use rollout log-probs with importance sampling', () => {
    const both = '--use-tis --use-rollout-logprobs';
    const refused = 'error slime/rollout-log-probs-beside-importance-sampling';
    expect(found(run(both))).toContain(refused);
    expect(found(run(`${both} --pg-loss-type reinforce`))).not.toContain(refused);
  });
});

describe('a missing vocabulary size', () => {
  const shape = '--num-layers 24 --hidden-size 896 --ffn-hidden-size 4864 --num-attention-heads 14';
  const titles = (checkpoint: string): readonly string[] => {
    const path = '/w/run.sh';
    const text = `python3 train.py ${shape} --hf-checkpoint ${checkpoint} --load /w/torch_dist --rollout-num-gpus 8 --rollout-batch-size 32 --num-rollout 10 --balance-data\n`;
    const { findings } = testLinter(loadKnowledge(), memoryHost({ [path]: text })).lint(path, text);
    const reported = findings.find(({ rule }) => rule === 'slime/vocabulary-size-missing');
    return (reported?.fixes ?? []).flatMap(({ edits }) => edits.map(({ newText }) => newText.trim()));
  };

  it.each([
    ['/root/GLM4-9B', '--vocab-size 151552'],
    ['/root/Qwen2.5-72B', '--vocab-size 152064'],
    ['/root/Llama-3.1-70B', '--vocab-size 128256'],
  ])('is taken from %s', (checkpoint, words) => {
    expect(titles(checkpoint)).toEqual([words, '']);
  });

  it('gets no number if the model is unknown', () => {
    expect(titles('/root/Step-3.5-Flash')).toEqual(['']);
  });
});
