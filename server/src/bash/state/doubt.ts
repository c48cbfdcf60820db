import type { Place } from '../../text/span.ts';
import { displayed, type Pieces } from './pieces.ts';
import type { Shell } from './shell.ts';
import type { Store } from './store.ts';

/** Maximum number of places kept; the latest ones are kept. */
const mostPlaces = 1_000;

/** Programs whose output, when evaluated, prepares the environment of programs and sets no variables of the script. */
const preparing =
  /\b(?:conda|mamba|micromamba|ssh-agent|keychain|pyenv|rbenv|nodenv|mise|fnm|brew|direnv|module|modulecmd|lmod|spack|dircolors|starship)\b/;

/** Those of them that export what others have configured. */
const exporting = /\b(?:direnv|mise|module|modulecmd|lmod|spack)\b/;

/**
 * Remembers that unreadable text was run (`source $CONFIG`, `eval "$(python options.py)"`): it may have changed variables. Their values are
 * still used, but nothing that depends on them is certain.
 *
 * @param place where that text is run: recorded along with the places of the values
 * @param beginning prefix of the names of the variables that it may have set
 */
export function markUncertain(shell: Shell, place: Place, beginning = ''): void {
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
 * Remembers that a variable with an unknown name got a value (`printf -v "$name" …`, `export "CFG_$key=$value"`), unless the name comes from an
 * unset environment variable or a missing argument.
 */
export function doubtNamed(shell: Shell, name: Pieces, place: Place): void {
  const [first] = name;
  if (!name.some((piece) => piece.kind === 'hole' && piece.assumed !== '')) return;
  const beginning = first?.kind === 'text' ? first.text : '';
  if (/^(?:[A-Za-z_]\w*)?$/.test(beginning)) markUncertain(shell, place, beginning);
}

/**
 * Whether a command may be a function defined by unreadable text: `source lib.sh; parse_options "$@"`. Function names often contain
 * underscores, those of programs hardly ever.
 */
export function mayBeUnreadFunction(shell: Shell, name: string): boolean {
  return /^[A-Za-z]\w*$/.test(name) && name.includes('_') && doubtsOf(shell.store) !== undefined;
}

/**
 * Remembers that an unknown text was evaluated, unless only unset environment variables or missing arguments make it unknown: it may have set
 * variables, or at least exported some for programs.
 *
 * @param place where it is evaluated
 */
export function doubtText(shell: Shell, text: Pieces, place: Place): void {
  const isUnread = (piece: Pieces[number]): boolean =>
    piece.kind === 'hole' && piece.assumed !== '' && piece.defines === undefined;
  if (!text.some(isUnread)) return;
  const shown = displayed(text);
  if (!preparing.test(shown)) {
    markUncertain(shell, place);
    // It may set arrays, too.
    if (text.every(({ kind }) => kind === 'hole')) shell.unreadSource = true;
  } else if (exporting.test(shown)) openEnvironment(shell);
}

/** Remembers that unseen variables may have been exported: by `module load`, by a file that prepares the environment. */
export function openEnvironment(shell: Shell): void {
  addDoubts(shell.store, []);
}

/** Whether a program exports variables into the calling shell. */
export function exportsVariables(name: string): boolean {
  return name === 'module' || name === 'ml';
}

/** Places of values that may have been overwritten since; undefined if no unreadable text was run. */
export function doubtsOf(store: Store): readonly Place[] | undefined {
  return store.facts.doubts;
}

/** Whether all text that a shell has run was readable. */
export function isAllRead({ unreadSource, store }: Shell): boolean {
  return !unreadSource && doubtsOf(store) === undefined;
}

/** Whether a shell has certainly put no command into the background. */
export function hasNoJob(shell: Shell): boolean {
  return shell.store.facts.lastJob === undefined && isAllRead(shell);
}

/** Adds doubts of another shell or another path to those of a shell. */
export function addDoubts(store: Store, more: readonly Place[] | undefined): void {
  const before = doubtsOf(store);
  const doubts = joinedDoubts(before, more);
  if (doubts !== before) store.keep({ doubts });
}

/** The doubts of two shells or paths together; the first list itself if the second adds nothing. */
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

/** Up to this many places are searched for one by one. */
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
