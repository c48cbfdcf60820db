import { knownPrefix, textOf, type Word } from '../../value/word.ts';

/** Shells whose `-c TEXT`, `FILE` or standard input is shell text, by program name. */
export const shells: ReadonlySet<string> = new Set(['bash', 'sh', 'zsh', 'dash', 'ksh', 'ash', 'rbash']);

/** How a shell is invoked. */
export interface Invocation {
  /** `-c`: the word after the options is shell text. */
  readonly isText: boolean;
  /** `-s`: shell text comes on standard input, and the words after the options are its arguments. */
  readonly isInput: boolean;
  /** The options that `set` also takes and that affect what runs: `-eu -o pipefail`. */
  readonly switches: string;
  /** Nothing runs: with `-n` the text is only read, some options only print information about Bash, and others are refused. */
  readonly isOnlyRead: boolean;
  /** The index after the options; at most the number of words. */
  readonly end: number;
}

/** Long options of Bash; they must precede single-letter ones. */
const named: ReadonlySet<string> = new Set(
  'debug debugger init-file login noediting noprofile norc posix rcfile restricted verbose'.split(' '),
);

/** Parses the options of a shell, starting at `words[start]`. */
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
    // `-o pipefail`, also combined with others (`-euo pipefail`).
    if (!/[oO]/.test(letters)) continue;
    at += 1;
    const value = words[at];
    const name = value === undefined ? undefined : textOf(value);
    if (letters.includes('o') && name !== undefined) switches.push(`${sign}o ${name}`);
  }
  return { isText, isInput, isOnlyRead, switches: switches.join(' '), end: Math.min(at, words.length) };
}
