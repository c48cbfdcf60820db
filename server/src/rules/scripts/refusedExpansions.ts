import type { BashProblem } from '../../bash/options.ts';
import type { Span } from '../../text/span.ts';
import { commonFinding } from '../commonFinding.ts';
import type { Finding } from '../finding.ts';
import type { CommonRules } from '../rule.ts';
import type { TriedScript } from './beforeLaunch.ts';

/** The most expansions of a script that are checked: each requires another evaluation of the script. */
const mostLookedAt = 8;

/** The expansions because of which Bash does not start a launch that would start if they were plain text. */
export function refusedExpansions(
  problems: readonly BashProblem[],
  { path, text, oursIn, toSpan }: TriedScript,
  common: CommonRules,
): readonly Finding[] {
  const refused = problems.filter(({ kind, place }) => kind === 'refused-expansion' && place.path === path);
  if (refused.length === 0) return [];
  const started = (filled: readonly BashProblem[]): number =>
    oursIn(filled.reduce((read, { place }) => withFiller(read, toSpan(place)), text)).length;
  const all = started(refused);
  // If nothing would start in any case, there is nothing to search.
  if (all === 0) return [];
  return refused.slice(0, mostLookedAt).flatMap((problem) => {
    const others = refused.filter((other) => other !== problem);
    if (started(others) >= all) return [];
    return commonFinding(common, 'refused-expansion', problem.place, { reason: problem.message });
  });
}

/** A text with letters in one place; everything else keeps its offset. */
function withFiller(text: string, { start, end }: Span): string {
  return text.slice(0, start) + 'x'.repeat(end - start) + text.slice(end);
}
