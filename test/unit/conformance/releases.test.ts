import { execFileSync } from 'node:child_process';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { releaseTags, writeTree } from '../../../tools/conformance/releases/tree.ts';

let folder = '';
let repository = '';
let day = 0;

function git(...words: string[]): void {
  day += 1;
  const date = `2026-01-${String(day).padStart(2, '0')}T00:00:00Z`;
  const env = { ...process.env, GIT_COMMITTER_DATE: date, GIT_AUTHOR_DATE: date };
  const who = ['-c', 'user.name=t', '-c', 'user.email=t@t'];
  execFileSync('git', ['-C', repository, ...who, ...words], { env });
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'oomlint-releases-'));
  repository = join(folder, 'repository');
  mkdirSync(repository);
  git('init', '-q');
  mkdirSync(join(repository, 'scripts'));
  writeFileSync(join(repository, 'scripts', 'run.sh'), 'echo ü\n');
  writeFileSync(join(repository, 'empty.yaml'), '');
  writeFileSync(join(repository, 'picture.png'), 'x');
  symlinkSync('scripts/run.sh', join(repository, 'link.sh'));
  git('add', '-A');
  git('commit', '-qm', 'one');
  for (const tag of [
    'v0.1.0',
    'v0.1.1',
    'core_v0.2.0rc1',
    'core_v0.2.0',
    'v0.10.0',
    'nightly',
    'v0.2.0.post1',
  ])
    git('tag', tag);
  writeFileSync(join(repository, 'scripts', 'run.sh'), 'echo later\n');
  git('commit', '-qam', 'two');
  git('tag', 'v0.2.1');
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the releases of a repository', () => {
  it('are the last ones of each minor version, without release candidates', () => {
    const tags = releaseTags(repository);
    expect([...tags].sort()).toEqual(['core_v0.2.0', 'v0.1.1', 'v0.10.0', 'v0.2.1']);
    expect(tags.at(-1)).toBe('v0.2.1');
  });

  it('are written unchanged, without pictures', () => {
    const out = join(folder, 'out');
    mkdirSync(out);
    expect(writeTree(repository, 'v0.1.1', out)).toBe(3);
    expect(readFileSync(join(out, 'scripts', 'run.sh'), 'utf8')).toBe('echo ü\n');
    expect(readFileSync(join(out, 'empty.yaml'), 'utf8')).toBe('');
    expect(readlinkSync(join(out, 'link.sh'))).toBe('scripts/run.sh');
    expect(lstatSync(join(out, 'picture.png'), { throwIfNoEntry: false })).toBeUndefined();
  });

  it('cannot be listed without a repository', () => {
    expect(() => releaseTags(join(folder, 'nowhere'))).toThrow('git tag');
  });
});
