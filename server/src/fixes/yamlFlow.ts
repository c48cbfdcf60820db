import type { Span } from '../text/span.ts';

/** What stands around an element of a flow collection. */
interface Neighbours {
  /** Where the next element begins. */
  readonly next: number | undefined;
  /** Where the one before ends. */
  readonly previous: number | undefined;
}

/**
 * What has to go for an element of a flow collection to go: one comma with it, and no comment.
 * @param span the element, all of it but a tag or an anchor before it
 * @returns undefined for the only element, and where what stands before it would be left to the next one
 */
export function flowRemoval(
  text: string,
  { start, end }: Span,
  { next, previous }: Neighbours,
): Span | undefined {
  if (/[&!][^\s,[\]{}]*\s+$/.test(text.slice(previous ?? 0, start))) return undefined;
  if (next !== undefined) {
    const behind = text.slice(end, next);
    // What stands before the next one, such as its tag, stays.
    const comma = (behind.includes('#') ? /^\s*,/ : /^\s*,\s*/).exec(behind);
    return comma === null ? undefined : { start, end: end + comma[0].length };
  }
  if (previous === undefined) return undefined;
  return text.slice(previous, start).includes('#') ? { start, end } : { start: previous, end };
}
