import type { Place } from '../../text/span.ts';
import { assumedTextOf } from '../conditions/shadow.ts';
import { fileKey } from '../files/fileKey.ts';
import { fileText } from '../files/redirections.ts';
import { isPureCommand, quotedWords, withoutQuotes } from '../library/commands.ts';
import { displayed, hole, knownText, made, type Pieces } from '../state/pieces.ts';
import type { Shell } from '../state/shell.ts';
import type { ShellWord } from '../state/shellWord.ts';

/** Maximum number of commands started by `xargs` that are recorded one by one. */
const mostRuns = 64;

/** The letters of long options. */
const longOptions: ReadonlyMap<string, string> = new Map([
  ['null', '0'],
  ['no-run-if-empty', 'r'],
  ['verbose', 't'],
  ['exit', 'x'],
  ['max-args', 'n'],
  ['max-procs', 'P'],
  ['max-chars', 's'],
  ['delimiter', 'd'],
  ['replace', 'I'],
  ['max-lines', 'L'],
  ['arg-file', 'a'],
]);

/** Default values of options whose value is optional. */
const ownValues: ReadonlyMap<string, string> = new Map([
  ['--replace', '{}'],
  ['--max-lines', '1'],
  ['-i', '{}'],
  ['-l', '1'],
]);

/** A word of options: those without a value, and the last one if it takes one; `value` is undefined if it is the next word. */
interface Option {
  readonly flags: string;
  readonly letter: string;
  readonly value: string | undefined;
}

/** Parses a word of options; undefined if it is not one, or not a common one. A value may be unknown if only its option matters. */
function optionOf(word: ShellWord | undefined): Option | undefined {
  const [first] = word?.pieces ?? [];
  const known = knownText(word?.pieces ?? []);
  const text = known ?? (first?.kind === 'text' ? first.text : '');
  const [, name, behind] = /^--([a-z-]+)(?:=([\s\S]*))?$/.exec(text) ?? [];
  if (name === undefined) {
    const [, flags = '', letter = '', joined = ''] = /^-([rt0x]*)([nIiPsdLla]?)([\s\S]*)$/.exec(text) ?? [];
    if (flags + letter === '' || (letter === '' && joined !== '')) return undefined;
    const own = joined === '' && known !== undefined ? ownValues.get(`-${letter}`) : joined;
    return { flags, letter: letter.replace('i', 'I').replace('l', 'L'), value: own };
  }
  const letter = longOptions.get(name);
  if (letter === undefined) return undefined;
  if ('0rtx'.includes(letter)) return { flags: letter, letter: '', value: undefined };
  return { flags: '', letter, value: behind ?? ownValues.get(text) };
}

/** How `xargs` is invoked. */
interface Call {
  /** Maximum number of words per command. */
  readonly most: number;
  /** The placeholder for a line in the command. */
  readonly mark: string | undefined;
  readonly delimiter: string | undefined;
  /** Each command gets one line. */
  readonly byLine: boolean;
  readonly skipsEmpty: boolean;
  readonly input: Pieces;
  readonly command: readonly ShellWord[];
}

/** Undefined for uncommon options. */
function callOf(shell: Shell, words: readonly ShellWord[], place: Place): Call | undefined {
  let most = Number.POSITIVE_INFINITY;
  let mark: string | undefined;
  let delimiter: string | undefined;
  let byLine = false;
  let skipsEmpty = false;
  let input = shell.stdin?.pieces ?? [];
  let at = 1;
  for (; at < words.length; at += 1) {
    const option = optionOf(words[at]);
    if (option === undefined) break;
    const { flags, letter } = option;
    skipsEmpty ||= flags.includes('r');
    if (flags.includes('0')) delimiter = '\0';
    if (letter === '') continue;
    if (option.value === undefined) at += 1;
    const value = option.value ?? knownText(words[at]?.pieces ?? []);
    if (letter === 'n') most = Number(value);
    if (letter === 'I') mark = value;
    if (letter === 'a') input = inputOf(shell, value, words[at], place);
    if (letter === 'd') delimiter = value?.replace(/^\\n$/, '\n').replace(/^\\0$/, '\0');
    if (letter === 'L') byLine = true;
    if ((letter === 'L' && value !== '1') || (letter === 'd' && delimiter?.length !== 1)) return undefined;
  }
  return { most, mark, delimiter, byLine, skipsEmpty, input, command: words.slice(at) };
}

