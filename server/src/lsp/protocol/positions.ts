import type { Position, Range } from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { Place, Span } from '../../text/span.ts';
import { ClientColumns, type PositionEncoding } from './columns.ts';

/**
 * A text with its lines as the client counts them: converts spans to LSP ranges and back. Offsets count UTF-16 code units; only here are they
 * converted to the client's positions.
 */
export class TextView {
  readonly #document: TextDocument;
  /** Undefined if the client also counts UTF-16 code units. */
  readonly #columns: ClientColumns | undefined;

  constructor(text: string | TextDocument, encoding: PositionEncoding) {
    this.#document = typeof text === 'string' ? TextDocument.create('', '', 0, text) : text;
    this.#columns = encoding === 'utf-16' ? undefined : new ClientColumns(this.#document, encoding);
  }

  get text(): string {
    return this.#document.getText();
  }

  position(offset: number): Position {
    const position = this.#document.positionAt(offset);
    return this.#columns === undefined ? position : this.#columns.toClient(position);
  }

  range(span: Span): Range {
    return { start: this.position(span.start), end: this.position(span.end) };
  }

  offset(position: Position): number {
    return this.#document.offsetAt(
      this.#columns === undefined ? position : this.#columns.fromClient(position),
    );
  }

  /** A range that a diagnostic can show: never empty. */
  visibleRange(span: Span): Range {
    if (span.end > span.start) return this.range(span);
    const character = String.fromCodePoint(this.text.codePointAt(span.start) ?? 0);
    return this.range({ start: span.start, end: Math.min(span.start + character.length, this.text.length) });
  }

  /** The content of a line, without its indentation and its end. */
  lineAt(offset: number): Range {
    const line = this.position(offset).line;
    const start = this.offset({ line, character: 0 });
    const end = this.offset({ line: line + 1, character: 0 });
    const written = this.text.slice(start, end);
    const indent = written.length - written.trimStart().length;
    return this.range({
      start: start + Math.min(indent, written.length),
      end: start + written.trimEnd().replace(/\s*\\$/, '').length,
    });
  }
}

/** Whether a place is in a file and touches an offset. */
export function touches(place: Place, path: string, offset: number): boolean {
  return place.path === path && place.span.start <= offset && offset <= place.span.end;
}
