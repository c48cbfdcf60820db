import { invocationOf } from '../../bash/programs/invocation.ts';
import { textOf, type Word } from '../../value/word.ts';
import type { ChainEnd } from './chain.ts';

/** What a shell is asked to run: `-c TEXT`, a file, or its standard input. */
export function shellEnd(words: readonly Word[], shell: number): ChainEnd {
  const { isText, isInput, isOnlyRead, switches, end } = invocationOf(words, shell + 1);
  if (isOnlyRead) return { kind: 'nothing' };
  const isOver = end >= words.length;
  if (isText) return isOver ? { kind: 'nothing' } : { kind: 'shell-text', index: end, skip: 0, switches };
  // The words after the options are arguments of the text that is read.
  if (isInput || isOver) return { kind: 'shell-input', index: end - 1, switches };
  const file = words[end];
  const isItsInput = file !== undefined && textOf(file) === '/dev/stdin';
  return { kind: isItsInput ? 'shell-input' : 'shell-file', index: end, switches };
}