/** What `-a FILE` reads. */
function inputOf(shell: Shell, name: string | undefined, word: ShellWord | undefined, place: Place): Pieces {
  const file = name === undefined ? undefined : fileText(shell, fileKey(shell, made(name, place)));
  const label = `$(cat ${name ?? displayed(word?.pieces ?? [])})`;
  return file ?? [{ ...hole('command-output', label, place), splits: true }];
}

/**
 * The commands that `xargs` starts with its input, unless they run a pure program. Unknown input becomes unknown words; undefined for uncommon
 * options.
 */
export function commandsOfXargs(
  shell: Shell,
  words: readonly ShellWord[],
  place: Place,
): readonly (readonly ShellWord[])[] | undefined {
  const call = callOf(shell, words, place);
  if (call === undefined) return undefined;
  const { most, mark, delimiter, byLine, skipsEmpty, input, command } = call;
  const name = command[0] === undefined ? 'echo' : knownText(command[0].pieces);
  if (name === undefined || name.startsWith('-') || isPureCommand(name) || !(most >= 1)) return undefined;
  const whole = knownText(input);
  // Text after a NUL within a word is lost, as a NUL ends any word of a command.
  const text = delimiter !== '\0' && whole?.includes('\0') === true ? undefined : whole;
  const isPlain = text !== undefined && !/["'\\]/.test(text);
  const lines = byLine && mark === undefined && isPlain ? linesOf(text) : undefined;
  // A line that ends in a blank is continued by the next one.
  if (lines?.every((line) => !/[ \t]$/.test(line)) === true)
    return runsOf(
      command,
      lines.map((line) => line.split(/[ \t]+/)),
      skipsEmpty,
      place,
    );
  const read = text === undefined || byLine ? undefined : itemsOf(text, delimiter, mark !== undefined);
  if (read === undefined) {
    const shadow = mark === undefined ? undefined : assumedTextOf(shell, input);
    // Nothing is started for blank lines; with an explicit delimiter (`-d,`) a newline is an item like any other.
    if (shadow !== undefined && (delimiter === undefined ? shadow.text.trim() : shadow.text) === '') {
      for (const need of shadow.needs) shell.run.restOn(need, place);
      return [];
    }
    const unknown: Pieces = [
      { ...hole('command-output', displayed(input).replaceAll('\0', ' ').trim(), place), splits: true },
    ];
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
  // An unclosed quote makes it give up, before starting anything if no words precede the quote.
  if (read.length === 0 && text !== undefined && delimiter === undefined && /["']/.test(text)) return [];
  const groups: (readonly string[])[] = [];
  for (let from = 0; from < read.length && groups.length < mostRuns; from += most)
    groups.push(read.slice(from, from + most));
  return runsOf(command, groups, skipsEmpty, place);
}

/** A command followed by each group of words; once without any if there are none. */
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

/** The items read: up to each delimiter, lines if they replace a mark, or words. */
function itemsOf(
  text: string,
  delimiter: string | undefined,
  marked: boolean,
): readonly string[] | undefined {
  if (delimiter === undefined) return marked ? linesOf(text) : quotedWords(text).words;
  const items = text.split(delimiter);
  return items.at(-1) === '' ? items.slice(0, -1) : items;
}

/** Lines as `xargs` reads them, up to one with an unclosed quote; undefined if a backslash joins two. */
function linesOf(text: string): readonly string[] | undefined {
  if (text.includes('\\\n')) return undefined;
  const lines = text.split('\n').flatMap((line) => line.trimStart() || []);
  const end = lines.findIndex((line) => !/^(?:"[^"]*"|'[^']*'|\\.|[^"'\\])*$/.test(line));
  return (end < 0 ? lines : lines.slice(0, end)).map(withoutQuotes);
}

/** A word with each mark replaced by a value. */
function replaced(word: ShellWord, mark: string, value: Pieces): ShellWord {
  const pieces = word.pieces.flatMap((piece) => {
    if (piece.kind === 'hole' || mark === '' || !piece.text.includes(mark)) return [piece];
    return piece.text
      .split(mark)
      .flatMap((part, index) => [...(index > 0 ? value : []), ...made(part, piece.origin.place)]);
  });
  return { ...word, pieces };
}
