import type { Host } from '../value/host.ts';
import type { MachineProfile } from '../value/machine.ts';
import { folderAbove } from './above.ts';
import { packageName } from './packages.ts';

/** The release of a framework or of another package that the project declares (`versions:` of the machine profile). */
export function declaredRelease({ versions }: MachineProfile, name: string): string | undefined {
  return versions[packageName(name)];
}

/** The second number of a release (`0.15.2`), by which Megatron-core and Bridge count releases; undefined for other texts. */
export function minorOf(release: string | undefined): number | undefined {
  const minor = /^v?0\.(\d+)/.exec(release ?? '')?.[1];
  return minor === undefined ? undefined : Number(minor);
}

/** The release that a package states in its `package_info.py`: `0.15`; undefined if it states none. */
export function releaseIn(packageInfo: string | undefined): string | undefined {
  const [major, minor] = ['MAJOR', 'MINOR'].map(
    (name) => new RegExp(`^${name}\\s*=\\s*(\\d+)`, 'm').exec(packageInfo ?? '')?.[1],
  );
  return major === undefined || minor === undefined ? undefined : `${major}.${minor}`;
}

/** The release of a package in the workspace, above one of the paths. */
export function releaseAbove(paths: readonly string[], packageInfo: string, host: Host): string | undefined {
  const folder = folderAbove(paths, packageInfo, host);
  return folder === undefined ? undefined : releaseIn(host.read(`${folder}/${packageInfo}`));
}
