import { describe, expect, test } from 'vitest';
import { createRemoteFiles, type RemoteFile } from '../../server/src/lsp/files/remoteFiles.ts';

/** A client that holds some files, counts the requests for them, and answers when told to. */
function remote(texts: { readonly [path: string]: string }) {
  const asked: string[][] = [];
  let arrivals = 0;
  const files = createRemoteFiles(
    async (paths) => {
      asked.push([...paths]);
      return paths.map((path): RemoteFile => {
        const text = texts[path];
        return text === undefined ? { path, kind: 'absent' } : { path, kind: 'file', text };
      });
    },
    () => {
      arrivals++;
    },
  );
  const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));
  return { files, host: files.host(['/w']), asked, settled, arrivals: () => arrivals };
}

describe('files that only the client can read', () => {
  test('a file is unknown at first, requested once, and known when the answer arrives', async () => {
    const { host, asked, settled, arrivals } = remote({ '/w/a.sh': 'A=1\n' });
    expect(host.kind('/w/a.sh')).toBe('unknown');
    expect(host.read('/w/a.sh')).toBeUndefined();
    expect(host.kind('/w/b.sh')).toBe('unknown');
    await settled();
    expect(asked).toEqual([['/w/a.sh', '/w/b.sh']]);
    expect(arrivals()).toBe(1);
    expect(host.read('/w/a.sh')).toBe('A=1\n');
    expect(host.kind('/w/a.sh')).toBe('file');
    expect(host.kind('/w/b.sh')).toBe('absent');
    await settled();
    expect(asked).toHaveLength(1);
  });

  test('nothing outside the folders is requested', async () => {
    const { host, asked, settled } = remote({ '/elsewhere/a.sh': '' });
    expect(host.kind('/elsewhere/a.sh')).toBe('unknown');
    expect(host.rootOf('/elsewhere/a.sh')).toBeUndefined();
    expect(host.rootOf('/w/x/a.sh')).toBe('/w');
    await settled();
    expect(asked).toEqual([]);
  });

  test('a changed file is requested again', async () => {
    const texts: { [path: string]: string } = { '/w/a.sh': 'A=1\n' };
    const { files, host, settled } = remote(texts);
    host.read('/w/a.sh');
    await settled();
    texts['/w/a.sh'] = 'A=2\n';
    expect(host.read('/w/a.sh')).toBe('A=1\n');
    files.forget(['/w/a.sh']);
    expect(host.read('/w/a.sh')).toBeUndefined();
    await settled();
    expect(host.read('/w/a.sh')).toBe('A=2\n');
  });

  test('what the client provides on its own is not requested', async () => {
    const { files, host, asked, settled } = remote({});
    files.take([{ path: '/w/c.yaml', kind: 'file', text: 'c: 1\n' }]);
    expect(host.read('/w/c.yaml')).toBe('c: 1\n');
    await settled();
    expect(asked).toEqual([]);
  });

  test('a client that fails leaves files unknown, and is not asked forever', async () => {
    let times = 0;
    const files = createRemoteFiles(
      async () => {
        times++;
        throw new Error('gone');
      },
      () => undefined,
    );
    const host = files.host(['/w']);
    host.read('/w/a.sh');
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(host.kind('/w/a.sh')).toBe('unknown');
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(times).toBe(1);
  });
});
