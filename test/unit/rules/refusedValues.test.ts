import { describe, expect, it } from 'vitest';
import { applyEdits } from '../../../server/src/text/edit.ts';
import { noProfile } from '../../../server/src/value/machine.ts';
import { loadKnowledge, testLinter } from '../../support/knowledge.ts';
import { memoryHost } from '../../support/memoryHost.ts';
import { mended } from '../../support/mended.ts';

const run = '/repository/run.sh';

/** The titles of a rule's fixes in a file, each with the line that it changes, after the change. */
function offered(path: string, text: string, rule: string, files: { readonly [path: string]: string } = {}) {
  const all = { ...files, [path]: text };
  const { findings } = testLinter(loadKnowledge(), memoryHost(all), noProfile).lint(path, text);
  return findings
    .filter((finding) => finding.rule === rule)
    .flatMap(({ fixes }) =>
      fixes.map(({ title, safety, edits }) => {
        const now = applyEdits(text, edits)?.split('\n') ?? [];
        return [title, safety, now.find((line) => !text.split('\n').includes(line))];
      }),
    );
}

const megatron = (words: string): string =>
  `torchrun --nproc_per_node 8 pretrain_gpt.py \\\n  --num-layers 4 \\\n  --micro-batch-size 1 \\\n  ${words} \\\n  --bf16\n`;

const slime = (words: string): string =>
  `ARGS=(\n  --hf-checkpoint /models/x\n  ${words}\n  --rollout-batch-size 8\n  --sglang-mem-fraction-static 0.7\n)\npython3 train.py "\${ARGS[@]}"\n`;

const skyrl = (words: string): string =>
  `python -m skyrl.train.entrypoints.main_base \\\n  trainer.epochs=1 \\\n  ${words} \\\n  trainer.seed=1\n`;

describe('a refused value', () => {
  it('is not reported for a removed option, which is refused with every value', () => {
    const text = megatron('--warmup .01');
    const { findings } = testLinter(loadKnowledge(), memoryHost({ [run]: text }), noProfile).lint(run, text);
    const about = findings.filter(
      ({ settings, rule }) => rule === 'invalid-value' || settings[0] === '--warmup',
    );
    expect(about.map(({ rule }) => rule)).toEqual(['megatron-lm/warmup-removed']);
    expect(offered(run, megatron('--lr-warmup-iters .01'), 'invalid-value')).not.toEqual([]);
  });

  it('offers a few other choices, for the user to choose, or the default', () => {
    expect(offered(run, slime('--kl-loss-type k4'), 'invalid-choice')).toEqual([
      ['Use k2', 'example', '  --kl-loss-type k2'],
      ['Use k3', 'example', '  --kl-loss-type k3'],
      ['Use low_var_kl', 'example', '  --kl-loss-type low_var_kl'],
      ['Leave --kl-loss-type at its default of k1', 'suggested', undefined],
    ]);
  });

  it('is replaced by the choice that it abbreviates', () => {
    expect(mended(run, slime('--loss-type sft'), 'invalid-choice')).toMatchObject({
      after: slime('--loss-type sft_loss'),
      left: 0,
    });
  });

  it('is removed with its option, which has a default', () => {
    expect(mended(run, megatron('--seed 1.5'), 'invalid-value')).toMatchObject({
      title: 'Leave --seed at its default of 1234',
      after: megatron('').replace('   \\\n', ''),
      left: 0,
    });
    // Without it something would be missing.
    expect(offered(run, megatron('--train-samples 4k'), 'invalid-value')).toEqual([]);
  });

  it('gets no fix to the default if the option is given before', () => {
    expect(offered(run, megatron('--seed 7 --seed 1.5'), 'invalid-value')).toEqual([]);
  });

  it('is split if it is a list in one word', () => {
    expect(mended(run, slime('--sglang-cuda-graph-bs 1,2,4'), 'invalid-value')).toMatchObject({
      title: 'Write 1 2 4 as 3 words',
      after: slime('--sglang-cuda-graph-bs 1 2 4'),
      left: 0,
    });
  });

  it.each([
    ['trainer.ckpt_interval=1e3', 'trainer.ckpt_interval=1000'],
    ['generator.inference_engine.num_engines=true', undefined],
  ])('is read as another type by YAML: %s', (words, after) => {
    const fixed = mended(run, skyrl(words), 'invalid-value');
    expect(fixed.left).toBe(0);
    expect(fixed.after).toBe(after === undefined ? skyrl('').replace('   \\\n', '') : skyrl(after));
  });

  it.each([
    ['reasoning_effort:low', 'reasoning_effort: low'],
    ['enable_thinking:true', 'enable_thinking: true'],
    ['budget:12', 'budget: 12'],
    ['reasoning_effort:"low"', 'reasoning_effort: low'],
  ])('lacks the blank behind a colon: %s', (written, meant) => {
    const fixed = mended(run, skyrl(`'generator.chat_template_kwargs={${written}}'`), 'scalar-trap');
    expect(fixed).toMatchObject({ after: skyrl(`'generator.chat_template_kwargs={${meant}}'`), left: 0 });
  });
});

