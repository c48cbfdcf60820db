import { columnsOf } from './columns.ts';

/**
 * Whether a character could change what a terminal shows (control characters of escape sequences, direction marks) or is invisible (zero-width
 * blanks and the byte order mark).
 */
function harmful(code: number): boolean {
  return (
    code < 0x20 ||
    (code >= 0x7f && code <= 0x9f) ||
    code === 0x200b ||
    code === 0x200e ||
    code === 0x200f ||
    (code >= 0x202a && code <= 0x202e) ||
    (code >= 0x2060 && code <= 0x2069) ||
    code === 0xfeff
  );
}

/** A text from a user's file, made safe for a terminal, on one line: harmful characters become visible, tabs become four blanks. */
export function clean(text: string): string {
  let out = '';
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (character === '\t') out += '    ';
    else if (character === '\n') out += '\\n';
    else out += harmful(code) ? escaped(code) : character;
  }
  return out;
}

/** A character as Bash writes it in `$'…'`. */
function escaped(code: number): string {
  const digits = code.toString(16);
  return code > 0xff ? `\\u${digits.padStart(4, '0')}` : `\\x${digits.padStart(2, '0')}`;
}

/** Breaks a text at blanks so that no line exceeds `width` columns; longer names and paths are broken after a dot or slash if they have one. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/).flatMap((part) => partsOf(part, width))) {
    if (word === '') continue;
    if (line !== '' && columnsOf(line) + 1 + columnsOf(word) > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  if (line !== '') lines.push(line);
  return lines;
}

/** A word in parts that fit on a line, all but the last ending in a dot or slash. */
function partsOf(word: string, width: number): string[] {
  if (columnsOf(word) <= width) return [word];
  const parts: string[] = [];
  let part = '';
  for (const piece of word.split(/(?<=[./])/)) {
    if (part !== '' && columnsOf(part) + columnsOf(piece) > width) {
      parts.push(part);
      part = '';
    }
    part += piece;
  }
  return [...parts, part];
}
