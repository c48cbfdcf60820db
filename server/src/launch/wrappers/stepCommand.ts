import { knownPrefix, textOf, type Word } from '../../value/word.ts';
import type { ChainEnd } from './chain.ts';
import { assignmentOf, isOpaque, type OptionUse } from './options.ts';
import type { Wrapper } from './wrapper.ts';

/**
 * What the next word is: a program, a Python file, or already read as a Python module. `program`: this is the program, and its arguments follow
 * the next word.
 */
export type Mode =
  | { readonly kind: 'words'; readonly program?: Word }
  | { readonly kind: 'python' }
  | { readonly kind: 'module'; readonly word: Word };

/** Where and how the command of a wrapper begins. */
export interface StepCommand {
  readonly next: number;
  readonly mode: Mode;
  /** What follows all wrappers, if nothing else can follow. */
  readonly end: ChainEnd | undefined;
}

/** What the words from `at` on are, according to a wrapper and its options. */
export function commandOf(
  words: readonly Word[],
  at: number,
  wrapper: Wrapper,
  options: readonly OptionUse[],
): StepCommand {
  const text = options.find((use) => wrapper.text.includes(use.name));
  if (text?.value !== undefined) return { next: at, mode: { kind: 'words' }, end: textIn(text, words) };
  const program = options.findLast(({ name }) => name === wrapper.entry)?.value;
  if (program !== undefined && textOf(program) !== '' && !isOpaque(program))
    return { next: at - 1, mode: { kind: 'words', program }, end: undefined };
  const given = (names: readonly string[]): boolean => options.some((use) => names.includes(use.name));
  const end = handedToShell(words, at, wrapper, given(wrapper.program));
  if (end !== undefined) return { next: at, mode: { kind: 'words' }, end };
  const module = given(wrapper.module) ? words[at] : undefined;
  if (module !== undefined) return { next: at, mode: { kind: 'module', word: module }, end: undefined };
  const python = wrapper.command === 'python' && !given(wrapper.program);
  return { next: at, mode: { kind: python ? 'python' : 'words' }, end: undefined };
}

/** The shell text that is the value of an option. */
function textIn(use: OptionUse, words: readonly Word[]): ChainEnd {
  const index = words.indexOf(use.word);
  return use.length === 1
    ? { kind: 'shell-text', index, skip: joinedLength(use) }
    : { kind: 'shell-text', index: index + 1, skip: 0 };
}

/**
 * What a wrapper gives a shell to read; undefined if it starts a program.
 * @param namesProgram whether an option says that any program follows
 */
function handedToShell(
  words: readonly Word[],
  at: number,
  { command }: Wrapper,
  namesProgram: boolean,
): ChainEnd | undefined {
  const isThere = at < words.length;
  const input: ChainEnd = { kind: 'shell-input', index: Math.min(at, words.length) - 1 };
  switch (command) {
    case 'batch':
      if (namesProgram) return undefined;
      return isThere ? { kind: 'shell-file', index: at } : input;
    case 'typed':
      return isThere ? { kind: 'shell-text', index: at, skip: 0, isTyped: true } : { kind: 'nothing' };
    case 'text':
    case 'line': {
      if (!isThere) return input;
      const isLast = at === words.length - 1;
      const isLine = command === 'line' && !isLast && isMoreToShell(words.slice(at));
      return isLast || isLine ? { kind: 'shell-text', index: at, skip: 0, isLine } : undefined;
    }
    default:
      return undefined;
  }
}

/** Whether a shell that reads words as text may take them for anything other than the same words: `&&`, `A=1` before a program, `a b`. */
function isMoreToShell(words: readonly Word[]): boolean {
  const [first] = words;
  if (first !== undefined && assignmentOf(first) !== undefined) return true;
  return words.some(
    ({ pieces }) =>
      pieces.length === 0 ||
      pieces.some((piece) => piece.kind === 'text' && /^$|[\s"'\\$`;&|<>(){}#~!]/.test(piece.text)),
  );
}

/** The number of units of `--wrap=` before its value. */
function joinedLength(use: OptionUse): number {
  const prefix = knownPrefix(use.word);
  const equals = prefix.indexOf('=');
  return equals === -1 ? use.name.length : equals + 1;
}
