import type { ParsedScript, ParseError } from 'unbash';
import { lineStart } from '../../text/lines.ts';
import type { Span } from '../../text/span.ts';

/** What the parser says of a list that is never closed: it takes `=(` for a pattern. */
const openPattern = 'unterminated extended glob';

/** What is told instead, of which Bash gives up lines alone. */
const openListError = 'unterminated list in array assignment';

/** Lists without an end that are looked for in one text. */
const mostOpen = 8;

/** What stands before the `=(` of a list. */
const listName = /(?:^|[\s;&|({])[A-Za-z_]\w*(?:\[[^\]\s]*\])?\+?$/;

/** Characters of a list that end none of its words wrongly; a word that holds a command within quotes within another is not among them. */
const inert =
  /\\[\s\S]|'[^']*'|"(?:\\[\s\S]|[^"\\$`]|\$\([^()'"`]*\)|\$\{[^{}'"`]*\}|\$(?![({]))*"|\$\([^()'"`]*\)|\$\{[^{}'"`]*\}|\$(?![({'"])|\s+(?:#[^\n]*)?|[^\\'"$`;&|<>()\s]+/y;

/**
 * Reads a text with a list that is never closed as Bash does: at the first sign that no list can hold (`;`, `|`, `>`, `(`) it gives up the
 * lines up to there, with the whole command that they belong to, and reads on with the next line.
 *
 * @param read how a text is parsed
 * @returns the tree of what Bash reads, or `script` where no list is left open so
 */
export function readPastOpenLists(
  script: ParsedScript,
  text: string,
  read: (text: string) => ParsedScript,
): ParsedScript {
  const told: ParseError[] = [];
  let [current, rest] = [script, text];
  for (let count = 0; count < mostOpen; count += 1) {
    const error = current.errors?.find(({ message }) => message === openPattern);
    const given = error === undefined ? undefined : givenUp(current, rest, error);
    if (error === undefined || given === undefined) break;
    told.push({ ...error, message: openListError });
    rest = withoutLines(rest, given);
    current = read(rest);
  }
  if (told.length === 0) return script;
  const errors = [...told, ...(current.errors ?? [])].sort((one, other) => one.pos - other.pos);
  return { ...current, errors };
}

/** The lines that Bash gives up over an open list. */
function givenUp({ commands }: ParsedScript, text: string, { pos }: ParseError): Span | undefined {
  if (!text.startsWith('=(', pos) || !listName.test(text.slice(lineStart(text, pos), pos))) return undefined;
  const refused = refusedFrom(text, pos + 2);
  if (refused === undefined) return undefined;
  const whole = commands.findLast((command) => command.pos <= pos);
  const end = text.indexOf('\n', refused);
  return { start: lineStart(text, whole?.pos ?? pos), end: end < 0 ? text.length : end };
}

/** Where the first sign stands that ends a list wrongly; undefined where that is not certain. */
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
