import data from '../../../../schemas/megatron-bridge/recognise.json';
import type { Host } from '../../value/host.ts';
import { folderAbove } from '../above.ts';
import type { BindingProblem, Setting } from '../framework.ts';
import type { OptionFact, RecipeFacts } from '../knowledge.ts';
import { nearestKey } from '../nearest.ts';
import { invalidOverride } from '../omegaconf/invalidOverride.ts';
import { keyReplacement, type Override, settingOf, splitKey } from '../omegaconf/overrides.ts';
import type { Presets } from '../scope.ts';
import { missingKey } from './mappings.ts';
import { packageInfo } from './release.ts';

/** Where the model of some recipes has the fields that other models have at their top level (megatron/bridge/models/gpt/model_config.py). */
export const nested = 'model.transformer.';

const nestedRecipes = new RegExp(data.nestedModelRecipes);
const declaredBelow = new RegExp(data.nestedFieldSources);
/** Fields that other models redeclare in a file of their own. */
const nestedFields: ReadonlySet<string> = new Set(data.nestedFields);
/** Fields that exist only in subclasses of the class below `model.transformer`, or in a newer Megatron-LM than the one Bridge pins. */
const neverNested: ReadonlySet<string> = new Set(data.neverNestedFields);

/** An override of a field below `model.transformer`, under the name the field has in the model of most recipes. */
export function ofModel(override: Override, options: ReadonlyMap<string, OptionFact>): Override {
  if (!override.key.startsWith(nested)) return override;
  const key = `model.${override.key.slice(nested.length)}`;
  return options.has(key) ? { ...override, key, path: splitKey(key) } : override;
}

/**
 * Whether a recipe is of a family whose model has its fields below `model.transformer` since 0.7: `certain` if the Bridge in the workspace
 * builds it that way, or if another override of the launch is written that way; `perhaps` if there is no sign.
 */
export function nesting(
  recipe: string | undefined,
  overrides: readonly Override[],
  paths: readonly string[],
  host: Host,
): 'certain' | 'perhaps' | undefined {
  if (recipe === undefined || !nestedRecipes.test(recipe)) return undefined;
  if (overrides.some(({ prefix }) => prefix.startsWith(nested))) return 'certain';
  const root = folderAbove(paths, packageInfo, host);
  const { file, text } = data.nestedModelBuilder;
  return root !== undefined && host.read(`${root}/${file}`)?.includes(text) === true ? 'certain' : 'perhaps';
}

/** Whether a model field is one of those that are below `model.transformer` in such a family. */
export function isBelowModel(name: string, options: ReadonlyMap<string, OptionFact>): boolean {
  const option = options.get(name);
  if (!name.startsWith('model.') || option === undefined || option.removed !== undefined) return false;
  const field = name.slice('model.'.length);
  return nestedFields.has(field) || (declaredBelow.test(option.source ?? '') && !neverNested.has(field));
}

/** How a new override of a field must begin for the recipe runner to accept it. */
export function additionOf(
  options: ReadonlyMap<string, OptionFact>,
  nested: 'certain' | 'perhaps' | undefined,
): (name: string) => string {
  return (name) => {
    if (isHidden(name)) return `++${name}`;
    return nested === 'certain' && isBelowModel(name, options) ? belowModel(name) : name;
  };
}

function belowModel(name: string): string {
  return `${nested}${name.slice('model.'.length)}`;
}

function isHidden(name: string): boolean {
  return data.hiddenSections.some((section) => name.startsWith(`${section}.`));
}

/**
 * Plain overrides of keys that Hydra never sees: an adapter is a callable, which Bridge omits from what it passes to Hydra
 * (training/utils/omegaconf_utils.py:195), and without an adapter the section is null.
 */
export function hiddenKeys(overrides: readonly Override[]): readonly BindingProblem[] {
  return overrides.flatMap((override, at) => {
    const { key, operation, keyPlace: place } = override;
    const isPlain = operation === 'set' && isHidden(key);
    const isAdded = overrides
      .slice(0, at)
      .some((earlier) => earlier.operation !== 'set' && key.startsWith(earlier.key));
    if (!isPlain || isAdded) return [];
    const reason = `adapters are not among the keys that an override can change, and a new key needs a plus sign; write ++${key}=…`;
    const replacement = keyReplacement(override, `++${key}`);
    const setting = settingOf(override, key);
    return [invalidOverride({ key, place, reason, replacement, setting, severity: 'error' })];
  });
}

/**
 * Flags of the recipe runner for fields that its recipe has below `model.transformer`: the runner turns them into overrides that Hydra rejects.
 *
 * @param nested how certain that is
 */
export function flagsOutsideRecipe(
  flags: readonly Setting[],
  options: ReadonlyMap<string, OptionFact>,
  nested: 'certain' | 'perhaps' | undefined,
): readonly BindingProblem[] {
  if (nested === undefined) return [];
  const outside = flags.filter(({ name }) => isBelowModel(name, options));
  return outside.map((flag) => ({
    rule: 'renamed-option',
    place: flag.keyPlace,
    values: { name: flag.written, renamed: `${belowModel(flag.name)}=…`, hint: nestedHint },
    setting: flag,
    replacement: undefined,
    severity: nested === 'certain' ? 'error' : 'info',
    related: [],
  }));
}

const nestedHint = ` ${data.nestedModelSince}`;

