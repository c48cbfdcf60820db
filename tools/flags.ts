import { existsSync } from 'node:fs';

/**
 * The options of a maintainer's program. A wrong one, and `--help`, print its usage and end it.
 *
 * @param usage how the program is called
 * @param read reads them with `parseArgs`
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

/** Ends the program where a file that it is given is not there. */
export function demandFile(path: string, usage: string): string {
  return existsSync(path) ? path : refuse(`${path} does not exist`, usage);
}

/** A whole number from 0 on that an option is given. */
export function wholeNumber(name: string, text: string, usage: string): number {
  return /^\d+$/.test(text) ? Number(text) : refuse(`${name} takes a whole number, not ${text}`, usage);
}

/** One of some words that an option is given, or nothing. */
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
