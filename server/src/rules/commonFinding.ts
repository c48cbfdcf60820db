import type { Place } from '../text/span.ts';
import type { Finding } from './finding.ts';
import { type CommonRules, fillMessage } from './rule.ts';

/**
 * A finding of a rule of schemas/common/rules/.
 * @param values what replaces the `{name}` parts of its message
 * @param more what differs from a certain finding of the rule's own severity without fixes
 * @returns nothing if there is no such rule
 */
export function commonFinding(
  common: CommonRules,
  id: string,
  place: Place,
  values: { readonly [name: string]: string },
  more: Partial<Finding> = {},
): Finding[] {
  const rule = common.get(id);
  if (rule === undefined) return [];
  return [
    {
      rule: id,
      severity: rule.severity,
      certainty: 'certain',
      phase: rule.phase,
      message: fillMessage(rule.message, values),
      framework: undefined,
      place,
      related: [],
      settings: [],
      fixes: [],
      tags: [],
      ...more,
    },
  ];
}
