import { hole, knownText, type Pieces } from '../state/pieces.ts';
import { failure, success } from '../state/shell.ts';
import { atSignal, type TrapEvent } from '../state/shellFacts.ts';
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
    // A signal for which there are no commands is ignored, and what a function ignores stays so behind it; of other events nothing happens anyway.
    const isNothing = resets || (event !== undefined && event !== 'ERR' && commands.length === 0);
    if (event === 'ERR') shell.trapsErrors = true;
    shell.store.setTrap(event ?? atSignal(signalNamed(signal)), isNothing ? undefined : { commands, place });
    if (event === 'DEBUG') shell.runsAtEach = commands.length > 0;
  }
  return undefined;
};

/** The event in the shell that a word names; undefined for signals. */
function eventNamed(written: string): TrapEvent | undefined {
  if (/^(?:0|(?:SIG)?EXIT)$/i.test(written)) return 'EXIT';
  if (/^(?:SIG)?RETURN$/i.test(written)) return 'RETURN';
  if (/^(?:SIG)?DEBUG$/i.test(written)) return 'DEBUG';
  return /^(?:SIG)?ERR$/i.test(written) ? 'ERR' : undefined;
}
