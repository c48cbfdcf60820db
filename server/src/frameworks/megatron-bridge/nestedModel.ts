import data from '../../../../schemas/megatron-bridge/recognise.json';
import { isMap } from '../../expression/result.ts';
import type { BindingProblem } from '../framework.ts';
import type { OptionFact, RecipeFacts } from '../knowledge.ts';
import { invalidOverride } from '../omegaconf/invalidOverride.ts';
import { keyReplacement, type Override, settingOf, splitKey } from '../omegaconf/overrides.ts';
import type { Presets } from '../scope.ts';

/** Where the model of some recipes holds what others hold in the model itself (megatron/bridge/models/gpt/model_config.py). */
export const nested = 'model.transformer.';

const nestedRecipes = new RegExp(data.nestedModelRecipes);
const declaredBelow = new RegExp(data.nestedFieldSources);

/** An override of a field below `model.transformer`, by the name that the field has in the model of most recipes. */
export function ofModel(override: Override, options: ReadonlyMap<string, OptionFact>): Override {
  if (!override.key.startsWith(nested)) return override;
  const key = `model.${override.key.slice(nested.length)}`;
  return options.has(key) ? { ...override, key, path: splitKey(key) } : override;
}

/** What decides whether the configuration of a recipe has a key. */
export interface RecipeKeys {
  /** The recipe, one of upstream's. */
  readonly recipe: string;
  readonly overrides: readonly Override[];
  readonly options: ReadonlyMap<string, OptionFact>;
  /** What all recipes set. */
  readonly facts: RecipeFacts;
  /** What the recipe sets, before any override. */
  readonly presets: Presets | undefined;
  /** Whether a setting before the overrides, of a file, fills a section. */
  isFilled(section: string): boolean;
}

/** Why a recipe has no such key: what it would lie in is no map, or a map of variables without it. */
function missingParent(key: string, presets: Presets | undefined): string | undefined {
  const parts = splitKey(key);
  for (let length = 1; length < parts.length; length++) {
    const parent = parts.slice(0, length).join('.');
    const value = presets?.value(parent);
    if (value?.kind !== 'known') continue;
    const { data: held } = value;
    if (held === null)
      return `${parent} is null in the recipe, so that it has no keys which could be changed`;
    if (typeof held !== 'object')
      return `${parent} is ${JSON.stringify(held)} in the recipe, so that it has no keys which could be changed`;
    if (parent === 'env_vars' && isMap(held) && !Object.hasOwn(held, parts[length] ?? ''))
      return `the recipe does not set ${parts[length]}, and a new key needs a plus sign; write +${key}=…`;
  }
  return undefined;
}

/**
 * Why the class that a recipe fills a section with has no such field; undefined where it has, or where the section is replaced. Only of fields of which
 * it is known what they are in recipes that have them.
 */
function foreignField({ key }: Override, { options, presets, facts }: RecipeKeys): string | undefined {
  const [section = '', field] = splitKey(key);
  const name = `${section}.${field}`;
  const { type = 'group', removed, open } = options.get(name) ?? {};
  const isPlain = type !== 'group' && removed === undefined && open !== true;
  if (!data.sectionsOfOneClass.includes(section) || !isPlain) return undefined;
  const fields = presets?.names.filter((one) => one.startsWith(`${section}.`)) ?? [];
  const isKept = fields.some((one) => presets?.value(one) !== undefined);
  if (!isKept || fields.includes(name) || !facts.settings.some(([one]) => one === name)) return undefined;
  return `the ${section} of the recipe is of a class that has no ${field}`;
}

/**
 * Overrides of keys that the configuration of a recipe does not have, which Hydra refuses: fields of the model that stand below `model.transformer` in
 * some families since 0.7 (which is told without weight: most who train them have an earlier release), sections that no recipe fills, and fields of
 * another class of data sets.
 */
export function keysOutsideRecipe(keys: RecipeKeys): readonly BindingProblem[] {
  const { recipe, overrides, options, presets, isFilled } = keys;
  const isNested = nestedRecipes.test(recipe);
  return overrides.flatMap((override): readonly BindingProblem[] => {
    const { key, operation, keyPlace, prefix } = override;
    if (operation !== 'set') return [];
    const found = { place: keyPlace, setting: settingOf(override, key) };
    const section = key.split('.', 1)[0] ?? '';
    if (data.unfilledSections.includes(section) && key !== section && !isFilled(section)) {
      const reason = `the recipe has no section ${section}, whose keys could be changed`;
      return [invalidOverride({ ...found, key, reason, severity: 'warning' })];
    }
    const reason = isFilled(section)
      ? undefined
      : (missingParent(key, presets) ?? foreignField(override, keys));
    if (reason !== undefined) {
      const replacement = section === 'env_vars' ? keyReplacement(override, `+${key}`) : undefined;
      return [invalidOverride({ ...found, key, reason, replacement, severity: 'warning' })];
    }
    const option = options.get(key);
    const isBelow =
      isNested && !prefix.startsWith(nested) && key.startsWith('model.') && option?.removed === undefined;
    if (!isBelow || !declaredBelow.test(option?.source ?? '')) return [];
    const renamed = `${nested}${key.slice('model.'.length)}`;
    const values = { name: key, renamed, hint: ' in recipes of Llama, since Bridge 0.7' };
    const replacement = keyReplacement(override, renamed);
    return [{ ...found, related: [], rule: 'renamed-option', values, replacement, severity: 'info' }];
  });
}
