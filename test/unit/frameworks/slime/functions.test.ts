import { describe, expect, it } from 'vitest';
import { applyEdits } from '../../../../server/src/text/edit.ts';
import { lintFile } from '../../../support/lintFile.ts';

const path = '/repository/scripts/run.sh';
const launch = 'python3 train.py --rollout-batch-size 16 --rollout-num-gpus 4';

const files = {
  '/repository/slime/rollout/__init__.py': '# rollouts\nfrom .rewards import hidden\n',
  '/repository/slime/rollout/rewards.py':
    'async def score(args, sample):\n  return 1\n\nclass Filter:\n  pass\n',
  '/repository/slime/rollout/any.py': 'from .rewards import *\n',
  '/repository/slime/rollout/empty/__init__.py': '',
  '/repository/scripts/own.py': 'def reward(args):\n  return 0\n',
};

function lint(text: string) {
  return lintFile(path, text, files).findings.filter(({ rule }) => rule === 'missing-function');
}

const named = (name: string): string => `${launch} --custom-rm-path ${name}\n`;

describe('a function that an option names', () => {
  it.each([
    [
      'slime.rollout.rewards.scores',
      'The module slime.rollout.rewards has no scores. Did you mean score?',
      'slime.rollout.rewards.score',
    ],
    ['slime.rollout.rewards.judge', 'The module slime.rollout.rewards has no judge.', undefined],
    [
      'slime.rollout.reward.score',
      'The package slime.rollout has no module reward. Did you mean rewards?',
      'slime.rollout.rewards.score',
    ],
    [
      'slim.rollout.rewards.score',
      'There is no package slim. Did you mean slime?',
      'slime.rollout.rewards.score',
    ],
    ['own.rewards', 'The module own has no rewards. Did you mean reward?', 'own.reward'],
  ])('is reported if the workspace lacks it: %s', (name, message, meant) => {
    const text = named(name);
    const [finding, ...others] = lint(text);
    expect(others).toEqual([]);
    expect(finding).toMatchObject({ severity: 'warning', message });
    const fixed = applyEdits(text, finding?.fixes[0]?.edits ?? []);
    expect(fixed).toBe(meant === undefined ? text : named(meant));
    expect(lint(fixed ?? '')).toHaveLength(meant === undefined ? 1 : 0);
  });

  it.each([
    'slime.rollout.rewards.score',
    'slime.rollout.rewards.Filter',
    'slime.rollout.hidden',
    'slime.rollout.rewards',
    'slime.rollout.any.whatever',
    'slime.rollout.empty.whatever',
    'elsewhere.rewards.score',
    'elsewhere.score',
    'slime.elsewhere.rewards.score',
    // Another package, despite the similar name: the existing one does not hold what is named.
    'slim.rollout.rewards.judge',
    'slim.rollout.others.score',
    'rewards.yaml',
    'slime/rollout/rewards.py',
    '"$REWARD"',
  ])('is left alone if it exists or may exist: %s', (name) => {
    expect(lint(named(name))).toEqual([]);
  });

  it('is looked for in the folders of PYTHONPATH', () => {
    const text = `export PYTHONPATH=/repository/scripts\ncd /repository/slime\n${named('own.rewards')}`;
    expect(lint(text).map(({ message }) => message)).toEqual([
      'The module own has no rewards. Did you mean reward?',
    ]);
  });
});

describe('a user function', () => {
  const effects = (extra: string): string[] => {
    const text = `${launch} --advantage-estimator grpo --gamma 0.4 ${extra}\n`;
    return lintFile(path, text)
      .findings.filter(({ rule }) => rule === 'slime/discount-of-another-estimator')
      .map(({ message }) => message);
  };

  it('may read an argument that upstream reads for other estimators only', () => {
    expect(effects('')).toEqual(['--gamma has no effect with grpo, which does not discount by it.']);
    expect(effects('--rollout-function-path agents.rollout.generate')).toEqual([]);
    expect(effects('--custom-rm-path agents.reward.discounted')).toEqual([]);
  });
});
