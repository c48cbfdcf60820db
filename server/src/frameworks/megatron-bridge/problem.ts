import type { Place } from '../../text/span.ts';
import type { BindingProblem } from '../framework.ts';

/** A problem of a word that is no setting, with the text that may stand in its place. */
export function problem(
  rule: string,
  place: Place,
  values: BindingProblem['values'],
  severity: BindingProblem['severity'] = 'error',
  replacement?: string,
): BindingProblem {
  return { rule, place, values, setting: undefined, replacement, severity, related: [] };
}
