import { isShellName } from './text/fileNames.ts';
import type { Host } from './value/host.ts';

/** A shell script of the workspace. */
export interface StartingScript {
  readonly path: string;
  readonly text: string;
}

/** Maximum number of folders and scripts that are searched for one file. */
const most = { folders: 200, scripts: 200 };

/**
 * Shell scripts of the workspace that name a file: those in its folder and its parents up to the top, and in the folders beside these, since
 * scripts and configurations are often in separate folders.
 */
export function scriptsNaming(path: string, host: Host): readonly StartingScript[] {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const scripts = foldersAround(path, host).flatMap((folder) =>
    (host.list(folder) ?? []).filter(isShellName).map((script) => `${folder}/${script}`),
  );
  return scripts.slice(0, most.scripts).flatMap((script) => {
    const text = host.read(script);
    return text?.includes(name) === true ? [{ path: script, text }] : [];
  });
}

function foldersAround(path: string, host: Host): readonly string[] {
  const root = host.rootOf(path);
  const folders = new Set<string>();
  if (root === undefined) return [];
  for (let end = path.lastIndexOf('/'); end >= root.length; end = path.lastIndexOf('/', end - 1)) {
    const above = path.slice(0, end);
    folders.add(above);
    for (const name of host.list(above) ?? []) {
      const isFolder = !name.includes('.') && host.kind(`${above}/${name}`) === 'directory';
      if (isFolder && folders.size < most.folders) folders.add(`${above}/${name}`);
    }
  }
  return [...folders];
}
