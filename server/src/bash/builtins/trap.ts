import { atEach, atError, atExit, atReturn, atSignal } from '../state/hiddenNames.ts';
import { hole, knownText, type Pieces } from '../state/pieces.ts';
import { failure, success } from '../state/shell.ts';
import { blankVariable } from '../state/store.ts';
import { isSignal, signalNamed } from '../statements/traps.ts';
import type { Builtin } from './builtin.ts';

/** `trap COMMANDS SIGNAL…`: remembers what runs when the shell or a function ends, at a command, when one fails or when a signal comes. */
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
    if (signal === undefined) continue;
    const event = eventNamed(signal);
    if (event === undefined && !isSignal(signal)) {
      // A lone word that is none is a mistake in how it is called.
      shell.status = { ...failure, code: texts.length - rest === 1 ? 2 : 1 };
      continue;
    }
    const name = event ?? atSignal(signalNamed(signal));
    // A signal for which there are no commands is ignored, and what a function ignores stays so behind it; of other events nothing happens anyway.
    const isNothing = resets || (event !== undefined && event !== atError && commands.length === 0);
    if (name === atError) shell.trapsErrors = true;
    shell.store.setGlobal(
      name,
      isNothing ? undefined : { ...blankVariable, kind: 'scalar', value: commands, places: [place] },
    );
    if (name === atEach) shell.runsAtEach = commands.length > 0;
  }
  return undefined;
};

/** Where the commands for what is no signal, but an event in the shell, stand; undefined for signals. */
function eventNamed(written: string): string | undefined {
  if (/^(?:0|(?:SIG)?EXIT)$/i.test(written)) return atExit;
  if (/^(?:SIG)?RETURN$/i.test(written)) return atReturn;
  if (/^(?:SIG)?DEBUG$/i.test(written)) return atEach;
  return /^(?:SIG)?ERR$/i.test(written) ? atError : undefined;
}
