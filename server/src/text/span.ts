/** A half-open range of UTF-16 code units `[start, end)` in one text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A span in a named text. `path` is the host's name for the file (absolute, `/`-separated). */
export interface Place {
  readonly path: string;
  readonly span: Span;
}

/** The smallest span that contains both. */
export function around(a: Span, b: Span): Span {
  return { start: Math.min(a.start, b.start), end: Math.max(a.end, b.end) };
}

/** Whether `inner` is within `outer` (equal ends included). */
export function contains(outer: Span, inner: Span): boolean {
  return outer.start <= inner.start && inner.end <= outer.end;
}

/** Whether two spans have characters in common. */
export function overlap(a: Span, b: Span): boolean {
  return a.start < b.end && b.start < a.end;
}

/** Whether two places are the same characters of the same file. */
export function samePlace(a: Place, b: Place): boolean {
  return a.path === b.path && a.span.start === b.span.start && a.span.end === b.span.end;
}
