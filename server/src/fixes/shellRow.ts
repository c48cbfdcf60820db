import type { Span } from '../text/span.ts';
import type { Row } from './shellSite.ts';

/** A change of one text. */
export interface Change {
  readonly span: Span;
  readonly text: string;
}

/** One line of a text and the surroundings of a span in it. */
interface Surroundings {
  /** Start of the line in which the span starts. */
  readonly lineStart: number;
  /** End of the line in which the span ends, without its line break. */
  readonly lineEnd: number;
  /** Only blanks before the span. */
  readonly first: boolean;
  /** Only blanks, and possibly a `\`, after the span. */
  readonly last: boolean;
  /** The blanks and the `\` after the span if the line continues; `\\` in a text that a shell reads twice (`<<EOF`). */
  readonly continuation: string | undefined;
  /** Blanks and a comment after the span (in an array). */
  readonly comment: string | undefined;
  readonly indent: string;
}

function surroundings(text: string, row: Row, span: Span): Surroundings {
  const lineStart = Math.max(text.lastIndexOf('\n', span.start - 1) + 1, 0);
  const lineEnd = endOfLine(text, span.end);
  const before = text.slice(lineStart, span.start);
  const after = text.slice(span.end, lineEnd);
  const continued = (row.kind === 'text' ? /^[ \t]*\\{1,2}$/ : /^[ \t]*\\$/).exec(after);
  const inRegion = row.region.start <= lineStart && lineEnd <= Math.max(row.region.end, span.end);
  const comment = row.kind === 'array' && /^[ \t]+#/.test(after) ? after : undefined;
  return {
    lineStart,
    lineEnd,
    first: /^[ \t]*$/.test(before) && row.region.start <= lineStart,
    last:
      (/^[ \t]*$/.test(after) && (inRegion || row.kind === 'command')) || (continued !== null && inRegion),
    continuation: continued?.[0],
    comment,
    indent: /^[ \t]*/.exec(before)?.[0] ?? '',
  };
}

function endOfLine(text: string, from: number): number {
  const at = text.indexOf('\n', from);
  const end = at === -1 ? text.length : at;
  return end > from && text[end - 1] === '\r' ? end - 1 : end;
}

/** The offset after the line break at `lineEnd`. */
function nextLine(text: string, lineEnd: number): number {
  if (text[lineEnd] === '\r') return lineEnd + 2;
  return text[lineEnd] === '\n' ? lineEnd + 1 : lineEnd;
}

/**
 * Removes words from a row: with their lines if they are alone there, and with the `\` of the line before if that would continue into nothing.
 * Comments stay.
 * @param from index of the first word
 * @param to index of the last word
 */
