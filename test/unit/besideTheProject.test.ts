import { describe, expect, it } from 'vitest';
import type { Host } from '../../server/src/value/host.ts';
import { loadKnowledge, testLinter } from '../support/knowledge.ts';
import { lintFile } from '../support/lintFile.ts';
import { memoryHost } from '../support/memoryHost.ts';

const knowledge = loadKnowledge();

/** The missing files reported for a script of the project `/w/mine`, in a folder that holds another project. */
function missing(sourced: string, more: { readonly [path: string]: string } = {}): readonly string[] {
  const text = `source ${sourced}\ntorchrun --nproc_per_node 8 pretrain_gpt.py --num-layers 12\n`;
  const files = { '/w/mine/run.sh': text, '/w/other/models/known.sh': 'PP=2\n', ...more };
  const folder = memoryHost(files, '/w');
  const host: Host = {
    ...folder,
    rootOf: (path) => (path.startsWith('/w/mine/') ? '/w/mine' : folder.rootOf(path)),
  };
  return testLinter(knowledge, host)
    .lint('/w/mine/run.sh', text)
    .findings.filter(({ rule }) => rule === 'missing-source')
    .map(({ message }) => message);
}

describe('a file that a script sources', () => {
  it('is missing when its own project lacks it', () => {
    expect(missing('models/none.sh')).toEqual(['models/none.sh is not in the workspace.']);
  });

  it.each([
    '../upstream/models/m.sh',
    '../other/models/none.sh',
    '../other/models/known.sh',
    '../mine-too.sh',
  ])('may be next to its project where that is started: %s', (path) => {
    expect(missing(path)).toEqual([]);
  });

  describe('in a submodule', () => {
    const named = {
      '/w/mine/.gitmodules':
        '[submodule "slime"]\n\tpath = third_party/slime\n\turl = https://example.org/slime.git\n',
    };

    it('may exist if it is not checked out', () => {
      expect(missing('third_party/slime/scripts/m.sh', named)).toEqual([]);
    });

    it('is missing if what is checked out lacks it', () => {
      const held = { ...named, '/w/mine/third_party/slime/train.py': '' };
      const message = 'third_party/slime/scripts/m.sh is not in the workspace.';
      expect(missing('third_party/slime/scripts/m.sh', held)).toEqual([message]);
    });

    it.each(['third_party/slime2/m.sh', 'third_party/m.sh'])(
      'is missing if it is only next to one: %s',
      (path) => {
        expect(missing(path, named)).toEqual([`${path} is not in the workspace.`]);
      },
    );
  });
});

describe('a file that a script with set -e sources', () => {
  function reported(sourced: string): readonly string[] {
    const text = `set -e\nD="$(dirname "$(realpath "$0")")"\nsource $D/${sourced}\ntorchrun --nproc_per_node 8 pretrain_gpt.py --num-layers 12\n`;
    return lintFile('/repository/run.sh', text, { '/repository/models/known.sh': '' })
      .findings.filter(({ rule }) => rule === 'missing-source')
      .map(({ severity, certainty }) => `${severity}, ${certainty}`);
  }

  it.each([
    ['is missing beside others', 'models/none.sh', 'error, certain'],
    ['is missing at the top', 'none.sh', 'error, certain'],
    ['may be put there with the folder that holds it', 'slime/scripts/m.sh', 'warning, likely'],
  ])('%s', (_, sourced, weight) => {
    expect(reported(sourced)).toEqual([weight]);
  });
});
