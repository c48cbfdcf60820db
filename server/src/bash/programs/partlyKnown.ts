import type { Place } from '../../text/span.ts';
import { fileKey } from '../files/fileKey.ts';
import { fileText } from '../files/redirections.ts';
import { hole, knownText, made, type Pieces, sliceText } from '../state/pieces.ts';
import type { Shell } from '../state/shell.ts';
import type { ShellWord } from '../state/shellWord.ts';

// The output of text programs for partly known input.

/** `cat` and `tee` pass on what they read, with its origins. */
export function passThrough(shell: Shell, name: string, words: readonly ShellWord[]): Pieces | undefined {
  if (name === 'tee') {
    const appends = words.some((word) => /^(?:-[a-z]*a[a-z]*|--append)$/.test(knownText(word.pieces) ?? ''));
    for (const word of words.slice(1)) {
      if (knownText(word.pieces)?.startsWith('-') === true) continue;
      const path = fileKey(shell, word.pieces);
      const before = appends ? (fileText(shell, path) ?? []) : [];
      shell.run.written.set(path, [...before, ...(shell.stdin?.pieces ?? [])]);
    }
    return shell.stdin?.pieces;
  }
  if (name !== 'cat') return undefined;
  const operands = words.slice(1).map((word) => word.pieces);
  if (operands.length === 0) return shell.stdin?.pieces;
  const out: Pieces[number][] = [];
  for (const operand of operands) {
    const text = knownText(operand);
    if (text?.startsWith('-') === true && text !== '-') return undefined;
    const path = fileKey(shell, operand);
    const pieces = text === '-' ? shell.stdin?.pieces : fileText(shell, path);
    if (pieces === undefined) return undefined;
    out.push(...pieces);
  }
  return out;
}

/** `wc -l` of text whose holes contain no newline. */
export function lineCount(
  name: string,
  words: readonly ShellWord[],
  input: Pieces | undefined,
  place: Place,
): Pieces | undefined {
  if (name !== 'wc' || words.length !== 2 || input === undefined) return undefined;
  if (knownText(words[1]?.pieces ?? []) !== '-l') return undefined;
  let lines = 0;
  for (const piece of input) {
    if (piece.kind === 'text') lines += piece.text.split('\n').length - 1;
    else if (piece.oneLine !== true) return undefined;
  }
  return made(`${lines}\n`, place);
}

/** Commands that print the first word of each line. */
const firstWordOnly = /^(?:awk \{ ?print \$1;? ?(?:; ?exit;? ?)?\}|cut -d {1,2}-f ?1|cut -f ?1 -d {2})$/;

/** `awk '{print $1}'` of a single unknown line: one word. */
export function firstField(
  name: string,
  words: readonly ShellWord[],
  input: Pieces | undefined,
  place: Place,
): Pieces | undefined {
  if (input === undefined || (name !== 'awk' && name !== 'cut')) return undefined;
  const [only, end, ...others] = input;
  const isOneLine = only?.kind === 'hole' && only.oneLine === true && others.length === 0;
  if (!isOneLine || (end !== undefined && (end.kind === 'hole' || end.text !== '\n'))) return undefined;
  const line = commandLine(name, words);
  if (!firstWordOnly.test(line)) return undefined;
  const { nonEmpty = false } = only;
  const label = `$(${line})`;
  const facts = { nonEmpty: nonEmpty && name === 'awk', oneLine: true, oneWord: true };
  return [hole(only.reason, label, place, facts), ...made('\n', place)];
}

/** `paste -sd,` of text whose holes contain no newline: all of it on one line. */
export function joinedLines(
  name: string,
  words: readonly ShellWord[],
  input: Pieces | undefined,
  place: Place,
): Pieces | undefined {
  const args = words.slice(1).map(({ pieces }) => knownText(pieces) ?? '??');
  const [, delimiter] =
    /^paste (?:-sd ?|-s -d ?|-d ?(?=. -s))([^\\])(?: -s)?(?: -)?$/.exec([name, ...args].join(' ')) ?? [];
  if (delimiter === undefined || input === undefined || input.length === 0) return undefined;
  if (input.some((piece) => piece.kind === 'hole' && piece.oneLine !== true)) return undefined;
  const last = input.at(-1);
  const whole =
    last?.kind === 'text' && last.text.endsWith('\n')
      ? [...input.slice(0, -1), sliceText(last, 0, last.text.length - 1)]
      : input;
  const out = whole.flatMap((piece) =>
    piece.kind === 'hole' || !piece.text.includes('\n')
      ? [piece]
      : piece.text
          .split('\n')
          .flatMap((line, index) => made(index === 0 ? line : delimiter + line, piece.origin.place)),
  );
  return [...out, ...made('\n', place)];
}

