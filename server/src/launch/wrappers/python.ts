import { holeOf, knownPrefix, textOf, type Word } from '../../value/word.ts';
import { cut, unitsOf } from '../pieces.ts';
import { looksLikeOption, type OptionStyle, readOption } from './options.ts';

/** What a Python interpreter is asked to run; the program's own words follow the word at `index`. */
export type PythonTarget =
  | { readonly kind: 'script' | 'module'; readonly word: Word; readonly index: number }
  | { readonly kind: 'inline'; readonly index: number }
  | { readonly kind: 'nothing' };

/** Python's own options that take a value (see `python --help`). */
const pythonStyle: OptionStyle = { values: ['-W', '-X', '--check-hash-based-pycs'] };

/**
 * Reads the words after a Python interpreter: its own options, then `-m module`, `-c text`, `-` or a file.
 * @param start index of the first word after the interpreter
 */
export function pythonTarget(words: readonly Word[], start: number): PythonTarget {
  let at = start;
  for (;;) {
    const word = words[at];
    if (word === undefined) return { kind: 'nothing' };
    const text = textOf(word);
    if (text === '-') return { kind: 'inline', index: at };
    if (text === '--') {
      at += 1;
      continue;
    }
    if (!looksLikeOption(word)) {
      const next = words[at + 1];
      const optionHole = holeOf(word)?.splits === true && knownPrefix(word) === '' && next !== undefined;
      if (!optionHole || !isPythonSyntax(next)) return { kind: 'script', word, index: at };
      at += 1;
      continue;
    }
    const target = joinedTarget(words, at, word);
    if (target !== undefined) return target;
    at += readOption(words, at, pythonStyle)?.length ?? 1;
  }
}

/** Whether a word shows that the one before it only held options of Python. */
function isPythonSyntax(word: Word): boolean {
  const text = textOf(word);
  return text === '-m' || text === '-c' || (text?.endsWith('.py') ?? false);
}

/** `-m module`, `-um module`, `-mmodule`, `-c text`: the target if this option names one. */
function joinedTarget(words: readonly Word[], at: number, word: Word): PythonTarget | undefined {
  const prefix = knownPrefix(word);
  if (prefix.startsWith('--')) return undefined;
  for (let letter = 1; letter < prefix.length; letter++) {
    const option = prefix.charAt(letter);
    if (option === 'W' || option === 'X') return undefined;
    if (option === 'c') return { kind: 'inline', index: unitsOf(word).length > letter + 1 ? at : at + 1 };
    if (option !== 'm') continue;
    if (unitsOf(word).length > letter + 1) return { kind: 'module', word: cut(word, letter + 1), index: at };
    const module = words[at + 1];
    return module === undefined ? { kind: 'nothing' } : { kind: 'module', word: module, index: at + 1 };
  }
  return undefined;
}
