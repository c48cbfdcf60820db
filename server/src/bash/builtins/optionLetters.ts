import data from '../../../../schemas/common/bash.json';
import type { ShellWord } from '../state/shellWord.ts';
import { textAt } from './builtin.ts';

/** The letters of the options that a builtin accepts, with a colon after those that take a value. */
const lettersOf: ReadonlyMap<string, string> = new Map(Object.entries(data.builtinOptions));

/** The letters of a builtin's options that take a value. */
export function valuedLetters(name: string): string {
  return Array.from((lettersOf.get(name) ?? '').matchAll(/.(?=:)/g), ([letter]) => letter).join('');
}

/** Whether the words contain an option that the builtin does not know, so that it does nothing and fails with status 2. */
export function hasUnknownOption(name: string, words: readonly ShellWord[]): boolean {
  const letters = lettersOf.get(name);
  if (letters === undefined) return false;
  for (let index = 0; index < words.length; index += 1) {
    const text = textAt(words, index);
    if (text === undefined || text === '--' || !/^-./.test(text)) return false;
    for (let at = 1; at < text.length; at += 1) {
      const found = text.charAt(at) === ':' ? -1 : letters.indexOf(text.charAt(at));
      if (found < 0) return true;
      if (letters.charAt(found + 1) !== ':') continue;
      if (at + 1 === text.length) index += 1;
      break;
    }
  }
  return false;
}
