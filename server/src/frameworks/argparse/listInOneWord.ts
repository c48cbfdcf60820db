import { textOf, type Word } from '../../value/word.ts';
import type { BindingProblem } from '../framework.ts';
import type { OptionFact } from '../knowledge.ts';
import { arity, isList } from './actions.ts';
import { convertText } from './convert.ts';
import type { ArgumentParser } from './parser.ts';

/**
 * The elements of a list written with commas or blanks in a single word, though argparse takes each element as a separate word.
 *
 * @param words all words of the option
 * @returns undefined if there are several words, or if the number of elements does not fit the option
 */
export function listInOneWord(
  option: OptionFact,
  words: readonly Word[],
  { conversions }: ArgumentParser,
): BindingProblem['meant'] {
  const [word] = words;
  const text = word === undefined || words.length > 1 || !isList(option) ? undefined : textOf(word);
  const texts = text?.split(/[\s,]+/).filter((part) => part !== '') ?? [];
  const [least, most] = arity(option);
  if (texts.length < Math.max(2, least) || texts.length > most) return undefined;
  const isPlain = texts.every((part) => convertText(option, part, conversions)?.kind === 'known');
  return isPlain ? { value: texts, title: `Write ${texts.join(' ')} as ${texts.length} words` } : undefined;
}
