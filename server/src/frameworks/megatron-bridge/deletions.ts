import { alone } from '../argparse/stray.ts';
import type { BindingProblem } from '../framework.ts';
import { nameRules } from '../nameRules.ts';
import { invalidOverride } from '../omegaconf/invalidOverride.ts';
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
    const { key, keyPlace: place, word } = override;
    const taken = `~${deletion.key} before it has taken the key away`;
    const common = { key, place, severity: 'error', setting: settingOf(override, key) } as const;
    const related = [{ place: deletion.keyPlace, message: 'deletes the key' }];
    if (isDeletion(override)) {
      const found = invalidOverride({ ...common, shown: `~${key}`, reason: taken });
      return [{ ...found, related, removal: alone(word) }];
    }
    const reason = `${taken}, and a new key needs a plus sign; write +${key}=…`;
    const replacement = keyReplacement(override, `+${key}`);
    return [{ ...invalidOverride({ ...common, reason, replacement }), related }];
  });
}

function isAddition({ operation }: Override): boolean {
  return operation === 'add' || operation === 'force-add';
}

/** Whether an addition makes a key: its own, one above it whose value may hold it, or one below it. */
function touches(addition: Override, key: string): boolean {
  return covers(addition, key) || addition.key.startsWith(`${key}.`);
}
