import type { Place } from '../../text/span.ts';
import { normalizePath } from '../library/paths.ts';
import { guessedDirectory, settledDirectory, whereabouts } from './hiddenNames.ts';
import { hole, knownText, made, type Pieces } from './pieces.ts';
import type { Shell } from './shell.ts';
import { blankVariable, type Store } from './store.ts';

/** From here on the working directory is one that is not known, and another one than before. */
export function loseDirectory(shell: Shell): void {
  const { run } = shell;
  run.directoriesLost += 1;
  const place = { path: '', span: { start: 0, end: 0 } };
  const value = made(String(run.directoriesLost), place);
  shell.cwd = undefined;
  shell.store.setGlobal(whereabouts, { ...blankVariable, kind: 'scalar', value });
}

/** What a path is kept under that begins in a directory which is not known: the same as long as the shell stays there. */
export function pathElsewhere({ store }: Shell, path: string): string {
  const [known] = store.get(whereabouts)?.value ?? [];
  const number = known?.kind === 'text' ? known.text : '';
  return `\0directory ${number}\0/${normalizePath(path)}`;
}

/** Remembers whether the working directory is the same wherever the script is started. */
export function settleDirectory({ store }: Shell, isSettled: boolean): void {
  if (isSettled === isDirectorySettled(store)) return;
  const value = made('1', { path: '', span: { start: 0, end: 0 } });
  store.setGlobal(settledDirectory, isSettled ? { ...blankVariable, kind: 'scalar', value } : undefined);
}

/** From here on, until a path from the root leads elsewhere, the working directory is a guess, of which no word is made. */
export function guessDirectory({ store }: Shell): void {
  const value = made('1', { path: '', span: { start: 0, end: 0 } });
  store.setGlobal(guessedDirectory, { ...blankVariable, kind: 'scalar', value });
}

/** The shell goes to a directory that is said. */
export function sayDirectory({ store }: Shell): void {
  if (store.get(guessedDirectory) !== undefined) store.setGlobal(guessedDirectory, undefined);
}

/** Whether the working directory is no more than a guess. */
export function isDirectoryGuessed({ store }: Shell): boolean {
  return store.get(guessedDirectory) !== undefined;
}

/** Hands on to a shell that another one starts what is known of the directory that both are in. */
export function inheritDirectory(outer: Shell, child: Shell): void {
  if (isDirectoryGuessed(outer)) guessDirectory(child);
  const elsewhere = outer.store.get(whereabouts);
  if (elsewhere !== undefined) child.store.setGlobal(whereabouts, elsewhere);
  settleDirectory(child, isDirectorySettled(outer.store));
}

function isDirectorySettled(store: Store): boolean {
  const variable = store.get(settledDirectory);
  return variable !== undefined && knownText(variable.value) === '1';
}

/** The path of the working directory, or one made of it: a guess where nobody says from which folder the script is started. */
export function madeOfDirectory(shell: Shell, path: string, place: Place): Pieces {
  if (isDirectoryGuessed(shell)) return [hole('outside', '$(pwd)', place, { nonEmpty: true, oneLine: true })];
  return isDirectorySettled(shell.store) ? made(path, place) : asPresumed(made(path, place));
}

/** A text that was made of the folder from which the script is taken to be started. */
export function asPresumed(pieces: Pieces): Pieces {
  return pieces.map((piece) => ({ ...piece, origin: { ...piece.origin, presumed: true } }));
}

/** Whether a text was made of that folder. */
export function isPresumed(pieces: Pieces): boolean {
  return pieces.some(({ origin }) => origin.presumed === true);
}

/** Whether a path, as it is named, leads somewhere else where the script is started from another folder. */
export function restsOnStart({ store }: Shell, name: Pieces): boolean {
  const text = knownText(name);
  if (text === undefined || text.startsWith('/')) return isPresumed(name);
  return !isDirectorySettled(store);
}
