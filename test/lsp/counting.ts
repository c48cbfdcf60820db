import type { Position } from 'vscode-languageserver/node';
import type { PositionEncoding } from '../../server/src/lsp/protocol/columns.ts';

/** How long a text is in an encoding, as Node counts. */
export function unitsOf(text: string, encoding: PositionEncoding): number {
  if (encoding === 'utf-16') return text.length;
  return encoding === 'utf-8' ? Buffer.byteLength(text) : [...text].length;
}

/** The nearest offset at which an editor can stand: not inside a surrogate pair and not between CR and LF. */
export function boundary(text: string, offset: number): number {
  const around = text.slice(offset - 1, offset + 1);
  return /^[\ud800-\udbff][\udc00-\udfff]$|^\r\n$/.test(around) ? offset - 1 : Math.min(offset, text.length);
}

/** The position of an offset, as the protocol counts in an encoding. */
export function positionAt(text: string, offset: number, encoding: PositionEncoding = 'utf-16'): Position {
  const lines = text.slice(0, offset).split(/\r\n|\n|\r/);
  return { line: lines.length - 1, character: unitsOf(lines.at(-1) ?? '', encoding) };
}

/** The offset of a position counted in an encoding; a position that is at no character of the text is an error. */
export function offsetAt(text: string, { line, character }: Position, encoding: PositionEncoding): number {
  const begins = [0, ...[...text.matchAll(/\r\n|\n|\r/g)].map(({ 0: end, index }) => index + end.length)];
  const begin = begins[line];
  const [written = ''] = /^[^\r\n]*/.exec(text.slice(begin)) ?? [];
  let length = 0;
  let units = 0;
  for (const one of written) {
    if (units >= character) break;
    units += unitsOf(one, encoding);
    length += one.length;
  }
  if (begin === undefined || units !== character)
    throw new Error(`${line}:${character} is no place in the text`);
  return begin + length;
}
