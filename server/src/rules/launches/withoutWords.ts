import { lineStart } from '../../text/lines.ts';
import type { Span } from '../../text/span.ts';
import { textOf, type Word } from '../../value/word.ts';
import { type Fix, suggestedFix } from '../finding.ts';

/** The text of a file; undefined if it cannot be read. */
export type Read = (path: string) => string | undefined;

/** Whether a word is verbatim in the text of the launch. */
export function isWritten(word: Word, read: Read): boolean {
  const { path, span } = word.place;
  return read(path)?.slice(span.start, span.end) === textOf(word);
}

/** A fix that removes consecutive words, with the blanks after them or the line that holds nothing else; none if they are not written there. */
export function withoutWords(title: string, words: readonly Word[], read: Read): readonly Fix[] {
  const [first] = words;
  const last = words.at(-1);
  if (first === undefined || last === undefined || !words.every((word) => isWritten(word, read))) return [];
  const { path } = first.place;
  const text = read(path) ?? '';
  const isRow = words.every((word, at) => {
    const before = words[at - 1]?.place;
    const isBehind = /^[ \t]+$/.test(text.slice(before?.span.end, word.place.span.start));
    return before === undefined || (before.path === word.place.path && isBehind);
  });
  if (!isRow) return [];
  const span = withLine(text, { start: first.place.span.start, end: last.place.span.end });
  return [suggestedFix(title, [{ path, span, newText: '' }])];
}

/**
 * A span extended to its whole line, if that is a directive or a continued line that holds nothing else; otherwise extended by the blanks after
 * it.
 */
function withLine(text: string, { start, end }: Span): Span {
  const from = lineStart(text, start);
  const before = text.slice(from, start);
  const behind = /^[^\n]*/.exec(text.slice(end))?.[0] ?? '';
  const isDirective = /^#SBATCH[ \t]+$/.test(before) && /^\s*$/.test(behind);
  const isContinued = /^[ \t]*$/.test(before) && /^[ \t]*\\\r?$/.test(behind);
  const isLine = (isDirective || isContinued) && text.charAt(end + behind.length) === '\n';
  if (isLine) return { start: from, end: end + behind.length + 1 };
  return { start, end: end + (/^[ \t]*/.exec(behind)?.[0].length ?? 0) };
}
