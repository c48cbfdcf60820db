import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  fromArgument,
  fromDisk,
  fromWindows,
  onDisk,
  shownPath,
  toWindows,
} from '../../../server/src/disk/native.ts';

describe('Windows paths', () => {
  test('round trip', () => {
    expect(fromWindows('C:\\repository\\models\\m.sh')).toBe('/c:/repository/models/m.sh');
    expect(toWindows('/c:/repository/models/m.sh')).toBe('c:/repository/models/m.sh');
    expect(fromWindows(toWindows('/c:/repository/run.sh'))).toBe('/c:/repository/run.sh');
  });

  test.each(['C:\\', 'c:/', 'C:'])(
    '%s, the root of a drive, is not a folder below the current one',
    (path) => {
      expect(fromWindows(path)).toBe('/c:');
      expect(toWindows(fromWindows(path))).toBe('c:/');
    },
  );

  test('a path without a drive is unchanged', () => {
    expect(toWindows('/repository/run.sh')).toBe('/repository/run.sh');
  });

  test.each([
    ['\\\\?\\C:\\repository\\run.sh', '/c:/repository/run.sh'],
    ['\\\\?\\UNC\\server\\share\\run.sh', '/unc:/server/share/run.sh'],
  ])('%s, in the long-path form', (path, expected) => {
    expect(fromWindows(path)).toBe(expected);
  });

  test.each(['\\\\server\\share\\run.sh', '\\\\wsl$\\Ubuntu\\home\\me\\run.sh'])(
    '%s, on a share, round trip',
    (path) => {
      expect(fromWindows(path)).toMatch(/^\/unc:\//);
      expect(toWindows(fromWindows(path))).toBe(path.replaceAll('\\', '/'));
    },
  );
});

describe('the operating system', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
  });
  const as = (platform: NodeJS.Platform): void =>
    vi.stubGlobal('process', { ...process, platform }) && undefined;

  test.each([
    ['..\\models\\m.sh', '/d:/runs/models/m.sh'],
    ['C:\\x\\.\\run.sh', '/c:/x/run.sh'],
    ['\\x\\run.sh', '/d:/x/run.sh'],
    ['//machine/share/run.sh', '/unc:/machine/share/run.sh'],
  ])('what a Windows user calls %s', (name, expected) => {
    as('win32');
    expect(fromArgument('/d:/runs/jobs', name)).toBe(expected);
  });

  test('elsewhere a backslash is part of a name', () => {
    as('linux');
    expect(fromArgument('/runs', 'a\\b.sh')).toBe('/runs/a\\b.sh');
    expect([onDisk('/c:/x'), fromDisk('C:\\x'), shownPath('/c:/x')]).toEqual(['/c:/x', 'C:\\x', '/c:/x']);
  });

  test('what is above all drives leads nowhere, not to the root of the current one', () => {
    as('win32');
    for (const path of ['/', '/unc:', '/unc:/machine', '/workspace/env.sh'])
      expect(onDisk(path)).toMatch(/^\?:/);
    expect([onDisk('/c:'), onDisk('/unc:/machine/share')]).toEqual(['c:/', '//machine/share']);
  });

  test('drive letters are shown as Windows writes them', () => {
    as('win32');
    expect([shownPath('/c:/x/run.sh'), shownPath('/unc:/m/s/x')]).toEqual(['C:/x/run.sh', '//m/s/x']);
  });
});
