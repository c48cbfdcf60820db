import type { Place } from '../text/span.ts';
import type { BindingProblem } from './framework.ts';

/** A problem not tied to a setting, an error unless stated otherwise, with an optional replacement text. */
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
