import type { Place, Span } from '../text/span.ts';
import type { Finding } from './finding.ts';
import type { NamedRule } from './suppressionComments.ts';
import { type Commented, type SuppressionPolicy, suppressionFaults } from './suppressionFaults.ts';

/** Whether a name in a comment, with or without its framework, is that of a rule. */
function names(suppressed: string, rule: string): boolean {
  return rule === suppressed || rule.endsWith(`/${suppressed}`);
}

/**
 * Whether a comment could suppress a rule.
 * @param unsuppressible the rules for which a configuration forbids it
 */
export function isSuppressible(
  rule: string,
  { common, unsuppressible }: Pick<SuppressionPolicy, 'common' | 'unsuppressible'>,
): boolean {
  return common.get(rule)?.suppressible !== false && !unsuppressible.some((id) => names(id, rule));
}

/**
 * Removes suppressed findings and reports comments that suppress nothing or name no rule. A comment works at the finding's own place, at every
 * related place in its file and at those that the finding rests on without showing them.
 * @param file the linted file, whose comments are checked
 * @param others files that it uses
 */
export function applySuppressions(
  findings: readonly Finding[],
  file: Commented,
  others: readonly Commented[],
  policy: SuppressionPolicy,
): { kept: Finding[]; suppressed: Finding[] } {
  const commented = [file, ...others].filter(({ suppressions }) => suppressions.length > 0);
  if (commented.length === 0 && !/oomlint/i.test(file.text)) return { kept: [...findings], suppressed: [] };
  const used = new Set<NamedRule>();
  const forbidden = new Set<NamedRule>();
  const kept: Finding[] = [];
  const suppressed: Finding[] = [];
  for (const finding of findings) {
    const places = placesOf(finding);
    const naming = commented
      .flatMap(({ path, suppressions }) =>
        suppressions.filter(({ covers }) => places.some((place) => isWithin(place, path, covers))),
      )
      .flatMap(({ rules }) => rules.filter(({ id }) => names(id, finding.rule)));
    const isForbidden = !isSuppressible(finding.rule, policy);
    const hits = isForbidden ? [] : naming;
    for (const rule of naming) (isForbidden ? forbidden : used).add(rule);
    (hits.length > 0 ? suppressed : kept).push(finding);
  }
  return { kept: [...kept, ...suppressionFaults(file, policy, { used, forbidden })], suppressed };
}

/** Where a comment about a finding may be, whether or not that place is shown with it. */
export function placesOf({ place, related, grounds = [] }: Finding): readonly Place[] {
  return [place, ...related.map((other) => other.place), ...grounds];
}

function isWithin({ path: at, span }: Place, path: string, covers: Span): boolean {
  return at === path && covers.start <= span.start && span.start < Math.max(covers.end, covers.start + 1);
}
