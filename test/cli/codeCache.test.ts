import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import os, { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { cacheFolder } from '../../server/src/cli/cacheFolder.ts';
import { type Need, needOf, openCodeCache } from '../../server/src/cli/codeCache.ts';
import { workspaces } from '../support/workspace.ts';

const workspace = workspaces();

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
function run(seconds: number, compiled: string, isTaken = true, need: Need = 'most'): string | undefined {
  vi.spyOn(process, 'cpuUsage').mockReturnValue({ user: seconds * 1e6, system: 0 });
  const cache = openCodeCache(folder, { XDG_CACHE_HOME: folder }, need);
  const code = cache?.code?.toString();
  cache?.keep(() => Buffer.from(compiled), code !== undefined && isTaken);
  return code;
}

describe('the folder of what is kept', () => {
  it('may be a file: nothing is kept there', () => {
    const made = workspace({ 'run.sh': 'torchrun pretrain_gpt.py\n', cache: '' });
    for (let at = 0; at < 40; at++) made.write(`more/run-${at}.sh`, 'torchrun pretrain_gpt.py\n');
    const done = made.run(['check', '.', '--fail-on', 'never'], '', { XDG_CACHE_HOME: made.path('cache') });
    expect(done).toMatchObject({ code: 0, err: '' });
  });

  it('may be none, where the system knows neither the user nor a home folder', () => {
    vi.spyOn(os, 'homedir').mockImplementation(() => {
      throw new Error('uv_os_homedir returned ENOENT');
    });
    syncBuiltinESMExports();
    expect(cacheFolder({})).toBeUndefined();
    expect(openCodeCache(folder, {}, 'most')).toBeUndefined();
    expect(cacheFolder({ XDG_CACHE_HOME: folder })).toBe(join(folder, 'oomlint'));
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  });
});

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

  it('is apart for runs that lint one file, which load less of it', () => {
    run(2, 'much');
    expect(run(0.1, 'of one file', true, 'one file')).toBeUndefined();
    expect(run(0.1, 'another', true, 'one file')).toBe('of one file');
    expect(run(0.1, 'another')).toBe('much');
  });

  it('is not kept by what lints nothing', () => {
    expect(run(0.1, 'little', true, 'little')).toBeUndefined();
    run(0.1, 'of one file', true, 'one file');
    expect(run(0.1, 'little', false, 'little')).toBe('of one file');
    expect(run(0.1, 'little', true, 'little')).toBe('of one file');
  });

  it.each([
    [['check', 'run.sh'], 'one file'],
    [['check', '--format', 'json', 'conf/grpo.yaml'], 'one file'],
    [['resolve', 'run.sbatch'], 'one file'],
    [['check', 'a.sh', 'b.sh'], 'most'],
    [['check', '.'], 'most'],
    [['check'], 'most'],
    [['lsp', '--stdio'], 'most'],
    [['watch', 'run.sh'], 'most'],
    [['--version'], 'little'],
    [['explain', 'unknown-option'], 'little'],
    [[], 'little'],
  ])('of which %j needs: %s', (words, need) => {
    expect(needOf(words)).toBe(need);
  });

  it('is written over when it is not taken', () => {
    run(2, 'damaged');
    expect(run(0.1, 'sound', false)).toBe('damaged');
    expect(run(0.1, 'another')).toBe('sound');
  });

  it('is not kept when that is switched off', () => {
    expect(
      openCodeCache(folder, { XDG_CACHE_HOME: folder, NODE_DISABLE_COMPILE_CACHE: '1' }, 'most'),
    ).toBeUndefined();
    expect(readdirSync(folder)).toEqual(['build-id']);
  });
});

it('what a run keeps is taken by the next one, whatever it has set in V8 meanwhile', () => {
  const made = workspace({ 'run.sh': 'torchrun --nproc_per_node 8 pretrain_gpt.py --num-layers 32\n' });
  const cache = made.path('cache/oomlint');
  /** What is not taken is written anew, as another file. */
  const keptBy = (args: readonly string[]): readonly number[] => {
    expect(made.run([...args], '', { XDG_CACHE_HOME: made.path('cache') }).code).toBe(0);
    return readdirSync(cache).map((name) => statSync(join(cache, name)).ino);
  };
  const kept = keptBy(['check', 'run.sh', '--fail-on', 'never']);
  expect(kept.length).toBe(1);
  expect(keptBy(['check', 'run.sh', '--fail-on', 'never'])).toEqual(kept);
  expect(keptBy(['rules'])).toEqual(kept);
});
