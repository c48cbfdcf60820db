import { atEach, atError, atExit, atReturn } from '../state/hiddenNames.ts';
import { hole, knownText, type Pieces } from '../state/pieces.ts';
import { success } from '../state/shell.ts';
import { blankVariable } from '../state/store.ts';
import type { Builtin } from './builtin.ts';

/** `trap COMMANDS SIGNAL…`: what runs when the shell or a function ends, at a command or when one fails is remembered; no other signal comes. */
export const trap: Builtin = (shell, words, { place }) => {
  shell.status = success;
  const texts = words.map((word) => knownText(word.pieces));
  const rest = texts[0] === '--' ? 1 : 0;
  if (words.length === 0 || (texts[rest]?.startsWith('-') === true && texts[rest] !== '-')) {
    shell.write([{ ...hole('command-output', '$(trap)', place), splits: true }]);
    return undefined;
  }
  // A lone signal takes its commands back.
  const resets = texts.length - rest === 1 || texts[rest] === '-';
  const signals = texts.slice(texts.length - rest === 1 ? rest : rest + 1);
  const commands: Pieces = resets ? [] : (words[rest]?.pieces ?? []);
  for (const signal of signals) {
    const name = signal === undefined ? undefined : nameFor(signal);
    if (name === undefined) continue;
    shell.store.setGlobal(
      name,
      commands.length === 0
        ? undefined
        : { ...blankVariable, kind: 'scalar', value: commands, places: [place] },
    );
    if (name === atEach) shell.runsAtEach = commands.length > 0;
  }
  return undefined;
};

/** Where the commands for a signal stand that this evaluation knows of. */
function nameFor(signal: string): string | undefined {
  if (/^(?:0|(?:SIG)?EXIT)$/i.test(signal)) return atExit;
  if (/^(?:SIG)?RETURN$/i.test(signal)) return atReturn;
  if (/^(?:SIG)?DEBUG$/i.test(signal)) return atEach;
  return /^(?:SIG)?ERR$/i.test(signal) ? atError : undefined;
}
