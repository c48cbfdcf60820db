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
  let delimiter: string | undefined;
  let byLine = false;
  let skipsEmpty = false;
  let at = 1;
  for (; at < words.length; at += 1) {
    const option = knownText(words[at]?.pieces ?? []);
    const [, letter = '', joined = ''] = /^-([nIPrtdL0])(.*)$/.exec(option ?? '') ?? [];
    if (letter === '') break;
    if (letter === 'r' || letter === 't' || letter === '0') {
      skipsEmpty ||= letter === 'r';
      if (letter === '0') delimiter = '\0';
      continue;
    }
    if (joined === '') at += 1;
    const value = joined !== '' ? joined : knownText(words[at]?.pieces ?? []);
    if (letter === 'n') most = Number(value);
    if (letter === 'I') mark = value;
    if (letter === 'd') delimiter = value?.replace(/^\\n$/, '\n').replace(/^\\0$/, '\0');
    if (letter === 'L') {
      if (value !== '1') return undefined;
      byLine = true;
    }
    if (letter === 'd' && delimiter?.length !== 1) return undefined;
  }
  const command = words.slice(at);
  const name = command[0] === undefined ? 'echo' : knownText(command[0].pieces);
  if (name === undefined || name.startsWith('-') || isPureCommand(name) || !(most >= 1)) return undefined;
  const input = shell.stdin?.pieces ?? [];
  const text = knownText(input);
  const lines = byLine && mark === undefined && text !== undefined ? linesOf(text) : undefined;
  // Behind a blank at the end of a line the next one goes on with it.
  if (lines?.every((line) => !/[ \t]$/.test(line)) === true)
    return runsOf(
      command,
      lines.map((line) => line.split(/[ \t]+/)),
      skipsEmpty,
      place,
    );
  const read = text === undefined || byLine ? undefined : itemsOf(text, delimiter, mark !== undefined);
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
  const groups: (readonly string[])[] = [];
  for (let from = 0; from < read.length && groups.length < mostRuns; from += most)
    groups.push(read.slice(from, from + most));
  return runsOf(command, groups, skipsEmpty, place);
}

/** A command with each group of words behind it; once without any where there are none. */
function runsOf(
  command: readonly ShellWord[],
  groups: readonly (readonly string[])[],
  skipsEmpty: boolean,
  place: Place,
): readonly (readonly ShellWord[])[] {
  if (groups.length === 0) return skipsEmpty ? [] : [command];
  return groups
    .slice(0, mostRuns)
    .map((group) => [...command, ...group.map((each) => ({ pieces: made(each, place), place }))]);
}

/** What is read: up to each delimiter, lines where they replace a mark, or words. */
function itemsOf(
  text: string,
  delimiter: string | undefined,
  marked: boolean,
): readonly string[] | undefined {
  if (delimiter === undefined) return marked ? linesOf(text) : splitQuoted(text);
  const items = text.split(delimiter);
  return items.at(-1) === '' ? items.slice(0, -1) : items;
}

function linesOf(text: string): readonly string[] | undefined {
  if (/["'\\]/.test(text)) return undefined;
  return text.split('\n').flatMap((line) => line.trimStart() || []);
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
