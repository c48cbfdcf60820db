import type { ShellWord } from '../state/shellWord.ts';
import { textAt } from './builtin.ts';

/**
 * The letters of the options that a builtin takes, a colon behind those with a value; those of Bash 5.3 as well. Left out are builtins that
 * take no options, or read them in a way of their own.
 */
const lettersOf: ReadonlyMap<string, string> = new Map([
  ['alias', 'p'],
  ['cd', 'LPe'],
  ['command', 'pvV'],
  ['declare', 'aAcfFgiIlnprtux'],
  ['disown', 'ahr'],
  ['enable', 'adnpsf:'],
  ['eval', ''],
  ['exec', 'cla:'],
  ['export', 'aAfnp'],
  ['getopts', ''],
  ['hash', 'dlp:rt'],
  ['jobs', 'lnprsx'],
  ['mapfile', 'd:n:O:s:tu:C:c:'],
  ['pwd', 'LP'],
  ['read', 'a:d:eEi:n:N:p:rst:u:'],
  ['readarray', 'd:n:O:s:tu:C:c:'],
  ['readonly', 'aAfnp'],
  ['shopt', 'opqsu'],
  ['trap', 'lpP'],
  ['type', 'afpPt'],
  ['typeset', 'aAcfFgiIlnprtux'],
  ['umask', 'pS'],
  ['unalias', 'a'],
  ['unset', 'fnv'],
  ['wait', 'fnp:'],
]);

/** The letters of those options of a builtin that take a value. */
export function valuedLetters(name: string): string {
  return Array.from((lettersOf.get(name) ?? '').matchAll(/.(?=:)/g), ([letter]) => letter).join('');
}

/** Whether the options of a builtin have one that it does not know, so that it does nothing and fails with 2. */
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
