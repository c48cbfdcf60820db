import type { Span } from '../text/span.ts';

/** A line that starts a document and contains nothing of it. */
const marker = /^---(?: +(?:#[^\n]*)?)?(?=\n|$)/;
const markers = new RegExp(marker, 'gm');
/** Where a text may start or end a document. */
const boundary = '\n---';

/** The parts of a text between the lines that start its documents; a single part if there are no such lines. */
export function documentParts(text: string): readonly Span[] {
  if (!text.startsWith('---') && !text.includes(boundary)) return [{ start: 0, end: text.length }];
  const parts: Span[] = [];
  let start = 0;
  for (const { 0: line, index } of text.matchAll(markers)) {
    // Only comments before the first such line are not a document.
    if (start > 0 || !isBlank(text.slice(0, index))) parts.push({ start, end: index });
    start = index + line.length + 1;
  }
  return [...parts, { start: Math.min(start, text.length), end: text.length }];
}

/** Whether a text holds only blanks and comments. */
export function isBlank(text: string): boolean {
  return /^(?:[ ]*(?:#[^\n]*)?(?:\n|$))*$/.test(text);
}

/** Whether a text between lines that start documents is one document: not only comments, and without a line that starts or ends another. */
export function isOneDocument(text: string): boolean {
  return !isBlank(text) && !/^(?:---|\.\.\.|%)/m.test(text);
}

/**
 * The document part that contains a span, found without going through all parts.
 *
 * @returns undefined if the text has only one part, or if anything but a plain line bounds it
 */
export function partAround(text: string, { start, end }: Span): Span | undefined {
  const from = startOfPart(text, start);
  const next = text.indexOf(boundary, Math.max(from ?? 0, end - 1, 0));
  if (from === undefined || (from === 0 && next === -1)) return undefined;
  if (next === -1) return { start: from, end: text.length };
  return marker.test(lineAt(text, next + 1)) ? { start: from, end: next + 1 } : undefined;
}

/** The offset after the line that starts the document of an offset; what is directly before such a line belongs to the document above. */
function startOfPart(text: string, at: number): number | undefined {
  let before = at === 0 ? -1 : text.lastIndexOf(boundary, at - 1);
  if (before >= 0 && before + 1 === at) before = text.lastIndexOf(boundary, before - 1);
  if (before === -1 && !text.startsWith('---')) return 0;
  const line = lineAt(text, before + 1);
  const behind = before + 1 + line.length + 1;
  return marker.test(line) && behind <= at ? behind : undefined;
}

function lineAt(text: string, start: number): string {
  const end = text.indexOf('\n', start);
  return text.slice(start, end === -1 ? text.length : end);
}
