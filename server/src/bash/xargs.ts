import type { Place } from '../text/span.ts';
import { isPureCommand, splitQuoted } from './library/commands.ts';
import { displayed, hole, knownText, made, type Pieces } from './pieces.ts';
import type { ShellWord } from './run.ts';
import type { Shell } from './shell.ts';

/** How often `xargs` starts its command at most, as far as each is told of. */
const mostRuns = 64;

/**
 * The commands that `xargs` starts with what it reads, where that is a program which is not only computed. What is not known stands as words
 * that are not known; undefined when its options are none of the usual ones.
 */
export function commandsOfXargs(
  shell: Shell,
  words: readonly ShellWord[],
  place: Place,
): readonly (readonly ShellWord[])[] | undefined {
  let most = Number.POSITIVE_INFINITY;
  let mark: string | undefined;
  let skipsEmpty = false;
  let at = 1;
  for (; at < words.length; at += 1) {
    const option = knownText(words[at]?.pieces ?? []);
    const [, letter = '', joined = ''] = /^-([nIPrt])(.*)$/.exec(option ?? '') ?? [];
    if (letter === '') break;
    if (letter === 'r' || letter === 't') {
      skipsEmpty ||= letter === 'r';
      continue;
    }
    if (joined === '') at += 1;
    const value = joined !== '' ? joined : knownText(words[at]?.pieces ?? []);
    if (letter === 'n') most = Number(value);
    if (letter === 'I') mark = value;
  }
  const command = words.slice(at);
  const name = command[0] === undefined ? 'echo' : knownText(command[0].pieces);
  if (name === undefined || name.startsWith('-') || isPureCommand(name) || !(most >= 1)) return undefined;
  const input = shell.stdin?.pieces ?? [];
  const text = knownText(input);
  const read = text === undefined ? undefined : mark === undefined ? splitQuoted(text) : linesOf(text);
  if (read === undefined) {
    const unknown: Pieces = [{ ...hole('command-output', displayed(input), place), splits: true }];
    return [
      mark === undefined
        ? [...command, { pieces: unknown, place }]
        : command.map((word) => replaced(word, mark, unknown)),
    ];
  }
  if (mark !== undefined)
    return read
      .slice(0, mostRuns)
      .map((line) => command.map((word) => replaced(word, mark, made(line, place))));
  if (read.length === 0) return skipsEmpty ? [] : [command];
  const runs: (readonly ShellWord[])[] = [];
  for (let from = 0; from < read.length && runs.length < mostRuns; from += most)
    runs.push([
      ...command,
      ...read.slice(from, from + most).map((each) => ({ pieces: made(each, place), place })),
    ]);
  return runs;
}

function linesOf(text: string): readonly string[] | undefined {
  if (/["'\\]/.test(text)) return undefined;
  return text.split('\n').flatMap((line) => line.trim() || []);
}

/** A word with a value in place of each mark. */
function replaced(word: ShellWord, mark: string, value: Pieces): ShellWord {
  const pieces = word.pieces.flatMap((piece) => {
    if (piece.kind === 'hole' || mark === '' || !piece.text.includes(mark)) return [piece];
    return piece.text
      .split(mark)
      .flatMap((part, index) => [...(index > 0 ? value : []), ...made(part, piece.origin.place)]);
  });
  return { ...word, pieces };
}
