import { dirname, resolvePath } from '../bash/library/paths.ts';
import type { Host } from '../value/host.ts';

/** Possible names of a configuration file, by preference. */
export const configNames = ['.oomlint.yaml', '.oomlint.yml', 'pyproject.toml'] as const;

/** Whether a path, of any operating system, has one of these names. */
export function hasConfigName(path: string): boolean {
  const file = path.replace(/^.*[\\/]/s, '');
  return configNames.some((name) => name === file);
}

/** Matches a `pyproject.toml` with our settings: `[tool.oomlint]`, a key like `tool.oomlint.rules = …`, or `oomlint = { … }` in `[tool]`. */
const ownTable =
  /^\uFEFF?[ \t]*(?:(?:\[+[ \t]*)?["']?tool["']?[ \t]*\.[ \t]*["']?oomlint\b|\[[ \t]*tool[ \t]*\][^[]*^[ \t]*oomlint[ \t]*[=.])/m;

/** Whether a file is an oomlint configuration, by its name and, for a `pyproject.toml`, its tables. */
export function isConfig(name: string, read: () => string | undefined): boolean {
  return name !== 'pyproject.toml' || ownTable.test(read() ?? '');
}

/**
 * The configuration file that applies to a file: the nearest one in its folder or above, within the workspace. A `pyproject.toml` counts only
 * if it has our settings ({@link ownTable}). What applies to a folder applies to everything below it.
 */
export function configPaths(host: Host): (path: string) => string | undefined {
  const known = new Map<string, string | undefined>();
  const inFolder = (folder: string, root: string | undefined): string | undefined => {
    const key = `${root ?? ''}\n${folder}`;
    if (known.has(key)) return known.get(key);
    const own = configNames
      .map((name) => ({ name, candidate: resolvePath(folder, name) }))
      .find(
        ({ name, candidate }) =>
          host.kind(candidate) === 'file' && isConfig(name, () => host.read(candidate)),
      )?.candidate;
    const above = dirname(folder);
    const found = own ?? (folder === above || folder === root ? undefined : inFolder(above, root));
    known.set(key, found);
    return found;
  };
  return (path) => inFolder(dirname(path), host.rootOf(path));
}
