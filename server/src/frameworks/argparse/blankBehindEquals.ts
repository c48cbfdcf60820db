import { textOf, type Word } from '../../value/word.ts';
import type { BindingProblem } from '../framework.ts';
import type { OptionFact } from '../knowledge.ts';
import { convertText } from './convert.ts';
import type { ArgumentParser } from './parser.ts';

/** The widest gap between two words that is certain to be only blanks: a comment with its newline takes more. */
const widestGap = 2;

/**
 * The problem for a blank behind `=` (`--lr= 1e-4`), which gives the option an empty value that it rejects and makes the value a separate word.
 * Both come from one mistake, fixed by joining them.
 *
 * @param refused the problem reported for the empty value
 * @param explicit the text after `=` in the flag's word
 * @param next the following word, which is not a flag
 * @returns undefined if the value is not empty, or if the option would not accept the next word either
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
