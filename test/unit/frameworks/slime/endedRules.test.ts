import { describe, expect, it } from 'vitest';
import { lintFile } from '../../../support/lintFile.ts';

const script =
  'export PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True\n' +
  'python3 train.py --actor-num-nodes 1 --actor-num-gpus-per-node 8 --colocate --hf-checkpoint /models/m\n';

const engine = '/repository/slime/backends/sglang_utils/sglang_engine.py';

/** The findings about the allocator's setting next to a checkout of slime. */
function reported(engineText: string): readonly string[] {
  const others = {
    '/repository/slime/utils/arguments.py': 'parser.add_argument("--colocate", action="store_true")\n',
    [engine]: engineText,
  };
  return lintFile('/repository/run.sh', script, others)
    .findings.map(({ rule }) => rule)
    .filter((rule) => rule.startsWith('slime/expandable-segments'));
}

describe('rules that ended before the known release', () => {
  it('are silent beside a checkout of that release', () => {
    expect(reported('os.environ.pop("PYTORCH_CUDA_ALLOC_CONF", None)\n')).toEqual([
      'slime/expandable-segments-are-removed-for-engines',
    ]);
  });
});
