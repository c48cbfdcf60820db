import { isSlip } from '../../text/spelling.ts';
import { textOf, type Word } from '../../value/word.ts';
import type { Chain } from '../wrappers/chain.ts';
import { wrappers } from '../wrappers/wrappers.ts';

/** A program or sub-command whose name is nearly that of a known one: `trochrun`, `ray job sumbit`. */
export interface MisspeltProgram {
  readonly kind: 'misspelt-program';
  /** The misspelt word. */
  readonly word: Word;
  /** The command up to the slip, as written and as meant. */
  readonly written: string;
  readonly meant: string;
  /** The replacement for the word. */
  readonly part: string;
}

/** The known calls that start programs, as words. */
const calls: readonly (readonly string[])[] = [
  ['python'],
  ['python3'],
  ...wrappers
    .flatMap(({ calls }) => calls.map((call) => call.split(' ')))
    .filter(([first]) => first !== '-m'),
];

const programs: ReadonlySet<string> = new Set(calls.map(([program = '']) => program));

/** The slip in the name of the program that a command arrives at, or in its sub-command, if that name is unknown. */
export function misspeltProgram({ end }: Chain, words: readonly Word[]): readonly MisspeltProgram[] {
  const next = end.kind === 'program' ? words[end.index + 1] : undefined;
  if (end.kind !== 'program' || next === undefined) return [];
  const written = textOf(end.word);
  if (written === undefined) return [];
  const meant = programs.has(written) ? written : [...programs].find((name) => isSlip(written, name));
  if (meant === undefined) return [];
  const found = calls
    .filter(([program]) => program === meant)
    .flatMap((parts) => slipIn(parts, words.slice(end.index, end.index + parts.length)) ?? []);
  return found.slice(0, 1);
}

/** The single misspelt word in a call whose other words are all correct. */
function slipIn(parts: readonly string[], words: readonly Word[]): MisspeltProgram | undefined {
  const texts = words.map((word) => textOf(word) ?? '');
  const at = parts.findIndex((part, index) => texts[index] !== part);
  const [word, text, part] = [words[at], texts[at], parts[at]];
  if (word === undefined || text === undefined || part === undefined || !isSlip(text, part)) return undefined;
  if (parts.some((other, index) => index > at && texts[index] !== other)) return undefined;
  return {
    kind: 'misspelt-program',
    word,
    written: texts.slice(0, at + 1).join(' '),
    meant: parts.slice(0, at + 1).join(' '),
    part,
  };
}
