import { alone } from '../argparse/stray.ts';
import type { BindingProblem } from '../framework.ts';
import { nameRules } from '../nameRules.ts';
import { keyReplacement, type Override, settingOf } from '../omegaconf/overrides.ts';
import { covers, isDeletion } from './precedence.ts';

/** The deletions of keys that no override before them adds, so that the configuration must have had them. */
export function unaddedDeletions(overrides: readonly Override[]): readonly Override[] {
  return overrides.filter(
    (override, at) =>
      isDeletion(override) &&
      !overrides.slice(0, at).some((earlier) => isAddition(earlier) && touches(earlier, override.key)),
  );
}

/** Of the problems of a tree those with names: a deletion says nothing of values. */
export function missingNames(problems: readonly BindingProblem[]): readonly BindingProblem[] {
  return problems.filter(({ rule }) => nameRules.has(rule));
}

/**
 * Overrides of keys that a deletion before them has taken away, which Hydra refuses: such a key can be added only, and not be deleted again
 * (hydra/_internal/config_loader_impl.py).
 */
export function keysTakenAway(overrides: readonly Override[]): readonly BindingProblem[] {
  return overrides.flatMap((override, at) => {
    if (isAddition(override)) return [];
    const before = overrides.slice(0, at);
    const deletion = before.findLast((earlier) => isDeletion(earlier) && covers(earlier, override.key));
    if (deletion === undefined) return [];
    const between = before.slice(before.indexOf(deletion) + 1);
    if (between.some((later) => isAddition(later) && touches(later, override.key))) return [];
    const { key, keyPlace, word } = override;
    const reason = `~${deletion.key} before it has taken the key away`;
    const found = {
      rule: 'invalid-override',
      place: keyPlace,
      setting: settingOf(override, key),
      severity: 'error' as const,
      related: [{ place: deletion.keyPlace, message: 'deletes the key' }],
    };
    if (isDeletion(override))
      return [
        {
          ...found,
          values: { value: `~${key}`, name: key, reason },
          replacement: undefined,
          removal: alone(word),
        },
      ];
    const values = {
      value: key,
      name: key,
      reason: `${reason}, and a new key needs a plus sign; write +${key}=…`,
    };
    return [{ ...found, values, replacement: keyReplacement(override, `+${key}`) }];
  });
}

function isAddition({ operation }: Override): boolean {
  return operation === 'add' || operation === 'force-add';
}

/** Whether an addition makes a key: its own, one above it whose value may hold it, or one below it. */
function touches(addition: Override, key: string): boolean {
  return covers(addition, key) || addition.key.startsWith(`${key}.`);
}
