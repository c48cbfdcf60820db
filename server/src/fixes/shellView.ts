import type { Script } from 'unbash';
import { isYamlName } from '../text/fileNames.ts';
import type { Span } from '../text/span.ts';
import type { Piece } from '../value/word.ts';
import { embedded } from '../yaml/embedded.ts';
import type { Draft } from './draft.ts';
import { isPlain } from './shellQuote.ts';
import type { Change } from './shellRow.ts';
import type { Work } from './work.ts';

/** A shell text in its current state: a whole file, or a script in a YAML file. */
export interface ShellView {
  readonly text: string;
  readonly script: Script;
  readonly lineBreak: string;
  /** The span in the shell text that corresponds to a span of the file. */
  fromFile(span: Span): Span | undefined;
  /** Applies a change of the shell text to the file; false if it cannot be written there. */
  apply(change: Change): boolean;
}

/**
 * The shell text around a span of a file.
 * @param at a span of the draft's current text
 */
export function shellView(work: Work, draft: Draft, at: Span): ShellView | undefined {
  if (isYamlName(draft.path)) return embeddedView(work, draft, at);
  const { text } = draft;
  return {
    text,
    script: work.script(text),
    lineBreak: lineBreakOf(text),
    fromFile: (span) => span,
    apply: (change) => {
      draft.replace(change.span, change.text);
      return true;
    },
  };
}

/** The line break that a text uses. */
export function lineBreakOf(text: string): string {
  const at = text.indexOf('\n');
  return at > 0 && text[at - 1] === '\r' ? '\r\n' : '\n';
}

function embeddedView(work: Work, draft: Draft, at: Span): ShellView | undefined {
  const file = draft.text;
  for (const document of work.documentsAt(draft.path, file, at))
    for (const part of embedded(document)) {
      if (part.kind !== 'script') continue;
      const map = new PieceMap(part.pieces, draft.path);
      if (map.toText(at) === undefined) continue;
      const literal = file[part.place.span.start] === '|';
      return {
        text: part.text,
        script: work.script(part.text),
        lineBreak: '\n',
        fromFile: (span) => map.toText(span),
        apply: (change) => {
          const edit = literal ? map.inBlock(change, file) : map.inLine(change);
          if (edit === undefined) return false;
          draft.replace(edit.span, edit.text);
          return true;
        },
      };
    }
  return undefined;
}

/** Maps between the characters of a script and those of the YAML file that contains it. */
class PieceMap {
  readonly #rows: readonly { readonly piece: Piece; readonly start: number; readonly end: number }[];

  constructor(pieces: readonly Piece[], path: string) {
    let at = 0;
    this.#rows = pieces.flatMap((piece) => {
      const start = at;
      at += piece.kind === 'text' ? piece.text.length : piece.label.length;
      return piece.origin.place.path === path ? [{ piece, start, end: at }] : [];
    });
  }

  toText(span: Span): Span | undefined {
    const from = this.#row(span.start, span.start === span.end);
    const to = this.#row(Math.max(span.start, span.end - 1), span.start === span.end);
    if (from === undefined || to === undefined) return undefined;
    return {
      start: from.start + span.start - from.piece.origin.place.span.start,
      end: to.start + span.end - to.piece.origin.place.span.start,
    };
  }

  #row(offset: number, edge: boolean) {
    return this.#rows.find(({ piece }) => {
      const { start, end } = piece.origin.place.span;
      return piece.origin.verbatim && start <= offset && (offset < end || (edge && offset === end));
    });
  }

  /** Offset in the file of an offset of the text: after the indentation at the start of a line. */
  #toFile(offset: number): number | undefined {
    const row = this.#rows.find(({ start, end }) => start <= offset && offset < end);
    if (row !== undefined) {
      const { place, verbatim } = row.piece.origin;
      if (verbatim) return place.span.start + offset - row.start;
      return offset === row.start ? place.span.start : undefined;
    }
    const last = this.#rows.at(-1);
    return last !== undefined && offset === last.end ? last.piece.origin.place.span.end : undefined;
  }

  /** A change in a `|` block: new lines get the block's indentation and the file's line breaks. */
  inBlock(change: Change, file: string): Change | undefined {
    const start = this.#toFile(change.span.start);
    const end = this.#toFile(change.span.end);
    // A prefix added to the text, as for `bash -x -c`, is not in the block.
    const first = this.#rows.find(({ piece }) => piece.origin.verbatim)?.piece.origin.place.span.start;
    if (start === undefined || end === undefined || first === undefined || end < start) return undefined;
    const indent = file.slice(file.lastIndexOf('\n', first - 1) + 1, first);
    if (!/^ *$/.test(indent)) return undefined;
    const text = change.text.replaceAll('\n', `${lineBreakOf(file)}${indent}`);
    const toTheEnd = text === '' && change.span.end === (this.#rows.at(-1)?.end ?? -1);
    const wholeLine =
      file.slice(0, start).endsWith(indent) && toTheEnd && change.span.end > change.span.start;
    return { span: { start: wholeLine ? start - indent.length : start, end }, text };
  }

  /** A change within one line of a quoted, plain or folded text; only with characters that are literal everywhere. */
  inLine(change: Change): Change | undefined {
    const span = change.span;
    const row = this.#rows.find(({ start, end }) => start <= span.start && span.end <= end);
    if (row?.piece.origin.verbatim !== true) return undefined;
    if (!change.text.split(' ').every((word) => word === '' || (isPlain(word) && !word.endsWith(':'))))
      return undefined;
    const offset = row.piece.origin.place.span.start - row.start;
    return { span: { start: span.start + offset, end: span.end + offset }, text: change.text };
  }
}