describe('an AReaL configuration', () => {
  const path = '/repository/config.yaml';
  const yaml = (line: string): string => (loadKnowledge().frameworks.get('areal')?.base.yaml ?? '') + line;
  it.each([
    ['gconfig.stop', 'stop: </s>', 'Write a list of </s>'],
    ['gconfig.min_new_tokens', 'min_new_tokens: 512.0', 'Write 512'],
    ['gconfig.greedy', 'greedy: maybe', 'Use true'],
  ])('has a value of another type: %s', (_, line, title) => {
    const text = yaml('').replace(/^gconfig:\n/m, `gconfig:\n  ${line}\n`);
    expect(text).toContain(line);
    const [first] = offered(path, text, 'invalid-value');
    expect(first?.[0]).toBe(title);
  });
});

describe('a missing backend', () => {
  const path = '/repository/config.yaml';
  const base = loadKnowledge().frameworks.get('areal')?.base.yaml ?? '';
  const titles = (allocation: string): unknown[] => {
    const text = `${base.replace(/^ {2}backend: .*\n/gm, '')}allocation_mode: ${allocation}\n`;
    return offered(path, text, 'required-option').map(([title]) => title);
  };

  it('is filled in from the allocation of earlier releases', () => {
    expect(titles('sglang:d4+d4p1t1')).toEqual([
      'Write rollout.backend: sglang:d4',
      'Write actor.backend: fsdp:d4p1t1',
    ]);
    expect(titles('vllm:d2t2+megatron:d2p2')).toEqual([
      'Write rollout.backend: vllm:d2t2',
      'Write actor.backend: megatron:d2p2',
    ]);
  });

  it('gets the engine that earlier releases chose for its sizes', () => {
    expect(titles('sglang:d4+d2p2')).toEqual([
      'Write rollout.backend: sglang:d4',
      'Write actor.backend: megatron:d2p2',
    ]);
  });

  it('is not guessed', () => {
    expect(titles('sglang:d4+fsdp[actor]:d4')).toEqual(['Write rollout.backend: sglang:d4']);
    expect(titles('fsdp:d4')).toEqual([]);
  });
});

describe('an option given twice', () => {
  it('loses the occurrence that has no effect', () => {
    expect(mended(run, megatron('--seed 1 --lr 1e-4 --seed 2'), 'duplicate-option')).toMatchObject({
      title: 'Remove the earlier --seed',
      after: megatron('--lr 1e-4 --seed 2'),
      left: 0,
    });
    expect(mended(run, skyrl('trainer.seed=4'), 'duplicate-option')).toMatchObject({
      after: skyrl('').replace('   \\\n', ''),
      left: 0,
    });
  });
});

describe('an unknown option', () => {
  it('is removed with its value if it resembles none', () => {
    expect(mended(run, megatron('--frobnicate-it 3'), 'unknown-option')).toMatchObject({
      title: 'Remove --frobnicate-it',
      after: megatron('').replace('   \\\n', ''),
      left: 0,
    });
    expect(mended(run, skyrl('use_frobnication=true'), 'unknown-option')).toMatchObject({
      title: 'Remove use_frobnication',
      after: skyrl('').replace('   \\\n', ''),
      left: 0,
    });
  });

  it('leaves possible options after it', () => {
    const text = megatron('--frobnicate-it 3 $MORE');
    expect(mended(run, text, 'unknown-option').after ?? text).toContain('$MORE');
  });

  it('is removed if slime ignores it', () => {
    expect(mended(run, slime('--sglang-tp-size 8'), 'unknown-option')).toMatchObject({
      title: 'Remove --sglang-tp-size',
      after: slime('').replace('  \n', ''),
      left: 0,
    });
  });
});

describe('a word that is no override', () => {
  it.each(['=5', 'trainer.epochs', "'trainer.epochs=\"a'"])('is removed: %s', (word) => {
    expect(mended(run, skyrl(word), 'invalid-override')).toMatchObject({
      after: skyrl('').replace('   \\\n', ''),
      left: 0,
    });
  });
});
