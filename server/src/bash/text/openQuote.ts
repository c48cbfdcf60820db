/** A multi-line quoted text of a script that ends, if at all, where another one was meant to begin. */
export interface OpenQuote {
  readonly start: number;
  readonly quote: '"' | "'";
  /** Position of the quote that ends it; undefined if there is none. */
  readonly end: number | undefined;
}

/** What is left open in a script. */
export interface Opened {
  readonly quote: OpenQuote | undefined;
  /** Position of the innermost `(` or `$((` that is never closed. */
  readonly parenthesis: { readonly start: number; readonly written: string } | undefined;
}

/** Maximum nesting depth of quotes, parentheses and braces. */
const mostDepth = 60;

/** Looks for a quote that was not closed where it was meant to be: Bash notices much later, at the next quote that does not fit. */
export function openedIn(text: string): Opened {
  const scanner = new Scanner(text);
  scanner.command(undefined, 0);
  return { quote: scanner.open, parenthesis: scanner.parenthesis };
}

class Scanner {
  readonly #text: string;
  #at = 0;
  /** Delimiters of heredocs that begin after this line. */
  #heres: string[] = [];
  open: OpenQuote | undefined;
  parenthesis: Opened['parenthesis'];

  constructor(text: string) {
    this.#text = text;
  }

  /** Scans commands, up to a closing parenthesis if one is expected. @returns whether it was found */
  command(close: ')' | undefined, depth: number): boolean {
    for (; this.#at < this.#text.length && this.open === undefined; this.#at += 1) {
      const next = this.#text.charAt(this.#at);
      if (next === close) return true;
      if (next === '\\') this.#at += 1;
      else if (next === "'" || next === '"') this.#quoted(next, depth);
      else if (next === '#' && /^$|[\s;(]/.test(this.#text.charAt(this.#at - 1))) this.#skipLine();
      else if (next === '\n') this.#skipHeres();
      else if (next === '(') this.#parenthesis(depth);
      else if (next === '<') this.#here();
    }
    return false;
  }

  #skipLine(): void {
    const end = this.#text.indexOf('\n', this.#at);
    this.#at = (end < 0 ? this.#text.length : end) - 1;
  }

  #parenthesis(depth: number): void {
    const start = this.#at;
    const before =
      /(?:\$\(?|[A-Za-z_]\w*\+?=)$/.exec(this.#text.slice(Math.max(0, start - 60), start))?.[0] ?? '';
    this.#at += 1;
    // `case` patterns have only one parenthesis: one that closes nothing is skipped.
    if (depth > mostDepth || this.command(')', depth + 1) || this.open !== undefined) return;
    this.parenthesis ??= { start: start - before.length, written: `${before}(` };
  }

  #here(): void {
    const match = /^<<-?[ \t]*(?:(["'])([^"'\n]+)\1|\\?([\w.-]+))/.exec(
      this.#text.slice(this.#at, this.#at + 80),
    );
    if (match === null || this.#text.charAt(this.#at + 2) === '<') {
      while (this.#text.charAt(this.#at + 1) === '<') this.#at += 1;
      return;
    }
    this.#heres.push(match[2] ?? match[3] ?? '');
    this.#at += match[0].length - 1;
  }

  #skipHeres(): void {
    for (const delimiter of this.#heres) {
      let end = this.#at;
      do {
        const start = end + 1;
        end = this.#text.indexOf('\n', start);
        if (end < 0) end = this.#text.length;
        if (this.#text.slice(start, end).trim() === delimiter) break;
      } while (end < this.#text.length);
      this.#at = end;
    }
    this.#heres = [];
  }

  /** Scans a quoted text, from its first quote to its last. */
  #quoted(quote: '"' | "'", depth: number): void {
    const start = this.#at;
    for (this.#at += 1; this.#at < this.#text.length; this.#at += 1) {
      const next = this.#text.charAt(this.#at);
      if (next === quote) break;
      if (quote === "'") continue;
      if (next === '\\') this.#at += 1;
      else if (next === '(' && this.#text.charAt(this.#at - 1) === '$' && depth <= mostDepth) {
        this.#at += 1;
        this.command(')', depth + 1);
      }
    }
    if (this.open !== undefined) return;
    const isClosed = this.#at < this.#text.length;
    const isLong = this.#text.slice(start, this.#at).includes('\n');
    if (!isClosed) this.open = { start, quote, end: undefined };
    else if (isLong && this.#beginsAnother(this.#at)) this.open = { start, quote, end: this.#at };
  }

  /** Whether a quote that ends a text looks like an opening one: after an equals sign or a blank, and directly before text. */
  #beginsAnother(at: number): boolean {
    const before = this.#text.charAt(at - 1);
    const after = this.#text.charAt(at + 1);
    return /[=\s([]/.test(before) && /[\w/.$-]/.test(after);
  }
}

/**
 * A script with its open quote closed where it may have been meant to be: at the end of its line, at the end of the lines before the next
 * quote, or by using the other kind of quote.
 */
export function withQuoteClosed(text: string, { start, quote, end }: OpenQuote): readonly string[] {
  const closedAt = (lineEnd: number): string => {
    const whole = withoutBlanks(text, lineEnd);
    const line = whole.endsWith('\\') ? withoutBlanks(whole, whole.length - 1) : whole;
    return `${line}${quote}${text.slice(line.length)}`;
  };
  const lineEnd = text.indexOf('\n', start);
  const other = quote === '"' ? "'" : '"';
  const out = [`${text.slice(0, start)}${other}${text.slice(start + 1)}`];
  if (lineEnd >= 0) out.unshift(closedAt(lineEnd));
  if (end !== undefined) out.unshift(closedAt(text.slice(0, text.lastIndexOf('\n', end)).trimEnd().length));
  return out;
}

/** A text up to an offset, without trailing blanks. */
function withoutBlanks(text: string, to: number): string {
  let end = to;
  while (end > 0 && ' \t\r'.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
