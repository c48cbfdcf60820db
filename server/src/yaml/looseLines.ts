import type { CST } from 'yaml';
import { readTokens } from './tokens.ts';

/** The longest text, and the most brackets and quotes in it, that are examined. */
const longest = 200_000;
const mostParts = 20;

/**
 * A text whose brackets and quotes continue on lines indented less than what they belong to, with those parts joined on one line: PyYAML and
 * libyaml read them at any indentation, the `yaml` package does not. As long as the original, so that all offsets remain valid.
 *
 * @returns undefined if there are none
 */
export function withoutLooseLines(text: string): string | undefined {
  if (text.length > longest) return undefined;
  let joined = text;
  for (let part = 0; part < mostParts; part += 1) {
    const start = firstOpen(joined);
    if (start === undefined) break;
    const end = endOf(joined, start);
    if (end === undefined) break;
    joined = joined.slice(0, start) + onOneLine(joined.slice(start, end)) + joined.slice(end);
  }
  return joined === text ? undefined : joined;
}

/** The first bracket or quote whose end the parser does not find. */
function firstOpen(text: string): number | undefined {
  const stack: CST.Token[] = [...readTokens(text).tokens].reverse();
  for (let token = stack.pop(); token !== undefined; token = stack.pop()) {
    if (isOpen(token)) return token.offset;
    const within: CST.Token[] = [];
    if (token.type === 'document' && token.value !== undefined) within.push(token.value);
    if ('items' in token)
      for (const item of token.items) {
        if ('key' in item && item.key !== undefined && item.key !== null) within.push(item.key);
        if (item.value !== undefined) within.push(item.value);
      }
    for (const each of within.reverse()) stack.push(each);
  }
  return undefined;
}

function isOpen(token: CST.Token): boolean {
  if (token.type === 'flow-collection') return token.end.length === 0;
  if (token.type === 'double-quoted-scalar') return !/^"(?:[^"\\]|\\.)*"$/s.test(token.source);
  return token.type === 'single-quoted-scalar' && !/^'(?:[^']|'')*'$/.test(token.source);
}

/** The offset after what a bracket or a quote begins; undefined if it does not end before a new document. */
function endOf(text: string, start: number): number | undefined {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const character = text[at] ?? '';
    if (character === '\n' && isMark(text, at + 1)) return undefined;
    if (depth === 0 ? isQuote(character) : opensText(text, at)) {
      const end = endOfQuoted(text, at);
      if (end === undefined || depth === 0) return end;
      at = end - 1;
    } else if (character === '[' || character === '{') depth += 1;
    else if (character === ']' || character === '}') {
      depth -= 1;
      if (depth === 0) return at + 1;
    } else if (beginsComment(text, at)) {
      const newline = text.indexOf('\n', at);
      if (newline < 0) return undefined;
      at = newline - 1;
    }
  }
  return undefined;
}

function isQuote(character: string | undefined): boolean {
  return character === '"' || character === "'";
}

/** Whether a comment begins within brackets; after something that closes, it needs no blank. */
function beginsComment(text: string, at: number): boolean {
  return text[at] === '#' && /[\s"'\]},[{]/.test(text[at - 1] ?? '');
}

/** Whether a quote within brackets begins a quoted text, rather than being a character of an unquoted one (`don't`). */
function opensText(text: string, at: number): boolean {
  return isQuote(text[at]) && /[[{,:]$/.test(text.slice(Math.max(0, at - 200), at).trimEnd());
}

function endOfQuoted(text: string, start: number): number | undefined {
  const quote = text[start];
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\n' && isMark(text, at + 1)) return undefined;
    if (quote === '"' && text[at] === '\\') at += 1;
    else if (text[at] === quote) {
      if (quote === "'" && text[at + 1] === "'") at += 1;
      else return at + 1;
    }
  }
  return undefined;
}

/** Whether a line begins or ends a document. */
function isMark(text: string, at: number): boolean {
  return /^(?:---|\.\.\.)(?:\s|$)/.test(text.slice(at, at + 4));
}

/** Replaces line breaks, and comments between brackets, with blanks. */
function onOneLine(part: string): string {
  const bare = /^[[{]/.test(part) ? withoutComments(part) : part;
  return bare.replace(/[\r\n]/g, ' ');
}

/** The text between brackets with its comments blanked out. */
function withoutComments(part: string): string {
  let kept = '';
  let from = 0;
  for (let at = 0; at < part.length; at += 1) {
    if (opensText(part, at)) at = (endOfQuoted(part, at) ?? part.length) - 1;
    else if (beginsComment(part, at)) {
      const comment = /^[^\n]*/.exec(part.slice(at))?.[0] ?? '';
      kept += part.slice(from, at) + blanks(comment);
      from = at + comment.length;
      at = from - 1;
    }
  }
  return kept + part.slice(from);
}

function blanks(written: string): string {
  return ' '.repeat(written.length);
}
