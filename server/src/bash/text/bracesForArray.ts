import { lineStart } from '../../text/lines.ts';

/** An array that was begun with a brace. */
export interface BracesForArray {
  readonly name: string;
  /** Position of its opening brace. */
  readonly open: number;
  /** Position of its closing brace, at which Bash stops. */
  readonly close: number;
  /** The line in which it begins, from 1. */
  readonly line: number;
}

/** Maximum number of characters before the closing brace in which the array's beginning is looked for. */
const longest = 10_000;

/** A line that begins an array with a brace: `ARGS={`. */
const opening = /^[ \t]*([A-Za-z_]\w*)=\{[ \t]*(?:#.*)?$/;

/** A line with only a closing brace. */
const closing = /^[ \t]*\}[ \t]*(?:#.*)?$/;

/** The array that an unexpected closing brace belongs to; undefined if none was begun with a brace. */
export function bracesForArray(text: string, close: number): BracesForArray | undefined {
  const end = text.indexOf('\n', close);
  if (text[close] !== '}' || !closing.test(text.slice(lineStart(text, close), end < 0 ? undefined : end)))
    return undefined;
  const before = text.slice(Math.max(0, close - longest), lineStart(text, close));
  const lines = before.split('\n').slice(0, -1);
  const at = lines.findLastIndex((line) => opening.test(line) || closing.test(line));
  const [, name] = opening.exec(lines[at] ?? '') ?? [];
  if (name === undefined) return undefined;
  const behind = lines.slice(at).join('\n').length + 1;
  const start = lineStart(text, close) - behind;
  return { name, open: text.indexOf('={', start) + 1, close, line: text.slice(0, start).split('\n').length };
}
