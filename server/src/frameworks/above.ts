import type { Host } from '../value/host.ts';

/** The folders of the workspace that a path lies in, the nearest first; none for a path outside. */
export function foldersAbove(path: string, host: Host): readonly string[] {
  const root = host.rootOf(path);
  const out: string[] = [];
  if (root === undefined) return out;
  for (let end = path.lastIndexOf('/'); end >= root.length; end = path.lastIndexOf('/', end - 1))
    out.push(path.slice(0, end));
  return out;
}

/** The nearest folder above one of the paths that holds a file; undefined when there is none in the workspace. */
export function folderAbove(paths: readonly string[], file: string, host: Host): string | undefined {
  for (const path of paths)
    for (const folder of foldersAbove(path, host))
      if (host.kind(`${folder}/${file}`) === 'file') return folder;
  return undefined;
}

/** The folders and files at the top of the workspace that holds a path, without hidden ones. */
export function atTop(path: string, host: Host): readonly string[] {
  const root = host.rootOf(path);
  const names = root === undefined ? [] : (host.list(root) ?? []);
  return names.filter((name) => !name.startsWith('.')).map((name) => `${root}/${name}`);
}
