import type { Launch } from '../../launch/launch.ts';
import { knownPrefix } from '../../value/word.ts';
import { commonFinding } from '../commonFinding.ts';
import { type Finding, suggestedFix } from '../finding.ts';
import type { CommonRules } from '../rule.ts';

/** A configuration override: `actor.path=…`, `+trial_name=…`. */
const override = /^(?:\+{0,2}|~)[A-Za-z_][\w.-]*=/;

/** The end of a line with nothing after it, and another line that sets a variable named like a setting. */
const assignmentBelow = /^[ \t]*\r?\n([ \t]+)([a-z][a-z0-9_]*)=/;

/** Assignments over continued lines before an option or an override with a dot, which Bash takes for a command: that is reported separately. */
const beginsCommand =
  /^(?:[a-z]\w*=[^\s\\]*(?:[ \t]|\\\r?\n)+)+(?:--?[a-zA-Z]|\+{0,2}~?[A-Za-z_][\w-]*\.[\w.-]*=)/;

/**
 * Overrides without a dot in their name (`trial_name=x`) after a launch whose last line lost its backslash: Bash silently sets a variable that
 * nobody reads.
 *
 * @param launches those of programs that we check
 * @param text the script
 */
export function lostOverrideFindings(
  path: string,
  text: string,
  launches: readonly Launch[],
  common: CommonRules,
): Finding[] {
  const reported = new Set<number>();
  return launches.flatMap(({ command: { place, words } }) => {
    const last = words.at(-1);
    const { start, end } = place.span;
    if (place.path !== path || last === undefined || !override.test(knownPrefix(last))) return [];
    const [whole, indent = '', name = ''] = assignmentBelow.exec(text.slice(end)) ?? [];
    const at = end + (whole?.length ?? 0) - name.length - 1;
    if (whole === undefined || reported.has(at) || indent.length <= indentOf(text, start)) return [];
    if (isRead(text, name) || beginsCommand.test(text.slice(at))) return [];
    reported.add(at);
    const edits = [{ path, span: { start: end, end }, newText: ' \\' }];
    return commonFinding(
      common,
      'lost-override',
      { path, span: { start: at, end: at + name.length } },
      { name },
      {
        certainty: 'likely',
        fixes: [suggestedFix('Continue the command above', edits)],
      },
    );
  });
}

/** The number of blanks at the start of an offset's line. */
function indentOf(text: string, offset: number): number {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1);
  return /^[ \t]*/.exec(line)?.[0].length ?? 0;
}

/** Whether a variable is read or passed on by its name. */
function isRead(text: string, name: string): boolean {
  const declared = `^[ \\t]*(?:export|declare|typeset|local|readonly)[ \\t][^\\n]*\\b${name}\\b`;
  return new RegExp(`\\$\\{?[!#]?${name}(?!\\w)|${declared}`, 'm').test(text);
}
