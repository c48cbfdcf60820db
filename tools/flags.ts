import { existsSync } from 'node:fs';

/**
 * The options of a maintainer's program. A wrong option, or `--help`, prints its usage and exits.
 *
 * @param usage how to call the program
 * @param read reads the options with `parseArgs`
 */
export function readFlags<Flags>(usage: string, read: () => { readonly values: Flags }): Flags {
  if (process.argv.includes('--help')) {
    console.log(`usage: ${usage}`);
    process.exit(0);
  }
  try {
    return read().values;
  } catch (error) {
    return refuse(error instanceof Error ? error.message.replace(/\. .*/s, '') : String(error), usage);
  }
}

/** The path of a required file; ends the program if it does not exist. */
export function demandFile(path: string, usage: string): string {
  return existsSync(path) ? path : refuse(`${path} does not exist`, usage);
}

/** The value of an option that takes a whole number from 0. */
export function wholeNumber(name: string, text: string, usage: string): number {
  return /^\d+$/.test(text) ? Number(text) : refuse(`${name} takes a whole number, not ${text}`, usage);
}

/** The value of an option that takes one of some words; undefined if it is not given. */
export function oneOf(
  name: string,
  text: string | undefined,
  words: readonly string[],
  usage: string,
): string | undefined {
  return text === undefined || words.includes(text)
    ? text
    : refuse(`${name} cannot be ${text}; there are ${words.join(', ')}`, usage);
}

function refuse(problem: string, usage: string): never {
  console.error(`${problem}\nusage: ${usage}`);
  process.exit(2);
}
