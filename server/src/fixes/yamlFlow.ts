import type { Span } from '../text/span.ts';

/** The neighbours of an element of a flow collection. */
interface Neighbours {
  /** Where the next element starts. */
  readonly next: number | undefined;
  /** Where the previous element ends. */
  readonly previous: number | undefined;
}

/**
 * The span to remove with an element of a flow collection: one comma with it, and no comment.
 * @param span the whole element, except for a tag or an anchor before it
 * @returns undefined for the only element, and if what is before it would be left to the next one
 */
export function flowRemoval(
  text: string,
  { start, end }: Span,
  { next, previous }: Neighbours,
): Span | undefined {
  if (/[&!][^\s,[\]{}]*\s+$/.test(text.slice(previous ?? 0, start))) return undefined;
  if (next !== undefined) {
    const behind = text.slice(end, next);
    // Anything before the next element, such as its tag, stays.
    const comma = (behind.includes('#') ? /^\s*,/ : /^\s*,\s*/).exec(behind);
    return comma === null ? undefined : { start, end: end + comma[0].length };
  }
  if (previous === undefined) return undefined;
  return text.slice(previous, start).includes('#') ? { start, end } : { start: previous, end };
}
