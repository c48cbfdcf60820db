import type { Word } from '../../value/word.ts';
import { knownText, type Pieces } from './pieces.ts';

/** A word whose pieces may carry what Bash would assume. */
export interface ShellWord extends Word {
  readonly pieces: Pieces;
}

/** The first word of `words` as known text, if it is. */
export function commandName(words: readonly ShellWord[]): string | undefined {
  const [first] = words;
  return first === undefined ? undefined : knownText(first.pieces);
}
