/** Things that are alike but for some words (the name of a role), as a file of knowledge holds them. */
export interface Repeated {
  /** One of them as JSON, with marks where these words stand. */
  readonly repeated: string;
  /** The words of each, in the order of their marks. */
  readonly words: readonly (readonly string[])[];
}

/** The first of the characters that stand for words: no text of knowledge has characters for private use. */
const firstMark = 0xe000;

/** The mark of the word at an index. */
export function markOf(index: number): string {
  return String.fromCharCode(firstMark + index);
}

/**
 * A text with its words in the places of their marks.
 * @param mark how the mark of the word at an index is written in the text
 */
export function withWords(
  text: string,
  words: readonly string[],
  mark: (index: number) => string = markOf,
): string {
  return words.reduce((filled, word, index) => filled.replaceAll(mark(index), word), text);
}