/** A program and its arguments as they would be typed; unknown ones are `?`. */
export function commandLine(name: string, words: readonly ShellWord[]): string {
  return [name, ...words.slice(1).map(({ pieces }) => knownText(pieces) ?? '?')].join(' ');
}

/** Commands that print only the first line. */
const firstOnly: ReadonlySet<string> = new Set(['sed -n 1p', 'sed 1q', 'awk NR==1']);

/** `head -n N` of text whose holes up to that line contain no newline. */
export function firstLines(
  name: string,
  words: readonly ShellWord[],
  input: Pieces | undefined,
): Pieces | undefined {
  const line = commandLine(name, words);
  const [, count] = /^head -(?:n ?|-lines[= ])?(\d{1,4})$/.exec(line) ?? [];
  if ((count === undefined && !firstOnly.has(line)) || input === undefined) return undefined;
  let left = Number(count ?? '1');
  const out: Pieces[number][] = [];
  for (const piece of input) {
    if (left === 0) return out;
    if (piece.kind === 'hole') {
      if (piece.oneLine !== true) return undefined;
      out.push(piece);
      continue;
    }
    let end = 0;
    for (let at = 0; left > 0 && at >= 0; ) {
      at = piece.text.indexOf('\n', end);
      end = at < 0 ? piece.text.length : at + 1;
      if (at >= 0) left -= 1;
    }
    out.push(sliceText(piece, 0, end));
  }
  return out;
}

/** Each line of text pieces as a piece of its own, including its newline. */
function splitAtNewlines(pieces: Pieces): Pieces {
  return pieces.flatMap((piece): Pieces => {
    if (piece.kind === 'hole') return [piece];
    const ends = [...piece.text.matchAll(/\n/g)].map(({ index }) => index + 1);
    if (ends.at(-1) !== piece.text.length) ends.push(piece.text.length);
    return ends.map((end, at) => sliceText(piece, ends[at - 1] ?? 0, end));
  });
}

function endsLine(piece: Pieces[number] | undefined): boolean {
  return piece?.kind === 'text' && piece.text.endsWith('\n');
}

/** `tail -n N`, `tail -n +N` of text: lines that need not be counted may contain any holes. */
export function lastLines(
  name: string,
  words: readonly ShellWord[],
  input: Pieces | undefined,
): Pieces | undefined {
  const line = commandLine(name, words);
  const [, sign, count] = /^tail (?:(?=\+)|-(?:n ?|-lines[= ])?)(\+?)(\d{1,4})$/.exec(line) ?? [];
  if (count === undefined || input === undefined) return undefined;
  const pieces = splitAtNewlines(input);
  return sign === '+' ? fromLine(pieces, Number(count)) : fromEnd(pieces, Number(count));
}

function fromLine(pieces: Pieces, first: number): Pieces | undefined {
  let at = 0;
  for (let left = first - 1; left > 0 && at < pieces.length; at += 1) {
    const piece = pieces[at];
    if (piece?.kind === 'hole' && piece.oneLine !== true) return undefined;
    if (endsLine(piece)) left -= 1;
  }
  return pieces.slice(at);
}

function fromEnd(pieces: Pieces, count: number): Pieces | undefined {
  const last = pieces.length - 1;
  // A hole at the end may be empty, so that the line before it is the last one.
  if (pieces[last]?.kind === 'hole') return undefined;
  let left = count;
  for (let at = last; at >= 0; at -= 1) {
    const piece = pieces[at];
    if (at < last && endsLine(piece)) left -= 1;
    if (left <= 0) return pieces.slice(at + 1);
    if (piece?.kind === 'hole' && piece.oneLine !== true) return undefined;
  }
  return pieces;
}

/** The programs here that read a file instead of their input if their last word names one. */
const readers: ReadonlySet<string> = new Set(['head', 'tail']);

/** `tail -n 1 FILE`, for a partly known file: the words without its name, and its text. Undefined for anything else. */
export function partlyKnownFile(
  shell: Shell,
  name: string,
  words: readonly ShellWord[],
): { readonly words: readonly ShellWord[]; readonly input: Pieces } | undefined {
  const last = words.at(-1);
  if (!readers.has(name) || words.length < 2 || last === undefined) return undefined;
  const input = fileText(shell, fileKey(shell, last.pieces));
  if (input === undefined || knownText(input) !== undefined) return undefined;
  return { words: words.slice(0, -1), input };
}
