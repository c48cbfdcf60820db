import { dirname, resolvePath } from '../bash/library/paths.ts';
import type { Host } from '../value/host.ts';

/** Names under which a configuration file is looked for, the preferred first. */
export const configNames = ['.oomlint.yaml', '.oomlint.yml', 'pyproject.toml'] as const;

/** Whether a file is a configuration of ours, by its name and, for a `pyproject.toml`, its tables. */
export function isConfig(name: string, read: () => string | undefined): boolean {
  return name !== 'pyproject.toml' || /^\s*\[+\s*tool\s*\.\s*oomlint\b/m.test(read() ?? '');
}

/**
 * The configuration file that holds for a file: the nearest one in its folder or above, within the workspace.
 * A `pyproject.toml` counts only with a `[tool.oomlint]` table.
 */
export function configPathFor(path: string, host: Host): string | undefined {
  const root = host.rootOf(path);
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    for (const name of configNames) {
      const candidate = resolvePath(folder, name);
      if (host.kind(candidate) !== 'file') continue;
      if (isConfig(name, () => host.read(candidate))) return candidate;
    }
    if (folder === dirname(folder) || folder === root) return undefined;
  }
}
