import type { CompiledConstraint } from './compiled.ts';

/** Constraints that are alike but for some words (the name of a role), as a file of knowledge holds them. */
export interface RepeatedConstraint {
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

/** The constraints that one entry of a file of knowledge stands for. */
export function unfolded(entry: CompiledConstraint | RepeatedConstraint): readonly CompiledConstraint[] {
  if (!('repeated' in entry)) return [entry];
  return entry.words.map((own) =>
    JSON.parse(own.reduce((text, word, index) => text.replaceAll(markOf(index), word), entry.repeated)),
  );
}
