/** Switches of `set` and `shopt`. */
export interface Switches {
  readonly errexit: boolean;
  readonly errtrace: boolean;
  readonly functrace: boolean;
  readonly nounset: boolean;
  readonly pipefail: boolean;
  readonly noglob: boolean;
  readonly noclobber: boolean;
  readonly nullglob: boolean;
  readonly failglob: boolean;
  readonly dotglob: boolean;
  readonly globstar: boolean;
  readonly extglob: boolean;
  readonly nocasematch: boolean;
  readonly nocaseglob: boolean;
  readonly lastpipe: boolean;
  readonly expand_aliases: boolean;
  readonly allexport: boolean;
  readonly inherit_errexit: boolean;
  readonly xtrace: boolean;
  readonly braceexpand: boolean;
  readonly keyword: boolean;
}

/** As they stand when a shell starts. */
export const firstSwitches: Switches = {
  errexit: false,
  errtrace: false,
  functrace: false,
  nounset: false,
  pipefail: false,
  noglob: false,
  noclobber: false,
  nullglob: false,
  failglob: false,
  dotglob: false,
  globstar: false,
  extglob: false,
  nocasematch: false,
  nocaseglob: false,
  lastpipe: false,
  expand_aliases: false,
  allexport: false,
  inherit_errexit: false,
  xtrace: false,
  braceexpand: true,
  keyword: false,
};

/** A switch of `set` or `shopt` by the name that Bash has for it. */
export type SwitchName = keyof Switches;

const letters: ReadonlyMap<string, SwitchName> = new Map([
  ['e', 'errexit'],
  ['E', 'errtrace'],
  ['T', 'functrace'],
  ['u', 'nounset'],
  ['f', 'noglob'],
  ['C', 'noclobber'],
  ['a', 'allexport'],
  ['x', 'xtrace'],
  ['B', 'braceexpand'],
  ['k', 'keyword'],
]);
const longNames: ReadonlyMap<string, SwitchName> = new Map([
  ['errexit', 'errexit'],
  ['errtrace', 'errtrace'],
  ['functrace', 'functrace'],
  ['nounset', 'nounset'],
  ['noglob', 'noglob'],
  ['noclobber', 'noclobber'],
  ['allexport', 'allexport'],
  ['xtrace', 'xtrace'],
  ['pipefail', 'pipefail'],
  ['braceexpand', 'braceexpand'],
  ['keyword', 'keyword'],
  // What POSIX asks for and Bash does otherwise.
  ['posix', 'inherit_errexit'],
]);

/** Letters of `set` that Bash knows, `o` before a name of an option too. */
const knownLetters = /^[-+][abefhkmnoprtuvxBCEHPT]*$/;

/** Names behind `set -o` that Bash knows and that are not followed here. */
const otherNames: ReadonlySet<string> = new Set(
  'emacs hashall histexpand history ignoreeof interactive-comments monitor noexec nolog notify onecmd physical privileged verbose vi'.split(
    ' ',
  ),
);

/** Whether Bash knows all letters of a word of options for `set`. */
export function areLettersKnown(word: string): boolean {
  return knownLetters.test(word);
}

/** Whether Bash knows an option by the name behind `set -o`. */
export function isOptionName(name: string): boolean {
  return longNames.has(name) || otherNames.has(name);
}

/** Options of `set` that are on when a script starts and are not followed here. */
const onAtStart: ReadonlySet<string> = new Set(['hashall', 'interactive-comments']);

/** Whether an option of `set` is on, by the name behind `set -o`. */
export function isSwitchedOn(switches: Switches, option: string): boolean {
  const name = option === 'posix' ? undefined : longNames.get(option);
  return name === undefined ? onAtStart.has(option) : switches[name];
}

/** Switches as they are now, but for those of `set`, which are as they were: behind a function with `local -`. */
export function withSetOf(now: Switches, before: Switches): Switches {
  const restored: Partial<{ [name in SwitchName]: boolean }> = {};
  for (const name of new Set(longNames.values())) restored[name] = before[name];
  return { ...now, ...restored };
}

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
