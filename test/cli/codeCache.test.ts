import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openCodeCache } from '../../server/src/cli/codeCache.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'oomlint-code-'));
  writeFileSync(join(folder, 'build-id'), '0123456789abcdef');
});

afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

/** One run of so many seconds; what it compiled is kept where it is worth it. */
function run(seconds: number, compiled: string, isTaken = true): string | undefined {
  vi.spyOn(process, 'cpuUsage').mockReturnValue({ user: seconds * 1e6, system: 0 });
  const cache = openCodeCache(folder, { XDG_CACHE_HOME: folder });
  const code = cache?.code?.toString();
  cache?.keep(() => Buffer.from(compiled), code !== undefined && isTaken);
  return code;
}

describe('the compiled program', () => {
  it('is kept by the first run', () => {
    expect(run(0.1, 'little')).toBeUndefined();
    expect(run(0.1, 'another')).toBe('little');
    expect(run(0.1, 'another')).toBe('little');
  });

  it('is kept anew by the first run that needs most of it', () => {
    run(0.1, 'little');
    expect(run(2, 'much')).toBe('little');
    expect(run(2, 'more')).toBe('much');
    expect(run(0.1, 'little')).toBe('much');
  });

  it('is written over when it is not taken', () => {
    run(2, 'damaged');
    expect(run(0.1, 'sound', false)).toBe('damaged');
    expect(run(0.1, 'another')).toBe('sound');
  });

  it('is not kept when that is switched off', () => {
    expect(
      openCodeCache(folder, { XDG_CACHE_HOME: folder, NODE_DISABLE_COMPILE_CACHE: '1' }),
    ).toBeUndefined();
    expect(readdirSync(folder)).toEqual(['build-id']);
  });
});
