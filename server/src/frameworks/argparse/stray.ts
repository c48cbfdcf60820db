import type { Place } from '../../text/span.ts';
import { display, type Word } from '../../value/word.ts';
import type { BindingProblem } from '../framework.ts';

/** A word that belongs to no flag. */
export interface StrayWord {
  readonly word: Word;
  readonly place: Place;
  /** The flag whose value it seems to go on. */
  readonly flag: string | undefined;
}

/** What is said of stray words: once for each place, since a blank in a variable splits the value of every flag that gets it. */
export function strayProblems(strays: readonly StrayWord[]): readonly BindingProblem[] {
  const byPlace = new Map<string, { readonly first: StrayWord; readonly flags: Set<string> }>();
  for (const stray of strays) {
    const { path, span } = stray.place;
    const key = `${path} ${span.start}`;
    const known = byPlace.get(key) ?? { first: stray, flags: new Set<string>() };
    if (stray.flag !== undefined) known.flags.add(stray.flag);
    byPlace.set(key, known);
  }
  return [...byPlace.values()].map(({ first, flags }) => ({
    rule: 'unknown-option',
    place: first.place,
    values: { name: display(first.word), hint: hintOf(first.word, [...flags]) },
    setting: undefined,
    replacement: undefined,
    severity: 'error',
    related: splitAt(first.word),
  }));
}

/** Where a blank within a variable came to stand between words. */
function splitAt(word: Word): BindingProblem['related'] {
  const expansion = word.pieces[0]?.origin.via[0];
  return expansion === undefined ? [] : [{ place: expansion, message: 'used here, split at its blanks' }];
}

function hintOf(word: Word, flags: readonly string[]): string {
  const [flag] = flags;
  if (flag === undefined) return '';
  // Quotes within a variable's text keep nothing together.
  return (word.pieces[0]?.origin.via.length ?? 0) > 0
    ? ` The blank before it ends the value of ${listed(flags)}.`
    : ` ${flag} takes one word; quotes keep several together.`;
}

function listed(flags: readonly string[]): string {
  const last = flags.at(-1) ?? '';
  return flags.length > 1 ? `${flags.slice(0, -1).join(', ')} and ${last}` : last;
}
