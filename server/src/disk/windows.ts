import type { Host } from '../value/host.ts';

/** A path of the engine (`/c:/jobs/run.sh`) as Windows writes it (`c:/jobs/run.sh`). */
export function toWindows(path: string): string {
  return path.replace(/^\/(?=[a-z]:)/i, '');
}

/** A path that Windows gave (`C:\jobs\run.sh`) as the engine writes it (`/c:/jobs/run.sh`). */
export function fromWindows(path: string): string {
  return path.replaceAll('\\', '/').replace(/^([a-z]):/i, (_, letter: string) => `/${letter.toLowerCase()}:`);
}

/** A host whose disk is one of Windows, for the engine, whose paths begin with a slash everywhere. */
export function windowsHost(disk: Host): Host {
  return {
    read: (path) => disk.read(toWindows(path)),
    kind: (path) => disk.kind(toWindows(path)),
    list: (path) => disk.list(toWindows(path)),
    rootOf: (path) => {
      const root = disk.rootOf(toWindows(path));
      return root === undefined ? undefined : fromWindows(root);
    },
  };
}
