import type { TextEdit } from '../text/edit.ts';
import type { Span } from '../text/span.ts';

/** A stretch of the file as it was, or text that a fix put in. */
type Segment =
  | { readonly kind: 'old'; readonly start: number; readonly end: number }
  | { readonly kind: 'new'; readonly text: string };

/**
 * One file while a fix is being made. Several changes are made one after the other, each on the text that the ones before have left;
 * places of the original are carried over, and at the end the changes are told as edits of the original.
 */
export class Draft {
  readonly path: string;
  readonly before: string;
  #text: string;
  #segments: readonly Segment[];

  constructor(path: string, before: string) {
    this.path = path;
    this.before = before;
    this.#text = before;
    this.#segments = [{ kind: 'old', start: 0, end: before.length }];
  }

  get text(): string {
    return this.#text;
  }

  /** Where a span of the original is now; what replaced it when it was replaced, undefined when it is gone. */
  now(span: Span): Span | undefined {
    if (this.#text === this.before && span.end <= this.before.length) return span;
    const start = this.#offset(span.start, 'start');
    const end = span.end === span.start ? start : this.#offset(span.end, 'end');
    return start === undefined || end === undefined || end < start ? undefined : { start, end };
  }

  /** Puts `text` in place of a span of the text as it is now. */
  replace(span: Span, text: string): void {
    const segments: Segment[] = [];
    let at = 0;
    let placed = false;
    for (const segment of this.#segments) {
      const length = lengthOf(segment);
      const from = Math.max(0, Math.min(length, span.start - at));
      const to = Math.max(0, Math.min(length, span.end - at));
      push(segments, cut(segment, 0, from));
      if (!placed && span.start <= at + length) {
        push(segments, { kind: 'new', text });
        placed = true;
      }
      push(segments, cut(segment, to, length));
      at += length;
    }
    if (!placed) push(segments, { kind: 'new', text });
    this.#segments = segments;
    this.#text = this.#text.slice(0, span.start) + text + this.#text.slice(span.end);
  }

  /** The changes so far as edits of the original, in order, not overlapping. */
  edits(): TextEdit[] {
    const edits: TextEdit[] = [];
    let from = 0;
    let newText = '';
    const flush = (to: number): void => {
      if (to > from || newText !== '')
        edits.push({ path: this.path, span: { start: from, end: to }, newText });
      newText = '';
    };
    for (const segment of this.#segments) {
      if (segment.kind === 'new') newText += segment.text;
      else {
        flush(segment.start);
        from = segment.end;
      }
    }
    flush(this.before.length);
    return edits;
  }

  #offset(original: number, side: 'start' | 'end'): number | undefined {
    let at = 0;
    let oldEnd = 0;
    let oldEndAt = 0;
    for (const segment of this.#segments) {
      if (segment.kind === 'old') {
        const replaced = side === 'start' ? original < segment.start : original <= segment.start;
        if (replaced && original >= oldEnd) {
          if (at === oldEndAt) return undefined;
          return side === 'start' ? oldEndAt : at;
        }
        const inside =
          side === 'start'
            ? segment.start <= original && original < segment.end
            : segment.start < original && original <= segment.end;
        if (inside) return at + original - segment.start;
        oldEnd = segment.end;
        oldEndAt = at + segment.end - segment.start;
      }
      at += lengthOf(segment);
    }
    if (original === this.before.length && side === 'start' && oldEnd === original) return at;
    if (at === oldEndAt) return undefined;
    return side === 'start' ? oldEndAt : at;
  }
}

function lengthOf(segment: Segment): number {
  return segment.kind === 'new' ? segment.text.length : segment.end - segment.start;
}

function cut(segment: Segment, from: number, to: number): Segment {
  if (segment.kind === 'new') return { kind: 'new', text: segment.text.slice(from, to) };
  return { kind: 'old', start: segment.start + from, end: segment.start + to };
}

function push(segments: Segment[], segment: Segment): void {
  if (lengthOf(segment) > 0) segments.push(segment);
}
