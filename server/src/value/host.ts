import { inEmptySubmodule } from './submodules.ts';

/**
 * The engine's access to the outside: the text of files in the workspace. Paths are absolute and `/`-separated. All answers are immediate; a
 * front end that reads asynchronously (the browser) preloads what it can and answers `unknown` otherwise.
 */
export interface Host {
  /** The text of a file, or undefined if it is not available (missing, outside the workspace, not text). */
  read(path: string): string | undefined;
  /** The kind of a path. `unknown` for everything outside the workspace: it may exist where the job runs. */
  kind(path: string): 'file' | 'directory' | 'absent' | 'unknown';
  /** Names in a directory of the workspace, sorted by code unit; undefined when it cannot be listed. */
  list(path: string): readonly string[] | undefined;
  /** The workspace folder that contains a path (the repository root), used as working directory; undefined outside. */
  rootOf(path: string): string | undefined;
}

/** Length of the longest path that can be opened (PATH_MAX of Linux), in characters; anything longer is no path, whatever it looks like. */
const longestPath = 4096;

/** Whether a text is short enough to be an existing path. */
export function mayBePath(text: string): boolean {
  return text.length <= longestPath;
}

/**
 * The host as one file sees it: with its text from an editor or standard input, and without texts that are too large to read. Missing paths
 * outside the file's project are unknown, because it is not known what the project is next to where it is started. So are missing paths in a
 * submodule that is not checked out.
 */
export function withText(host: Host, path: string, text: string, isTooMuch: (text: string) => boolean): Host {
  const others = new Map<string, string | undefined>();
  const readOther = (at: string): string | undefined => {
    if (!others.has(at)) {
      const other = host.read(at);
      others.set(at, other === undefined || isTooMuch(other) ? undefined : other);
    }
    return others.get(at);
  };
  const root = host.rootOf(path);
  const isElsewhere = root === undefined ? undefined : inEmptySubmodule(host, root);
  const kindOf = (at: string): ReturnType<Host['kind']> => {
    const kind = host.kind(at);
    if (kind !== 'absent' || root === undefined) return kind;
    return !liesIn(root, at) || isElsewhere?.(at) === true ? 'unknown' : kind;
  };
  return {
    read: (at) => (at === path ? text : mayBePath(at) ? readOther(at) : undefined),
    kind: (at) => (at === path ? 'file' : mayBePath(at) ? kindOf(at) : 'unknown'),
    list: (at) => (mayBePath(at) ? host.list(at) : undefined),
    rootOf: (at) => (mayBePath(at) ? host.rootOf(at) : undefined),
  };
}

function liesIn(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}
