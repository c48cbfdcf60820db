import runner from '../../../../schemas/megatron-bridge/recipe-runner.json';
import { isMap } from '../../expression/result.ts';
import type { Launch } from '../../launch/launch.ts';
import { remembering, rememberingBy } from '../../value/remember.ts';
import { known, unknown, type Value } from '../../value/value.ts';
import { textOf } from '../../value/word.ts';
import type { Setting } from '../framework.ts';
import type { RecipeFacts } from '../knowledge.ts';
import type { Override } from '../omegaconf/overrides.ts';
import { positionsIn } from '../positions.ts';
import type { Presets } from '../scope.ts';
import { type Program, runsRecipes } from './recognise.ts';

/** What a launch says about its recipe. */
export interface RecipeUse {
  readonly launch: Launch;
  readonly program: Program;
  readonly settings: ReadonlyMap<string, Setting>;
  /** Keys that the user removes. */
  readonly deleted: readonly Override[];
}

/** The flag by which a launch names its recipe. */
export const recipeFlag = 'run_recipe.recipe';
/** The flags that otherwise make up a recipe's name. */
const modelFlag = 'run_recipe.model';
const modeFlag = 'run_recipe.mode';

const changes: ReadonlyMap<string, readonly string[]> = new Map(Object.entries(runner.whenGiven));
const flagChanges: ReadonlyMap<string, readonly string[]> = new Map(Object.entries(runner.byFlag));

/**
 * What the recipe of a launch sets, as far as neither the user nor the recipe runner changes it. Undefined if the launch names no known recipe.
 */
export function presetsOf(use: RecipeUse, facts: RecipeFacts | undefined): Presets | undefined {
  const { program, settings } = use;
  if (facts === undefined || !runsRecipes(program)) return undefined;
  const name = recipeName(settings);
  const listed = name === undefined ? undefined : listedBy(facts, name);
  if (name === undefined || listed === undefined) return undefined;
  const settled = settledIn(facts, name);
  const isSettled = (option: string): boolean =>
    settled.everywhere.has(option) || settled.inFamily?.has(option) === true;
  const changed = changedParts(use, name, listed, isSettled);
  const isChanged = (option: string): boolean =>
    changed.has(option) || groupsOf(option).some((group) => changed.has(group));
  return {
    names: [...listed.keys()],
    value: (option) => (isChanged(option) ? undefined : listed.get(option)),
    isSettled: (option) => !isChanged(option) && !listed.has(option) && isSettled(option),
    from: [recipeFlag, modelFlag].filter((flag) => settings.has(flag)),
  };
}

/** The recipe that the flags select: `--recipe`, or `--model` and `--mode`. */
export function recipeName(settings: ReadonlyMap<string, Setting>): string | undefined {
  if (settings.has(recipeFlag)) return textOfSetting(settings.get(recipeFlag));
  const model = textOfSetting(settings.get(modelFlag));
  const mode = textOfSetting(settings.get(modeFlag));
  if (model === undefined || mode === undefined) return undefined;
  return `${model}_${taskOfMode(mode)}_config`;
}

/** The part of recipe names that stands for a mode (recipe_metadata.py:209). */
export function taskOfMode(mode: string): string {
  return mode === 'lora' || mode === 'dora' ? 'peft' : mode;
}

/** The string value of a setting, if known. */
export function textOfSetting(setting: Setting | undefined): string | undefined {
  return setting?.value.kind === 'known' && typeof setting.value.data === 'string'
    ? setting.value.data
    : undefined;
}

/** The settings that a recipe lists. */
const listedBy = rememberingBy((facts: RecipeFacts, name): ReadonlyMap<string, Value> | undefined => {
  const set = Object.hasOwn(facts.recipes, name) ? facts.sets[facts.recipes[name] ?? -1] : undefined;
  if (set === undefined) return undefined;
  const listed = new Map<string, Value>();
  for (const position of positionsIn(set)) {
    const [option, data] = facts.settings[position] ?? [];
    if (option === undefined) continue;
    listed.set(
      option,
      data === undefined ? unknown('outside', `what ${name} sets ${option} to`) : known(data),
    );
  }
  return listed;
});

/** Options that have their class's default unless a recipe lists them, in every recipe and in those of one family. */
interface Settled {
  readonly everywhere: ReadonlySet<string>;
  readonly inFamily: ReadonlySet<string> | undefined;
}

const settledIn = rememberingBy((facts: RecipeFacts, recipe): Settled => {
  const family = facts.families.find(({ recipes }) => recipes.includes(recipe));
  return {
    everywhere: settledEverywhere(facts),
    inFamily: family === undefined ? undefined : new Set(family.settled),
  };
});

const settledEverywhere = remembering((facts: RecipeFacts): ReadonlySet<string> => new Set(facts.settled));

/** Sections and options that no longer have the recipe's values (scripts/training/run_recipe.py:450). */
function changedParts(
  { launch, settings, deleted }: RecipeUse,
  name: string,
  listed: ReadonlyMap<string, Value>,
  hasDefault: (option: string) => boolean,
): ReadonlySet<string> {
  // What the runner may change has no value by default, and is changed only if it has one.
  const isEmpty = (part: string): boolean =>
    listed.has(part) ? isNothing(listed.get(part)) : hasDefault(part);
  const parts = new Set([...deleted.map(({ key }) => key), ...runner.always]);
  for (const [setting, { value }] of settings) {
    // A map is merged with the existing one.
    if (value.kind === 'known' && isMap(value.data)) continue;
    parts.add(setting);
    for (const part of changes.get(setting) ?? []) if (!isEmpty(part)) parts.add(part);
    // The key is below one that the recipe sets as a whole.
    for (const group of groupsOf(setting)) if (listed.get(group)?.kind === 'known') parts.add(group);
  }
  for (const word of launch.args)
    for (const part of flagChanges.get(textOf(word) ?? '') ?? []) parts.add(part);
  if (!isPretraining(name, settings) && !isOne('model.context_parallel_size', settings, listed))
    for (const part of runner.finetuningAcrossContext) parts.add(part);
  return parts;
}

function isPretraining(name: string, settings: ReadonlyMap<string, Setting>): boolean {
  return settings.has(modeFlag)
    ? textOfSetting(settings.get(modeFlag)) === 'pretrain'
    : name.includes('_pretrain_');
}

function isOne(
  option: string,
  settings: ReadonlyMap<string, Setting>,
  listed: ReadonlyMap<string, Value>,
): boolean {
  const value = settings.get(option)?.value ?? listed.get(option);
  return value?.kind === 'known' && value.data === 1;
}

function isNothing(value: Value | undefined): boolean {
  return value?.kind === 'known' && value.data === null;
}

/** `a.b` and `a` of `a.b.c`. */
function groupsOf(option: string): readonly string[] {
  const out: string[] = [];
  for (let dot = option.lastIndexOf('.'); dot > 0; dot = option.lastIndexOf('.', dot - 1))
    out.push(option.slice(0, dot));
  return out;
}
