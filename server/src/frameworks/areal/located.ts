import { resolvePath } from '../../bash/library/paths.ts';
import type { Assumption } from '../../launch/command.ts';
import type { Launch } from '../../launch/launch.ts';
import { type Host, mayBePath } from '../../value/host.ts';
import { textOf } from '../../value/word.ts';
import { foldersAbove } from '../above.ts';
import type { LaunchForm } from './launchForm.ts';

/**
 * The absolute path of a file that a launch names: relative to the working directory, or to the folder of the text that starts it or one above,
 * since scripts in an examples folder are started from the top of their repository. An absolute path of another machine resolves to the
 * workspace file with the same path suffix.
 */
export function locate(name: string, launch: Launch, host: Host): string | undefined {
  const { cwd, place } = launch.command;
  if (name.startsWith('/')) {
    if (host.kind(name) === 'file') return name;
    // `$PWD/conf.yaml` means the same as `conf.yaml`.
    return cwd !== undefined && name.startsWith(`${cwd}/`)
      ? locate(name.slice(cwd.length + 1), launch, host)
      : presumed(name, launch, host);
  }
  const folders = cwd === undefined ? [] : [cwd];
  for (let end = place.path.lastIndexOf('/'); end > 0; end = place.path.lastIndexOf('/', end - 1))
    folders.push(place.path.slice(0, end));
  for (const folder of folders) {
    const path = resolvePath(folder, name);
    if (host.kind(path) === 'file') return path;
  }
  return undefined;
}

/** The only workspace file whose path shares a suffix of at least a folder and a file name with an absolute path of another machine. */
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

/** The launch with the assumptions made when its script or configuration is named by a path on another machine. */
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
