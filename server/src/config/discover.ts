import type { Host } from '../value/host.ts';

/** Names under which a configuration file is looked for, the preferred first. */
export const configNames = ['.oomlint.yaml', '.oomlint.yml', 'pyproject.toml'] as const;

/** The folder of a path. */
export function folderOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash <= 0 ? '/' : path.slice(0, slash);
}

/** A way from a folder, with `.` and `..` resolved. */
export function joinPath(folder: string, way: string): string {
  const parts = way.startsWith('/') ? [] : folder.split('/');
  for (const part of way.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  return `/${parts.filter((part) => part !== '').join('/')}`;
}

/**
 * The configuration file that holds for a file: the nearest one in its folder or above, within the workspace.
 * A `pyproject.toml` counts only with a `[tool.oomlint]` table.
 */
export function configPathFor(path: string, host: Host): string | undefined {
  const root = host.rootOf(path);
  for (let folder = folderOf(path); ; folder = folderOf(folder)) {
    for (const name of configNames) {
      const candidate = joinPath(folder, name);
      if (host.kind(candidate) !== 'file') continue;
      if (name !== 'pyproject.toml' || /^\s*\[+\s*tool\s*\.\s*oomlint\b/m.test(host.read(candidate) ?? ''))
        return candidate;
    }
    if (folder === '/' || folder === root) return undefined;
  }
}
