import { knownPrefix, textOf, type Word } from '../../value/word.ts';

/** Shells whose `-c TEXT`, `FILE` or standard input is shell text, by the names of their programs. */
export const shells: ReadonlySet<string> = new Set(['bash', 'sh', 'zsh', 'dash', 'ksh', 'ash', 'rbash']);

/** How a shell is called. */
export interface Invocation {
  /** `-c`: the word behind the options is shell text. */
  readonly isText: boolean;
  /** `-s`: shell text comes on standard input, and the words behind the options are its arguments. */
  readonly isInput: boolean;
  /** Those of the options that `set` takes too and that decide what runs: `-eu -o pipefail`. */
  readonly switches: string;
  /** Nothing runs: with `-n` the text is only read, some options only tell of Bash, and others it refuses. */
  readonly isOnlyRead: boolean;
  /** Where the options end; no more than the number of words. */
  readonly end: number;
}

/** Options of Bash with a name; they stand before those of one letter. */
const named: ReadonlySet<string> = new Set(
  'debug debugger init-file login noediting noprofile norc posix rcfile restricted verbose'.split(' '),
);

/** Reads the options of a shell from `words[start]` on. */
export function invocationOf(words: readonly Word[], start: number): Invocation {
  let isText = false;
  let isInput = false;
  let isOnlyRead = false;
  let isNamedOver = false;
  const program = words[start - 1];
  const isBash = program !== undefined && /(?:^|\/)r?bash$/.test(textOf(program) ?? '');
  const switches: string[] = [];
  let at = start;
  for (let word = words[at]; word !== undefined; at += 1, word = words[at]) {
    const option = knownPrefix(word);
    if (textOf(word) === '-' || textOf(word) === '--') {
      at += 1;
      break;
    }
    if (!/^[-+]/.test(option)) break;
    if (option === '--rcfile' || option === '--init-file') at += 1;
    if (option.startsWith('--')) {
      const isTaken = !isNamedOver && named.has(option.slice(2));
      isOnlyRead ||= isBash && !isTaken && textOf(word) !== undefined;
      continue;
    }
    isNamedOver = true;
    const sign = option.charAt(0);
    const letters = option.slice(1);
    isText ||= sign === '-' && letters.includes('c');
    isInput ||= sign === '-' && letters.includes('s');
    isOnlyRead ||= sign === '-' && letters.includes('n');
    const set = letters.replace(/[^aBefux]/g, '');
    if (set !== '') switches.push(`${sign}${set}`);
    // `-o pipefail`, also behind others (`-euo pipefail`).
    if (!/[oO]/.test(letters)) continue;
    at += 1;
    const value = words[at];
    const name = value === undefined ? undefined : textOf(value);
    if (letters.includes('o') && name !== undefined) switches.push(`${sign}o ${name}`);
  }
  return { isText, isInput, isOnlyRead, switches: switches.join(' '), end: Math.min(at, words.length) };
}
