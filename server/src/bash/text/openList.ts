import type { ParsedScript, ParseError } from 'unbash';
import { lineStart } from '../../text/lines.ts';
import type { Span } from '../../text/span.ts';

/** The parser's message for a list that is never closed: it takes `=(` as a pattern. */
const openPattern = 'unterminated extended glob';

/** The message used instead, for which Bash abandons only lines. */
const openListError = 'unterminated list in array assignment';

/** Maximum number of unterminated lists looked for in one text. */
const mostOpen = 8;

/** What precedes the `=(` of a list. */
const listName = /(?:^|[\s;&|({])[A-Za-z_]\w*(?:\[[^\]\s]*\])?\+?$/;

/** Characters in a list that cannot end it wrongly; excludes a word with a command in quotes within another command. */
const inert =
  /\\[\s\S]|'[^']*'|"(?:\\[\s\S]|[^"\\$`]|\$\([^()'"`]*\)|\$\{[^{}'"`]*\}|\$(?![({]))*"|\$\([^()'"`]*\)|\$\{[^{}'"`]*\}|\$(?![({'"])|\s+(?:#[^\n]*)?|[^\\'"$`;&|<>()\s]+/y;

/**
 * Reads a text with an unterminated list as Bash does: at the first character that no list can contain (`;`, `|`, `>`, `(`) it abandons the
 * lines up to there, with the whole command that they belong to, and continues with the next line.
 *
 * @param read parses a text
 * @returns the tree of what Bash reads, or `script` if no list is open in this way
 */
export function readPastOpenLists(
  script: ParsedScript,
  text: string,
  read: (text: string) => ParsedScript,
): ParsedScript {
  const openErrors: ParseError[] = [];
  let [current, rest] = [script, text];
  for (let count = 0; count < mostOpen; count += 1) {
    const error = current.errors?.find(({ message }) => message === openPattern);
    const given = error === undefined ? undefined : givenUp(current, rest, error);
    if (error === undefined || given === undefined) break;
    openErrors.push({ ...error, message: openListError });
    rest = withoutLines(rest, given);
    current = read(rest);
  }
  if (openErrors.length === 0) return script;
  const errors = [...openErrors, ...(current.errors ?? [])].sort((one, other) => one.pos - other.pos);
  return { ...current, errors };
}

/** The lines that Bash abandons because of an unterminated list. */
function givenUp({ commands }: ParsedScript, text: string, { pos }: ParseError): Span | undefined {
  if (!text.startsWith('=(', pos) || !listName.test(text.slice(lineStart(text, pos), pos))) return undefined;
  const refused = refusedFrom(text, pos + 2);
  if (refused === undefined) return undefined;
  const whole = commands.findLast((command) => command.pos <= pos);
  const end = text.indexOf('\n', refused);
  return { start: lineStart(text, whole?.pos ?? pos), end: end < 0 ? text.length : end };
}

/** Position of the first character that a list cannot contain; undefined if that is uncertain. */
function refusedFrom(text: string, start: number): number | undefined {
  // `=(#x)`: a comment, up to the end of its line.
  let at = text.charAt(start) === '#' ? text.indexOf('\n', start) : start;
  if (at < 0) return undefined;
  inert.lastIndex = at;
  while (inert.test(text)) at = inert.lastIndex;
  const isProcess = /[<>]/.test(text.charAt(at)) && text.charAt(at + 1) === '(';
  const isPattern = text.charAt(at) === '(' && /[@?*+!]/.test(text.charAt(at - 1));
  return !isProcess && !isPattern && /[;&|<>(]/.test(text.charAt(at)) ? at : undefined;
}

function withoutLines(text: string, { start, end }: Span): string {
  return text.slice(0, start) + text.slice(start, end).replace(/[^\n]/g, ' ') + text.slice(end);
}
