import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openProject } from '../../server/src/cli/project.ts';
import { installedKnowledge } from '../../server/src/disk/knowledge.ts';
import type { Host } from '../../server/src/value/host.ts';
import { noProfile } from '../../server/src/value/machine.ts';
import { memoryHost } from '../support/memoryHost.ts';

const launch =
  'torchrun --nproc_per_node 8 pretrain_gpt.py --num-layers 30 --pipeline-model-parallel-size 4\n';

describe('a file that crashes the linter', () => {
  it('is skipped and reported, and the others are linted', async () => {
    const sound = memoryHost({ '/repository/good.sh': launch });
    const host: Host = {
      ...sound,
      kind: (path) => {
        if (path.endsWith('/trap.sh')) throw new RangeError('too\u001b[2J deep');
        return sound.kind(path);
      },
    };
    const inputs = [
      { path: '/repository/bad.sh', text: `source ./trap.sh\n${launch}` },
      { path: '/repository/good.sh', text: launch },
    ];
    const project = await openProject({
      inputs,
      host,
      cwd: '/repository',
      machine: noProfile,
      knowledge: installedKnowledge(resolve(import.meta.dirname, '../../dist/knowledge')),
      useConfig: false,
    });
    const linter = project.makeLinter(host);
    const [bad, good] = inputs.map(({ path, text }) => linter.lint(path, text));
    expect(bad?.findings).toEqual([]);
    expect(good?.findings.map(({ rule }) => rule)).toContain('megatron-lm/layers-divide-stages');
    expect([project.failed('/repository/bad.sh'), project.failed('/repository/good.sh')]).toEqual([
      true,
      false,
    ]);
    expect(project.problems()).toEqual([
      expect.stringMatching(
        /^bad\.sh could not be linted; please report this .*RangeError: too\\x1b\[2J deep/,
      ),
    ]);
  });
});
