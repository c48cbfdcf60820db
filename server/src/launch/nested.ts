import type { Word } from '../value/word.ts';
import { chainOf } from './chain.ts';

/** Which word of a command is shell text again, and of what kind. */
export interface NestedScript {
  /**
   * `text`: the word is shell text (`bash -c TEXT`), the words behind it are `$0 $1 …`; `file`: the word names a shell file, the words
   * behind it are its arguments; `input`: shell text comes on standard input, the word is the program that reads it.
   */
  readonly kind: 'text' | 'file' | 'input';
  readonly index: number;
  /** Units at the beginning of the word that are not part of the text (`--wrap=`); 0 in nearly all cases. */
  readonly skip: number;
}

/** Says which word of a command is shell text again. Wrappers around the shell (`srun`, `docker run`, …) are looked through. */
export type NestedShell = (words: readonly Word[]) => NestedScript | undefined;

/** See NestedShell. */
export const nestedShell: NestedShell = (words) => {
  const { end } = chainOf(words);
  if (end.kind === 'shell-text') return { kind: 'text', index: end.index, skip: end.skip };
  if (end.kind === 'shell-file') return { kind: 'file', index: end.index, skip: 0 };
  if (end.kind === 'shell-input') return { kind: 'input', index: end.index, skip: 0 };
  return undefined;
};
