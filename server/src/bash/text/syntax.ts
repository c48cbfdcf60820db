import { lineStart } from '../../text/lines.ts';
import type { BashProblem, Correction } from '../options.ts';
import { bracesForArray } from './bracesForArray.ts';
import { type GrammarSlip, grammarSlip } from './grammarSlips.ts';
import { surplusEnd } from './letPass.ts';
import { givesUpLine } from './lines.ts';
import { openedIn, withQuoteClosed } from './openQuote.ts';
import { parseBash } from './parse.ts';
import type { Source } from './source.ts';
import { openedAt } from './unfinished.ts';

/** Placeholders that people write in angle brackets, which Bash takes as redirections: `<path to checkpoint>`. */
const placeholder = /(?<![<>&\d])<[^<>\s|&;(](?:[^<>|&;\n]*[^<>|&;\s])?>/g;

/**
 * Syntax errors of a script, and the first one of each other file that it reads or runs: nothing after that is ever read.
 *
 * @param others the other files; undefined stands for one that could not be read
 */
export function syntaxProblems(script: Source, others: Iterable<Source | undefined>): readonly BashProblem[] {
  const found = new Map<string, BashProblem>();
  const add = (source: Source, error: SyntaxError): void => {
    const { place, text } = source;
    const does = effectOf(source, error);
    const toFillIn = placeholderBefore(text, error.pos);
    const at =
      toFillIn === undefined
        ? place(error.pos, error.end ?? Math.min(error.pos + 1, text.length))
        : place(toFillIn.start, toFillIn.start + toFillIn.written.length);
    const message = `Bash ${does}: ${reasonOf(text, error, toFillIn?.written)}.`;
    const kind = isConflictMarker(text, error.pos) ? 'conflict-marker' : 'syntax';
    found.set(`${at.path} ${at.span.start}`, {
      kind,
      message,
      place: at,
      correction: correctionOf(source, error),
    });
  };
  for (const error of mainErrors(script)) add(script, error);
  for (const other of others) {
    const [first] = other?.script.errors ?? [];
    if (other !== undefined && first !== undefined && isForBash(other.text)) add(other, first);
  }
  return [...found.values()];
}

/** What Bash does at an error; an unterminated list costs only what it took as the list. */
function effectOf(source: Source, error: SyntaxError): string {
  if (error.isList === true) return 'reads what follows as words of this list';
  return givesUpLine(source, error) ? 'skips this line' : 'stops reading here';
}

/** What is wrong, for users, without a final full stop. */
function reasonOf(text: string, { pos, message }: SyntaxError, toFillIn: string | undefined): string {
  if (toFillIn !== undefined)
    return `it reads the < of ${toFillIn} as a redirection. Fill in the placeholder`;
  const array = bracesForArray(text, pos);
  if (array === undefined) return message;
  const { name, line } = array;
  return `${name}={ in line ${line} does not begin an array, so this } closes nothing. An array is written in parentheses`;
}

/** `&;` and `; ;` are meant to end a command once, and `ARGS={` to begin an array. */
function correctionOf({ text, place }: Source, { pos, message, slip }: SyntaxError): Correction | undefined {
  if (slip !== undefined) return { place: place(slip.start, slip.end), text: slip.text, meant: slip.meant };
  const array = bracesForArray(text, pos);
  if (array !== undefined) {
    const { name, open, close } = array;
    return {
      place: place(open, close + 1),
      text: `(${text.slice(open + 1, close)})`,
      meant: `${name}=( … )`,
    };
  }
  const isSurplus = message === surplusEnd || message === "unexpected token ';'";
  const doubled = isSurplus ? /[&;][ \t]*$/.exec(text.slice(lineStart(text, pos), pos)) : null;
  const meant = doubled?.[0].charAt(0);
  return doubled === null || meant === undefined
    ? undefined
    : { place: place(pos - doubled[0].length, pos + 1), text: meant, meant };
}

interface SyntaxError {
  readonly pos: number;
  /** End of the faulty text; one character after `pos` by default. */
  readonly end?: number;
  readonly message: string;
  /** Whether it is an unterminated list, which takes what follows as its words. */
  readonly isList?: boolean;
  /** The slip that causes it. */
  readonly slip?: GrammarSlip;
}

/** Whether an error is only a consequence of an earlier one: it is about the content of an open command, or about the rest of the line. */
function isFollowUp(text: string, first: SyntaxError, { pos, message }: SyntaxError): boolean {
  const isInLine = !text.slice(first.pos, pos).includes('\n');
  return followUp.test(message) || (isInLine && /^(?:unexpected token|expected command)/.test(message));
}

/** Parser messages about the tokens that continue a command. */
const followUp =
  /^(?:unexpected token '(?:then|do|done|fi|else|elif|esac|\}|\)|;;|\]\])'|expected '(?:then|do|done|fi|esac|\}|\]\])')/;

/** Maximum number of errors reported per script; in text that is not a shell script each word may be one. */
const mostErrors = 100;

/** The errors of a script; what is left open is reported where it begins, since the parser notices it elsewhere. */
function mainErrors({ text, script }: Source): readonly SyntaxError[] {
  const errors = script.errors?.slice(0, mostErrors) ?? [];
  const [first, ...others] = errors;
  if (first === undefined || text.length > mostScanned) return errors;
  const { quote, parenthesis } = openedIn(text);
  if (quote !== undefined && closedTexts(text).length > 0) {
    const line = text.slice(0, quote.end).split('\n').length;
    const end =
      quote.end === undefined ? 'is never closed' : `is closed only by the next one, in line ${line}`;
    return [{ pos: quote.start, message: `this ${quote.quote} ${end}` }];
  }
  const own = others.filter((error) => !isFollowUp(text, first, error));
  const slip = grammarSlip(text, first, (mended) => readsOn(mended, text, script.errors ?? []));
  if (slip !== undefined) return [atSlip(first, slip), ...own];
  if (!first.message.startsWith('unterminated')) return [openedAt(script, text, first) ?? first, ...own];
  if (parenthesis === undefined) {
    const opening = unclosed(text, first);
    return [opening, ...others.filter(({ pos }) => pos !== opening.pos)];
  }
  const { start, written } = parenthesis;
  const whole = text.startsWith('$((', start) ? '$((' : written;
  const isList = /^\w+\+?=\($/.test(whole);
  return [{ pos: start, message: `${whole} is never closed`, ...(isList ? { isList } : {}) }, ...others];
}

/** Whether Bash reads further in a repaired text than in the one with the errors. */
function readsOn(mended: string, text: string, errors: readonly SyntaxError[]): boolean {
  const { errors: left = [] } = parseBash(mended);
  const reaches = (left[0]?.pos ?? mended.length) - (mended.length - text.length);
  return left.length < errors.length || reaches > (errors[0]?.pos ?? 0);
}

/** An error moved to the characters at fault, if there are any. */
function atSlip({ pos }: SyntaxError, slip: GrammarSlip): SyntaxError {
  const { start, end, message } = slip;
  return start < end ? { pos: start, end, message, slip } : { pos, message, slip };
}

/** An expansion without its `}` up to the end of its line or of its quoted text. */
const openBrace = /\$\{[^{}"'\n]*(?=["'\n]|$)/g;

/** A parser error about something left open, reported by naming what is open. */
function unclosed(text: string, fault: SyntaxError): SyntaxError {
  const newline = text.indexOf('\n', fault.pos);
  const line = text.slice(fault.pos, newline < 0 ? text.length : newline);
  // A quote extends over text in braces: it is open because the brace is.
  const [brace] = line.matchAll(openBrace);
  if (brace !== undefined) return { pos: fault.pos + brace.index, message: `\${ is never closed` };
  const mark = /^(?:\$\{|\$?["']|`)/.exec(line)?.[0];
  return mark === undefined ? fault : { ...fault, message: `this ${mark} is never closed` };
}

/** Maximum length of a script that is searched for what is left open, in characters. */
const mostScanned = 100_000;

/** A script with its open quote closed so that Bash can read all of it; none if that is not the problem. */
function closedTexts(text: string): readonly string[] {
  const { quote } = openedIn(text);
  if (quote === undefined) return [];
  return withQuoteClosed(text, quote).filter((closed) => (parseBash(closed).errors ?? []).length === 0);
}

/**
 * A script with its open `case` or `[[` ended, which Bash would otherwise extend over everything that follows; none if the result cannot be
 * read.
 */
function withEnd(text: string): readonly string[] {
  const { errors = [] } = parseBash(text);
  const [first] = errors;
  if (first === undefined) return [];
  const lacks = (closer: string): boolean => errors.some(({ message }) => message.includes(`'${closer}'`));
  const at = lineStart(text, first.pos);
  const ended = lacks('esac')
    ? `${text.slice(0, at)}esac\n${text.slice(at)}`
    : lacks(']]') && at > 0
      ? `${text.slice(0, at - 1)} ]]\n${text.slice(at)}`
      : undefined;
  return ended !== undefined && (parseBash(ended).errors ?? []).length === 0 ? [ended] : [];
}

/**
 * What a script with syntax errors may have been meant to be, generated one by one, since each text is parsed: with its open quote closed, with
 * its open `case` or `[[` ended, or without the lines of the errors.
 */
export function* meantTexts(text: string): Generator<string, void> {
  if (text.length <= mostScanned) {
    yield* closedTexts(text);
    yield* withEnd(text);
  }
  yield withoutFaults(text);
}

/** Whether Bash rejects the line of a problem: it reads nothing after it, or continues with the next line. */
export function isSyntaxError({ kind }: BashProblem): boolean {
  return kind === 'syntax' || kind === 'conflict-marker';
}

/** Whether a line is a conflict marker written by Git. */
function isConflictMarker(text: string, at: number): boolean {
  const start = lineStart(text, at);
  return /^(?:<{7}|\|{7}|={7}|>{7})(?: |\r?$)/m.test(
    text.slice(start, text.indexOf('\n', at) + 1 || undefined),
  );
}

/** Maximum number of characters before an error in which a placeholder is looked for if the command has several lines. */
const mostBefore = 10_000;

/** A placeholder that causes an error in its line. */
function placeholderBefore(
  text: string,
  at: number,
): { readonly written: string; readonly start: number } | undefined {
  let start = lineStart(text, at);
  // The file to write to may be on the next line of the command.
  while (start >= 2 && at - start < mostBefore && text.slice(start - 2, start) === '\\\n')
    start = lineStart(text, start - 1);
  const end = text.indexOf('\n', at);
  const lines = text.slice(start, end < 0 ? text.length : end);
  for (const { 0: written, index } of lines.matchAll(placeholder)) {
    const isInLine = !lines.slice(index, at - start).includes('\n');
    const isLast = /^[ \t]*\\\n[ \t]*$/.test(text.slice(start + index + written.length, at));
    if (start + index <= at && (isInLine || isLast)) return { written, start: start + index };
  }
  return undefined;
}

/** Whether the first line of a text does not name a shell or program other than Bash. */
function isForBash(text: string): boolean {
  return !text.startsWith('#!') || /^#!.*\b(?:ba|da)?sh\b/.test(text.slice(0, 100));
}

/** Number of characters parsed in rounds, each of which omits lines: after one at which the parser gives up, there may be others. */
const mostParsed = 400_000;
const mostRounds = 40;

/**
 * A text that can be parsed, with all remaining parts in their places: on lines with syntax errors placeholders are filled in, or the line is
 * omitted.
 */
function withoutFaults(text: string): string {
  let read = '';
  // The separator between the two sides of a merge is a word to Bash, at which a command would end.
  let rest = /^<{7} /m.test(text) ? text.replace(/^={7}$/gm, `${' '.repeat(6)}\\`) : text;
  const rounds = Math.min(mostRounds, Math.ceil(mostParsed / (text.length + 1)));
  for (let round = 0; round < rounds; round += 1) {
    const { errors = [], commands } = parseBash(rest);
    const [first] = errors;
    if (first === undefined) break;
    const next = withoutLines(rest, errors);
    // Reported at the end of the text or on an empty line: there is nothing left to omit.
    if (next === rest) break;
    // Everything before the command with the error is parsed in the same way in all rounds.
    const line = lineStart(rest, first.pos);
    const command = commands.findLast(({ pos }) => pos <= line && isFirstInLine(rest, pos));
    const from = command === undefined ? 0 : lineStart(rest, command.pos);
    read += next.slice(0, from);
    rest = next.slice(from);
  }
  return read + rest;
}

function isFirstInLine(text: string, at: number): boolean {
  return text.slice(lineStart(text, at), at).trim() === '';
}

/** A text in which lines with errors have their placeholders filled in, or are blank. */
function withoutLines(text: string, errors: readonly SyntaxError[]): string {
  let [out, at] = ['', 0];
  for (const { pos } of errors) {
    // Another error on the line just handled.
    if (at > 0 && pos <= at) continue;
    const start = lineStart(text, pos);
    const newline = text.indexOf('\n', pos);
    const end = newline < 0 ? text.length : newline;
    const line = text.slice(start, end);
    const filled = line.replace(placeholder, (written) => 'x'.repeat(written.length));
    out += text.slice(at, start) + (filled === line ? blankLine(text, start, line) : filled);
    at = end;
  }
  return out + text.slice(at);
}

/** A blank line that is continued if the original was; a conflict marker within a command is also continued. */
function blankLine(text: string, start: number, line: string): string {
  const before = text.slice(lineStart(text, start - 1), Math.max(0, start - 1));
  const goesOn = isContinued(line) || (isContinued(before) && isConflictMarker(text, start));
  return goesOn ? `${' '.repeat(line.length - 1)}\\` : ' '.repeat(line.length);
}

function isContinued(line: string): boolean {
  return /(?<!\\)(?:\\\\)*\\$/.test(line);
}
