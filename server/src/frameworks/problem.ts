import type { Place } from '../text/span.ts';
import type { BindingProblem } from './framework.ts';

/** A problem that no setting makes, a refusal unless said otherwise, with the text that may stand in its place. */
export function problem(
  rule: string,
  place: Place,
  values: BindingProblem['values'],
  severity: BindingProblem['severity'] = 'error',
  replacement?: string,
): BindingProblem {
  return { rule, place, values, setting: undefined, replacement, severity, related: [] };
}

/** A problem that is not certain enough for an error. */
export function asWarning(problem: BindingProblem): BindingProblem {
  return problem.severity === 'error' ? { ...problem, severity: 'warning', isUncertain: true } : problem;
}
