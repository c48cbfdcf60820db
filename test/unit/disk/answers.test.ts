import { describe, expect, it } from 'vitest';
import { recordingHost, stillAnswers } from '../../../server/src/disk/answers.ts';
import { memoryHost } from '../../support/memoryHost.ts';

const files = { '/repository/run.sh': 'source models/a.sh\n', '/repository/models/a.sh': 'LAYERS=4\n' };

describe('what a host was asked', () => {
  it('is recorded once, and taken once', () => {
    const noting = recordingHost(memoryHost(files));
    noting.host.read('/repository/run.sh');
    noting.host.read('/repository/run.sh');
    noting.host.kind('/repository/absent');
    expect(noting.taken().map(([question]) => question)).toEqual([
      'read /repository/run.sh',
      'kind /repository/absent',
    ]);
    expect(noting.taken()).toEqual([]);
  });

  const changes: readonly [string, Parameters<typeof memoryHost>, boolean][] = [
    ['nothing', [files], true],
    ['a file that was not asked for', [{ ...files, '/repository/other.sh': '' }], true],
    ['a text', [{ ...files, '/repository/models/a.sh': 'LAYERS=8\n' }], false],
    ['a file that was absent', [{ ...files, '/repository/models/b.sh': '' }], false],
    ['a file that was there', [{ '/repository/run.sh': files['/repository/run.sh'] }], false],
    ['the root of the repository', [files, '/repository/models'], false],
  ];
  for (const [what, now, holds] of changes)
    it(`${holds ? 'holds' : 'does not hold'} after a change of ${what}`, () => {
      const noting = recordingHost(memoryHost(files));
      noting.host.read('/repository/models/a.sh');
      noting.host.kind('/repository/models/b.sh');
      noting.host.list('/repository/models');
      noting.host.rootOf('/repository/run.sh');
      expect(stillAnswers(memoryHost(...now))(noting.taken())).toBe(holds);
    });
});
