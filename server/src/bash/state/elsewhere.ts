import type { Place } from '../../text/span.ts';
import { normalizePath } from '../library/paths.ts';
import { hole, knownText, made, type Pieces } from './pieces.ts';
import type { Shell } from './shell.ts';

/**
 * From here on the working directory is unknown, and a different one than before.
 *
 * @param key the key of files named relative to it; undefined if it has none
 */
export function loseDirectory(shell: Shell, key?: string): void {
  const { run } = shell;
  if (key === undefined) run.directoriesLost += 1;
  shell.cwd = undefined;
  shell.store.keep({ whereabouts: key ?? `\0directory ${run.directoriesLost}\0` });
}

/** The key for a path relative to an unknown directory: the same as long as the shell stays there. */
export function pathElsewhere({ store }: Shell, path: string): string {
  return `${store.facts.whereabouts ?? '\0directory\0'}/${normalizePath(path)}`;
}

/** Remembers whether the working directory is the same wherever the script is started. */
export function settleDirectory({ store }: Shell, isSettled: boolean): void {
  if (isSettled !== store.facts.isDirectorySettled) store.keep({ isDirectorySettled: isSettled });
}

/** Marks the working directory as a guess that is not used in any word, until a `cd` to an absolute path. */
export function guessDirectory({ store }: Shell): void {
  if (!store.facts.isDirectoryGuessed) store.keep({ isDirectoryGuessed: true });
}

/** Notes that the shell changes to an explicitly named directory. */
export function noteExplicitDirectory({ store }: Shell): void {
  if (store.facts.isDirectoryGuessed) store.keep({ isDirectoryGuessed: false });
}

/** Whether the working directory is only a guess. */
export function isDirectoryGuessed({ store }: Shell): boolean {
  return store.facts.isDirectoryGuessed;
}

/** Passes on to a child shell what is known about the working directory of both. */
export function inheritDirectory(outer: Shell, child: Shell): void {
  const { whereabouts, isDirectorySettled, isDirectoryGuessed } = outer.store.facts;
  child.store.keep({ whereabouts, isDirectorySettled, isDirectoryGuessed });
}

/** The path of the working directory, or one derived from it: presumed if it depends on the folder in which the script is started. */
export function madeOfDirectory(shell: Shell, path: string, place: Place): Pieces {
  if (isDirectoryGuessed(shell)) return [hole('outside', '$(pwd)', place, { nonEmpty: true, oneLine: true })];
  return shell.store.facts.isDirectorySettled ? made(path, place) : asPresumed(made(path, place));
}

/** Marks a text as derived from the folder in which the script is assumed to be started. */
export function asPresumed(pieces: Pieces): Pieces {
  return pieces.map((piece) => ({ ...piece, origin: { ...piece.origin, presumed: true } }));
}

/** Whether a text was derived from that folder. */
export function isPresumed(pieces: Pieces): boolean {
  return pieces.some(({ origin }) => origin.presumed === true);
}

/** Whether a path as written would lead elsewhere if the script were started in another folder. */
export function restsOnStart({ store }: Shell, name: Pieces): boolean {
  const text = knownText(name);
  if (text === undefined || text.startsWith('/')) return isPresumed(name);
  return !store.facts.isDirectorySettled;
}
