import type { Place } from '../../text/span.ts';
import type { BindingProblem, Setting } from '../framework.ts';
import type { OptionFact } from '../knowledge.ts';
import type { BoundArguments } from './parser.ts';

/**
 * Problems for required options that are not given; none when more words may follow.
 * @param place the place of the command
 */
export function missingRequired(
  bound: BoundArguments,
  options: readonly OptionFact[],
  place: Place,
): BindingProblem[] {
  if (bound.open) return [];
  const given = new Set(bound.settings.map((setting) => setting.name));
  return options
    .filter((option) => option.required === true && !given.has(option.name))
    .map((option) => ({
      rule: 'required-option',
      place,
      values: { name: option.flags?.[0] ?? option.name },
      setting: undefined,
      replacement: undefined,
      severity: 'error',
      related: [],
    }));
}

/** The settings in effect: the later of two with the same name. */
export function lastOf(settings: readonly Setting[]): ReadonlyMap<string, Setting> {
  return new Map(settings.map((setting) => [setting.name, setting]));
}
