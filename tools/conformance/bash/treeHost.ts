import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Host } from '../../../server/src/value/host.ts';

/** Shows the folder `tree` on disk as if it were at `mount`; nothing else is known to exist. */
export function treeHost(tree: string, mount: string): Host {
  const texts = new Map<string, string | undefined>();
  const onDisk = (path: string): string | undefined => {
    if (path === mount) return tree;
    return path.startsWith(`${mount}/`) ? join(tree, path.slice(mount.length + 1)) : undefined;
  };
  const kind = (path: string): 'file' | 'directory' | 'absent' | 'unknown' => {
    const real = onDisk(path);
    if (real === undefined) return 'unknown';
    try {
      return statSync(real).isDirectory() ? 'directory' : 'file';
    } catch {
      return 'absent';
    }
  };
  return {
    kind,
    read: (path) => {
      const real = onDisk(path);
      if (real === undefined) return undefined;
      if (!texts.has(real)) texts.set(real, kind(path) === 'file' ? readFileSync(real, 'utf8') : undefined);
      return texts.get(real);
    },
    list: (path) => {
      const real = onDisk(path);
      return real !== undefined && kind(path) === 'directory' ? readdirSync(real).sort() : undefined;
    },
    rootOf: (path) => (onDisk(path) === undefined ? undefined : mount),
  };
}
