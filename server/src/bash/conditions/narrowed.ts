import type { Place } from '../../text/span.ts';
import { Elements } from '../state/elements.ts';
import { isUncounted, knownText, made, type Pieces, type ShellHole } from '../state/pieces.ts';
import type { Shell } from '../state/shell.ts';
import { blankVariable } from '../state/store.ts';

/** Where the shell keeps the texts that a value can have, under a name that no variable has. */
function keyOf({ label }: ShellHole): string {
  return ` is ${label}`;
}

/** The hole that a value is as a whole, where its label means the same value wherever it is met. */
function wholeHole(shell: Shell, value: Pieces): ShellHole | undefined {
  const [only] = value;
  if (only?.kind !== 'hole' || value.length > 1) return undefined;
  // Behind `shift`, and within functions, `$1` is another argument than before.
  if (only.reason === 'positional') {
    const { words, shifted } = shell.positionals;
    return shifted === true || words.some(isUncounted) || shell.store.inFunction ? undefined : only;
  }
  return only.reason === 'environment' || only.reason === 'command-output' ? only : undefined;
}

/**
 * Remembers on this path that a value which is not known is one of some texts: a `case` has let it pass
 * (`case $MODE in train|eval) ;; *) exit 1 ;; esac`).
 */
export function narrow(shell: Shell, value: Pieces, texts: readonly string[], place: Place): void {
  const only = wholeHole(shell, value);
  if (only === undefined || texts.length === 0) return;
  const elements = Elements.list(texts.map((text) => made(text, place)));
  shell.store.setGlobal(keyOf(only), { ...blankVariable, kind: 'indexed', elements, places: [place] });
}

/** The texts that a value can have on this path; undefined when it can have any. */
export function possibleTexts(shell: Shell, value: Pieces): readonly string[] | undefined {
  const only = wholeHole(shell, value);
  const variable = only === undefined ? undefined : shell.store.get(keyOf(only));
  if (variable === undefined || variable.perhapsUnset) return undefined;
  const texts = variable.elements.values().map(knownText);
  return texts.length > 0 && texts.every((text) => text !== undefined) ? texts : undefined;
}
