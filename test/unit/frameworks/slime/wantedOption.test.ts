import { describe, expect, it } from 'vitest';
import { lintFile } from '../../../support/lintFile.ts';

const script =
  'python3 train.py --actor-num-nodes 1 --actor-num-gpus-per-node 8 --rollout-num-gpus 8 --hf-checkpoint /models/m ' +
  '--update-weight-mode delta --update-weight-transport disk --update-weight-disk-dir /shared\n';

/** Whether a launch next to a slime that declares some options is reported to lack a local directory. */
function reported(...declared: readonly string[]): boolean {
  const options = ['--update-weight-mode', '--update-weight-transport', '--update-weight-disk-dir'];
  const others = {
    '/repository/slime/utils/arguments.py': [...options, ...declared]
      .map((flag) => `parser.add_argument("${flag}")\n`)
      .join(''),
  };
  return lintFile('/repository/run.sh', script, others).findings.some(
    ({ rule }) => rule === 'slime/delta-sync-needs-local-checkpoint',
  );
}

describe('what upstream refuses for lack of an option', () => {
  it('is not reported for a version without that option', () => {
    expect(reported('--update-weight-local-checkpoint-dir')).toBe(true);
    expect(reported()).toBe(false);
  });
});
