import { knownPrefix } from '../value/word.ts';
import type { Command } from './command.ts';

/** Whether a command's program is an option, or the `--` before a program: the rest of a command above whose backslash was lost. */
export function isCutOff(command: Command): boolean {
  const [program] = command.words;
  return program !== undefined && /^--?[a-zA-Z]|^--$/.test(knownPrefix(program));
}

/** Nothing but the end of a line, blanks and comments. */
const between = /^[ \t\r\\]*(?:#[^\n]*)?\n(?:\s|#[^\n]*\n)*$/;

/**
 * The commands that lost their rest, each with the words that it was written to have: what is amiss for lack of them has one cause.
 *
 * @param read text of a file
 */
export function wholeCommands(
  commands: readonly Command[],
  read: (path: string) => string | undefined,
): ReadonlyMap<Command, Command> {
  const rests = commands.filter(isCutOff);
  const wholes = new Map<Command, Command>();
  if (rests.length === 0) return wholes;
  const restOf = (command: Command): Command | undefined => {
    const { path, span } = command.place;
    const text = read(path);
    if (text === undefined) return undefined;
    const behind = rests.filter(
      ({ place }) =>
        place.path === path &&
        place.span.start > span.end &&
        between.test(text.slice(span.end, place.span.start)),
    );
    return behind.find((rest) => assumes(rest, command)) ?? behind[0];
  };
  for (const command of commands) {
    if (isCutOff(command)) continue;
    let [words, open] = [command.words, command.open];
    const taken = new Set<Command>();
    for (let rest = restOf(command); rest !== undefined && !taken.has(rest); rest = restOf(rest)) {
      taken.add(rest);
      words = [...words, ...rest.words];
      open = [...open, ...rest.open];
    }
    if (taken.size > 0) wholes.set(command, { ...command, words, open });
  }
  return wholes;
}

function assumes(rest: Command, command: Command): boolean {
  const texts = new Set(rest.assumptions.map(({ text }) => text));
  return command.assumptions.every(({ text }) => texts.has(text));
}
