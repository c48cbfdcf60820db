import type { Host } from '../value/host.ts';

/** The workspace folders that contain a path, nearest first; empty for a path outside the workspace. */
export function foldersAbove(path: string, host: Host): readonly string[] {
  const root = host.rootOf(path);
  const out: string[] = [];
  if (root === undefined) return out;
  for (let end = path.lastIndexOf('/'); end >= root.length; end = path.lastIndexOf('/', end - 1))
    out.push(path.slice(0, end));
  return out;
}

/** The nearest folder above any of the paths that holds a file; undefined when the workspace has none. */
export function folderAbove(paths: readonly string[], file: string, host: Host): string | undefined {
  for (const path of paths)
    for (const folder of foldersAbove(path, host))
      if (host.kind(`${folder}/${file}`) === 'file') return folder;
  return undefined;
}

/** The folders and files at the top of the workspace that contains a path, without hidden ones. */
export function atTop(path: string, host: Host): readonly string[] {
  const root = host.rootOf(path);
  const names = root === undefined ? [] : (host.list(root) ?? []);
  return names.filter((name) => !name.startsWith('.')).map((name) => `${root}/${name}`);
}
