import { type Change, isBlank, lineRemoval } from './shellRow.ts';
import { isOneOfSeveral, type Site } from './shellSite.ts';
import type { ShellView } from './shellView.ts';

/**
 * Takes out a statement that does nothing but add words to a variable (`CMD="$CMD --bf16"`, `ARGS+=(--bf16)`), where all of those words go.
 * @param last the words from the site's own up to this one go
 * @returns undefined where something else is left of it, where its block would be empty, or where it may be what sets the variable at all
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

/** Whether nothing but the sign that opens a value stands before its words. */
function isWholeValue(text: string, from: number, to: number): boolean {
  return /^["'(]$/.test(text.slice(from, to));
}

/** Whether a word stands for all that a variable has so far. */
function isVariable(word: string, name: string, kind: Site['row']['kind']): boolean {
  return kind === 'array' ? word === `"\${${name}[@]}"` : word === `$${name}` || word === `\${${name}}`;
}

/** What stands between the words of a row: comments would go with them. */
function outsideOf(text: string, { row: { tokens, region } }: Site): string {
  let out = '';
  let at = region.start;
  for (const { start, end } of tokens) {
    out += text.slice(at, start);
    at = end;
  }
  return out + text.slice(at, region.end);
}
