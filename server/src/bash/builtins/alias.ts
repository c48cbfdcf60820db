import { knownPrefix, sliceWord } from '../../value/word.ts';
import { hole } from '../state/pieces.ts';
import { failure, success } from '../state/shell.ts';
import { setAlias } from '../statements/aliases.ts';
import { type Builtin, textAt } from './builtin.ts';

/** `alias NAME=TEXT…`; without a text it prints the one that there is, which is not followed. */
export const alias: Builtin = (shell, words, { place }) => {
  shell.status = success;
  let isAsked = words.length === 0;
  for (const word of words) {
    const match = /^([^\s=/$`]+)=/.exec(knownPrefix(word));
    if (match?.[1] === undefined) isAsked = true;
    else setAlias(shell, match[1], sliceWord(word, match[0].length).pieces, place);
  }
  if (isAsked) shell.write([{ ...hole('command-output', '$(alias)', place), splits: true }]);
  return undefined;
};

/** `unalias NAME…`, `unalias -a`. */
export const unalias: Builtin = (shell, words, { place }) => {
  shell.status = words.length === 0 ? failure : success;
  for (const [index] of words.entries()) {
    const name = textAt(words, index);
    if (name === '-a') shell.switches = { ...shell.switches, expand_aliases: false };
    else if (name !== undefined) setAlias(shell, name, undefined, place);
  }
  return undefined;
};
