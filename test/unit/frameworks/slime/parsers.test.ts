import { describe, expect, it } from 'vitest';
import { slime } from '../../../../server/src/frameworks/slime/framework.ts';
import { bound, effective, found, problems } from '../trainerRun.ts';

import { environment, line, run } from './slimeRun.ts';

describe('the three parsers', () => {
  it('find nothing wrong with a plain launch', () => {
    const plain = run('');
    expect(problems(plain)).toEqual([]);
    expect(found(plain).filter((finding) => !finding.startsWith('info'))).toEqual([]);
  });

  it('read SGLang arguments with their prefix, also abbreviated', () => {
    expect(effective(run('--sglang-mem-fraction-static 0.7'), 'sglang_mem_fraction_static')).toBe(0.7);
    expect(effective(run('--sglang-mem-frac 0.6'), 'sglang_mem_fraction_static')).toBe(0.6);
  });

  it('report words that none of them takes', () => {
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

  it('do not abbreviate slime’s own options', () => {
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
  ])('explain why %s is ignored', (extra, hint) => {
    const [problem, ...others] = problems(run(extra));
    expect(others).toEqual([]);
    expect(problem).toContain('warning unknown-option');
    expect(problem).toContain(hint);
  });

  it('accept a flag that only Megatron-LM releases after the image’s lack', () => {
    expect(problems(run('--optimizer muon --muon-use-nesterov'))).toEqual([]);
    expect(problems(run('--no-contiguous-buffers-in-local-ddp'))).toHaveLength(1);
  });

  it('require nothing of a model that its checkpoint configures', () => {
    const rule = 'gated-delta-net-needs-frequency';
    const of = (mode: string) =>
      found(run(`--experimental-attention-variant gdn ${mode}`)).filter((finding) => finding.includes(rule));
    expect(of('')).toHaveLength(1);
    expect(of('--megatron-to-hf-mode raw')).toHaveLength(1);
    expect(of('--megatron-to-hf-mode bridge')).toEqual([]);
  });

  it('let the user decide whether an SGLang flag was meant for the engines', () => {
    const [problem] = run('--expert-parallel-size 8').problems;
    expect([problem?.replacement, problem?.isExample]).toEqual(['--sglang-expert-parallel-size', true]);
  });

  it('suggest no flag that is also given', () => {
    const both = '--max-token-per-gpu 512 --max-tokens-per-gpu 512';
    expect(problems(run(both))).toEqual([expect.stringContaining('none of the parsers knows it')]);
  });

  it('know options that the user added', () => {
    const added = bound(slime, line('--my-flag 3'), { env: environment, extraOptions: ['--my-flag'] });
    expect(problems(added)).toEqual([]);
  });

  it('say nothing about unknown options that another script may add', () => {
    expect(problems(bound(slime, line('--my-flag 3', 'my_train.py'), { env: environment }))).toEqual([]);
  });

  it('are uncertain about a slime with two options of its own, but not with another SGLang', () => {
    const ceilings = (extra: string) => run(extra).scopes.map(({ ceiling }) => ceiling);
    expect(ceilings('--lora-rank 8 --own-thing 1')).toEqual(['warning', 'warning', 'warning']);
    expect(ceilings('--sglang-foo-bar --sglang-own-thing 1')).toEqual([undefined, undefined, undefined]);
  });

  it('are certain, even with two options of its own, of what all releases read alike', () => {
    const reported = (extra: string) => problems(run(`--lora-rank 8 --own-thing 1 ${extra}`)).join();
    expect(reported('--rollout-batch-size many')).toContain('error invalid-value');
    expect(reported('--rollout-batch-size --colocate')).toContain('error missing-value');
    expect(reported('--rollout-max-context-len many')).toContain('warning invalid-value');
    expect(reported('--advantage-estimator grpoo')).toContain('warning invalid-choice');
  });

  it('report three unknown options once, as those of a fork, which may have more choices', () => {
    const own = ['--optimizer roo --roo-momentum 0.95 --roo-epsilon 0.01', '--roo-tp-mode gather'];
    const reported = (extra: string) =>
      run(extra).problems.map(({ severity, rule }) => `${severity} ${rule}`);
    expect(reported(own[0] ?? '').sort()).toEqual([
      'warning invalid-choice',
      'warning unknown-option',
      'warning unknown-option',
    ]);
    const forked = run(own.join(' ')).problems;
    expect([...problems(run(own.join(' ')))].sort()).toEqual([
      expect.stringContaining('info invalid-choice --optimizer'),
      expect.stringContaining('info unknown-option --roo-momentum Nor are 2 more of this launch'),
    ]);
    expect(forked.flatMap(({ related }) => related.map(({ message }) => message))).toEqual([
      '--roo-epsilon neither',
      '--roo-tp-mode neither',
    ]);
    expect(forked.every(({ removal, instead }) => removal === undefined && instead === undefined)).toBe(true);
    const missed =
      '--max-token-per-gpu 5 --mem-fraction-static 0.7 --megatron-to-hf-mode bridge --sglang-foo';
    expect(reported(missed)).toEqual(missed.match(/--/g)?.map(() => 'warning unknown-option'));
  });

  it('do not parse arguments of engines that are not started', () => {
    const trained = run('--debug-train-only --sglang-mem-fraction-static 0.7');
    expect(problems(trained)).toEqual([
      'warning ignored-option --sglang-mem-fraction-static: no engines are started in this mode',
    ]);
  });

  it('refuse values that one of them refuses', () => {
    expect(problems(run('--advantage-estimator grpoo'))[0]).toContain('invalid-choice');
    expect(problems(run('--rollout-max-context-len many'))[0]).toContain('invalid-value');
  });

  it('list the choices of the workspace’s slime', () => {
    const listed = (choices: string): unknown => {
      const source = `parser.add_argument("--kl-loss-type", type=str, choices=${choices}, default="kl")\n`;
      const { problems: reported } = run('--kl-loss-type low_var_kl5', {
        '/w/slime/utils/arguments.py': source,
      });
      const problem = reported.find(({ rule }) => rule === 'invalid-choice');
      return [problem?.values.choices, problem?.replacement];
    };
    const known = ['k1, k2, k3, low_var_kl', 'low_var_kl'];
    expect(listed('["k1", "k2", "k3", "low_var_kl"]')).toEqual(known);
    expect(listed('["kl", \'k2\', "low_var_kl"]')).toEqual(['kl, k2, low_var_kl', 'low_var_kl']);
    expect(listed('["kl", "k2"]')).toEqual(['kl, k2', undefined]);
    expect(listed('[*MORE, "kl"]')).toEqual(known);
    expect(listed('MORE')).toEqual(known);
  });

  it('know the rewards of a fork in the workspace', () => {
    const hub = (name: string) => ({
      '/w/slime/rollout/rm_hub/__init__.py': `    elif rm_type == "${name}":\n        return run(sample)\n`,
    });
    const rules = (name: string): string => found(run('--rm-type code_execution', hub(name))).join();
    expect(rules('code_execution')).not.toContain('slime/reward-type-unknown');
    expect(rules('code_review')).toContain('slime/reward-type-unknown');
  });

  it('require data formats that the workspace’s slime reads', () => {
    const reader = (ending: string) => ({
      '/w/slime/utils/data.py': `    if path.endswith("${ending}"):\n        return read(path)\n`,
    });
    const words = '--prompt-data /data/a.json --eval-interval 20 --eval-prompt-data aime /data/b.json@[0:9]';
    const rules = (ending: string): string => found(run(words, reader(ending))).join();
    expect(rules('.jsonl')).toMatch(/prompt-data-format.*evaluation-data-format/);
    expect(rules('.json')).not.toContain('data-format');
  });

  it('are uncertain about another backend, which earlier releases had without model sizes', () => {
    const older = run('--train-backend fsdp');
    expect(problems(older)[0]).toContain('error invalid-choice');
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
