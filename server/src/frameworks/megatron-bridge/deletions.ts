import { textOf } from '../../value/word.ts';
import { alone } from '../argparse/stray.ts';
import type { BindingProblem, Setting } from '../framework.ts';
import type { OptionFact } from '../knowledge.ts';
import { nameRules } from '../nameRules.ts';
import { invalidOverride, type RefusedOverride } from '../omegaconf/invalidOverride.ts';
import { keyReplacement, type Override, settingOf } from '../omegaconf/overrides.ts';
import { beginsVerbatim, placeWithin } from '../places.ts';
import type { Presets } from '../scope.ts';
import { covers, isDeletion } from './precedence.ts';

/** The deletions of keys that no earlier override adds, so that the configuration must already have them. */
export function unaddedDeletions(overrides: readonly Override[]): readonly Override[] {
  return overrides.filter(
    (override, at) =>
      isDeletion(override) &&
      !overrides.slice(0, at).some((earlier) => isAddition(earlier) && touches(earlier, override.key)),
  );
}

/** The name problems of a tree: a deletion does not concern values. */
export function missingNames(problems: readonly BindingProblem[]): readonly BindingProblem[] {
  return problems.filter(({ rule }) => nameRules.has(rule));
}

/**
 * Overrides of keys that an earlier deletion removed, which Hydra rejects: such a key can only be added, and not deleted again
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

/** What deletions are checked against. */
export interface Deleted {
  readonly overrides: readonly Override[];
  readonly options: ReadonlyMap<string, OptionFact>;
  /** Settings from a file and from flags, which are applied first. */
  readonly settings: readonly Setting[];
  /** What the recipe sets, before any override. */
  readonly presets: Presets | undefined;
}

/**
 * Deletions that Hydra rejects, because the key is null or has a value other than the one the deletion names
 * (hydra/_internal/config_loader_impl.py), and deletions without effect: what a deletion removes from the tree stays in the dataclass
 * (training/utils/omegaconf_utils.py:454).
 */
export function vainDeletions(deleted: Deleted): readonly BindingProblem[] {
  const { overrides, options } = deleted;
  return overrides.flatMap((override, at): readonly BindingProblem[] => {
    const option = options.get(override.key);
    const isUsedLater = overrides.slice(at + 1).some((later) => touches(later, override.key));
    const isGone = overrides.slice(0, at).some((other) => isDeletion(other) && covers(other, override.key));
    if (!isDeletion(override) || option === undefined || isGone) return [];
    const { key, word } = override;
    const common = { key, shown: override.prefix.replace(/=$/, ''), place: placeWithin(word, 0, undefined) };
    const refusal = refusalOf(override, overrides.slice(0, at), deleted);
    if (refusal !== undefined)
      return [{ ...invalidOverride({ ...common, ...refusal }), removal: alone(word) }];
    if (isUsedLater) return [];
    const reason = 'a field cannot be taken away, and keeps the value that it has';
    const replacement = nothingInstead(override, option);
    return [
      { ...invalidOverride({ ...common, reason, replacement, severity: 'warning' }), removal: alone(word) },
    ];
  });
}

/** The override that is meant in place of a deletion: null, if the field may be null. */
export function nothingInstead({ key, word }: Override, option: OptionFact | undefined): string | undefined {
  const length = textOf(word)?.length;
  return option?.nullable === true && length !== undefined && beginsVerbatim(word, length)
    ? `${key}=null`
    : undefined;
}

/** Why Hydra rejects a deletion, judging by the value at its key, if that is known. */
function refusalOf(
  { key, value, hasValue }: Override,
  earlier: readonly Override[],
  { settings, presets }: Deleted,
): Pick<RefusedOverride, 'reason' | 'severity'> | undefined {
  const given =
    earlier.findLast((other) => touches(other, key)) ?? settings.findLast(({ name }) => name === key);
  const isOther = given !== undefined && 'operation' in given && (given.key !== key || isDeletion(given));
  const standing = given === undefined ? presets?.value(key) : given.value;
  if (isOther || standing?.kind !== 'known') return undefined;
  const severity = given === undefined ? 'warning' : 'error';
  const { data } = standing;
  if (data === null) return { reason: 'its value is null, which Hydra takes for no key', severity };
  const isScalar = typeof data !== 'object' && value.kind === 'known' && typeof value.data !== 'object';
  if (!hasValue || !isScalar || value.data === data) return undefined;
  return { reason: `its value is ${String(data)}, not ${String(value.data)}`, severity };
}

function isAddition({ operation }: Override): boolean {
  return operation === 'add' || operation === 'force-add';
}

/** Whether an override concerns a key: the key itself, one above it whose value may contain it, or one below it. */
function touches(override: Override, key: string): boolean {
  return covers(override, key) || override.key.startsWith(`${key}.`);
}
