import type { Place } from '../../text/span.ts';
import { fileKey, isKnownPath } from '../files/fileKey.ts';
import { fileText } from '../files/redirections.ts';
import { hole, knownText, made, type Pieces } from '../state/pieces.ts';
import type { Shell } from '../state/shell.ts';
import type { ShellWord } from '../state/shellWord.ts';

/** Maximum number of lines that are followed. */
const mostLines = 64;

/** A word of a line: it may contain blanks within quotes. */
const oneWord = /(?:"(?:\\.|[^"\\])*"|'[^']*'|\\[^\n]|[^\s"'\\])+/gs;

/**
 * The commands that `srun --multi-prog FILE` starts, one for each line `TASKS PROGRAM ARGUMENTS…` of the file, with the options of `srun`
 * before them; undefined for other commands, and if the file cannot be read.
 */
export function commandsOfMultiProg(
  shell: Shell,
  words: readonly ShellWord[],
  place: Place,
): readonly (readonly ShellWord[])[] | undefined {
  const at = words.findIndex(({ pieces }) => knownText(pieces) === '--multi-prog');
  if (at < 0) return undefined;
  const found = fileBehind(shell, words.slice(at + 1));
  if (found === undefined) return undefined;
  const { path, text, index } = found;
  const origin = isKnownPath(path) && !shell.run.written.has(path) ? path : undefined;
  const options = [...words.slice(0, at), ...words.slice(at + 1, at + 1 + index)];
  const commands: (readonly ShellWord[])[] = [];
  let start = 0;
  for (const line of text.split(/(?<!\\)\n/)) {
    const from = start;
    start += line.length + 1;
    const [tasks, ...command] = line.matchAll(oneWord);
    if (tasks === undefined || tasks[0].startsWith('#') || command.length === 0) continue;
    const programs = command.map((match): ShellWord => {
      const span = { start: from + match.index, end: from + match.index + match[0].length };
      if (origin === undefined) return { pieces: argument(match[0], place), place };
      const written = { path: origin, span };
      const isVerbatim = !/["'\\%]/.test(match[0]);
      const piece = {
        kind: 'text',
        text: match[0],
        origin: { place: written, via: [place], verbatim: true },
      } as const;
      return { pieces: isVerbatim ? [piece] : argument(match[0], written), place: written };
    });
    commands.push([...options, ...programs]);
  }
  return commands.slice(0, mostLines);
}

/** The first word that names a file which can be read: those before it are further options. */
function fileBehind(shell: Shell, words: readonly ShellWord[]) {
  for (const [index, { pieces }] of words.entries()) {
    if (knownText(pieces)?.startsWith('-') === true) continue;
    const path = fileKey(shell, pieces);
    const content = fileText(shell, path);
    const text = content === undefined ? undefined : knownText(content);
    if (text !== undefined) return { path, text, index };
    // The file is the first word, unless that is the value of an option.
    if (index === 0) return undefined;
  }
  return undefined;
}

/** A word without its quotes; `%t` in it is the number of the task and `%o` its offset within the line's tasks. */
function argument(written: string, place: Place): Pieces {
  const text = written.replace(/"((?:\\.|[^"\\])*)"|'([^']*)'|\\(.)/gs, (_, double, single, escaped) =>
    String(double ?? single ?? escaped),
  );
  return text
    .split(/(%[to])/)
    .flatMap(
      (part): Pieces =>
        /^%[to]$/.test(part)
          ? [hole('random', part, place, { shape: 'integer', nonEmpty: true })]
          : made(part, place),
    );
}
