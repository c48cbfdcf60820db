import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Files that no script or configuration depends on. */
const media = /\.(?:svg|gif|png|jpe?g|webp|pdf|mp4|ipynb|bin|jsonl|cu|cpp|h|md|rst)$/i;

/** Maximum number of bytes of Git's output: the sources of a large framework are a twentieth of it. */
const mostBytes = 2 ** 31 - 1;

function git(repository: string, words: readonly string[], input = ''): Buffer {
  const done = spawnSync('git', ['-C', repository, ...words], { input, maxBuffer: mostBytes });
  if (done.error !== undefined) throw done.error;
  if (done.status !== 0) throw new Error(`git ${words[0]}: ${done.stderr.toString().trim()}`);
  return done.stdout;
}

/**
 * The release tags of a repository, oldest first: the last one of each minor version, without release candidates.
 * @param repository a Git checkout
 */
export function releaseTags(repository: string): readonly string[] {
  const lastOf = new Map<string, string>();
  for (const tag of git(repository, ['tag', '--sort=creatordate']).toString().split('\n')) {
    const minor = /^((?:[A-Za-z]\w*[_-])?v?\d+\.\d+)\.\d+(?:\.post\d+)?$/.exec(tag)?.[1];
    if (minor === undefined) continue;
    lastOf.delete(minor);
    lastOf.set(minor, tag);
  }
  return [...lastOf.values()];
}

/** A file of a tree as Git lists it. */
interface Listed {
  readonly isLink: boolean;
  readonly object: string;
  readonly path: string;
}

function filesOf(repository: string, tag: string): readonly Listed[] {
  return git(repository, ['ls-tree', '-r', '-z', tag])
    .toString()
    .split('\0')
    .flatMap((line) => {
      const [, mode, object, path] = /^(\d+) blob (\w+)\t(.+)$/s.exec(line) ?? [];
      return object === undefined || path === undefined || media.test(path)
        ? []
        : [{ isLink: mode === '120000', object, path }];
    });
}

/**
 * Writes the files of a tag into a folder, except pictures and the like. Files missing in a partial clone are skipped.
 * @returns number of files written
 */
export function writeTree(repository: string, tag: string, folder: string): number {
  const files = filesOf(repository, tag);
  const contents = git(
    repository,
    ['cat-file', '--batch'],
    files.map(({ object }) => `${object}\n`).join(''),
  );
  let at = 0;
  let written = 0;
  for (const { isLink, path } of files) {
    const end = contents.indexOf('\n', at);
    const size = Number(/ blob (\d+)$/.exec(contents.toString('latin1', at, end))?.[1] ?? Number.NaN);
    at = end + 1;
    if (Number.isNaN(size)) continue;
    const content = contents.subarray(at, at + size);
    at += size + 1;
    const target = join(folder, path);
    mkdirSync(dirname(target), { recursive: true });
    if (isLink) symlinkSync(content.toString(), target);
    else writeFileSync(target, content);
    written += 1;
  }
  return written;
}
