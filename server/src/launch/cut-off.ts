import { knownPrefix, textOf, type Word } from '../value/word.ts';
import type { Command } from './command.ts';

/** How an option begins, or the `--` before a program. */
const option = /^--?[a-zA-Z]|^--$/;

/** How an override of a configuration begins that Bash takes for no assignment: its name has a dot, or a plus before it. */
const override = /^(?:\+{0,2}|~)[A-Za-z_][\w-]*(?:\.[\w-]+)+=|^\+{1,2}[A-Za-z_][\w-]*=/;

/** Whether a command's program is an option, the `--` before a program, or an override: the rest of a command above whose backslash was lost. */
export function isCutOff(command: Command): boolean {
  const [program] = command.words;
  if (program === undefined) return false;
  const start = knownPrefix(program);
  return option.test(start) || override.test(start);
}

/** Nothing but the end of a line, blanks and comments. */
const between = /^[ \t\r\\]*(?:#[^\n]*)?\n(?:\s|#[^\n]*\n)*$/;

/** Reads a file's text. */
type Read = (path: string) => string | undefined;

/** Whether `rest` stands in a file right behind `command`: nothing but comments, blanks and ends of lines is between the two. */
function isRightBehind(rest: Command, command: Command, text: string): boolean {
  const { path, span } = command.place;
  const { place } = rest;
  return (
    place.path === path && place.span.start > span.end && between.test(text.slice(span.end, place.span.start))
  );
}

/** The command that was to go on with the words of one that lost its beginning. */
export function commandBefore(rest: Command, commands: readonly Command[], read: Read): Command | undefined {
  const text = read(rest.place.path);
  return text === undefined
    ? undefined
    : commands.find((command) => command !== rest && isRightBehind(rest, command, text));
}

/**
 * The last word of a command where it is a blank: it stands behind a backslash at the end of its line, which continues nothing then.
 *
 * @param text the file of the command
 */
export function blankWordOf({ words, place }: Command, text: string): Word | undefined {
  const word = words.at(-1);
  return word !== undefined && word.place.path === place.path && isBlankWord(word, text) ? word : undefined;
}

function isBlankWord(word: Word, text: string): boolean {
  const { start, end } = word.place.span;
  return /^[ \t]$/.test(textOf(word) ?? '') && /^\\[ \t]$/.test(text.slice(start, end));
}

/**
 * The commands that lost their rest, each with the words that it was written to have: what is amiss for lack of them has one cause.
 *
 * @param read text of a file
 */
export function wholeCommands(commands: readonly Command[], read: Read): ReadonlyMap<Command, Command> {
  const rests = commands.filter(isCutOff);
  const wholes = new Map<Command, Command>();
  if (rests.length === 0) return wholes;
  const restOf = (command: Command, text: string): Command | undefined => {
    const behind = rests.filter((rest) => isRightBehind(rest, command, text));
    return behind.find((rest) => assumes(rest, command)) ?? behind[0];
  };
  for (const command of commands) {
    const text = isCutOff(command) ? undefined : read(command.place.path);
    if (text === undefined) continue;
    let { words, open } = command;
    let last = command;
    const taken = new Set<Command>();
    for (let rest = restOf(last, text); rest !== undefined && !taken.has(rest); rest = restOf(rest, text)) {
      taken.add(rest);
      if (blankWordOf(last, text) !== undefined) words = words.slice(0, -1);
      words = [...words, ...assignmentsBefore(rest), ...rest.words];
      open = [...open, ...rest.open];
      last = rest;
    }
    if (taken.size > 0) wholes.set(command, { ...command, words, open });
  }
  return wholes;
}

/** Overrides without a dot that Bash takes for assignments, since they stand before the first word of a rest: `seed=1 model.path=x`. */
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
