import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { diskHost } from '../../../server/src/disk/diskHost.ts';
import { isWithin } from '../../../server/src/disk/projects.ts';

const top = realpathSync(mkdtempSync(join(tmpdir(), 'oomlint-projects-')));
afterAll(() => rmSync(top, { recursive: true, force: true }));

/** Writes empty files below a folder of its own. @returns the root of a path there, given that some of its folders are named */
function rootsIn(folder: string, files: readonly string[], named: readonly string[]) {
  for (const path of files) {
    mkdirSync(join(top, folder, dirname(path)), { recursive: true });
    writeFileSync(join(top, folder, path), '');
  }
  const host = diskHost(named.map((name) => join(top, folder, name)));
  return (path: string): string | undefined => host.rootOf(join(top, folder, path))?.slice(top.length + 1);
}

describe('the root of a file outside any repository', () => {
  const archives = ['slime/setup.py', 'slime/scripts/run.sh', 'patch/LICENSE', 'patch/run.sh', 'run.sh'];

  it('is the unpacked project that contains it, in a folder of several', () => {
    const root = rootsIn('several', archives, ['.']);
    expect(root('slime/scripts/run.sh')).toBe('several/slime');
    expect(root('patch/run.sh')).toBe('several/patch');
    expect(root('run.sh')).toBe('several');
  });

  it('is the project above a named folder', () => {
    const root = rootsIn('above', archives, ['slime/scripts']);
    expect(root('slime/scripts/run.sh')).toBe('above/slime');
    expect(root('slime/setup.py')).toBe('above/slime');
    expect(root('run.sh')).toBeUndefined();
  });

  it('is the outermost of nested packages', () => {
    const root = rootsIn('nested', ['all/pyproject.toml', 'all/gym/pyproject.toml', 'all/gym/run.sh'], ['.']);
    expect(root('all/gym/run.sh')).toBe('nested/all');
  });

  it('is the folder whose settings apply to the project', () => {
    const root = rootsIn('set', ['.oomlint.yaml', 'slime/setup.py', 'slime/run.sh'], ['.']);
    expect(root('slime/run.sh')).toBe('set');
  });

  it('stays the named folder if nothing indicates a project', () => {
    const root = rootsIn('plain', ['jobs/run.sh', 'jobs/deep/run.sh'], ['.']);
    expect(root('jobs/deep/run.sh')).toBe('plain');
  });

  it('is the repository rather than any of these', () => {
    const root = rootsIn('git', ['.git/HEAD', 'package/setup.py', 'package/run.sh'], ['.']);
    expect(root('package/run.sh')).toBe('git');
  });

  it('is seen from a folder in it, too', () => {
    rootsIn('below', ['.git/HEAD', 'train.py', 'jobs/run.sh'], []);
    const host = diskHost([join(top, 'below/jobs')]);
    expect(host.kind(join(top, 'below'))).toBe('directory');
    expect(host.rootOf(join(top, 'below'))).toBe(join(top, 'below'));
    expect(host.list(join(top, 'below'))).toEqual(['.git', 'jobs', 'train.py']);
    expect(host.kind(top)).toBe('unknown');
  });
});

it.each([
  ['/a', '/a', true],
  ['/a', '/a/..b/c.sh', true],
  ['/a', '/a/...', true],
  ['/a', '/a/../b', false],
  ['/a', '/ab', false],
  ['/a/b', '/a', false],
])('%s contains %s: %s', (folder, path, wanted) => {
  expect(isWithin(folder, path)).toBe(wanted);
});