export function removal(text: string, row: Row, from: number, to: number): Change | undefined {
  const first = row.tokens[from];
  const last = row.tokens[to];
  if (first === undefined || last === undefined) return undefined;
  const span = { start: first.start, end: last.end };
  const inner = text.slice(span.start, span.end);
  const between = withoutTokens(text, row, from, to);
  if (row.kind === 'array' && /(?:^|\s)#/.test(between)) return undefined;
  if (row.kind === 'command' && !isBlank(between)) return undefined;
  if (inner === '') return undefined;
  const around = surroundings(text, row, span);
  if (around.first && around.last) {
    if (around.continuation !== undefined || continuationBefore(text, around.lineStart) === undefined)
      return { span: { start: around.lineStart, end: nextLine(text, around.lineEnd) }, text: '' };
    const before = endBefore(text, around.lineStart);
    return before === undefined ? undefined : { span: { start: before, end: around.lineEnd }, text: '' };
  }
  if (around.first && around.comment !== undefined) {
    const blanks = /^[ \t]*/.exec(around.comment)?.[0].length ?? 0;
    return { span: { start: span.start, end: span.end + blanks }, text: '' };
  }
  const next = row.tokens[to + 1];
  if (next !== undefined && /^[ \t]*$/.test(text.slice(span.end, next.start)))
    return { span: { start: span.start, end: next.start }, text: '' };
  const previous = row.tokens[from - 1];
  if (previous !== undefined && /^[ \t]*$/.test(text.slice(previous.end, span.start)))
    return { span: { start: previous.end, end: span.end }, text: '' };
  const blanks = /^[ \t]*/.exec(text.slice(span.end, around.lineEnd))?.[0].length ?? 0;
  return { span: { start: span.start, end: span.end + (around.first ? blanks : 0) }, text: '' };
}

/** Removes a statement with its line; a comment after it stays. */
export function lineRemoval(text: string, statement: Span): Change | undefined {
  const lineStart = text.lastIndexOf('\n', statement.start - 1) + 1;
  const breakAt = text.indexOf('\n', statement.end);
  const lineEnd = breakAt === -1 ? text.length : breakAt;
  const after = text.slice(statement.end, lineEnd);
  if (text.slice(lineStart, statement.start).trim() !== '') return undefined;
  const comment = /^[ \t]+(?=#)/.exec(after);
  if (comment !== null)
    return { span: { start: statement.start, end: statement.end + comment[0].length }, text: '' };
  if (!/^[ \t]*;?[ \t]*\r?$/.test(after)) return undefined;
  return { span: { start: lineStart, end: Math.min(text.length, lineEnd + 1) }, text: '' };
}

/** Whether a text contains only blanks and line ends: no redirection, which may be between the words of a command. */
export function isBlank(text: string): boolean {
  return /^(?:[ \t\r\n]|\\\r?\n)*$/.test(text);
}

/** The text between the removed words, where comments and redirections could be lost. */
function withoutTokens(text: string, row: Row, from: number, to: number): string {
  let out = '';
  for (let index = from; index < to; index += 1)
    out += text.slice(row.tokens[index]?.end ?? 0, row.tokens[index + 1]?.start ?? 0);
  return out;
}

/** The `\` with which the previous line continues into this one, or the `\\` in a text that a shell reads twice. */
function continuationBefore(text: string, lineStart: number): string | undefined {
  return /(\\{1,2})\r?\n$/.exec(text.slice(Math.max(0, lineStart - 4), lineStart))?.[1];
}

/** End of the content of the previous line, without its `\`; undefined if the line has no content. */
function endBefore(text: string, lineStart: number): number | undefined {
  const start = text.lastIndexOf('\n', lineStart - 2) + 1;
  const content = text.slice(start, lineStart).replace(/[ \t]*\\{1,2}\r?\n$/, '');
  return content.trim() === '' ? undefined : start + content.length;
}

/**
 * Inserts words after a word of a row, in the style found there: on a line of their own with the same indentation and continuation if the
 * neighbour (from its flag on) has one, otherwise on the same line.
 * @param neighbour the indices of its first and its last word
 * @param words ready for the row, quoted
 */
export function insertion(
  { text, lineBreak }: { readonly text: string; readonly lineBreak: string },
  row: Row,
  neighbour: { readonly from: number; readonly to: number },
  words: string,
): Change | undefined {
  const first = row.tokens[neighbour.from];
  const last = row.tokens[neighbour.to];
  if (first === undefined || last === undefined) return undefined;
  const around = surroundings(text, row, { start: first.start, end: last.end });
  const ownLine = around.first && (around.last || around.comment !== undefined);
  if (!ownLine || text.slice(first.start, last.end).includes('\n'))
    return { span: { start: last.end, end: last.end }, text: ` ${words}` };
  const line = `${lineBreak}${around.indent}${words}`;
  if (around.continuation !== undefined)
    return {
      span: { start: around.lineEnd, end: around.lineEnd },
      text: `${line}${around.continuation}`,
    };
  const mark = continuationBefore(text, around.lineStart);
  if (row.kind === 'command' || mark !== undefined)
    return { span: { start: last.end, end: last.end }, text: ` ${mark ?? '\\'}${line}` };
  return { span: { start: around.lineEnd, end: around.lineEnd }, text: line };
}
