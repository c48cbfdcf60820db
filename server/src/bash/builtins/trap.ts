import type { Place } from '../../text/span.ts';
import { isAllRead } from '../state/doubt.ts';
import { hole, knownText, made, type Pieces } from '../state/pieces.ts';
import { failure, type Shell, success } from '../state/shell.ts';
import { atSignal, type Trap, type TrapEvent } from '../state/shellFacts.ts';
import type { ShellWord } from '../state/shellWord.ts';
import { isSignal, signalNamed, statusOfSignal } from '../statements/traps.ts';
import { type Builtin, leadingOptions } from './builtin.ts';

/**
 * `trap COMMANDS SIGNAL…`: remembers the commands to run when the shell or a function ends, before each command, when a command fails or when a
 * signal arrives.
 */
export const trap: Builtin = (shell, words, { place }) => {
  shell.status = success;
  const texts = words.map((word) => knownText(word.pieces));
  const rest = texts[0] === '--' ? 1 : 0;
  if (words.length === 0 || (texts[rest]?.startsWith('-') === true && texts[rest] !== '-')) {
    const isWrong = texts
      .slice(1)
      .some((name) => name !== undefined && !isEvent(name) && !name.startsWith('-'));
    if (isWrong) shell.status = failure;
    tell(shell, words, place);
    return undefined;
  }
  // A lone signal is reset.
  const resets = texts.length - rest === 1 || texts[rest] === '-';
  const signals = texts.slice(texts.length - rest === 1 ? rest : rest + 1);
  const commands: Pieces = resets ? [] : (words[rest]?.pieces ?? []);
  for (const signal of signals) {
    if (signal === undefined) continue;
    const event = eventNamed(signal);
    if (event === undefined && !isSignal(signal)) {
      // A lone word that is not a signal is a usage error.
      shell.status = { ...failure, code: texts.length - rest === 1 ? 2 : 1 };
      continue;
    }
    // A signal with empty commands is ignored, and stays ignored after the function that did so; for other events nothing happens anyway.
    const isNothing = resets || (event !== undefined && event !== 'ERR' && commands.length === 0);
    if (event === 'ERR') shell.trapsErrors = true;
    shell.shownTraps = undefined;
    shell.store.setTrap(event ?? atSignal(signalNamed(signal)), isNothing ? undefined : { commands, place });
    if (event === 'DEBUG') shell.hasDebugTrap = commands.length > 0;
  }
  return undefined;
};

/** `trap -p [SIGNAL…]` prints the commands that set the current traps, `trap -l` the names of signals. */
function tell(shell: Shell, words: readonly ShellWord[], place: Place): void {
  const { letters, rest } = leadingOptions(words);
  const traps = shell.shownTraps ?? shell.store.facts.traps;
  // The traps inherited by a copy are gone once it sets one itself.
  const isKnown = isAllRead(shell) && (shell.shownTraps !== undefined || shell.nesting === 0);
  const asked = rest.map(({ pieces }) => knownText(pieces));
  const events =
    rest.length === 0
      ? [...traps.keys()].sort((a, b) => orderOf(a) - orderOf(b))
      : asked.map((name) =>
          name === undefined ? undefined : (eventNamed(name) ?? atSignal(signalNamed(name))),
        );
  const lines = events.map((event) => (event === undefined ? undefined : line(event, traps.get(event))));
  if (!isKnown || letters.has('l') || letters.has('P') || lines.includes(undefined))
    shell.write([{ ...hole('command-output', '$(trap)', place), splits: true }]);
  else shell.write(made(lines.join(''), place));
}

/** The command that sets a trap, as Bash prints it; undefined if its commands are unknown. */
function line(event: TrapEvent, trap: Trap | undefined): string | undefined {
  if (trap === undefined) return '';
  const text = knownText(trap.commands);
  return text === undefined ? undefined : `trap -- '${text.replaceAll("'", "'\\''")}' ${event}\n`;
}

/** The position of an event in Bash's list: the end of the shell first, then signals by number. */
function orderOf(event: TrapEvent): number {
  if (event === 'EXIT') return 0;
  const last = ['DEBUG', 'ERR', 'RETURN'].indexOf(event);
  return last < 0 ? statusOfSignal(event.slice(3)) : 1000 + last;
}

/** Whether a word names a shell event or a signal. */
function isEvent(written: string): boolean {
  return eventNamed(written) !== undefined || isSignal(written);
}

/** The shell event that a word names; undefined for signals. */
function eventNamed(written: string): TrapEvent | undefined {
  if (/^(?:0|(?:SIG)?EXIT)$/i.test(written)) return 'EXIT';
  if (/^(?:SIG)?RETURN$/i.test(written)) return 'RETURN';
  if (/^(?:SIG)?DEBUG$/i.test(written)) return 'DEBUG';
  return /^(?:SIG)?ERR$/i.test(written) ? 'ERR' : undefined;
}
