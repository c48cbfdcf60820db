import { lastAtMost } from './search.ts';

/** A zero-based line and a zero-based UTF-16 column. Front ends add one if their format counts from one. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Converts between offsets and positions of one text; created once per text, O(log lines) per call. */
export class LineIndex {
  readonly #starts: readonly number[];
  readonly #length: number;

  constructor(text: string) {
    const starts = [0];
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
    this.#starts = starts;
    this.#length = text.length;
  }

  /** Number of lines; after a final newline there is an empty last line. */
  get count(): number {
    return this.#starts.length;
  }

  /** Position of `offset`, which is clamped to the text. */
  positionAt(offset: number): Position {
    const at = Math.max(0, Math.min(offset, this.#length));
    const line = lastAtMost(this.#starts, at);
    return { line, column: at - (this.#starts[line] ?? 0) };
  }

  /** Offset of a line's first character; after the last line, the end of the text. */
  lineStart(line: number): number {
    return this.#starts[line] ?? this.#length;
  }
}

/** Whether a text has a line of at least this many characters. */
export function hasLineOf(length: number, text: string): boolean {
  for (let from = 0; from + length <= text.length; ) {
    // Searches backwards from the limit: a newline before it ends all lines that start earlier.
    const last = text.lastIndexOf('\n', from + length - 1);
    if (last < from) return true;
    from = last + 1;
  }
  return false;
}

/** The start of the line that contains an offset. */
export function lineStart(text: string, at: number): number {
  return at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1;
}

/** Maximum number of characters before a cursor that are searched for what is being typed; ordinary lines are shorter. */
const longestTyped = 1000;

/** The line up to an offset; only the end of a very long one, so that patterns stay fast. */
export function lineBefore(text: string, offset: number): string {
  const from = Math.max(0, offset - longestTyped);
  const near = text.slice(from, offset);
  return near.slice(near.lastIndexOf('\n') + 1);
}