/** What decides whether a recipe's configuration has a key. */
export interface RecipeKeys {
  /** The name of the recipe. */
  readonly recipe: string;
  /** Whether the model of the recipe has its fields one level down. */
  readonly nesting: 'certain' | 'perhaps' | undefined;
  readonly overrides: readonly Override[];
  readonly options: ReadonlyMap<string, OptionFact>;
  /** What all recipes set. */
  readonly facts: RecipeFacts;
  /** What the recipe sets, before any override. */
  readonly presets: Presets | undefined;
  /** Whether a setting applied before the overrides, such as one from a file, fills a section. */
  isFilled(section: string): boolean;
}

/**
 * Why the class with which a recipe fills its data set lacks a field; undefined if it has the field, or if the section is replaced. Only for
 * fields that another recipe's class has.
 */
function foreignField({ key }: Override, keys: RecipeKeys): string | undefined {
  const { options, presets, facts, recipe } = keys;
  const [section = '', field = ''] = splitKey(key);
  if (!data.sectionsOfOneClass.includes(section)) return undefined;
  const isKept = presets?.names.some(
    (one) => one.startsWith(`${section}.`) && presets.value(one) !== undefined,
  );
  const option = options.get(`${section}.${field}`);
  if (isKept !== true || option === undefined || option.removed !== undefined) return undefined;
  const set = Object.hasOwn(facts.recipes, recipe) ? (facts.recipes[recipe] ?? -1) : -1;
  const fields = facts.datasetFields[facts.datasets[set] ?? -1] ?? [];
  const isElsewhere = facts.datasetFields.some((others) => others.includes(field));
  if (fields.length === 0 || fields.includes(field) || !isElsewhere) return undefined;
  return `the ${section} of the recipe is of a class that has no ${field}`;
}

/**
 * Overrides of keys that a recipe's configuration lacks, which Hydra rejects: model fields that are below `model.transformer` in some families
 * since 0.7 (reported with low severity: most who train them have an earlier release), sections that no recipe fills, and fields of another
 * data set class.
 */
export function keysOutsideRecipe(keys: RecipeKeys): readonly BindingProblem[] {
  const { overrides, options, presets, isFilled } = keys;
  const outside = overrides.flatMap((override, at): readonly BindingProblem[] => {
    const { key, operation, keyPlace, prefix } = override;
    if (operation !== 'set') return [];
    const found = { place: keyPlace, setting: settingOf(override, key) };
    const section = key.split('.', 1)[0] ?? '';
    if (data.unfilledSections.includes(section) && key !== section && !isFilled(section)) {
      const reason = `the recipe has no section ${section}, whose keys could be changed`;
      return [invalidOverride({ ...found, key, reason, severity: 'warning' })];
    }
    const earlier = overrides.slice(0, at);
    const missing = isFilled(section) ? undefined : missingKey(override, { presets, options, earlier });
    const reason = missing?.reason ?? (isFilled(section) ? undefined : foreignField(override, keys));
    if (reason !== undefined) {
      const replacement = missing?.isAddable === true ? keyReplacement(override, `+${key}`) : undefined;
      return [invalidOverride({ ...found, key, reason, replacement, severity: 'warning' })];
    }
    if (prefix.startsWith(nested)) return misplacedBelow(override, keys);
    if (keys.nesting === undefined || !isBelowModel(key, options)) return [];
    const renamed = belowModel(key);
    const values = { name: key, renamed, hint: nestedHint };
    const replacement = keyReplacement(override, renamed);
    const severity = keys.nesting === 'certain' ? 'error' : 'info';
    return [{ ...found, related: [], rule: 'renamed-option', values, replacement, severity }];
  });
  return keys.nesting === 'perhaps' ? renamedTogether(outside) : outside;
}

/**
 * Fields that may be one level down, with fixes that move them together: a release that expects one of them there no longer accepts the others
 * in their old place.
 */
function renamedTogether(problems: readonly BindingProblem[]): readonly BindingProblem[] {
  const moved = problems.filter(({ rule }) => rule === 'renamed-option');
  const edits = new Map(
    moved.flatMap(({ place: { path, span }, replacement }) =>
      replacement === undefined
        ? []
        : [[`${path}:${span.start}`, { path, span, newText: replacement }] as const],
    ),
  );
  return problems.map((problem) => {
    if (!moved.includes(problem)) return problem;
    const own = `${problem.place.path}:${problem.place.span.start}`;
    const alongside = [...edits].flatMap(([where, edit]) => (where === own ? [] : [edit]));
    return { ...problem, alongside };
  });
}

/** The problem for an override below `model.transformer`: a misspelt field, or a recipe without that level. */
function misplacedBelow(
  override: Override,
  { nesting: held, options }: RecipeKeys,
): readonly BindingProblem[] {
  const { prefix, keyPlace: place } = override;
  const written = prefix.replace(/=$/, '');
  const name = `model.${written.slice(nested.length)}`;
  const setting = settingOf(override, override.key);
  if (held === undefined) {
    if (!options.has(name)) return [];
    const reason = `the model of this recipe has no level transformer; write ${name}=…`;
    const replacement = keyReplacement(override, name);
    return [invalidOverride({ key: written, place, reason, replacement, setting, severity: 'warning' })];
  }
  if (options.has(name) || written.slice(nested.length).includes('.')) return [];
  const below = [...options.values()].filter((option) => isBelowModel(option.name, options));
  const near = nearestKey(
    name,
    below.map((option) => option.name),
  );
  if (near === undefined) return [];
  const meant = belowModel(near);
  return [
    {
      rule: 'unknown-option',
      place,
      values: { name: written, hint: ` Did you mean ${meant}?` },
      setting: undefined,
      replacement: keyReplacement(override, meant),
      severity: 'error',
      related: [],
    },
  ];
}
