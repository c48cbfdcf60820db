import { type Change, isBlank, lineRemoval } from './shellRow.ts';
import { isOneOfSeveral, type Site } from './shellSite.ts';
import type { ShellView } from './shellView.ts';

/**
 * Removes a statement that only adds words to a variable (`CMD="$CMD --bf16"`, `ARGS+=(--bf16)`), if all of those words go.
 * @param last removes the words from the site's own up to this one
 * @returns undefined if anything else of the statement remains, its block would become empty, or it may be what sets the variable in the first
 *   place
 */
export function statementRemoval({ text, script }: ShellView, site: Site, last: number): Change | undefined {
  const { assignment, assigned, statement, row, quoted } = site;
  if (assignment === undefined || assigned === undefined || statement === undefined) return undefined;
  if (statement.start !== assignment.start || statement.end !== assignment.end) return undefined;
  const whole = row.kind === 'text' ? quoted : row.region;
  if (
    whole === undefined ||
    whole.end + 1 !== assigned.end ||
    !isWholeValue(text, assigned.start, whole.start)
  )
    return undefined;
  const [, name = '', sign] =
    /^([A-Za-z_]\w*)(\+?=)/.exec(text.slice(assignment.start, assignment.end)) ?? [];
  const left = row.tokens.filter((_, at) => at < site.index || at > last);
  const [only, ...others] = left.map(({ start, end }) => text.slice(start, end));
  const adds = sign === '+=' ? only === undefined : only !== undefined && isVariable(only, name, row.kind);
  if (!adds || others.length > 0 || !isBlank(outsideOf(text, site))) return undefined;
  const isSetBefore = new RegExp(`(?:^|[\\s;(])${name}\\+?=`).test(text.slice(0, statement.start));
  return isSetBefore && isOneOfSeveral(script, text, assignment) ? lineRemoval(text, statement) : undefined;
}

/** Whether only the opening character of a value precedes its words. */
function isWholeValue(text: string, from: number, to: number): boolean {
  return /^["'(]$/.test(text.slice(from, to));
}

/** Whether a word expands to everything that a variable contains so far. */
function isVariable(word: string, name: string, kind: Site['row']['kind']): boolean {
  return kind === 'array' ? word === `"\${${name}[@]}"` : word === `$${name}` || word === `\${${name}}`;
}

/** The text between the words of a row: comments in it would be removed as well. */
function outsideOf(text: string, { row: { tokens, region } }: Site): string {
  let out = '';
  let at = region.start;
  for (const { start, end } of tokens) {
    out += text.slice(at, start);
    at = end;
  }
  return out + text.slice(at, region.end);
}
