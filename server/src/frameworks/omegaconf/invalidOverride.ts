import type { Place } from '../../text/span.ts';
import type { BindingProblem, Setting } from '../framework.ts';

/** What the configuration library refuses to read as an override, or to put where the override says. */
export interface RefusedOverride {
  /** The key, or what stands where one is expected. */
  readonly key: string;
  /** `value`: the key is good, its value is not. Left out: the override as a whole. */
  readonly part?: 'value';
  /** What the message shows in place of the key. */
  readonly shown?: string;
  /** A few words on what is wrong. */
  readonly reason: string;
  readonly place: Place;
  readonly severity: BindingProblem['severity'];
  /** A text for `place` that is read. */
  readonly replacement?: string | undefined;
  readonly setting?: Setting | undefined;
}

/** The problem that an override which is refused makes. */
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
