import type { Host } from '../../value/host.ts';

/** What the client says of one path. `text` stands only for files that are text. */
export interface RemoteFile {
  readonly path: string;
  readonly kind: 'file' | 'directory' | 'absent' | 'unknown';
  readonly text?: string | undefined;
  /** Names in a directory. */
  readonly names?: readonly string[] | undefined;
}

/** Files that only the client can read. */
export interface RemoteFiles {
  /** Answers from what is known; everything else below the folders is `unknown` and asked for. */
  host(folders: readonly string[]): Host;
  /** Takes files that nobody asked for one by one. */
  take(files: readonly RemoteFile[]): void;
  /** Forgets files that changed, the directories that hold them, and what lies below them. */
  forget(paths: readonly string[]): void;
}

/** Most questions that go to the client at once. */
const most = 500;

/**
 * Files behind a client that reads asynchronously. The engine gets immediate answers: what is not known yet is unknown, is asked
 * for in one request, and `arrived` is called when the answers are there.
 */
export function createRemoteFiles(
  read: (paths: readonly string[]) => Promise<readonly RemoteFile[]>,
  arrived: () => void,
): RemoteFiles {
  const files = new Map<string, RemoteFile>();
  const wanted = new Set<string>();
  let asking = false;

  const ask = async (): Promise<void> => {
    // One turn later: a lint asks for many files one after the other.
    await Promise.resolve();
    while (wanted.size > 0) {
      const paths = [...wanted].slice(0, most);
      // A client that fails leaves its files unknown. Whatever has no answer is not asked for again.
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

/** A workspace of folders in which files are as far as they are known. */
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
