import { describe, expect, test } from 'vitest';
import { fromWindows, toWindows, windowsHost } from '../../../server/src/disk/windows.ts';

describe('paths of Windows', () => {
  test('there and back', () => {
    expect(fromWindows('C:\\repository\\models\\m.sh')).toBe('/c:/repository/models/m.sh');
    expect(toWindows('/c:/repository/models/m.sh')).toBe('c:/repository/models/m.sh');
    expect(fromWindows(toWindows('/c:/repository/run.sh'))).toBe('/c:/repository/run.sh');
  });

  test('a path without a drive stays', () => {
    expect(toWindows('/repository/run.sh')).toBe('/repository/run.sh');
  });

  test.each(['\\\\server\\share\\run.sh', '\\\\wsl$\\Ubuntu\\home\\me\\run.sh'])(
    '%s, on a share, there and back',
    (path) => {
      expect(fromWindows(path)).toMatch(/^\/unc:\//);
      expect(toWindows(fromWindows(path))).toBe(path.replaceAll('\\', '/'));
    },
  );

  test('a host is asked in its own form and answers in ours', () => {
    const asked: string[] = [];
    const note = (path: string): string => {
      asked.push(path);
      return path;
    };
    const host = windowsHost({
      read: (path) => `text of ${note(path)}`,
      kind: (path) => (note(path) === 'c:/repository' ? 'directory' : 'file'),
      list: (path) => [note(path)],
      rootOf: (path) => (note(path).startsWith('c:') ? 'c:\\repository' : undefined),
    });
    expect(host.read('/c:/repository/run.sh')).toBe('text of c:/repository/run.sh');
    expect(host.kind('/c:/repository')).toBe('directory');
    expect(host.list('/c:/repository')).toEqual(['c:/repository']);
    expect(host.rootOf('/c:/repository/run.sh')).toBe('/c:/repository');
    expect(host.rootOf('/d:/x')).toBeUndefined();
    expect(asked.every((path) => !path.startsWith('/'))).toBe(true);
  });
});
