import { resolvePath } from '../../bash/library/paths.ts';
import type { Assumption } from '../../launch/command.ts';
import type { Launch } from '../../launch/launch.ts';
import { type Host, mayBePath } from '../../value/host.ts';
import { textOf } from '../../value/word.ts';
import { foldersAbove } from '../above.ts';
import type { LaunchForm } from './launchForm.ts';

/**
 * The absolute path of a file that a launch names: from the working directory, or from the folder of the text that starts it or
 * one above, since scripts in a folder of examples are started from the top of their repository. An absolute path of another machine is
 * that of the workspace's file with the same end.
 */
export function locate(name: string, launch: Launch, host: Host): string | undefined {
  if (name.startsWith('/')) return host.kind(name) === 'file' ? name : presumed(name, launch, host);
  const { cwd, place } = launch.command;
  const folders = cwd === undefined ? [] : [cwd];
  for (let end = place.path.lastIndexOf('/'); end > 0; end = place.path.lastIndexOf('/', end - 1))
    folders.push(place.path.slice(0, end));
  for (const folder of folders) {
    const path = resolvePath(folder, name);
    if (host.kind(path) === 'file') return path;
  }
  return undefined;
}

/** The one file of the workspace whose path ends as an absolute one of another machine does, in a folder and a file at least. */
function presumed(name: string, { command: { place } }: Launch, host: Host): string | undefined {
  if (host.rootOf(name) !== undefined || !mayBePath(name)) return undefined;
  const folders = foldersAbove(place.path, host);
  const parts = name.split('/').slice(1);
  for (let at = 0; at < parts.length - 1; at++) {
    const end = parts.slice(at).join('/');
    const found = folders
      .map((folder) => resolvePath(folder, end))
      .filter((path) => host.kind(path) === 'file');
    if (found.length > 0) return found.length === 1 ? found[0] : undefined;
  }
  return undefined;
}

/** The launch, with what is taken for granted where it names its script or its configuration by a path on another machine. */
export function withPresumed(launch: Launch, { script, config }: LaunchForm, host: Host): Launch {
  const names = [script, config === undefined ? undefined : textOf(config)];
  const assumptions = names.flatMap((name): Assumption[] => {
    if (name?.startsWith('/') !== true || host.kind(name) === 'file') return [];
    if (locate(name, launch, host) === undefined) return [];
    return [{ place: launch.place, kind: 'file', text: `${name} is the one of the workspace` }];
  });
  if (assumptions.length === 0) return launch;
  return { ...launch, assumptions: [...launch.assumptions, ...assumptions] };
}
