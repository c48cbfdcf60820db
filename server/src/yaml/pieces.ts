import type { Place } from '../text/span.ts';
import type { Piece } from '../value/word.ts';

/** Ways to write a scalar, as far as they determine what its characters stand for. */
export type ScalarStyle = 'plain' | 'single' | 'double' | 'block';

/**
 * The text of a scalar in pieces that know their characters. Runs copied from the file are verbatim; an escape, a folded line break or any
 * other difference is a separate piece that is not.
 * @param source the whole file
 * @param start first character of the scalar: its quote, its `|` or `>`, or its text
 * @param end offset after its last character
 * @param value the scalar's text; the joined texts of the pieces always equal it
 */
export function scalarPieces(
  path: string,
  source: string,
  start: number,
  end: number,
  style: ScalarStyle,
  value: string,
): readonly Piece[] {
  if (value === '') return [];
  const run = new Runs(path, source);
  const inner =
    style === 'single' || style === 'double' ? { start: start + 1, end: end - 1 } : { start, end };
  if (source.slice(inner.start, inner.end) === value) {
    run.copy(inner.start, inner.end);
    return run.pieces;
  }
  if (style === 'block') alignLines(run, source, start, end, value);
  else decodeFlow(run, source, inner.start, inner.end, style);
  return run.text === value ? run.pieces : [piece(path, value, start, end, false)];
}

/** The text of a scalar that is not a block, `[start, end)` of a file including its quotes. */
export function flowText(
  source: string,
  start: number,
  end: number,
  style: Exclude<ScalarStyle, 'block'>,
): string {
  const run = new Runs('', source);
  const quote = style === 'plain' ? 0 : 1;
  decodeFlow(run, source, start + quote, end - quote, style);
  return run.text;
}

/** The pieces of the characters `[start, end)` of a text given in pieces; copied pieces are cut, others stay whole. */
export function piecesBetween(pieces: readonly Piece[], start: number, end: number): readonly Piece[] {
  const out: Piece[] = [];
  let at = 0;
  for (const each of pieces) {
    if (each.kind === 'hole') {
      if (at >= start && at < end) out.push(each);
      continue;
    }
    const from = Math.max(start - at, 0);
    const to = Math.min(end - at, each.text.length);
    at += each.text.length;
    if (from >= to) continue;
    const { place, via, verbatim } = each.origin;
    const span = verbatim ? { start: place.span.start + from, end: place.span.start + to } : place.span;
    const origin = { place: { path: place.path, span }, via, verbatim };
    out.push({ kind: 'text', text: each.text.slice(from, to), origin });
  }
  return out;
}

function piece(path: string, text: string, start: number, end: number, verbatim: boolean): Piece {
  const place: Place = { path, span: { start, end } };
  return { kind: 'text', text, origin: { place, via: [], verbatim } };
}

/** Collects pieces and their joined text. */
class Runs {
  readonly pieces: Piece[] = [];
  text = '';
  readonly #path: string;
  readonly #source: string;

  constructor(path: string, source: string) {
    this.#path = path;
    this.#source = source;
  }

