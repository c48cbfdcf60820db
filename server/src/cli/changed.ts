import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { posix, win32 } from 'node:path';
import { fromDisk, onDisk } from '../disk/native.ts';
import { isWithin } from '../disk/projects.ts';
import { realPath } from './write.ts';

const { join, resolve } = posix;

/** Tells whether Git reports a file as changed, by any path that leads to it. */
export type ChangedFiles = { readonly has: (path: string) => boolean } | { readonly problem: string };

/** The variables through which Git tells a hook which repository it works in. */
const ofRepository = ['GIT_DIR', 'GIT_WORK_TREE', 'GIT_INDEX_FILE', 'GIT_PREFIX', 'GIT_OBJECT_DIRECTORY'];

/**
 * The program to start for Git: on Windows its full path, since Node would prefer a program of that name in the folder that is checked.
 * Undefined if there is none.
 */
function gitProgram(): string | undefined {
  if (process.platform !== 'win32') return 'git';
  const folders = (process.env.PATH ?? '').split(win32.delimiter).map((folder) => folder.replaceAll('"', ''));
  return folders
    .filter((folder) => win32.isAbsolute(folder))
    .map((folder) => win32.join(folder, 'git.exe'))
    .find((program) => existsSync(program));
}

/** @param isInner in a submodule, to which a hook's variables do not apply */
function git(
  cwd: string,
  args: readonly string[],
  isInner = false,
): { readonly out: string } | { readonly problem: string } {
  const env = { ...process.env };
  if (isInner) for (const name of ofRepository) delete env[name];
  const program = gitProgram();
  if (program === undefined) return { problem: 'git cannot be started: no folder of PATH holds git.exe' };
  const done = spawnSync(program, [...args], { cwd: onDisk(cwd), env, encoding: 'utf8', maxBuffer: 1 << 28 });
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

/** What Git says about a revision that it does not know, with the most frequent reason in CI. */
function withHint(problem: string, root: string): string {
  if (!/bad revision|bad object/.test(problem)) return problem;
  const shallow = git(root, ['rev-parse', '--is-shallow-repository']);
  return 'out' in shallow && shallow.out.trim() === 'true'
    ? `${problem}; the clone is shallow: fetch more of its history (fetch-depth: 0 of actions/checkout)`
    : problem;
}

/** A submodule in the output of `git diff --raw`: the mode before (a submodule or something else), and its old and new commits. */
const submodule = /^:(\d+) 160000 ([0-9a-f]+) ([0-9a-f]+) /;

/** Files, and folders in which every file counts. */
interface Found {
  readonly files: Set<string>;
  readonly folders: Set<string>;
}

/**
 * Adds the files of a repository that differ, including those in its submodules: in each submodule the files that differ from the commit that
 * the repository recorded for it, or all files if the submodule is new or its earlier commit is not available here.
 * @param comparison the revisions that `git diff` compares, or its option for what is staged
 * @param isStaged ignores what is in the folders
 * @returns what Git complains about
 */
function addChanged(
  root: string,
  comparison: readonly string[],
  isStaged: boolean,
  found: Found,
  isInner = false,
): string | undefined {
  const options = [
    '--raw',
    '--no-renames',
    '--no-abbrev',
    '-z',
    '--diff-filter=d',
    '--ignore-submodules=none',
  ];
  const listed = git(root, ['diff', ...options, ...comparison, '--'], isInner);
  if ('problem' in listed) return listed.problem;
  const fields = listed.out.split('\0');
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const path = resolve(root, fields[at + 1] ?? '');
    found.files.add(path);
    const [, before, old, now] = submodule.exec(fields[at] ?? '') ?? [];
    // A submodule that is not checked out has no files, and Git would report on the repository around it.
    if (old === undefined || now === undefined || !existsSync(onDisk(join(path, '.git')))) continue;
    const inside = isStaged ? [old, now] : [old];
    if (before !== '160000' || addChanged(path, inside, isStaged, found, true) !== undefined)
      found.folders.add(path);
  }
  if (isStaged) return undefined;
  const untracked = git(root, ['ls-files', '--others', '--exclude-standard', '-z'], isInner);
  if ('problem' in untracked) return untracked.problem;
  for (const name of untracked.out.split('\0')) if (name !== '') found.files.add(resolve(root, name));
  return undefined;
}

/**
 * The revision with which a comparison with the folder starts. For `main...` it is where the branch left `main`: Git's own interpretation stops
 * at the last commit and ignores uncommitted changes.
 */
function beginningOf(since: string, root: string): string {
  if (!since.endsWith('...')) return since;
  const base = git(root, ['merge-base', since.slice(0, -3), 'HEAD']);
  return 'out' in base ? base.out.trim() : since;
}

/**
 * The files that differ from a revision (committed, staged, changed or untracked), or that are staged.
 * @returns a test of absolute paths, or what Git complains about
 */
export function changedFiles(cwd: string, since: string | undefined): ChangedFiles {
  const top = git(cwd, ['rev-parse', '--show-toplevel']);
  if ('problem' in top) return top;
  const root = realPath(fromDisk(top.out.replace(/\r?\n$/, '')));
  const found: Found = { files: new Set(), folders: new Set() };
  const from = since === undefined ? '--cached' : beginningOf(since, root);
  const problem = addChanged(root, [from], since === undefined, found);
  if (problem !== undefined) return { problem: withHint(problem, root) };
  const { files, folders } = found;
  const isListed = (path: string): boolean =>
    files.has(path) || [...folders].some((folder) => isWithin(folder, path));
  // Git knows files by their real names only.
  const known = new Map<string, boolean>();
  return {
    has: (path) => {
      const answer = known.get(path) ?? (isListed(path) || isListed(realPath(path)));
      known.set(path, answer);
      return answer;
    },
  };
}
