import { resultOf } from '../text/calculation.ts';
import type { Place } from '../text/span.ts';
import { sliceWord, textOf, type Word } from '../value/word.ts';
import type { Setting } from './framework.ts';
import { placeWithin, wholeBeside } from './places.ts';

/** A calculation that a program gets as a text, since Bash computes within `$(( ))` only: `2*8` for `$TP*8`. */
export interface Calculation {
  readonly text: string;
  /** Where all of it stands, with its variables. */
  readonly place: Place;
}

/** The calculation that a word is as the value of a flag; undefined for other values. */
export function calculationBeside(value: Word, key: Word): Calculation | undefined {
  const text = textOf(value);
  return text === undefined || resultOf(text) === undefined
    ? undefined
    : { text, place: wholeBeside(value, key) };
}

/** The calculation that a word is from a character on, which stands in its known text. */
function calculationWithin(word: Word, start: number): Calculation | undefined {
  const text = textOf(sliceWord(word, start));
  if (text === undefined || resultOf(text) === undefined) return undefined;
  return { text, place: placeWithin(word, start, undefined) };
}

/** The calculation that the value of a setting of a command line is; undefined for other values. */
export function calculationOf({ syntax, written }: Setting): Calculation | undefined {
  if (syntax.kind === 'override')
    return syntax.prefix.endsWith('=') ? calculationWithin(syntax.word, syntax.prefix.length) : undefined;
  if (syntax.kind !== 'flag') return undefined;
  if (syntax.joined) return calculationWithin(syntax.keyWord, written.length + 1);
  const [value, ...others] = syntax.valueWords;
  return value === undefined || others.length > 0 ? undefined : calculationBeside(value, syntax.keyWord);
}
