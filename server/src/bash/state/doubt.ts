import type { Place } from '../../text/span.ts';
import { displayed, type Pieces } from './pieces.ts';
import type { Shell } from './shell.ts';
import type { Store } from './store.ts';

/** Places that are kept at most, the latest. */
const mostPlaces = 1_000;

/** Programs whose output prepares the environment of programs when it is evaluated, and sets nothing of the script. */
const preparing =
  /\b(?:conda|mamba|micromamba|ssh-agent|keychain|pyenv|rbenv|nodenv|mise|fnm|brew|direnv|module|modulecmd|lmod|spack|dircolors|starship)\b/;

/** Those of them that export what others have configured. */
const exporting = /\b(?:direnv|mise|module|modulecmd|lmod|spack)\b/;

/**
 * Remembers that text was run which cannot be read (`source $CONFIG`, `eval "$(python options.py)"`): it may have set anew what variables
 * hold. They are followed as they are, but nothing that rests on them is certain.
 *
 * @param place where that text is run: it stands with the places of the values
 * @param beginning how the names of the variables begin that it may have set
 */
export function putInDoubt(shell: Shell, place: Place, beginning = ''): void {
  const written: Place[] = [place];
  for (const [name, variable] of shell.store.visible()) {
    if (variable.readonly || variable.kind === 'unset') continue;
    if (!name.startsWith(beginning)) continue;
    written.push(...variable.places);
    const values = variable.kind === 'scalar' ? [variable.value] : variable.elements.values();
    for (const value of values)
      for (const piece of value) if (piece.kind === 'text') written.push(piece.origin.place);
  }
  addDoubts(shell.store, written);
}

/**
 * Remembers that a variable got a value of which not even the name is known (`printf -v "$name" …`, `export "CFG_$key=$value"`), unless that
 * comes from the environment or an argument that nobody gave.
 */
export function doubtNamed(shell: Shell, name: Pieces, place: Place): void {
  const [first] = name;
  if (!name.some((piece) => piece.kind === 'hole' && piece.assumed !== '')) return;
  const beginning = first?.kind === 'text' ? first.text : '';
  if (/^(?:[A-Za-z_]\w*)?$/.test(beginning)) putInDoubt(shell, place, beginning);
}

/**
 * Whether a command may be a function that text which cannot be read has defined: `source lib.sh; parse_options "$@"`. Functions have
 * underscores in their names, programs hardly ever.
 */
export function mayBeUnreadFunction(shell: Shell, name: string): boolean {
  return /^[A-Za-z]\w*$/.test(name) && name.includes('_') && doubtsOf(shell.store) !== undefined;
}

/**
 * Remembers that a text was evaluated which is not known, unless the environment or an argument that nobody gave is all that is not: it may
 * have set variables, or at least have exported some for programs.
 *
 * @param place where it is evaluated
 */
export function doubtText(shell: Shell, text: Pieces, place: Place): void {
  const isUnread = (piece: Pieces[number]): boolean =>
    piece.kind === 'hole' && piece.assumed !== '' && piece.defines === undefined;
  if (!text.some(isUnread)) return;
  const shown = displayed(text);
  if (!preparing.test(shown)) {
    putInDoubt(shell, place);
    // It may set arrays as well.
    if (text.every(({ kind }) => kind === 'hole')) shell.unreadSource = true;
  } else if (exporting.test(shown)) openEnvironment(shell);
}

/** Remembers that variables may have been exported which are not seen: by `module load`, by a file that prepares the environment. */
export function openEnvironment(shell: Shell): void {
  addDoubts(shell.store, []);
}

/** Whether a program is one that exports variables into the shell which calls it. */
export function exportsVariables(name: string): boolean {
  return name === 'module' || name === 'ml';
}

/** Where values were written that may have been set anew since; undefined when no text was run that cannot be read. */
export function doubtsOf(store: Store): readonly Place[] | undefined {
  return store.facts.doubts;
}

/** Whether all text that a shell has run could be read. */
export function isAllRead({ unreadSource, store }: Shell): boolean {
  return !unreadSource && doubtsOf(store) === undefined;
}

/** Whether a shell has surely put no command into the background. */
export function hasNoJob(shell: Shell): boolean {
  return shell.store.facts.lastJob === undefined && isAllRead(shell);
}

/** Adds to what a shell holds in doubt: another shell's, or another path's. */
export function addDoubts(store: Store, more: readonly Place[] | undefined): void {
  const before = doubtsOf(store);
  const doubts = joinedDoubts(before, more);
  if (doubts !== before) store.keep({ doubts });
}

/** What one of two shells or paths holds in doubt, or both; the first as it is where the second adds nothing. */
export function joinedDoubts(
  before: readonly Place[] | undefined,
  more: readonly Place[] | undefined,
): readonly Place[] | undefined {
  if (before === undefined || more === undefined || more === before) return before ?? more;
  const isKnown =
    more.length > few ? knownAmong(before) : (place: Place) => before.some((one) => isSame(one, place));
  const added = new Map<string, Place>();
  for (const place of more) if (!isKnown(place)) added.set(keyOf(place), place);
  return added.size === 0 ? before : [...before, ...added.values()].slice(-mostPlaces);
}

/** So many places are looked for among others one by one. */
const few = 8;

function knownAmong(places: readonly Place[]): (place: Place) => boolean {
  const keys = new Set(places.map(keyOf));
  return (place) => keys.has(keyOf(place));
}

function isSame(one: Place, other: Place): boolean {
  return one.span.start === other.span.start && one.span.end === other.span.end && one.path === other.path;
}

function keyOf({ path, span }: Place): string {
  return `${path} ${span.start} ${span.end}`;
}
