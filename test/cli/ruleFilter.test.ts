import { describe, expect, it } from 'vitest';
import { workspaces } from '../support/workspace.ts';

const workspace = workspaces();

describe('findings', () => {
  it('are reported and fixed only for the requested rules, with or without their framework', () => {
    const flags =
      '--num-layers 9 --pipeline-model-parallel-size 2 --no-such-flag 1 --use-rotary-position-embeddings';
    const made = workspace({ 'run.sh': `torchrun --nproc_per_node 8 pretrain_gpt.py ${flags}\n` });
    const reported = (...args: string[]): string[] => {
      const done = made.run(['check', 'run.sh', '--format', 'ndjson', ...args]);
      return done.out.split('\n').flatMap((line) => (line === '' ? [] : [String(JSON.parse(line).rule)]));
    };
    const all = reported();
    expect(all).toEqual(
      expect.arrayContaining(['megatron-lm/layers-divide-stages', 'unknown-option', 'deprecated-option']),
    );
    expect(reported('--only', 'layers-divide-stages', '--only', 'unknown-option').sort()).toEqual([
      'megatron-lm/layers-divide-stages',
      'unknown-option',
    ]);
    expect(reported('--skip', 'megatron-lm/layers-divide-stages')).toEqual(
      all.filter((rule) => rule !== 'megatron-lm/layers-divide-stages'),
    );
    expect(made.run(['check', 'run.sh', '--only', 'deprecated-option']).code).toBe(0);
    const patch = made.run([
      'check',
      'run.sh',
      '--diff',
      '--fix-suggested',
      '--only',
      'deprecated-option',
    ]).out;
    expect(patch).toContain('+torchrun --nproc_per_node 8 pretrain_gpt.py --num-layers 9 --pipeline');
    expect(patch).toContain('--position-embedding-type rope');
    expect(patch).toContain('--no-such-flag 1 --pos');
  });

  it('of a rule that does not exist are refused', () => {
    const made = workspace({
      'run.sh': 'true\n',
      'team/.oomlint.yaml':
        'constraints: [{id: ours, framework: megatron-lm, severity: error, when: num_layers > 1, message: Too many layers.}]\n',
      'team/run.sh': 'true\n',
    });
    const err = (...args: string[]): string => made.run(['check', ...args]).err;
    expect(err('--only', 'unknown-optoin')).toBe(
      'oomlint: --only: no rule is called unknown-optoin; did you mean unknown-option?\n',
    );
    expect(err('--skip', '')).toBe('oomlint: --skip needs the id of a rule, not an empty string\n');
    expect(err('--skip', 'ours', 'team')).toBe('');
    expect(err('--skip', 'ours', 'run.sh')).toContain('no rule is called ours');
    made.write('team/.oomlint.yaml', 'constraints: [{id: ours}]\n');
    expect(err('--skip', 'ours', 'team')).toMatch(
      /^oomlint: team\/\.oomlint\.yaml:1:15 .* is missing\n(?:.*\n)*oomlint: --skip: no rule is called ours; .*\n$/,
    );
  });
});
