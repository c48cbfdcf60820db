import { posix } from 'node:path';
import type { Host } from '../../server/src/value/host.ts';

/**
 * A workspace in memory.
 * @param files texts by absolute path
 * @param root the workspace folder; everything outside is unknown
 */
export function memoryHost(files: { readonly [path: string]: string }, root = '/repository'): Host {
  const paths = Object.keys(files);
  const folders = new Set<string>();
  for (const path of paths)
    for (let at = posix.dirname(path); at !== '/' && !folders.has(at); at = posix.dirname(at))
      folders.add(at);
  const within = (path: string): boolean => path === root || path.startsWith(`${root}/`);
  return {
    read: (path) => files[path],
    kind: (path) => {
      if (Object.hasOwn(files, path)) return 'file';
      if (!within(path)) return 'unknown';
      return path === root || folders.has(path) ? 'directory' : 'absent';
    },
    list: (path) => {
      const names = paths
        .filter((other) => other.startsWith(`${path}/`))
        .map((other) => posix.relative(path, other).split('/')[0] ?? '');
      return names.length === 0 ? undefined : [...new Set(names)].sort();
    },
    rootOf: (path) => (within(path) ? root : undefined),
  };
}
