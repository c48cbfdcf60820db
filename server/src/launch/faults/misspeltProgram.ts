import { isSlip } from '../../text/spelling.ts';
import { textOf, type Word } from '../../value/word.ts';
import type { Chain } from '../wrappers/chain.ts';
import { wrappers } from '../wrappers/wrappers.ts';

/** A program, or a sub-command of one, whose name is nearly that of a known one: `trochrun`, `ray job sumbit`. */
export interface MisspeltProgram {
  readonly kind: 'misspelt-program';
  /** The word that has the slip. */
  readonly word: Word;
  /** The command as it is written up to the slip, and as it was meant. */
  readonly written: string;
  readonly meant: string;
  /** What the word is replaced by. */
  readonly part: string;
}

/** The ways to call what starts programs, by their words. */
const calls: readonly (readonly string[])[] = [
  ['python'],
  ['python3'],
  ...wrappers
    .flatMap(({ calls }) => calls.map((call) => call.split(' ')))
    .filter(([first]) => first !== '-m'),
];

const programs: ReadonlySet<string> = new Set(calls.map(([program = '']) => program));

/** The slip in the name of the program that a command comes to, or in a sub-command of it, where nobody knows that name. */
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

/** The one word that is a slip in a call of which all others are as they should be. */
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
