/** Things that are alike except for some words (the name of a role), as a knowledge file stores them. */
export interface Repeated {
  /** One of them as JSON, with marks in place of these words. */
  readonly repeated: string;
  /** The words of each, in the order of their marks. */
  readonly words: readonly (readonly string[])[];
}

/** The first of the characters that stand for words: no knowledge text contains private-use characters. */
const firstMark = 0xe000;

/** The mark of the word at an index. */
export function markOf(index: number): string {
  return String.fromCharCode(firstMark + index);
}

/**
 * A text with the words in place of their marks.
 * @param mark how the mark of the word at an index is written in the text
 */
export function withWords(
  text: string,
  words: readonly string[],
  mark: (index: number) => string = markOf,
): string {
  return words.reduce((filled, word, index) => filled.replaceAll(mark(index), word), text);
}
