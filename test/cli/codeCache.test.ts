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

/** One run in which V8 has compiled `size` of the program; the compiled code is cached if it is worth it. */
function run(size: number, compiled: string, isTaken = true, need: Need = 'most'): string | undefined {
  const cache = openCodeCache(folder, { XDG_CACHE_HOME: folder }, need);
  const code = cache?.code?.toString();
  cache?.keep({ size: () => size, code: () => Buffer.from(compiled) }, code !== undefined && isTaken);
  return code;
}

describe('the cache folder', () => {
  it('may be a file: nothing is cached', () => {
    const made = workspace({ 'run.sh': 'torchrun pretrain_gpt.py\n', cache: '' });
    for (let at = 0; at < 40; at++) made.write(`more/run-${at}.sh`, 'torchrun pretrain_gpt.py\n');
    const done = made.run(['check', '.', '--fail-on', 'never'], '', { XDG_CACHE_HOME: made.path('cache') });
    expect(done).toMatchObject({ code: 0, err: '' });
  });

  it('may be missing if the system knows neither the user nor a home folder', () => {
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
  it('is cached by the first run', () => {
    expect(run(1000, 'little')).toBeUndefined();
    expect(run(1000, 'another')).toBe('little');
    expect(run(1000, 'another')).toBe('little');
  });

  it.each<Need>(['one file', 'most'])('is kept anew by each run that adds to it (%s)', (need) => {
    run(1000, 'little', true, need);
    expect(run(1049, 'hardly more', true, need)).toBe('little');
    expect(run(1050, 'more', true, need)).toBe('little');
    expect(run(1100, 'hardly more', true, need)).toBe('more');
    expect(run(9000, 'all', true, need)).toBe('more');
    expect(run(1000, 'little', true, need)).toBe('all');
    expect(run(9000, 'all again', true, need)).toBe('all');
  });

  it('is cached separately for runs that lint one file, which load less of it', () => {
    run(9000, 'much');
    expect(run(1000, 'of one file', true, 'one file')).toBeUndefined();
    expect(run(1000, 'another', true, 'one file')).toBe('of one file');
    expect(run(1000, 'another')).toBe('much');
  });

  it('cached by a one-file run serves other runs until they cache their own', () => {
    run(9000, 'of one file', true, 'one file');
    expect(run(1000, 'little')).toBe('of one file');
    expect(run(1000, 'another')).toBe('little');
  });

  it('is not cached by commands that lint nothing', () => {
    expect(run(1000, 'little', true, 'little')).toBeUndefined();
    run(1000, 'of one file', true, 'one file');
    expect(run(9000, 'little', false, 'little')).toBe('of one file');
    expect(run(9000, 'little', true, 'little')).toBe('of one file');
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
  ])('is needed by %j: %s', (words, need) => {
    expect(needOf(words)).toBe(need);
  });

  it('is overwritten when it is rejected', () => {
    run(9000, 'damaged');
    expect(run(1000, 'sound', false)).toBe('damaged');
    expect(run(1000, 'another')).toBe('sound');
  });

  it('is replaced when truncated', () => {
    run(9000, 'whole');
    const [name = ''] = readdirSync(join(folder, 'oomlint'));
    writeFileSync(join(folder, 'oomlint', name), 'short');
    expect(run(1000, 'anew')).toBeUndefined();
    expect(run(1000, 'another')).toBe('anew');
  });

  it('is not cached when caching is switched off', () => {
    expect(
      openCodeCache(folder, { XDG_CACHE_HOME: folder, NODE_DISABLE_COMPILE_CACHE: '1' }, 'most'),
    ).toBeUndefined();
    expect(readdirSync(folder)).toEqual(['build-id']);
  });
});

/** What the runs of a workspace have cached, as one inode per file: code that is cached anew goes to another file. */
function keeping(files: Readonly<Record<string, string>>): (args: readonly string[]) => readonly number[] {
  const made = workspace(files);
  const cache = made.path('cache/oomlint');
  return (args) => {
    expect(made.run([...args], '', { XDG_CACHE_HOME: made.path('cache') }).code).toBe(0);
    return readdirSync(cache)
      .filter((name) => name.startsWith('code-'))
      .map((name) => statSync(join(cache, name)).ino);
  };
}

it('what a run caches is used by the next one, whatever it has set in V8 meanwhile', () => {
  const keptBy = keeping({ 'run.sh': 'torchrun --nproc_per_node 8 pretrain_gpt.py --num-layers 32\n' });
  const kept = keptBy(['check', 'run.sh', '--fail-on', 'never']);
  expect(kept.length).toBe(1);
  expect(keptBy(['check', 'run.sh', '--fail-on', 'never'])).toEqual(kept);
  expect(keptBy(['rules'])).toEqual(kept);
});

it('a file without a launch of our frameworks caches little, and the first launch adds to it', () => {
  const keptBy = keeping({
    'nothing.sh': 'echo done\n',
    'run.sh': 'torchrun --nproc_per_node 8 pretrain_gpt.py --num-layers 32\n',
  });
  const little = keptBy(['check', 'nothing.sh', '--fail-on', 'never']);
  const more = keptBy(['check', 'run.sh', '--fail-on', 'never']);
  expect(more).not.toEqual(little);
  expect(keptBy(['check', 'run.sh', '--fail-on', 'never'])).toEqual(more);
  expect(keptBy(['check', 'nothing.sh', '--fail-on', 'never'])).toEqual(more);
});
