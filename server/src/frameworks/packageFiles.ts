import type { Host } from '../value/host.ts';

/** The Python files of a package, up to a limit. */
export function packageFiles(folder: string, host: Host): readonly string[] {
  const files: string[] = [];
  const folders = [folder];
  for (let at = folders.pop(); at !== undefined && files.length < mostFiles; at = folders.pop())
    for (const name of host.list(at) ?? []) {
      const path = `${at}/${name}`;
      if (name.endsWith('.py')) files.push(path);
      else if (/^\w+$/.test(name) && host.kind(path) === 'directory') folders.push(path);
    }
  return files;
}

const mostFiles = 1000;
