import { isUncounted, knownText } from '../state/pieces.ts';
import type { Flow, Shell } from '../state/shell.ts';
import type { ShellWord } from '../state/shellWord.ts';
import type { Occasion } from '../statements/simple.ts';

/** How a builtin was called. */
export interface Call extends Occasion {
  readonly name: string;
}

/** A builtin: takes the words after its name and leaves its status in the shell. */
export type Builtin = (shell: Shell, words: readonly ShellWord[], call: Call) => Flow;

/** The known text of a word, or undefined. */
export function textAt(words: readonly ShellWord[], index: number): string | undefined {
  const word = words[index];
  return word === undefined ? undefined : knownText(word.pieces);
}

/** The words of a builtin that has no options, without a leading `--`. */
export function withoutDoubleDash(words: readonly ShellWord[]): readonly ShellWord[] {
  return textAt(words, 0) === '--' ? words.slice(1) : words;
}

/** `exit 1 "no model"`: whether more words follow the single number that `exit`, `return`, `break`, `continue` and `shift` take. */
export function isOneTooMany(words: readonly ShellWord[]): boolean {
  const [first, ...others] = words;
  if (first === undefined || others.length === 0) return false;
  return (
    /^\s*[-+]?\d+\s*$/.test(knownText(first.pieces) ?? '') && !words.some(({ pieces }) => isUncounted(pieces))
  );
}

/** Abandons everything Bash has read so far, because a builtin got more than one number; also under `set -e`. */
export function abandonForTooManyWords(shell: Shell): Flow {
  const { status } = shell;
  const flow = shell.giveUp('expansion');
  if (status.code !== 0) shell.status = status;
  return flow;
}

/** Splits off leading options: the letters given (without values) and the words after them. */
export function leadingOptions(
  words: readonly ShellWord[],
  valued = '',
): {
  readonly letters: ReadonlySet<string>;
  readonly values: ReadonlyMap<string, ShellWord>;
  readonly rest: readonly ShellWord[];
} {
  const letters = new Set<string>();
  const values = new Map<string, ShellWord>();
  let index = 0;
  for (; index < words.length; index += 1) {
    const text = textAt(words, index);
    if (text === undefined || !/^-[A-Za-z]/.test(text)) {
      if (text === '--') index += 1;
      break;
    }
    for (let at = 1; at < text.length; at += 1) {
      const letter = text.charAt(at);
      letters.add(letter);
      if (!valued.includes(letter)) continue;
      const word = words[index];
      const next = words[index + 1];
      if (at + 1 < text.length && word !== undefined) {
        const [piece] = word.pieces;
        const origin = piece?.origin ?? { place: word.place, via: [], verbatim: false };
        values.set(letter, {
          place: word.place,
          pieces: [{ kind: 'text', text: text.slice(at + 1), origin: { ...origin, verbatim: false } }],
        });
      } else if (next !== undefined) {
        values.set(letter, next);
        index += 1;
      }
      break;
    }
  }
  return { letters, values, rest: words.slice(index) };
}
