import { knownPrefix, textOf, type Word } from '../../value/word.ts';
import type { Command, Slip } from '../command.ts';
import { chainOf } from '../wrappers/chain.ts';
import { sureSlips, withoutSlips } from './slip.ts';
import { onlyBlanks } from './typography.ts';

/** The beginning of an option, or the `--` before a program. */
const option = /^--?[a-zA-Z]|^--$/;

/** How a configuration override begins that Bash does not take for an assignment: its name has a dot, or a plus before it. */
const override = /^(?:\+{0,2}|~)[A-Za-z_][\w-]*(?:\.[\w-]+)+=|^\+{1,2}[A-Za-z_][\w-]*=/;

/**
 * Whether a command's program is an option, the `--` before a program, or an override: it is the rest of a command above that lost its
 * backslash.
 */
export function isCutOff(command: Command): boolean {
  const [program] = command.words;
  if (program === undefined) return false;
  // `ARGS=--seed 1 …` lacks quotes.
  if (assignmentsBefore(command).some((word) => /^\w+=(?:[[{]?--|$)/.test(knownPrefix(word)))) return false;
  const start = knownPrefix(program);
  return option.test(start) || override.test(start);
}

/** Only a line end, blanks and comments. */
const between = /^[ \t\r\\]*(?:#[^\n]*)?\n(?:\s|#[^\n]*\n)*$/;

/** Reads a file's text. */
type Read = (path: string) => string | undefined;

/** Whether `rest` directly follows `command` in a file, with only comments, blanks and line ends between them. */
function isRightBehind(rest: Command, command: Command, text: string): boolean {
  const { path, span } = command.place;
  const { place } = rest;
  return (
    place.path === path && place.span.start > span.end && between.test(text.slice(span.end, place.span.start))
  );
}

/** The command that was meant to continue with the words of a command that lost its beginning. */
export function commandBefore(rest: Command, commands: readonly Command[], read: Read): Command | undefined {
  if (!isCutOff(rest) && !isPythonFile(rest)) return undefined;
  const text = read(rest.place.path);
  return text === undefined
    ? undefined
    : commands.find((command) => command !== rest && goesOn(rest, command, text));
}

/** Whether a command was meant to continue with the words of the one after it. */
function goesOn(rest: Command, command: Command, text: string): boolean {
  return (
    isRightBehind(rest, command, text) &&
    (isCutOff(rest) || (isPythonFile(rest) && lacksProgram(command, text)))
  );
}

/** Whether a command begins with a Python file, which nobody starts except through a launcher. */
function isPythonFile({ words: [program] }: Command): boolean {
  return program !== undefined && /\.py$/.test(textOf(program) ?? '');
}

/** Whether a launcher, or Python, has no program to start. */
function lacksProgram(command: Command, text: string): boolean {
  const words = withoutLast(command.words, wordsBehindBackslash(command, text).length);
  const [program, ...others] = words;
  if (program !== undefined && others.length === 0 && /(?:^|\/)python[\d.]*$/.test(textOf(program) ?? ''))
    return true;
  const { end, steps } = chainOf(words);
  const step = steps.at(-1);
  return end.kind === 'nothing' && step?.wrapper.command === 'python' && step.unread.length === 0;
}

/**
 * The last words of a command that come after a backslash which was meant to continue it: a blank at the end of its line, or a blank and a
 * comment. The backslash makes the blank a word, and `\\ # comment` adds another word for each one of the comment.
 *
 * @param text the file of the command
 */
export function wordsBehindBackslash({ words, place }: Command, text: string): readonly Word[] {
  const last = words.at(-1);
  if (last === undefined || last.place.path !== place.path) return [];
  if (isBlankWord(last, text)) return [last];
  const at = words.findLastIndex((word) => isCommentWord(word, text));
  const first = words[at];
  if (first === undefined || first.place.path !== place.path) return [];
  return text.slice(first.place.span.start, last.place.span.end).includes('\n') ? [] : words.slice(at);
}

/** Whether a word begins with a blank, behind a backslash, and a hash. */
function isCommentWord(word: Word, text: string): boolean {
  return (
    /^[ \t]#/.test(knownPrefix(word)) &&
    /^\\?[ \t]#/.test(text.slice(word.place.span.start, word.place.span.end))
  );
}

function withoutLast(words: readonly Word[], count: number): readonly Word[] {
  return count === 0 ? words : words.slice(0, -count);
}

function isBlankWord(word: Word, text: string): boolean {
  const { start, end } = word.place.span;
  return onlyBlanks.test(textOf(word) ?? '') && /^\\?[^\\]+$/.test(text.slice(start, end));
}

/** A command as it was meant. */
export interface MeantCommand {
  readonly command: Command;
  /** The slips in its words. */
  readonly slips: readonly Slip[];
}

/**
 * The most commands that are taken for rests of others: each is compared with all commands of its script, and no script has lost more
 * backslashes.
 */
export const mostRests = 200;

/**
 * The commands that lost their rest or have slips in their words, each with the words it was meant to have: whatever is wrong for lack of them
 * has one cause.
 *
 * @param read text of a file
 */
export function meantCommands(commands: readonly Command[], read: Read): ReadonlyMap<Command, MeantCommand> {
  const rests = commands.filter((command) => isCutOff(command) || isPythonFile(command)).slice(0, mostRests);
  const all = new Map<Command, MeantCommand>();
  const restOf = (command: Command, text: string): Command | undefined => {
    const behind = rests.filter((rest) => rest !== command && goesOn(rest, command, text));
    return behind.find((rest) => assumes(rest, command)) ?? behind[0];
  };
  for (const command of commands) {
    if (isCutOff(command) || all.has(command)) continue;
    const slips = [...sureSlips(command)];
    const text = rests.length === 0 ? undefined : read(command.place.path);
    let { words, open } = withoutSlips(command, slips);
    let last = command;
    const taken = new Set<Command>();
    const next = (): Command | undefined => (text === undefined ? undefined : restOf(last, text));
    for (let rest = next(); rest !== undefined && !taken.has(rest); rest = next()) {
      taken.add(rest);
      if (text !== undefined) words = withoutLast(words, wordsBehindBackslash(last, text).length);
      const mended = withoutSlips(rest, sureSlips(rest));
      if (!isCutOff(rest)) all.set(rest, { command: { ...rest, words: [], slips: [] }, slips: [] });
      words = [...words, ...assignmentsBefore(rest), ...mended.words];
      open = [...open, ...mended.open];
      slips.push(...sureSlips(rest));
      last = rest;
    }
    if (taken.size > 0 || slips.length > 0)
      all.set(command, { command: { ...command, words, open, slips: [] }, slips });
  }
  return all;
}

/** Overrides without a dot that Bash takes for assignments because they come before the first word of a rest: `seed=1 model.path=x`. */
function assignmentsBefore({ words, place, env }: Command): readonly Word[] {
  const end = words[0]?.place.span.start ?? place.span.start;
  const isBefore = ({ place: { path, span } }: Word): boolean =>
    path === place.path && span.start >= place.span.start && span.end <= end;
  return [...env]
    .filter(([, word]) => isBefore(word))
    .map(([name, { pieces, place: at }]) => {
      const span = { start: at.span.start, end: at.span.start + name.length + 1 };
      const origin = { place: { path: at.path, span }, via: [], verbatim: true };
      return { pieces: [{ kind: 'text', text: `${name}=`, origin }, ...pieces], place: at };
    });
}

function assumes(rest: Command, command: Command): boolean {
  const texts = new Set(rest.assumptions.map(({ text }) => text));
  return command.assumptions.every(({ text }) => texts.has(text));
}
