import { inEmptySubmodule } from './submodules.ts';

/**
 * What the engine may ask of the world: the text of files in the workspace. Paths are absolute and `/`-separated.
 * All answers are immediate; a face that reads asynchronously (the browser) preloads what it can and answers `unknown` otherwise.
 */
export interface Host {
  /** The text of a file, or undefined when it cannot be had (absent, outside the workspace, not text). */
  read(path: string): string | undefined;
  /** What a path is. `unknown` for everything outside the workspace: it may exist where the job runs. */
  kind(path: string): 'file' | 'directory' | 'absent' | 'unknown';
  /** Names in a directory of the workspace, sorted by code unit; undefined when it cannot be listed. */
  list(path: string): readonly string[] | undefined;
  /** The workspace folder that holds a path (the repository root), used as working directory; undefined outside. */
  rootOf(path: string): string | undefined;
}

/** Characters of the longest path that can be opened (PATH_MAX of Linux); what is longer is no path, whatever it looks like. */
const longestPath = 4096;

/** Whether a text is short enough for the path of something that is there. */
export function mayBePath(text: string): boolean {
  return text.length <= longestPath;
}

/**
 * The host as one file sees it: with its text as it stands in an editor or on standard input, and without texts that are too much to read.
 * What lies outside the file's project and is not there may be there where the project is started: nothing tells what it is put beside.
 * Nor does anything tell what a submodule that is not checked out holds.
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
