import type { Position, Range } from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { Place, Span } from '../text/span.ts';

/** A text with its lines as editors count them: spans to LSP ranges and back. Both count UTF-16 code units from zero. */
export class TextView {
  readonly #document: TextDocument;

  constructor(text: string | TextDocument) {
    this.#document = typeof text === 'string' ? TextDocument.create('', '', 0, text) : text;
  }

  get text(): string {
    return this.#document.getText();
  }

  position(offset: number): Position {
    return this.#document.positionAt(offset);
  }

  range(span: Span): Range {
    return { start: this.position(span.start), end: this.position(span.end) };
  }

  offset(position: Position): number {
    return this.#document.offsetAt(position);
  }

  /** A range that a diagnostic can show: never empty. */
  visibleRange(span: Span): Range {
    const end = span.end > span.start ? span.end : Math.min(span.start + 1, this.text.length);
    return this.range({ start: span.start, end });
  }

  /** The words of a line, without its indentation and its end. */
  lineAt(offset: number): Range {
    const line = this.position(offset).line;
    const start = this.offset({ line, character: 0 });
    const end = this.offset({ line: line + 1, character: 0 });
    const written = this.text.slice(start, end);
    const indent = written.length - written.trimStart().length;
    return this.range({
      start: start + Math.min(indent, written.length),
      end: start + written.trimEnd().length,
    });
  }
}

/** Whether a place lies in a file and touches an offset. */
export function touches(place: Place, path: string, offset: number): boolean {
  return place.path === path && place.span.start <= offset && offset <= place.span.end;
}
