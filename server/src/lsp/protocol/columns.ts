import type { Position } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { lastAtMost } from '../../text/search.ts';

/** The units in which a client counts along a line: bytes of UTF-8, code units of UTF-16 as JavaScript does, or code points. */
export type PositionEncoding = 'utf-8' | 'utf-16' | 'utf-32';

/** The encodings that need conversion: which characters have a different length than in UTF-16, and how many units each has. */
const encodings = {
  'utf-8': {
    different: /[\u{80}-\u{10ffff}]/gu,
    unitsOf: (character: string): number => (character.length === 2 ? 4 : character < '\u{800}' ? 2 : 3),
  },
  'utf-32': { different: /[\u{10000}-\u{10ffff}]/gu, unitsOf: (): number => 1 },
} as const;

function isPositionEncoding(name: string): name is PositionEncoding {
  return name === 'utf-16' || Object.hasOwn(encodings, name);
}

/**
 * The supported position encoding that a client prefers; UTF-16, which all clients must understand, if it offers none.
 * @param offered `general.positionEncodings` of the client's capabilities, the preferred one first
 */
export function chosenEncoding(offered: readonly string[] | undefined): PositionEncoding {
  return offered?.find(isPositionEncoding) ?? 'utf-16';
}

/**
 * Converts columns of one line between UTF-16 and another encoding; each conversion is O(log n) in the number of characters whose length
 * differs.
 */
class Line {
  /** Where characters of different length start and end in UTF-16, and end for the client. The first item is the line's start. */
  readonly #starts = [0];
  readonly #ends = [0];
  readonly #clientEnds = [0];

  constructor(text: string, encoding: keyof typeof encodings) {
    const { different, unitsOf } = encodings[encoding];
    let end = 0;
    let clientEnd = 0;
    for (const { 0: character, index } of text.matchAll(different)) {
      clientEnd += index - end + unitsOf(character);
      end = index + character.length;
      this.#starts.push(index);
      this.#ends.push(end);
      this.#clientEnds.push(clientEnd);
    }
  }

  toClient(column: number): number {
    const last = lastAtMost(this.#ends, column);
    return (this.#clientEnds[last] ?? 0) + this.#plain(last, column - (this.#ends[last] ?? 0));
  }

  fromClient(character: number): number {
    const last = lastAtMost(this.#clientEnds, character);
    return (this.#ends[last] ?? 0) + this.#plain(last, character - (this.#clientEnds[last] ?? 0));
  }

  /** The distance after a character of different length; at most up to the next such character. */
  #plain(last: number, distance: number): number {
    return Math.min(distance, (this.#starts[last + 1] ?? Number.POSITIVE_INFINITY) - (this.#ends[last] ?? 0));
  }
}

/** Converts positions in the current document from UTF-16 to the client's encoding and back. */
export class ClientColumns {
  readonly #document: TextDocument;
  readonly #encoding: keyof typeof encodings;
  readonly #lines = new Map<number, Line>();

  constructor(document: TextDocument, encoding: Exclude<PositionEncoding, 'utf-16'>) {
    this.#document = document;
    this.#encoding = encoding;
  }

  toClient({ line, character }: Position): Position {
    return { line, character: this.#line(line).toClient(character) };
  }

  /** A position after the end of its line stays after it. */
  fromClient({ line, character }: Position): Position {
    return { line, character: this.#line(line).fromClient(character) };
  }

  #line(number: number): Line {
    const known = this.#lines.get(number);
    if (known !== undefined) return known;
    const range = { start: { line: number, character: 0 }, end: { line: number + 1, character: 0 } };
    const line = new Line(this.#document.getText(range), this.#encoding);
    this.#lines.set(number, line);
    return line;
  }
}
