import { lineStart } from '../../text/lines.ts';

/** An array that was begun with a brace. */
export interface BracesForArray {
  readonly name: string;
  /** Where its opening brace stands. */
  readonly open: number;
  /** Where its closing brace stands, at which Bash stops. */
  readonly close: number;
  /** The line in which it begins, from 1. */
  readonly line: number;
}

/** A line that begins an array in braces: `ARGS={`. */
const opening = /^[ \t]*([A-Za-z_]\w*)=\{[ \t]*(?:#.*)?$/;

/** A line of a closing brace alone. */
const closing = /^[ \t]*\}[ \t]*(?:#.*)?$/;

/** The array to which a closing brace belongs that Bash does not expect; undefined where none was begun with a brace. */
export function bracesForArray(text: string, close: number): BracesForArray | undefined {
  const end = text.indexOf('\n', close);
  if (text[close] !== '}' || !closing.test(text.slice(lineStart(text, close), end < 0 ? undefined : end)))
    return undefined;
  const lines = text.slice(0, lineStart(text, close)).split('\n').slice(0, -1);
  const at = lines.findLastIndex((line) => opening.test(line) || closing.test(line));
  const [, name] = opening.exec(lines[at] ?? '') ?? [];
  if (name === undefined) return undefined;
  const start = lines.slice(0, at).reduce((sum, line) => sum + line.length + 1, 0);
  return { name, open: text.indexOf('={', start) + 1, close, line: at + 1 };
}
