/** A quoted text of a script that goes over several lines and ends, if at all, where another one was to begin. */
export interface OpenQuote {
  readonly start: number;
  readonly quote: '"' | "'";
  /** The quote that ends it; undefined where none does. */
  readonly end: number | undefined;
}

/** What is left open in a script. */
export interface Opened {
  readonly quote: OpenQuote | undefined;
  /** Where a `(` or `$((` stands that is never closed, the innermost. */
  readonly parenthesis: { readonly start: number; readonly written: string } | undefined;
}

/** How deep quotes, parentheses and braces are followed into each other. */
const mostDepth = 60;

/**
 * Looks for the quote that was not closed where it was meant to be: Bash notices it much later, at the next one that does not fit.
 */
export function openedIn(text: string): Opened {
  const scanner = new Scanner(text);
  scanner.command(undefined, 0);
  return { quote: scanner.open, parenthesis: scanner.parenthesis };
}

class Scanner {
  readonly #text: string;
  #at = 0;
  /** Delimiters of here-documents that begin behind this line. */
  #heres: string[] = [];
  open: OpenQuote | undefined;
  parenthesis: Opened['parenthesis'];

  constructor(text: string) {
    this.#text = text;
  }

  /** Goes over commands, up to a closing parenthesis when there is one to come. @returns whether it was found */
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
    // `case` patterns have one parenthesis only: what closes nothing is passed over.
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

  /** Goes over a quoted text, from its first quote to its last. */
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

  /** Whether a quote that ends a text stands where one would begin: behind an equals sign or a blank, with a text right behind it. */
  #beginsAnother(at: number): boolean {
    const before = this.#text.charAt(at - 1);
    const after = this.#text.charAt(at + 1);
    return /[=\s([]/.test(before) && /[\w/.$-]/.test(after);
  }
}

/** A script with its open quote closed where it may have been meant to be: at the end of its line, of the lines before the next quote, as one of the other kind. */
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

/** A text up to an offset, without the blanks before that. */
function withoutBlanks(text: string, to: number): string {
  let end = to;
  while (end > 0 && ' \t\r'.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
