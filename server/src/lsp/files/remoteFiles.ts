import type { Host } from '../../value/host.ts';

/** The client's answer about one path. `text` is only set for text files. */
export interface RemoteFile {
  readonly path: string;
  readonly kind: 'file' | 'directory' | 'absent' | 'unknown';
  readonly text?: string | undefined;
  /** Names in a directory. */
  readonly names?: readonly string[] | undefined;
}

/** Files that only the client can read. */
export interface RemoteFiles {
  /** Answers from what is known; everything else below the folders is `unknown` and requested. */
  host(folders: readonly string[]): Host;
  /** Stores files that were not requested one by one. */
  take(files: readonly RemoteFile[]): void;
  /** Forgets changed files, the directories that contain them, and everything below them. */
  forget(paths: readonly string[]): void;
}

/** Maximum number of paths per request to the client. */
const most = 500;

/**
 * Files behind a client that reads asynchronously. The engine gets immediate answers: paths not known yet are unknown and requested together,
 * and `arrived` is called when the answers are there.
 */
export function createRemoteFiles(
  read: (paths: readonly string[]) => Promise<readonly RemoteFile[]>,
  arrived: () => void,
): RemoteFiles {
  const files = new Map<string, RemoteFile>();
  const wanted = new Set<string>();
  let asking = false;

  const ask = async (): Promise<void> => {
    // One turn later, because a lint asks for many files in a row.
    await Promise.resolve();
    while (wanted.size > 0) {
      const paths = [...wanted].slice(0, most);
      // If a client fails, its files stay unknown. Paths without an answer are not requested again.
      const answers = await read(paths).catch((): readonly RemoteFile[] => []);
      for (const path of paths) {
        wanted.delete(path);
        files.set(path, { path, kind: 'unknown' });
      }
      for (const file of answers) files.set(file.path, file);
      if (answers.some(({ kind }) => kind !== 'unknown')) arrived();
    }
  };
  const get = (path: string): RemoteFile | undefined => {
    const file = files.get(path);
    if (file === undefined && !wanted.has(path)) {
      wanted.add(path);
      if (!asking) {
        asking = true;
        void ask().finally(() => {
          asking = false;
        });
      }
    }
    return file;
  };
  return {
    host: (folders) => hostWithin(folders, get),
    take: (given) => {
      for (const file of given) files.set(file.path, file);
    },
    forget: (paths) => {
      for (const path of paths) {
        files.delete(path);
        files.delete(path.slice(0, path.lastIndexOf('/')));
        for (const known of files.keys()) if (known.startsWith(`${path}/`)) files.delete(known);
      }
    },
  };
}

/** A workspace of folders that contains the files known so far. */
function hostWithin(folders: readonly string[], get: (path: string) => RemoteFile | undefined): Host {
  const rootOf = (path: string): string | undefined =>
    folders.find((folder) => path === folder || path.startsWith(`${folder}/`));
  const within = (path: string): RemoteFile | undefined =>
    rootOf(path) === undefined ? undefined : get(path);
  return {
    rootOf,
    read: (path) => within(path)?.text,
    kind: (path) => within(path)?.kind ?? 'unknown',
    list: (path) => within(path)?.names,
  };
}
