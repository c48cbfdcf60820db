import type { Place } from '../../text/span.ts';
import { knownPrefix, sliceWord } from '../../value/word.ts';
import { doubtsOf } from '../state/doubt.ts';
import { displayed, hole, knownText, made } from '../state/pieces.ts';
import { failure, presumedSuccess, type Shell, success } from '../state/shell.ts';
import type { ShellWord } from '../state/shellWord.ts';
import { aliasNames, aliasOf, setAlias } from '../statements/aliases.ts';
import { type Builtin, textAt, withoutDoubleDash } from './builtin.ts';

/** `alias NAME=TEXT…`; without a text it prints the existing alias, and fails if there is none. */
export const alias: Builtin = (shell, given, { place }) => {
  const words = withoutDoubleDash(given);
  shell.status = success;
  if (words.length === 0) shell.write([{ ...hole('command-output', '$(alias)', place), splits: true }]);
  for (const word of words) {
    const match = /^([^\s=/$`]+)=/.exec(knownPrefix(word));
    if (match?.[1] === undefined) tell(shell, word, place);
    else setAlias(shell, match[1], sliceWord(word, match[0].length).pieces, place);
  }
  return undefined;
};

function tell(shell: Shell, word: ShellWord, place: Place): void {
  const name = knownText(word.pieces);
  const found = name === undefined ? undefined : aliasOf(shell, name);
  const text = found === undefined ? undefined : knownText(found);
  if (text !== undefined) {
    shell.write(made(`alias ${name}='${text.replaceAll("'", "'\\''")}'\n`, place));
    return;
  }
  if (found === undefined && isCertain(shell, name)) {
    shell.status = failure;
    return;
  }
  shell.status = presumedSuccess;
  shell.write([{ ...hole('command-output', `$(alias ${displayed(word.pieces)})`, place), splits: true }]);
}

/** Whether the known aliases are the only ones: text that was not read may have defined others. */
function isCertain(shell: Shell, name: string | undefined): boolean {
  return name !== undefined && name !== '-p' && !shell.unreadSource && doubtsOf(shell.store) === undefined;
}

/** `unalias NAME…`, `unalias -a`. */
export const unalias: Builtin = (shell, given, { place }) => {
  const words = withoutDoubleDash(given);
  shell.status = words.length === 0 ? { ...failure, code: 2 } : success;
  for (const [index] of words.entries()) {
    const name = textAt(words, index);
    if (name === '-a') {
      for (const each of aliasNames(shell)) setAlias(shell, each, undefined, place);
      shell.switches = { ...shell.switches, expand_aliases: false };
    } else if (name !== undefined) {
      if (aliasOf(shell, name) === undefined && isCertain(shell, name)) shell.status = failure;
      setAlias(shell, name, undefined, place);
    }
  }
  return undefined;
};
