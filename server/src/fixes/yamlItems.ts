import type { Span } from '../text/span.ts';
import type { YamlNode } from '../yaml/document.ts';
import type { Draft } from './draft.ts';
import { lineBreakOf } from './shellView.ts';
import { yamlText } from './values.ts';
import type { Work } from './work.ts';
import { flowRemoval } from './yamlFlow.ts';
import { pathOfValue } from './yamlPaths.ts';

/** A word of a container's command, written as an item of a YAML list. */
interface Item {
  readonly list: YamlNode;
  readonly index: number;
}

function itemAt(work: Work, draft: Draft, span: Span): Item | undefined {
  const path = pathOfValue(work, draft, span);
  const index = path?.at(-1);
  if (path === undefined || typeof index !== 'number') return undefined;
  for (const document of work.documentsAt(draft.path, draft.text, span)) {
    const list = document.at(path.slice(0, -1));
    const item = list?.items[index];
    if (list === undefined || item === undefined || list.alias !== undefined) continue;
    if (item.place.span.start <= span.start && span.end <= item.place.span.end) return { list, index };
  }
  return undefined;
}

/**
 * Removes items from a list of words: the one that contains `span` and `more` after it.
 * @returns false if they are not items of one list
 */
export function removeItems(work: Work, draft: Draft, span: Span, more: number): boolean {
  const found = itemAt(work, draft, span);
  const first = found?.list.items[found.index];
  const last = found?.list.items[found.index + more];
  if (found === undefined || first === undefined || last === undefined) return false;
  const next = found.list.items[found.index + more + 1];
  const previous = found.list.items[found.index - 1];
  if (found.list.style === 'flow') {
    const span = { start: first.place.span.start, end: last.place.span.end };
    const removed = flowRemoval(draft.text, span, {
      next: next?.place.span.start,
      previous: previous?.place.span.end,
    });
    if (removed === undefined) return false;
    draft.replace(removed, '');
    return true;
  }
  const { text } = draft;
  const lineStart = text.lastIndexOf('\n', first.place.span.start - 1) + 1;
  const breakAt = text.indexOf('\n', last.place.span.end);
  const lineEnd = breakAt === -1 ? text.length : breakAt + 1;
  const between = text.slice(lineStart, lineEnd);
  const alone = /^ *- +$/.test(text.slice(lineStart, first.place.span.start));
  if (!alone || between.includes('#') || (next === undefined && previous === undefined)) return false;
  draft.replace({ start: lineStart, end: lineEnd }, '');
  return true;
}

/** Inserts words into a list after the item that is `more` after the one that contains `span`. */
export function insertItems(
  work: Work,
  draft: Draft,
  span: Span,
  more: number,
  words: readonly string[],
): boolean {
  const found = itemAt(work, draft, span);
  const last = found?.list.items[found.index + more];
  if (found === undefined || last === undefined) return false;
  const { end } = last.place.span;
  const first = draft.text[last.place.span.start];
  const quote = first === '"' || first === "'" ? first : '';
  const written = words.map((word) => yamlText(word, quote));
  if (found.list.style === 'flow') {
    draft.replace({ start: end, end }, written.map((word) => `, ${word}`).join(''));
    return true;
  }
  const lineStart = draft.text.lastIndexOf('\n', last.place.span.start - 1) + 1;
  const dash = draft.text.slice(lineStart, last.place.span.start);
  const breakAt = draft.text.indexOf('\n', end);
  const lineEnd = breakAt === -1 ? draft.text.length : breakAt;
  const at = draft.text[lineEnd - 1] === '\r' ? lineEnd - 1 : lineEnd;
  if (!/^ *- +$/.test(dash)) return false;
  const lineBreak = lineBreakOf(draft.text);
  draft.replace({ start: at, end: at }, written.map((word) => `${lineBreak}${dash}${word}`).join(''));
  return true;
}
