import { knownPrefix, textOf, type Word } from '../value/word.ts';
import type { ChainEnd } from './chain.ts';

/** What a shell is asked to run: `-c TEXT`, a file, or its standard input. */
export function shellEnd(words: readonly Word[], shell: number): ChainEnd {
  let at = shell + 1;
  let text = false;
  let input = false;
  for (let word = words[at]; word !== undefined; at += 1, word = words[at]) {
    const prefix = knownPrefix(word);
    if (textOf(word) === '-' || textOf(word) === '--') {
      at += 1;
      break;
    }
    if (prefix === '--rcfile' || prefix === '--init-file') {
      at += 1;
      continue;
    }
    if (!prefix.startsWith('-') && !prefix.startsWith('+')) break;
    if (prefix.startsWith('--')) continue;
    const letters = prefix.slice(1);
    if (prefix.startsWith('-') && letters.includes('c')) text = true;
    if (prefix.startsWith('-') && letters.includes('s')) input = true;
    // `-o pipefail`, also behind others (`-euo pipefail`).
    if (/[oO]/.test(letters)) at += 1;
  }
  const isOver = at >= words.length;
  if (text) return isOver ? { kind: 'nothing' } : { kind: 'shell-text', index: at, skip: 0 };
  // The words behind the options are arguments of the text that is read.
  if (input || isOver) return { kind: 'shell-input', index: Math.min(at, words.length) - 1 };
  return { kind: 'shell-file', index: at };
}
