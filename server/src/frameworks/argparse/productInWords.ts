import { notComputed } from '../../text/calculation.ts';
import { productIn } from '../../text/product.ts';
import type { Place } from '../../text/span.ts';
import { textOf, type Word } from '../../value/word.ts';
import type { BindingProblem } from '../framework.ts';
import { beginsVerbatim, placeBeside } from '../places.ts';
import type { ArgumentParser } from './parser.ts';
import { splitAt } from './stray.ts';

/** The widest gap between two words that is certain to be only blanks. */
const widestGap = 3;

/** A product of numbers spread over several words (`--seq-length 4 * 1024`), of which the option takes only the first. */
export interface ProductInWords {
  /** The words after the first one that belong to the product. */
  readonly words: readonly Word[];
  /** The intended product: `4 * 1024`. */
  readonly text: string;
  /** The place of the whole product. */
  readonly place: Place;
  /** Whether its first number is written there literally, rather than coming from a variable. */
  readonly isWritten: boolean;
}

/**
 * The product that begins with the value of an option.
 * @param key the word of the flag
 * @param first the value
 * @param following the words behind it that are not flags; Bash may have expanded a `*` to file names
 */
export function productInWords(
  key: Word,
  first: Word,
  following: readonly Word[],
): ProductInWords | undefined {
  const begin = placeBeside(first, key);
  let text = numberIn(first);
  let end = begin;
  let taken = 0;
  while (text !== undefined) {
    const sign = following[taken];
    const at = sign === undefined ? undefined : placeBeside(sign, key);
    if (sign === undefined || at === undefined || !isBehind(end, at) || !mayBeTimes(sign, at)) break;
    let next = taken + 1;
    while (isAt(following[next], at, key)) next += 1;
    const factor = following[next];
    const number = factor === undefined ? undefined : numberIn(factor);
    if (factor === undefined || number === undefined || !isBehind(at, placeBeside(factor, key))) break;
    text = `${text} * ${number}`;
    end = placeBeside(factor, key);
    taken = next + 1;
  }
  if (text === undefined || taken === 0) return undefined;
  return {
    words: following.slice(0, taken),
    text,
    place: { path: begin.path, span: { start: begin.span.start, end: end.span.end } },
    isWritten: beginsVerbatim(first, 1) && first.pieces[0]?.origin.place === begin,
  };
}

/** The problem for a product: the words behind its first number belong to no option. */
export function productProblem(
  { words, text, place, isWritten }: ProductInWords,
  unknownWords: ArgumentParser['unknown'],
): BindingProblem {
  const isRefused = unknownWords === 'refuse';
  const result = productIn(text);
  const [word] = words;
  return {
    rule: isRefused ? 'unknown-option' : 'ignored-word',
    place,
    values: {
      name: text.replace(/^\d+ /, ''),
      hint: notComputed(text, result),
    },
    setting: undefined,
    replacement: isWritten && result !== undefined ? String(result) : undefined,
    severity: isRefused ? 'error' : 'warning',
    related:
      word === undefined ? [] : splitAt(word).map(({ place: at }) => ({ place: at, message: 'used here' })),
  };
}

function numberIn(word: Word): string | undefined {
  const text = textOf(word);
  return text !== undefined && /^(?:0|[1-9]\d*)$/.test(text) ? text : undefined;
}

function isBehind(one: Place, other: Place): boolean {
  const gap = other.span.start - one.span.end;
  return one.path === other.path && gap >= 1 && gap <= widestGap;
}

/** Whether a word is a star, or one of the file names that Bash expanded it to. */
function mayBeTimes(word: Word, { span }: Place): boolean {
  return span.end - span.start === 1 && (textOf(word) === '*' || !beginsVerbatim(word, 1));
}

/** Whether a word is another file name expanded from the same star. */
function isAt(word: Word | undefined, { path, span }: Place, key: Word): boolean {
  if (word === undefined) return false;
  const at = placeBeside(word, key);
  return at.path === path && at.span.start === span.start && at.span.end === span.end;
}
