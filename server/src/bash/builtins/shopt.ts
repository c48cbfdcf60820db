import type { Place } from '../../text/span.ts';
import { ask, outcome } from '../conditions/verdict.ts';
import { isAllRead } from '../state/doubt.ts';
import { hole, knownText, made } from '../state/pieces.ts';
import { type Flow, failure, type Shell, success } from '../state/shell.ts';
import {
  isFollowed,
  isOptionName,
  isShoptName,
  isSwitchedOn,
  optionNames,
  type ShoptName,
  switched,
} from '../state/switches.ts';
import { type Builtin, leadingOptions, textAt } from './builtin.ts';

/** `shopt -s|-u NAME…` sets, `shopt [-q|-p] NAME…` queries. */
export const shopt: Builtin = (shell, words, { place }) => {
  shell.status = success;
  const { letters, rest } = leadingOptions(words);
  const asked = rest.map((_, index) => textAt(rest, index) ?? '');
  const isKnownName = letters.has('o') ? isOptionName : isShoptName;
  const isWrong = rest.some(({ pieces }) => {
    const text = knownText(pieces);
    return text !== undefined && !isKnownName(text);
  });
  const value = letters.has('s');
  if ((value || letters.has('u')) && asked.length > 0) {
    for (const name of asked) change(shell, name, value, letters.has('o'));
    // For invalid options of `set` Bash complains but returns success.
    if (isWrong && !letters.has('o')) shell.status = failure;
    return undefined;
  }
  if (isWrong) {
    shell.status = failure;
    return undefined;
  }
  if (letters.has('o') && asked.every(isOptionName)) return askOptions(shell, asked, letters, place);
  const known = asked.filter(isFollowed);
  const isKnown = known.length > 0 && known.length === asked.length;
  if (!letters.has('q')) {
    const lines = known.map((name) => line(shell, name, letters.has('p')));
    const label = `$(shopt ${asked.join(' ')})`;
    shell.write(
      isKnown ? made(lines.join(''), place) : [{ ...hole('command-output', label, place), splits: true }],
    );
  }
  if (isKnown) shell.status = outcome(known.every((name) => shell.switches[name]));
  else if (asked.length > 0) {
    const subject = asked.join(' ');
    const key = `shopt ${subject} ${place.path} ${place.span.start}`;
    shell.status = ask({ key, yes: `${subject} is on`, no: `${subject} is off`, first: false }, place);
  }
  return undefined;
};

function change(shell: Shell, name: string, value: boolean, isOption: boolean): void {
  if (isOption) {
    shell.switches = switched(shell.switches, [value ? '-o' : '+o', name]);
    return;
  }
  if (isFollowed(name)) shell.switches = { ...shell.switches, [name]: value };
}

/** `shopt -o` reports the options of `set`: the named ones, or all, or all that are on or off. */
function askOptions(
  shell: Shell,
  asked: readonly string[],
  letters: ReadonlySet<string>,
  place: Place,
): Flow {
  const isWanted = (name: string): boolean =>
    letters.has('s') === letters.has('u') || isSwitchedOn(shell.switches, name) === letters.has('s');
  const names = asked.length > 0 ? asked : optionNames.filter(isWanted);
  if (!letters.has('q')) writeOptions(shell, '$(shopt -o)', names, letters.has('p'), place);
  shell.status = outcome(asked.every((name) => isSwitchedOn(shell.switches, name)));
  return undefined;
}

/**
 * Prints the state of options of `set`, as commands that restore it or as a table. Unreadable text may have changed them.
 *
 * @param label what is printed in that case
 */
export function writeOptions(
  shell: Shell,
  label: string,
  names: readonly string[],
  areCommands: boolean,
  place: Place,
): void {
  const lines = names.map((name) => {
    const isOn = isSwitchedOn(shell.switches, name);
    return areCommands ? `set ${isOn ? '-' : '+'}o ${name}\n` : inTable(name, isOn);
  });
  const unknown = { ...hole('command-output', label, place), splits: true };
  shell.write(isAllRead(shell) ? made(lines.join(''), place) : [unknown]);
}

function inTable(name: string, isOn: boolean): string {
  return `${name.padEnd(15)}\t${isOn ? 'on' : 'off'}\n`;
}

function line(shell: Shell, name: ShoptName, isCommand: boolean): string {
  const isOn = shell.switches[name];
  return isCommand ? `shopt -${isOn ? 's' : 'u'} ${name}\n` : inTable(name, isOn);
}
