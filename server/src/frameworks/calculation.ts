import { resultOf } from '../text/calculation.ts';
import type { Place } from '../text/span.ts';
import { sliceWord, textOf, type Word } from '../value/word.ts';
import type { Setting } from './framework.ts';
import { placeWithin, wholeBeside } from './places.ts';

/** A calculation that a program receives as text, since Bash computes only within `$(( ))`: `2*8` for `$TP*8`. */
export interface Calculation {
  readonly text: string;
  /** The place of the whole calculation, with its variables. */
  readonly place: Place;
}

/** The calculation in a flag's value word; undefined for other values. */
export function calculationBeside(value: Word, key: Word): Calculation | undefined {
  const text = textOf(value);
  return text === undefined || resultOf(text) === undefined
    ? undefined
    : { text, place: wholeBeside(value, key) };
}

/** The calculation that makes up a word from a character onwards, within its known text. */
function calculationWithin(word: Word, start: number): Calculation | undefined {
  const text = textOf(sliceWord(word, start));
  if (text === undefined || resultOf(text) === undefined) return undefined;
  return { text, place: placeWithin(word, start, undefined) };
}

/** The calculation in the value of a command-line setting; undefined for other values. */
export function calculationOf({ syntax, written }: Setting): Calculation | undefined {
  if (syntax.kind === 'override')
    return syntax.prefix.endsWith('=') ? calculationWithin(syntax.word, syntax.prefix.length) : undefined;
  if (syntax.kind !== 'flag') return undefined;
  if (syntax.joined) return calculationWithin(syntax.keyWord, written.length + 1);
  const [value, ...others] = syntax.valueWords;
  return value === undefined || others.length > 0 ? undefined : calculationBeside(value, syntax.keyWord);
}
