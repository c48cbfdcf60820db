import type { ParseError, Script, Statement } from 'unbash';
import { lineStart } from '../../text/lines.ts';
import type { Span } from '../../text/span.ts';
import { remembering } from '../../value/remember.ts';
import { failure, presumedSuccess, type Status } from '../state/shell.ts';
import type { Source } from './source.ts';
import { isUnfinished } from './unfinished.ts';

/** The index of the first statement after `index` that begins on a later line than the one on which its predecessor ends. */
export function indexOfNextLine(source: Source, statements: readonly Statement[], index: number): number {
  let next = index + 1;
  for (; next < statements.length; next += 1) {
    const between = source.text.slice(statements[next - 1]?.end ?? 0, statements[next]?.pos ?? 0);
    if (between.includes('\n')) break;
  }
  return next;
}

/**
 * The statements of a script that Bash reads before it meets a syntax error: it reads whole lines. Statements on abandoned lines are included.
 */
export function readableStatements(source: Source): readonly Statement[] {
  const { script, text } = source;
  const error = fatalError(source);
  if (error === undefined) return script.commands;
  const cut = cutAt(script, text, error);
  return script.commands.filter(({ pos, end }) => end <= cut && end > pos);
}

/**
 * The status of a text with an error at which Bash stops reading; presumed success if its unknown parts may repair it. Undefined for other
 * texts.
 */
export function endOfCutText(source: Source): Status | undefined {
  if (fatalError(source) === undefined) return undefined;
  return source.hasHoles ? presumedSuccess : { ...failure, code: 2 };
}

function fatalError(source: Source): ParseError | undefined {
  return source.script.errors?.find((each) => !givesUpLine(source, each));
}

/**
 * Whether a syntax error costs Bash only its line, with all commands on it: an error within the parentheses of a list (`A=(a <b> c)`), if no
 * command there extends over a line end.
 */
export function givesUpLine(source: Source, { pos, message }: ParseError): boolean {
  return message.endsWith(inList) && givenUpLines(source).has(lineStart(source.text, pos));
}

/** The line that Bash abandons, if a statement is on one. */
export function givenUpLine(source: Source, { pos }: Statement): Span | undefined {
  if (source.script.errors === undefined) return undefined;
  return givenUpLines(source).get(lineStart(source.text, pos));
}

/** How parser messages about errors within the parentheses of a list end. */
const inList = 'in array assignment';

/** Maximum number of errors whose lines are examined; a script has one or two. */
const mostLines = 100;

/** The lines that Bash abandons, by start position. */
const givenUpLines = remembering(({ script, text }: Source): ReadonlyMap<number, Span> => {
  const found = new Map<number, Span>();
  const errors = (script.errors ?? []).filter(({ message }) => message.endsWith(inList));
  for (const { pos } of errors.slice(0, mostLines)) {
    const line = lineAt(text, pos);
    const { start, end } = line;
    const isWhole = script.commands.every(
      (each) => each.end <= start || each.pos >= end || (each.pos >= start && each.end <= end),
    );
    if (isWhole) found.set(start, line);
  }
  return found;
});

function lineAt(text: string, at: number): Span {
  const end = text.indexOf('\n', at);
  return { start: lineStart(text, at), end: end < 0 ? text.length : end };
}

/** The parser's message for a command that is still open at the end of the text. */
const unclosed = /^expected '.*' to close/;

/** Where Bash stops reading: the beginning of the line on which the broken command begins. */
function cutAt(script: Script, text: string, { pos: errorAt, message }: ParseError): number {
  const broken = script.commands.findLast((statement) => statement.pos <= errorAt);
  if (broken === undefined) return lineStart(text, errorAt);
  const behind = text.slice(broken.end, errorAt);
  // After a trailing `a &&` at the end of a file the list is open, whatever lines follow.
  const complete =
    !unclosed.test(message) &&
    broken.end > broken.pos &&
    broken.end <= errorAt &&
    behind.includes('\n') &&
    !/^[ \t]*(?:&&|\|)/.test(behind) &&
    !isUnfinished(broken, text);
  return complete ? lineStart(text, errorAt) : lineStart(text, broken.pos);
}
