import { describe, expect, test } from 'vitest';
import { fromWindows, toWindows, windowsHost } from '../../../server/src/disk/windows.ts';

describe('paths of Windows', () => {
  test('there and back', () => {
    expect(fromWindows('C:\\work\\models\\m.sh')).toBe('/c:/work/models/m.sh');
    expect(toWindows('/c:/work/models/m.sh')).toBe('c:/work/models/m.sh');
    expect(fromWindows(toWindows('/c:/work/run.sh'))).toBe('/c:/work/run.sh');
  });

  test('a path without a drive stays', () => {
    expect(toWindows('/work/run.sh')).toBe('/work/run.sh');
    expect(fromWindows('\\\\server\\share\\run.sh')).toBe('//server/share/run.sh');
  });

  test('a host is asked in its own form and answers in ours', () => {
    const asked: string[] = [];
    const note = (path: string): string => {
      asked.push(path);
      return path;
    };
    const host = windowsHost({
      read: (path) => `text of ${note(path)}`,
      kind: (path) => (note(path) === 'c:/work' ? 'directory' : 'file'),
      list: (path) => [note(path)],
      rootOf: (path) => (note(path).startsWith('c:') ? 'c:\\work' : undefined),
    });
    expect(host.read('/c:/work/run.sh')).toBe('text of c:/work/run.sh');
    expect(host.kind('/c:/work')).toBe('directory');
    expect(host.list('/c:/work')).toEqual(['c:/work']);
    expect(host.rootOf('/c:/work/run.sh')).toBe('/c:/work');
    expect(host.rootOf('/d:/x')).toBeUndefined();
    expect(asked.every((path) => !path.startsWith('/'))).toBe(true);
  });
});
