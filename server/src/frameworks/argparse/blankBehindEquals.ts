import { textOf, type Word } from '../../value/word.ts';
import type { BindingProblem } from '../framework.ts';
import type { OptionFact } from '../knowledge.ts';
import { convertText } from './convert.ts';
import type { ArgumentParser } from './parser.ts';

/** Most characters between two words that are surely blanks: a comment with its line's end takes more. */
const widestGap = 2;

/**
 * What is said of a blank behind `=` (`--lr= 1e-4`), which leaves the option an empty value that it refuses and the value a word of its own: both are one
 * slip, mended by joining them.
 *
 * @param refused what is said of the empty value
 * @param explicit what stands behind `=` in the word of the flag
 * @param next the word behind it, which is no flag
 * @returns undefined where the value is not empty, or the option would not take the next word either
 */
export function blankBehindEquals(
  refused: BindingProblem,
  { option, word, written }: { option: OptionFact; word: Word; written: string },
  explicit: Word,
  next: Word,
  { conversions }: ArgumentParser,
): BindingProblem | undefined {
  const text = textOf(next);
  if (textOf(explicit) !== '' || text === undefined || textOf(word) !== `${written}=`) return undefined;
  const value = convertText(option, text, conversions);
  const isChoice =
    value?.kind !== 'known' || option.choices?.some((choice) => choice === value.data) !== false;
  if (value === undefined || !isChoice) return undefined;
  const { path, span } = word.place;
  const gap = next.place.span.start - span.end;
  const isVerbatim = [word, next].every(({ pieces }) => pieces.every(({ origin }) => origin.verbatim));
  const isPlain = next.place.span.end - next.place.span.start === text.length;
  if (next.place.path !== path || gap < 1 || gap > widestGap || !isVerbatim || !isPlain) return undefined;
  return {
    ...refused,
    place: { path, span: { start: span.start, end: next.place.span.end } },
    values: { ...refused.values, value: 'an empty string: there is a space after =' },
    replacement: `${written}=${text}`,
    instead: undefined,
  };
}