  copy(start: number, end: number): void {
    if (start === end) return;
    const text = this.#source.slice(start, end);
    this.text += text;
    this.pieces.push(piece(this.#path, text, start, end, true));
  }

  stand(text: string, start: number, end: number): void {
    if (text === '') return;
    this.text += text;
    this.pieces.push(piece(this.#path, text, start, end, false));
  }
}

const namedEscapes: { readonly [letter: string]: string } = {
  '0': '\0',
  a: '\x07',
  b: '\b',
  e: '\x1b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  N: '\u0085',
  _: '\u00a0',
  L: '\u2028',
  P: '\u2029',
  ' ': ' ',
  '"': '"',
  '/': '/',
  '\\': '\\',
  '\t': '\t',
};
const codeLengths: { readonly [letter: string]: number } = { x: 2, u: 4, U: 8 };

/** Plain and quoted text between `start` and `end`: escapes, and line breaks that fold. */
function decodeFlow(
  run: Runs,
  source: string,
  start: number,
  end: number,
  style: 'plain' | 'single' | 'double',
): void {
  let from = start;
  let at = start;
  while (at < end) {
    const character = source[at];
    if (character === '\n' || (character === '\r' && source[at + 1] === '\n')) {
      const next = foldBreak(run, source, from, at, end);
      from = at = next;
    } else if (style === 'single' && character === "'") {
      run.copy(from, at);
      run.stand("'", at, at + 2);
      from = at = at + 2;
    } else if (style === 'double' && character === '\\') {
      run.copy(from, at);
      from = at = decodeEscape(run, source, at, end);
    } else at += 1;
  }
  run.copy(from, end);
}

/** Folds the line breaks at `at`: the text from `from` loses its trailing blanks. Returns where the next line's text starts. */
function foldBreak(run: Runs, source: string, from: number, at: number, end: number): number {
  let stop = at;
  while (stop > from && (source[stop - 1] === ' ' || source[stop - 1] === '\t')) stop -= 1;
  run.copy(from, stop);
  let breaks = 0;
  let next = at;
  while (next < end && /[ \t\r\n]/.test(source[next] ?? '')) {
    if (source[next] === '\n') breaks += 1;
    next += 1;
  }
  run.stand(breaks === 1 ? ' ' : '\n'.repeat(breaks - 1), stop, next);
  return next;
}

function decodeEscape(run: Runs, source: string, at: number, end: number): number {
  const letter = source[at + 1] ?? '';
  if (letter === '\n' || (letter === '\r' && source[at + 2] === '\n')) {
    let next = at + 1;
    while (next < end && /[ \t\r\n]/.test(source[next] ?? '')) next += 1;
    return next;
  }
  const length = codeLengths[letter];
  if (length !== undefined) {
    const digits = source.slice(at + 2, at + 2 + length);
    const code = /^[0-9a-fA-F]+$/.test(digits) ? Number.parseInt(digits, 16) : Number.NaN;
    run.stand(code <= 0x10ffff ? String.fromCodePoint(code) : digits, at, at + 2 + length);
    return at + 2 + length;
  }
  run.stand(namedEscapes[letter] ?? `\\${letter}`, at, at + 2);
  return at + 2;
}

/** Block scalars: finds each line of the text in the value, in order; what lies between them is folded or dropped line breaks. */
function alignLines(run: Runs, source: string, start: number, end: number, value: string): void {
  let line = source.indexOf('\n', start) + 1;
  let at = 0;
  const indent = blockIndent(source, line, end, value);
  while (line > 0 && line < end && at < value.length) {
    const breakAt = source.indexOf('\n', line);
    const lineEnd = breakAt === -1 || breakAt > end ? end : breakAt;
    const stop = source[lineEnd - 1] === '\r' ? lineEnd - 1 : lineEnd;
    const from = Math.min(line + indent, stop);
    const text = source.slice(from, stop);
    const found = text.trim() === '' ? at : skipBreaks(value, at, text);
    if (text !== '' && value.startsWith(text, found)) {
      run.stand(value.slice(at, found), line, from);
      at = found + text.length;
      const keepsBreak = value[at] === '\n' && lineEnd < end;
      run.copy(from, keepsBreak && stop === lineEnd ? lineEnd + 1 : stop);
      if (keepsBreak && stop < lineEnd) run.stand('\n', stop, lineEnd + 1);
      if (keepsBreak) at += 1;
    }
    line = breakAt === -1 ? 0 : breakAt + 1;
  }
  run.stand(value.slice(at), end, end);
}

function skipBreaks(value: string, at: number, text: string): number {
  let found = at;
  while (!value.startsWith(text, found) && (value[found] === '\n' || value[found] === ' ')) found += 1;
  return found;
}

/** How many blanks each line of a block scalar loses: the excess of its first non-blank line over the value. */
function blockIndent(source: string, firstLine: number, end: number, value: string): number {
  const first = /^[\n]*( *)[^ \n]/.exec(value);
  let line = firstLine;
  while (line > 0 && line < end) {
    const written = /^( *)[^ \r\n]/.exec(source.slice(line, source.indexOf('\n', line) + 1 || end));
    if (written !== null) return Math.max(0, (written[1] ?? '').length - (first?.[1] ?? '').length);
    line = source.indexOf('\n', line) + 1;
  }
  return 0;
}
