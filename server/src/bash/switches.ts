import type { Switches } from './shell.ts';

/** A switch of `set` or `shopt` by the name that Bash has for it. */
export type SwitchName = keyof Switches;

const letters: ReadonlyMap<string, SwitchName> = new Map([
  ['e', 'errexit'],
  ['u', 'nounset'],
  ['f', 'noglob'],
  ['a', 'allexport'],
  ['x', 'xtrace'],
]);
const longNames: ReadonlyMap<string, SwitchName> = new Map([
  ['errexit', 'errexit'],
  ['nounset', 'nounset'],
  ['noglob', 'noglob'],
  ['allexport', 'allexport'],
  ['xtrace', 'xtrace'],
  ['pipefail', 'pipefail'],
  // What POSIX asks for and Bash does otherwise.
  ['posix', 'inherit_errexit'],
]);

/** Switches behind options of `set`: `-eu`, `-o`, `pipefail`, `+x`. */
export function switched(before: Switches, options: readonly string[]): Switches {
  let switches = before;
  options.forEach((option, index) => {
    const value = option.startsWith('-');
    if (!value && !option.startsWith('+')) return;
    for (const letter of option.slice(1)) {
      const name = letter === 'o' ? longNames.get(options[index + 1] ?? '') : letters.get(letter);
      if (name !== undefined && switches[name] !== value) switches = { ...switches, [name]: value };
    }
  });
  return switches;
}
