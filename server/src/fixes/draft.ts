import type { TextEdit } from '../text/edit.ts';
import type { Span } from '../text/span.ts';

/** A part of the original file, or text that a fix inserted. */
type Segment =
  | { readonly kind: 'old'; readonly start: number; readonly end: number }
  | { readonly kind: 'new'; readonly text: string };

/**
 * One file while a fix is being made. Several changes are made one after the other, each to the text left by the previous ones; places in the
 * original are mapped to the current text, and the result is expressed as edits of the original.
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

  /** Where a span of the original is now; if it was replaced, the replacement; undefined if it is gone. */
  now(span: Span): Span | undefined {
    if (this.#text === this.before && span.end <= this.before.length) return span;
    const start = this.#offset(span.start, 'start');
    const end = span.end === span.start ? start : this.#offset(span.end, 'end');
    return start === undefined || end === undefined || end < start ? undefined : { start, end };
  }

  /** Replaces a span of the current text by `text`. */
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

  /** The changes so far as edits of the original, in order and without overlaps. */
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
