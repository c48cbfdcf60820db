import type { Host } from '../../value/host.ts';
import type { Platform } from '../protocol/platform.ts';

/** A folder of the workspace. */
export interface Folder {
  readonly path: string;
  /** Whether its files are on the server's disk, not in a file system of the editor. */
  readonly isOnDisk: boolean;
}

/** Whether a path is below one of some folders. */
export function isWithin(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => path.startsWith(`${folder}/`));
}

/** The files of all folders: each is read from where it is, since the disk may have a different file at the same path. */
export function hostOfFolders(folders: readonly Folder[], platform: Platform): Host {
  const { remote } = platform;
  const pathsOf = (wanted: readonly Folder[]): string[] => wanted.map(({ path }) => path);
  const elsewhere = remote === undefined ? [] : pathsOf(folders.filter(({ isOnDisk }) => !isOnDisk));
  const disk = platform.makeHost(pathsOf(folders).filter((path) => !elsewhere.includes(path)));
  if (remote === undefined || elsewhere.length === 0) return disk;
  const other = remote.makeHost(elsewhere);
  const of = (path: string): Host => (elsewhere.includes(path) || isWithin(path, elsewhere) ? other : disk);
  return {
    read: (path) => of(path).read(path),
    kind: (path) => of(path).kind(path),
    list: (path) => of(path).list(path),
    rootOf: (path) => of(path).rootOf(path),
  };
}
