import type { Data } from '../../value/value.ts';
import type { BindingProblem, Setting } from '../framework.ts';
import type { OptionFact, RecipeFacts } from '../knowledge.ts';
import { keyReplacement, type Override, settingOf, splitKey } from '../omegaconf/overrides.ts';
import type { Presets } from '../scope.ts';
import { isBelowModel } from './nestedModel.ts';
import { covers } from './precedence.ts';

/** What is known of the values that exist before the overrides of a launch are applied. */
export interface Before {
  readonly options: ReadonlyMap<string, OptionFact>;
  /** Settings from a file and from flags, which are applied first. */
  readonly settings: readonly Setting[];
  readonly overrides: readonly Override[];
  /** What the recipe sets, regardless of the overrides. */
  readonly presets: Presets | undefined;
  /** What all recipes set. */
  readonly facts: RecipeFacts | undefined;
  /** Whether a field may have another name in the recipe. */
  isElsewhere(name: string): boolean;
  /** The default of an option, if no upstream recipe changes it. */
  certainDefault(name: string): Data | undefined;
}

type Severity = BindingProblem['severity'];

/**
 * Overrides with a plus sign for keys that already have a value: Hydra rejects them, unless the value is a list or a mapping
 * (hydra/_internal/config_loader_impl.py). If that depends on a recipe, it is a warning.
 */
export function additionsToValues(before: Before): readonly BindingProblem[] {
  const { options, overrides } = before;
  return overrides.flatMap((override, at) => {
    const option = options.get(override.key);
    if (override.operation !== 'add' || option === undefined || isCollection(override, option)) return [];
    if (before.isElsewhere(override.key)) return [];
    const severity = severityOfExisting(override.key, overrides.slice(0, at), before);
    if (severity === undefined) return [];
    return [
      {
        rule: 'override-key-exists',
        place: override.keyPlace,
        values: { name: override.key },
        setting: settingOf(override, override.key),
        replacement: keyReplacement(override, `+${override.key}`),
        severity,
        related: [],
      },
    ];
  });
}

/** Whether an override gives, or may give, a list or a mapping. */
function isCollection({ value }: Override, { type, open }: OptionFact): boolean {
  if (value.kind === 'known') return typeof value.data === 'object' && value.data !== null;
  return open === true || !['int', 'float', 'bool', 'str'].includes(type);
}

/** The severity that follows from how certain it is that a key has a value; undefined if it may have none. */
function severityOfExisting(
  name: string,
  earlier: readonly Override[],
  { settings, presets, facts, options, certainDefault }: Before,
): Severity | undefined {
  const given =
    earlier.findLast((override) => covers(override, name)) ??
    settings.findLast((setting) => setting.name === name);
  if (given !== undefined) {
    const isDeleted = 'operation' in given && given.operation === 'delete';
    const isWhole = 'operation' in given && given.key !== name;
    return isDeleted || isWhole || given.value.kind === 'unknown' || given.value.data === null
      ? undefined
      : 'error';
  }
  const usual = certainDefault(name);
  if (usual !== undefined && usual !== null) return 'error';
  const preset = presets?.value(name);
  if (preset !== undefined) return preset.kind === 'known' && preset.data !== null ? 'warning' : undefined;
  const option = options.get(name);
  if (presets === undefined || option === undefined || option.default === null) return undefined;
  return presets.isSettled(name) || isNeverEmptied(option, facts, options) ? 'warning' : undefined;
}

/** Whether a field always exists and no recipe makes it null: a field of Megatron-core's model, or of a section filled by a single class. */
function isNeverEmptied(
  { name }: OptionFact,
  facts: RecipeFacts | undefined,
  options: ReadonlyMap<string, OptionFact>,
): boolean {
  const [section = '', ...field] = splitKey(name);
  const { open, nullable, type } = options.get(section) ?? {};
  const isFilled = type === 'group' && open !== true && nullable !== true && field.length === 1;
  return (
    facts !== undefined &&
    (isFilled || isBelowModel(name, options)) &&
    facts.settings.every(([one, value]) => one !== name || (value !== undefined && value !== null))
  );
}
