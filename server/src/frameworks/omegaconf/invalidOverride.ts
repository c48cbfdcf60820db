import type { Place } from '../../text/span.ts';
import type { BindingProblem, Setting } from '../framework.ts';

/** What the configuration library refuses to parse as an override, or to set where the override says. */
export interface RefusedOverride {
  /** The key, or whatever is written in its place. */
  readonly key: string;
  /** `value`: the key is fine, its value is not. Omitted: the override as a whole. */
  readonly part?: 'value';
  /** What the message shows in place of the key. */
  readonly shown?: string;
  /** What is wrong, in a few words. */
  readonly reason: string;
  readonly place: Place;
  readonly severity: BindingProblem['severity'];
  /** A text for `place` that can be parsed. */
  readonly replacement?: string | undefined;
  readonly setting?: Setting | undefined;
}

/** The problem for a rejected override. */
export function invalidOverride({
  key,
  part,
  shown = part === 'value' ? `the value of ${key}` : key,
  reason,
  place,
  severity,
  replacement,
  setting,
}: RefusedOverride): BindingProblem {
  return {
    rule: 'invalid-override',
    place,
    values: { name: key, value: shown, reason },
    setting,
    replacement,
    severity,
    related: [],
  };
}
