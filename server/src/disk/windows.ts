import { shareOf, shares } from '../text/fileNames.ts';
import type { Host } from '../value/host.ts';

/** A path of the engine (`/c:/jobs/run.sh`, `/unc:/machine/share/run.sh`) as Windows writes it (`c:/jobs/run.sh`, `//machine/share/run.sh`). */
export function toWindows(path: string): string {
  const [, machine, below] = shareOf.exec(path) ?? [];
  return machine === undefined || below === undefined
    ? path.replace(/^\/(?=[a-z]:)/i, '')
    : `//${machine}${below}`;
}

/** A path that Windows gave (`C:\jobs\run.sh`, `\\machine\share\run.sh`) as the engine writes it (`/c:/jobs/run.sh`, `/unc:/machine/share/run.sh`). */
export function fromWindows(path: string): string {
  const written = path.replaceAll('\\', '/');
  if (/^\/\/[^/]/.test(written)) return `${shares}${written.slice(1)}`;
  return written.replace(/^([a-z]):/i, (_, letter: string) => `/${letter.toLowerCase()}:`);
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
