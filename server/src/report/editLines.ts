import { applyEdits, type TextEdit } from '../text/edit.ts';
import { LineIndex } from '../text/lines.ts';

/** A line that an edit removes or adds. */
export interface EditLine {
  readonly kind: '-' | '+';
  /** Line number from one: of a removed line in the old text, of an added line in the new one. */
  readonly number: number;
  readonly text: string;
}

/**
 * The lines that edits of one file change, from top to bottom.
 * @returns undefined if the edits do not fit the text
 */
export function editLines(edits: readonly TextEdit[], text: string): EditLine[] | undefined {
  const index = new LineIndex(text);
  const lineOf = (offset: number): number => index.positionAt(offset).line;
  const groups: TextEdit[][] = [];
  let last = -2;
  for (const edit of [...edits].sort((a, b) => a.span.start - b.span.start)) {
    const group = groups.at(-1);
    if (group !== undefined && lineOf(edit.span.start) <= last + 1) group.push(edit);
    else groups.push([edit]);
    last = lineOf(edit.span.end);
  }
  const out: EditLine[] = [];
  let moved = 0;
  for (const group of groups) {
    const first = lineOf(group[0]?.span.start ?? 0);
    const start = index.lineStart(first);
    const end = index.lineStart(lineOf(Math.max(...group.map(({ span }) => span.end))) + 1);
    const before = text.slice(start, end);
    const after = applyEdits(
      before,
      group.map(({ span, newText }) => ({
        span: { start: span.start - start, end: span.end - start },
        newText,
      })),
    );
    if (after === undefined) return undefined;
    const { removed, added, common } = difference(linesOf(before), linesOf(after));
    const from = first + common + 1;
    out.push(...removed.map((line, at): EditLine => ({ kind: '-', number: from + at, text: line })));
    out.push(...added.map((line, at): EditLine => ({ kind: '+', number: from + at + moved, text: line })));
    moved += added.length - removed.length;
  }
  return out;
}

function linesOf(text: string): string[] {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** Two lists of lines without their common start and end. */
function difference(
  before: readonly string[],
  after: readonly string[],
): { readonly removed: readonly string[]; readonly added: readonly string[]; readonly common: number } {
  const shorter = Math.min(before.length, after.length);
  let common = 0;
  while (common < shorter && before[common] === after[common]) common++;
  let end = 0;
  while (end < shorter - common && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
  return {
    removed: before.slice(common, before.length - end),
    added: after.slice(common, after.length - end),
    common,
  };
}
