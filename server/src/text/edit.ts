import type { Span } from './span.ts';

/** A replacement of one span of one file by a new text. Edits of one fix never overlap. */
export interface TextEdit {
  readonly path: string;
  readonly span: Span;
  readonly newText: string;
}

/**
 * Applies edits of one file to its text.
 * @returns the new text, or undefined if two edits overlap or one is outside the text.
 */
export function applyEdits(
  text: string,
  edits: readonly Pick<TextEdit, 'span' | 'newText'>[],
): string | undefined {
  const ordered = [...edits].sort((a, b) => a.span.start - b.span.start || a.span.end - b.span.end);
  let out = '';
  let at = 0;
  for (const edit of ordered) {
    if (edit.span.start < at || edit.span.end < edit.span.start || edit.span.end > text.length)
      return undefined;
    out += text.slice(at, edit.span.start) + edit.newText;
    at = edit.span.end;
  }
  return out + text.slice(at);
}

/** Whether no two edits overlap or are at the same place. */
export function areApart(edits: readonly TextEdit[]): boolean {
  const ordered = [...edits].sort((a, b) => a.span.start - b.span.start);
  const behind = new Map<string, number>();
  return ordered.every(({ path, span: { start, end } }) => {
    const isApart = start > (behind.get(path) ?? -1);
    behind.set(path, Math.max(end, behind.get(path) ?? -1));
    return isApart;
  });
}
