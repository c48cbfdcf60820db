import { foldersAbove } from '../../frameworks/above.ts';
import type { Run } from '../../frameworks/framework.ts';
import type { LauncherFault } from '../../launch/faults/launcherFault.ts';
import type { Launch } from '../../launch/launch.ts';
import type { Host } from '../../value/host.ts';
import { textOf } from '../../value/word.ts';

/** Text in a program that shows that it splits its words at `--` itself: it passes the rest on to a second parser. */
const parting = /\bREMAINDER\b|(["'])--\1/;

/**
 * Faults without a `--` that may be meant for the program: a user's own program that splits its words there, or whose text is not in the
 * workspace.
 */
export function withoutOwnSeparators(
  faults: readonly LauncherFault[],
  runs: readonly Run[],
  host: Host,
): readonly LauncherFault[] {
  const isMissing = ({ kind }: LauncherFault): boolean => kind === 'options-ended';
  // Few commands have this fault, and programs are only read for those.
  const mayBeMeant = (): boolean => runs.every((run) => !run.upstreamEntry && mayPart(run, host));
  return faults.some(isMissing) && mayBeMeant() ? faults.filter((fault) => !isMissing(fault)) : faults;
}

function mayPart({ launch }: Run, host: Host): boolean {
  const texts = launch === undefined ? [] : sourcesOf(launch, host);
  return texts.length === 0 || texts.some((text) => parting.test(text));
}

/** The texts that the program may be: at its path, or at that path below a folder above the script that starts it. */
function sourcesOf({ entry, place, command }: Launch, host: Host): readonly string[] {
  const name = textOf(entry.word);
  if (name === undefined) return [];
  const path = entry.kind === 'module' ? `${name.replaceAll('.', '/')}.py` : name;
  const folders = [...(command.cwd === undefined ? [] : [command.cwd]), ...foldersAbove(place.path, host)];
  const places = path.startsWith('/')
    ? [path]
    : [...new Set(folders)].map((folder) => `${folder}/${path.replace(/^\.\//, '')}`);
  return places.flatMap((at) => host.read(at) ?? []);
}
