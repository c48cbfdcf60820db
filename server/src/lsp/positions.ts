import type { Position, Range } from 'vscode-languageserver';
import { LineIndex } from '../text/lines.ts';
import type { Place, Span } from '../text/span.ts';

/** A text with its line index: spans to LSP ranges and back. Both count UTF-16 code units from zero. */
export class TextView {
  readonly text: string;
  readonly #index: LineIndex;

  constructor(text: string) {
    this.text = text;
    this.#index = new LineIndex(text);
  }

  position(offset: number): Position {
    const { line, column } = this.#index.positionAt(offset);
    return { line, character: column };
  }

  range(span: Span): Range {
    return { start: this.position(span.start), end: this.position(span.end) };
  }

  offset(position: Position): number {
    return this.#index.offsetAt({ line: position.line, column: position.character });
  }

  /** A range that a diagnostic can show: never empty. */
  visibleRange(span: Span): Range {
    const end = span.end > span.start ? span.end : Math.min(span.start + 1, this.text.length);
    return this.range({ start: span.start, end });
  }
}

/** Whether a place lies in a file and touches an offset. */
export function touches(place: Place, path: string, offset: number): boolean {
  return place.path === path && place.span.start <= offset && offset <= place.span.end;
}
