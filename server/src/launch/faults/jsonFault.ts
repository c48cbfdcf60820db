import type { Place } from '../../text/span.ts';
import type { Word } from '../../value/word.ts';
import { cut } from '../pieces.ts';

/** Why a word is not JSON, and where. */
export interface JsonFault {
  readonly reason: string;
  readonly place: Place;
  /** The line within the word's text, from 1. */
  readonly line: number;
  /** If only a comma is wrong: the character after which one is missing, or the surplus comma. */
  readonly comma?: { readonly is: 'missing' | 'extra'; readonly character: Word } | undefined;
  /** Whether a name lacks its double quotes. */
  readonly isBareName: boolean;
}

/** A fault as a position in a text, with the comma that causes it, if one does. */
interface Refusal {
  readonly at: number;
  readonly reason: string;
  readonly comma?: { readonly is: 'missing' | 'extra'; readonly at: number };
  readonly isBareName?: boolean;
}

/** The depth from which on nothing is reported: no real text is nested that deeply. */
const mostDepth = 100;

/**
 * The first thing in a word that Python's `json.loads` refuses. Nothing is reported after an unknown part, unless that is a number or a host
 * name within a quoted string: whatever its value, it does not end the string.
 */
export function jsonFault(word: Word): JsonFault | undefined {
  const { text, unknown, isWhole } = knownStart(word);
  const reader = new Reader(text, unknown, isWhole);
  const fault = reader.read();
  if (fault === undefined) return undefined;
  const at = Math.min(fault.at, text.length - 1);
  const piece = at < 0 ? undefined : cut(word, at, at + 1).pieces[0];
  const line = text.slice(0, Math.max(0, at)).split('\n').length;
  const { reason, comma, isBareName = false } = fault;
  return {
    reason,
    isBareName,
    place: piece?.origin.place ?? word.place,
    line,
    comma: comma && { is: comma.is, character: cut(word, comma.at, comma.at + 1) },
  };
}

/** The known start of a word; an unknown piece that is harmless within quotes counts as one character of it. */
function knownStart(word: Word): {
  readonly text: string;
  readonly unknown: ReadonlySet<number>;
  readonly isWhole: boolean;
} {
  let text = '';
  const unknown = new Set<number>();
  for (const piece of word.pieces) {
    if (piece.kind === 'text') {
      text += piece.text;
      continue;
    }
    if (piece.splits || (piece.shape !== 'integer' && piece.shape !== 'host'))
      return { text, unknown, isWhole: false };
    unknown.add(text.length);
    text += '0';
  }
  return { text, unknown, isWhole: true };
}

/** Reads JSON as Python does, up to the first fault. */
class Reader {
  readonly #text: string;
  readonly #unknown: ReadonlySet<number>;
  readonly #isWhole: boolean;
  #at = 0;
  #fault: Refusal | undefined;

  constructor(text: string, unknown: ReadonlySet<number>, isWhole: boolean) {
    this.#text = text;
    this.#unknown = unknown;
    this.#isWhole = isWhole;
  }

  read(): Refusal | undefined {
    const isRead = this.#value(0, 'the text is empty') && this.#blanks();
    if (isRead && this.#at < this.#text.length) this.#refuse(`${this.#next()} stands after its end`);
    return this.#fault;
  }

  /** Gives up at the cursor, with a fault unless something unknown is there. */
  #refuse(reason: string, at = this.#at, more: Pick<Refusal, 'comma' | 'isBareName'> = {}): false {
    const isKnown = at < this.#text.length ? !this.#unknown.has(at) : this.#isWhole;
    if (isKnown) this.#fault = { at, reason, ...more };
    return false;
  }

