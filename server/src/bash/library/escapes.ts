/** Who reads the escapes; the four differ in octal numbers, quotes and `\c`. */
export type EscapeStyle = 'echo' | 'printf-format' | 'printf-argument' | 'dollar-quote';

/** Decoded text; `stopped` when `\c` ended all output. */
export interface Decoded {
  readonly text: string;
  readonly stopped: boolean;
}

const simpleEscapes: ReadonlyMap<string, string> = new Map([
  ['a', '\x07'],
  ['b', '\b'],
  ['e', '\x1b'],
  ['E', '\x1b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['v', '\v'],
  ['\\', '\\'],
]);

/**
 * Decodes backslash escapes as `echo -e`, `printf FORMAT`, `printf %b` or `$'..'` do.
 * Undefined when the result holds a NUL or is not UTF-8.
 */
export function decodeEscapes(source: string, style: EscapeStyle): Decoded | undefined {
  const out = new TextAndBytes();
  let at = 0;
  while (at < source.length) {
    const backslash = source.indexOf('\\', at);
    if (backslash < 0 || backslash + 1 >= source.length) break;
    out.text(source.slice(at, backslash));
    const found = readEscape(source, backslash + 1, style);
    if (found === 'stop') return finish(out, true);
    if (found === undefined) return undefined;
    if (typeof found.made === 'number') out.byte(found.made);
    else out.text(found.made);
    at = found.next;
  }
  out.text(source.slice(at));
  return finish(out, false);
}

function finish(out: TextAndBytes, stopped: boolean): Decoded | undefined {
  const text = out.done();
  return text === undefined || text.includes('\0') ? undefined : { text, stopped };
}

/** One escape whose letter is at `at`: its text or single byte, and the index after it. */
function readEscape(
  source: string,
  at: number,
  style: EscapeStyle,
): { readonly made: string | number; readonly next: number } | 'stop' | undefined {
  const letter = source[at] ?? '';
  const simple = simpleEscapes.get(letter);
  if (simple !== undefined) return { made: simple, next: at + 1 };
  if (letter === '"' || letter === "'" || letter === '?') {
    const keeps = style === 'echo' || style === 'printf-argument';
    return { made: keeps ? `\\${letter}` : letter, next: at + 1 };
  }
  if (letter === 'c') {
    if (style === 'dollar-quote') return controlCharacter(source, at + 1);
    return style === 'printf-format' ? { made: '\\c', next: at + 1 } : 'stop';
  }
  if (letter === 'x') return number(source, at + 1, 16, 2, (value) => value);
  if (letter === 'u' || letter === 'U') {
    const show = (value: number): string | undefined =>
      value > 0x10ffff || (value >= 0xd800 && value < 0xe000) ? undefined : String.fromCodePoint(value);
    return number(source, at + 1, 16, letter === 'u' ? 4 : 8, show);
  }
  if (/[0-7]/.test(letter)) {
    if (style === 'echo' && letter !== '0') return { made: `\\${letter}`, next: at + 1 };
    const leadingZero = letter === '0' && (style === 'echo' || style === 'printf-argument');
    return number(source, at, 8, leadingZero ? 4 : 3, (value) => value & 0xff);
  }
  return { made: `\\${letter}`, next: at + 1 };
}

function number(
  source: string,
  at: number,
  base: 8 | 16,
  most: number,
  show: (value: number) => string | number | undefined,
): { made: string | number; next: number } | undefined {
  const digit = base === 8 ? /[0-7]/ : /[0-9A-Fa-f]/;
  let end = at;
  while (end - at < most && digit.test(source[end] ?? '')) end++;
  if (end === at) return { made: `\\${source[at - 1] ?? ''}`, next: at };
  const made = show(Number.parseInt(source.slice(at, end), base));
  return made === undefined ? undefined : { made, next: end };
}

function controlCharacter(source: string, at: number): { made: string; next: number } | undefined {
  const letter = source[at];
  if (letter === undefined) return { made: '\\c', next: at };
  if (!/^[A-Za-z@[\]^_]$/.test(letter)) return undefined;
  return { made: String.fromCharCode(letter.toUpperCase().charCodeAt(0) & 0x1f), next: at + 1 };
}

/** Text that may contain single bytes: adjacent bytes are combined into UTF-8 characters. */
class TextAndBytes {
  private readonly chunks: string[] = [];
  private bytes: number[] = [];
  private broken = false;

  text(text: string): void {
    if (text === '') return;
    this.flush();
    this.chunks.push(text);
  }

  byte(value: number): void {
    this.bytes.push(value);
  }

  done(): string | undefined {
    this.flush();
    return this.broken ? undefined : this.chunks.join('');
  }

  private flush(): void {
    if (this.bytes.length === 0) return;
    try {
      this.chunks.push(
        new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(new Uint8Array(this.bytes)),
      );
    } catch {
      this.broken = true;
    }
    this.bytes = [];
  }
}
