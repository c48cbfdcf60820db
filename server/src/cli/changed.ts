import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { realPath } from './write.ts';

/** Tells of a file, by any name that leads there, whether Git says that it has changed. */
export type ChangedFiles = { readonly has: (path: string) => boolean } | { readonly problem: string };

function git(cwd: string, args: readonly string[]): { readonly out: string } | { readonly problem: string } {
  const done = spawnSync('git', [...args], { cwd, encoding: 'utf8', maxBuffer: 1 << 28 });
  if (done.error !== undefined) return { problem: `git cannot be started: ${done.error.message}` };
  if (done.status !== 0)
    return {
      problem: `git: ${
        done.stderr
          .trim()
          .split('\n')[0]
          ?.replace(/^fatal: /, '') ?? 'failed'
      }`,
    };
  return { out: done.stdout };
}

/**
 * The files that differ from a revision (committed, staged, changed or untracked), or that are staged.
 * @returns a test of absolute paths, or what Git complains of
 */
export function changedFiles(cwd: string, since: string | undefined): ChangedFiles {
  const top = git(cwd, ['rev-parse', '--show-toplevel']);
  if ('problem' in top) return top;
  const root = top.out.trimEnd();
  const lists =
    since === undefined
      ? [git(root, ['diff', '--cached', '--name-only', '-z', '--diff-filter=d'])]
      : [
          git(root, ['diff', '--name-only', '-z', '--diff-filter=d', since, '--']),
          git(root, ['ls-files', '--others', '--exclude-standard', '-z']),
        ];
  const files = new Set<string>();
  for (const list of lists) {
    if ('problem' in list) return list;
    for (const name of list.out.split('\0')) if (name !== '') files.add(resolve(root, name));
  }
  // Git knows files by their real names only.
  const known = new Map<string, boolean>();
  return {
    has: (path) => {
      const answer = known.get(path) ?? (files.has(path) || files.has(realPath(path)));
      known.set(path, answer);
      return answer;
    },
  };
}
