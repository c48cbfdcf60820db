import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findFiles } from '../../../server/src/disk/files.ts';

describe('a glob pattern', () => {
  let folder = '';

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'files-'));
    mkdirSync(join(folder, 'jobs/deep'), { recursive: true });
    mkdirSync(join(folder, 'old (1)'));
    for (const name of ['a.sh', 'jobs/b.sh', 'jobs/deep/c.sh', 'jobs/{d}.sh', 'old (1)/e.sh'])
      writeFileSync(join(folder, name), '');
    symlinkSync('jobs', join(folder, 'link'));
    symlinkSync('..', join(folder, 'jobs/up'));
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  it.each([
    ['*.sh', ['a.sh']],
    ['{a,jobs/b}.sh', ['a.sh', 'jobs/b.sh']],
    ['jobs/{d}.sh', ['jobs/{d}.sh']],
    ['old (1)/*.sh', ['old (1)/e.sh']],
    // A link to a folder is followed if the pattern names it, and never in a loop.
    ['link/*.sh', ['link/b.sh', 'link/{d}.sh']],
    ['l*/b.sh', ['link/b.sh']],
    ['**/[abc].sh', ['a.sh', 'jobs/b.sh', 'jobs/deep/c.sh']],
  ])('%s', (pattern, files) => {
    const found = findFiles([pattern], folder);
    expect(found.files.map((path) => relative(folder, path))).toEqual(files);
    expect(found.problems).toEqual([]);
  });

  it.each([
    ['{a,jobs/b}.sh', ['a.sh', 'jobs/b.sh']],
    ['{jobs/deep,link}/[bc].sh', ['jobs/deep/c.sh', 'link/b.sh']],
    ['@(jobs/deep|link)/[bc].sh', ['jobs/deep/c.sh', 'link/b.sh']],
    ['\\jobs/*.sh', ['jobs/b.sh', 'jobs/{d}.sh']],
    ['jobs/../l*/b.sh', ['link/b.sh']],
    ['old (1)/*.sh', ['old (1)/e.sh']],
  ])('from the root: %s', (pattern, files) => {
    const found = findFiles([`${folder}/${pattern}`], '/');
    expect(found.files.map((path) => relative(folder, path))).toEqual(files);
  });
});
