import { normalizePath } from '../library/paths.ts';
import { restsOnStart } from '../state/elsewhere.ts';
import { displayed, knownText, type Pieces } from '../state/pieces.ts';
import type { Shell } from '../state/shell.ts';
import type { ShellWord } from '../state/shellWord.ts';
import { fileKey, isKnownPath } from './fileKey.ts';

/** The key of a script that another one sources. */
export interface ScriptKey {
  readonly key: string;
  /** Whether its folder is unknown, and it is assumed to be the script in the workspace. */
  readonly isPresumed: boolean;
}

/**
 * The key of a sourced script. If its folder is unknown (`cd $WORKDIR; . models/small.sh`, `$REPO/models/small.sh`,
 * `/workspace/models/small.sh`, `$(pwd)/models/small.sh`), it is assumed to be the file with that ending in the workspace, below the folder of
 * the script that names it or one of the folders above, if there is exactly one. Scripts that are run are linted on their own, and following
 * them from everywhere doubles the time for a repository of jobs.
 */
export function scriptKey(shell: Shell, word: ShellWord): ScriptKey {
  const { pieces, place } = word;
  const key = fileKey(shell, pieces);
  const elsewhere = keyElsewhere(shell, word, key);
  if (elsewhere !== undefined) return { key: elsewhere, isPresumed: true };
  const { written, shared } = shell.run;
  const { host } = shared.options;
  const isInside = isKnownPath(key) && host.rootOf(key) !== undefined;
  const root = written.has(key) || isInside ? undefined : host.rootOf(place.path);
  if (root === undefined) return { key, isPresumed: false };
  for (const rest of endsOf(pieces)) {
    const found = onlyBelow(shell, word, rest, root);
    if (found !== undefined) return { key: found, isPresumed: true };
  }
  return { key, isPresumed: false };
}

/**
 * The key of a script that does not exist relative to the top of the workspace, but does relative to a folder between that and the script that
 * names it, where the parts of a repository are started: `bash examples/run.sh` in `part/tests/all.sh`.
 *
 * @param key the key relative to the top
 */
export function keyElsewhere(shell: Shell, word: ShellWord, key: string): string | undefined {
  const { written, shared } = shell.run;
  const { host } = shared.options;
  const root = isKnownPath(key) && !written.has(key) ? host.rootOf(key) : undefined;
  if (root === undefined || root !== host.rootOf(word.place.path) || !key.startsWith(`${root}/`))
    return undefined;
  if (host.kind(key) !== 'absent' || !restsOnStart(shell, word.pieces)) return undefined;
  return onlyBelow(shell, word, key.slice(root.length + 1), root);
}

/** The only file of the workspace with a path ending below the folder of the script that names it or one of the folders above. */
function onlyBelow({ run }: Shell, { place }: ShellWord, rest: string, root: string): string | undefined {
  const { written, shared } = run;
  const paths = foldersUpTo(root, place.path).map((folder) => `${folder}/${rest}`);
  const [found, ...others] = paths.filter(
    (path) => !written.has(path) && shared.options.host.kind(path) === 'file',
  );
  return found !== place.path && others.length === 0 ? found : undefined;
}

/** Notes the assumption that a script is the one in the workspace. */
export function presumeScript({ run }: Shell, { pieces, place }: ShellWord): void {
  run.assume({ place, kind: 'file', text: `${displayed(pieces)} is the one of the workspace` });
}

/** The path endings that a file in an unknown folder may have, longest first: each has a folder and a file name. */
function endsOf(name: Pieces): readonly string[] {
  const text = knownText(name);
  const last = name.at(-1);
  if (text === undefined) {
    const isBehindUnknown = name.slice(0, -1).every(({ kind }) => kind === 'hole');
    return last?.kind === 'text' && last.text.startsWith('/') && isBehindUnknown
      ? longEnough([last.text])
      : [];
  }
  if (!text.startsWith('/')) return longEnough([text]);
  const parts = text.split('/').slice(1);
  return longEnough(parts.map((_, index) => parts.slice(index).join('/')));
}

function longEnough(paths: readonly string[]): readonly string[] {
  return paths
    .map((path) => normalizePath(path.replace(/^\/+/, '')))
    .filter((path) => path.includes('/') && !path.startsWith('../../'));
}

/** The folder of a file and those above it, up to the root of its workspace. */
function foldersUpTo(root: string, path: string): readonly string[] {
  const folders: string[] = [];
  for (let folder = path; folder !== root && folder.includes('/'); ) {
    folder = folder.slice(0, folder.lastIndexOf('/'));
    folders.push(folder);
  }
  return folders;
}