  /** Skips blanks. @returns false if something unknown comes next */
  #blanks(): boolean {
    while (' \t\n\r'.includes(this.#text.charAt(this.#at) || 'x')) this.#at += 1;
    return !this.#unknown.has(this.#at);
  }

  /** What comes next, as shown to people: a quoted string, a word, or one character. */
  #next(): string {
    const [found = ''] =
      /^(?:(["'])[^"'\n]{0,40}\1|[\w.+-]{1,40}|[\s\S])?/.exec(this.#text.slice(this.#at)) ?? [];
    return found;
  }

  #value(depth: number, ended: string): boolean {
    if (!this.#blanks() || depth > mostDepth) return false;
    const next = this.#text.charAt(this.#at);
    if (next === '') return this.#refuse(ended);
    if (next === '{') return this.#list(depth, '}');
    if (next === '[') return this.#list(depth, ']');
    if (next === '"') return this.#quoted();
    return this.#bare();
  }

  /** An object or a list, from its bracket on. */
  #list(depth: number, close: '}' | ']'): boolean {
    const ended = `it ends without the closing ${close}`;
    this.#at += 1;
    if (!this.#blanks()) return false;
    if (this.#text.charAt(this.#at) === close) {
      this.#at += 1;
      return true;
    }
    for (;;) {
      if (close === '}' && !this.#name(ended)) return false;
      if (!this.#value(depth + 1, ended) || !this.#blanks()) return false;
      const next = this.#text.charAt(this.#at);
      if (next === '') return this.#refuse(ended);
      if (next !== ',' && next !== close) {
        if (!/["'[{\w-]/.test(next)) return this.#refuse(`${next} is where a comma is expected`);
        const last = this.#text.slice(0, this.#at).trimEnd().length - 1;
        const comma = { is: 'missing', at: last } as const;
        return this.#refuse(`a comma is missing before ${this.#next()}`, this.#at, { comma });
      }
      const comma = this.#at;
      this.#at += 1;
      if (next === close) return true;
      if (!this.#blanks()) return false;
      if (this.#text.charAt(this.#at) === close)
        return this.#refuse(`there is a comma before the closing ${close}`, comma, {
          comma: { is: 'extra', at: comma },
        });
    }
  }

  /** The name of an entry and its colon. */
  #name(ended: string): boolean {
    const start = this.#at;
    const next = this.#text.charAt(start);
    if (next === '') return this.#refuse(ended);
    if (next === "'") return this.#refuse(`${this.#next()} is in single quotes, not in double ones`);
    if (/\w/.test(next))
      return this.#refuse(`${this.#next()} is without double quotes`, start, { isBareName: true });
    if (next !== '"') return this.#refuse(`${next} is where a name in double quotes is expected`);
    if (!this.#quoted()) return false;
    const name = this.#text.slice(start, this.#at);
    if (!this.#blanks()) return false;
    if (this.#text.charAt(this.#at) !== ':') return this.#refuse(`a colon is missing after ${name}`);
    this.#at += 1;
    if (!this.#blanks()) return false;
    if (/^[,}\]]/.test(this.#text.charAt(this.#at))) return this.#refuse(`${name} has no value`);
    return true;
  }

  /** A text in double quotes. */
  #quoted(): boolean {
    const start = this.#at;
    for (this.#at += 1; ; this.#at += 1) {
      const next = this.#text.charAt(this.#at);
      if (next === '') return this.#isWhole && this.#refuse('a double quote is never closed', start);
      if (next === '"') break;
      if (next < ' ') {
        const what = next === '\n' ? 'a line break' : 'a control character';
        return this.#refuse(`${what} is within a string in double quotes`);
      }
      if (next === '\\' && !this.#escape()) return false;
    }
    this.#at += 1;
    return true;
  }

  /** An escape within a string; leaves the cursor on its last character. */
  #escape(): boolean {
    const start = this.#at;
    const letter = this.#text.charAt(start + 1);
    const end = start + (letter === 'u' ? 6 : 2);
    for (let at = start + 1; at < end; at += 1)
      if (this.#unknown.has(at) || at >= this.#text.length)
        return at >= this.#text.length && this.#refuse('a double quote is never closed', this.#text.length);
    const written = this.#text.slice(start, end);
    if (!/^\\(?:["\\/bfnrt]|u[\da-fA-F]{4})$/.test(written))
      return this.#refuse(`${written} is not a JSON escape`, start);
    this.#at = end - 1;
    return true;
  }

  /** A number, or one of the bare words. */
  #bare(): boolean {
    const start = this.#at;
    const [found = ''] = /^[\w.+-]*/.exec(this.#text.slice(start)) ?? [];
    const end = start + found.length;
    for (let at = start; at <= end; at += 1) if (this.#unknown.has(at)) return false;
    if (end === this.#text.length && !this.#isWhole) return false;
    if (!/^(?:true|false|null|NaN|-?Infinity|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?)$/.test(found)) {
      const next = this.#next();
      if (next.startsWith("'")) return this.#refuse(`${next} is in single quotes, not in double ones`);
      return this.#refuse(found === '' ? `${next} is where a value is expected` : `${found} is not a value`);
    }
    this.#at = end;
    return true;
  }
}
