import data from '../../../../schemas/common/bash.json';
import { namesIn } from '../../text/names.ts';

/** A switch of `set -o`, by Bash's name for it. */
type SetName = keyof typeof data.set;

/** A switch of `shopt` that is tracked. */
export type ShoptName = keyof typeof data.shopt;

/** Which switches of `set` and `shopt` are on. */
export type Switches = Readonly<Record<SetName | ShoptName, boolean>>;

/** The switches when a shell starts. */
export const firstSwitches: Switches = { ...data.set, ...data.shopt };

const letters: ReadonlyMap<string, string> = new Map(Object.entries(data.setLetters));

/** Letters of `set` that Bash knows, including `o` before the name of an option; `r` cannot be undone and has no name. */
const knownLetters: ReadonlySet<string> = new Set([...letters.keys(), 'o', 'r']);

/** Names that `shopt` knows and that are not followed here, of older releases as well. */
const otherShoptNames: ReadonlySet<string> = new Set(namesIn(data.otherShopt));

/** Whether Bash knows all letters in an option word for `set`. */
export function areLettersKnown(word: string): boolean {
  return Array.from(word.slice(1)).every((letter) => knownLetters.has(letter));
}

/** Whether Bash knows an option by its name for `set -o`. */
export function isOptionName(name: string): name is SetName {
  return Object.hasOwn(data.set, name);
}

/** Whether a name is a tracked switch of `shopt`. */
export function isFollowed(name: string): name is ShoptName {
  return Object.hasOwn(data.shopt, name);
}

/** Whether `shopt` knows a name. */
export function isShoptName(name: string): boolean {
  return isFollowed(name) || otherShoptNames.has(name);
}

/** Whether an option of `set` is on, by its name for `set -o`. */
export function isSwitchedOn(switches: Switches, option: string): boolean {
  return isOptionName(option) && switches[option];
}

/** The options of `set` by name, in Bash's order. */
export const optionNames: readonly string[] = Object.keys(data.set);

/** The current switches, with those of `set` restored: after a function with `local -`. */
export function withSetOf(now: Switches, before: Switches): Switches {
  const restored: Partial<Record<SetName, boolean>> = {};
  for (const name of optionNames) if (isOptionName(name)) restored[name] = before[name];
  return { ...now, ...restored };
}

/** The switches after options of `set`: `-eu`, `-o`, `pipefail`, `+x`. */
export function switched(before: Switches, options: readonly string[]): Switches {
  let switches = before;
  options.forEach((option, index) => {
    const value = option.startsWith('-');
    if (!value && !option.startsWith('+')) return;
    for (const letter of option.slice(1)) {
      const name = letter === 'o' ? options[index + 1] : letters.get(letter);
      if (name !== undefined && isOptionName(name) && switches[name] !== value)
        switches = { ...switches, [name]: value };
    }
  });
  return switches;
}
