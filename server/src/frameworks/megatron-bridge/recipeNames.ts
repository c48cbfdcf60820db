import runner from '../../../../schemas/megatron-bridge/recipe-runner.json';
import type { Launch } from '../../launch/launch.ts';
import { literally } from '../../text/literal.ts';
import { closest } from '../../text/spelling.ts';
import type { Host } from '../../value/host.ts';
import { rememberingBy } from '../../value/remember.ts';
import { folderAbove } from '../above.ts';
import type { BindingContext, BindingProblem, Setting } from '../framework.ts';
import type { OptionFact, RecipeFacts } from '../knowledge.ts';
import { problem } from '../problem.ts';
import { recipeFlag, recipeName, taskOfMode, textOfSetting } from './recipe.ts';
import { packageInfo } from './release.ts';

/** What is needed to tell whether a launch of the recipe runner names an existing recipe. */
export interface RecipeNaming {
  readonly launch: Launch;
  readonly settings: ReadonlyMap<string, Setting>;
  readonly options: ReadonlyMap<string, OptionFact>;
  readonly recipes: RecipeFacts | undefined;
  /** Unknown words may name one. */
  readonly open: boolean;
  readonly paths: readonly string[];
  readonly context: BindingContext;
}

/** Whether upstream has a recipe of that name, even one about which nothing more is known. */
export function isRecipe(
  name: string,
  recipes: RecipeFacts | undefined,
  options: ReadonlyMap<string, OptionFact>,
): boolean {
  return recipes !== undefined && (Object.hasOwn(recipes.recipes, name) || unread(options).includes(name));
}

/** The recipe runner requires `--recipe` or `--model` (run_recipe.py:169), with a name that it can find (recipe_runner.py:257). */
export function recipeProblems(naming: RecipeNaming): readonly BindingProblem[] {
  const { launch, settings, recipes, options, open, paths, context } = naming;
  const flag = settings.get(recipeFlag) ?? settings.get('run_recipe.model');
  if (flag === undefined)
    return open || launch.args.length === 0
      ? []
      : [problem('required-option', launch.entry.word.place, { name: '--recipe or --model' }, 'error')];
  const name = recipeName(settings);
  if (name === undefined || isRecipe(name, recipes, options)) return [];
  const root = folderAbove(paths, packageInfo, context.host);
  const isInTree = (one: string): boolean => root !== undefined && hasRecipe(root, one, context.host);
  if (isInTree(name)) return [];
  const place = flag.valuePlace ?? flag.keyPlace;
  // For another release only the source tree tells which recipes exist.
  const renamed = renamedRecipe(name, settings, (one) =>
    recipes === undefined ? isInTree(one) : isRecipe(one, recipes, options),
  );
  if (renamed !== undefined) {
    // Older releases have it; their runner takes no mode.
    const isNewer = root !== undefined || settings.has('run_recipe.mode');
    const found = problem(
      'unknown-recipe',
      place,
      { name, hint: renamed.hint },
      isNewer ? 'warning' : 'info',
    );
    return [{ ...found, setting: flag, ...meaning(renamed.meant) }];
  }
  if (recipes === undefined) return [];
  const near = meantBy(name, flag.name === recipeFlag, recipes, options);
  const shown = flag.name === recipeFlag ? near : near?.replace(modeEnding, '');
  // A fork or a newer release may have more recipes; a Bridge in the workspace may find them in its own way.
  const severity = near === undefined ? 'info' : root === undefined ? 'error' : 'warning';
  const values = { name, hint: near === undefined ? '' : ` Did you mean ${near}?` };
  return [
    {
      ...problem('unknown-recipe', place, values, severity),
      setting: flag,
      ...meaning(shown),
    },
  ];
}

/** The present name of a recipe that had another one in older releases: there may be several, and the mode selects one. */
function renamedRecipe(
  name: string,
  settings: RecipeNaming['settings'],
  isThere: (recipe: string) => boolean,
): { readonly hint: string; readonly meant: string | undefined } | undefined {
  const { ending, since, byMode } = runner.renamedRecipes;
  if (!name.endsWith(ending)) return undefined;
  const stem = name.slice(0, -ending.length);
  const endings = [...new Set(Object.values(byMode))].filter((one) => isThere(stem + one));
  if (endings.length === 0) return undefined;
  const { value } = settings.get('run_recipe.mode') ?? {};
  const mode = Object.entries(byMode).find(([one]) => value?.kind === 'known' && value.data === one);
  const [only, ...others] = endings;
  const chosen = mode === undefined ? (others.length === 0 ? only : undefined) : mode[1];
  return {
    hint: ` It is called ${endings.map((one) => stem + one).join(' or ')} since ${since}.`,
    meant: chosen !== undefined && endings.includes(chosen) ? stem + chosen : undefined,
  };
}

/** The part of a recipe's name that says how it trains (recipe_metadata.py:209, :214). */
const taskIn = /_(?:pretrain|sft|finetune|dora|peft|lora)(?=_)/;

/** Upstream's recipe for the same model that trains as `--mode` says; undefined if upstream has none, or if no mode is given. */
export function recipeOfMode(
  name: string | undefined,
  settings: RecipeNaming['settings'],
  isThere: (recipe: string) => boolean,
): string | undefined {
  const mode = textOfSetting(settings.get('run_recipe.mode'));
  if (name === undefined || mode === undefined) return undefined;
  const asked = name.replace(taskIn, `_${taskOfMode(mode)}`);
  return asked !== name && isThere(asked) ? asked : undefined;
}

/** Where a checkout of Bridge has its recipes. */
const recipeFolders: readonly string[] = ['recipes', 'perf_recipes'].map(
  (folder) => `src/megatron/bridge/${folder}`,
);

/** Whether the recipes of a Bridge contain a name: a fork has its own. */
function hasRecipe(root: string, name: string, host: Host): boolean {
  const word = new RegExp(`\\b${literally(name)}\\b`);
  return recipeFolders.some((folder) => holds(`${root}/${folder}`, word, host));
}

/** Whether a Python file below a folder contains a word. */
function holds(folder: string, word: RegExp, host: Host): boolean {
  return (host.list(folder) ?? []).some((entry) => {
    const path = `${folder}/${entry}`;
    if (entry.endsWith('.py')) return word.test(host.read(path) ?? '');
    return host.kind(path) === 'directory' && holds(path, word, host);
  });
}

/** What follows the value of `--model` in the name of a recipe. */
const modeEnding = /_(?:pretrain|sft|peft)_config$/;

function meaning(value: string | undefined): Pick<BindingProblem, 'meant'> {
  return value === undefined ? {} : { meant: { value, title: `Use ${value}` } };
}

/** The upstream recipe whose name is close to the given one. A model is completed to a name by its mode, which is kept. */
function meantBy(
  name: string,
  isWhole: boolean,
  recipes: RecipeFacts,
  options: ReadonlyMap<string, OptionFact>,
): string | undefined {
  const ending = isWhole ? '' : (modeEnding.exec(name)?.[0] ?? '');
  const names = namesOfRecipes(recipes, options).filter((one) => one.endsWith(ending));
  const completed = [`${name}_config`, name.replace(/_configs?$|_conf$/, '_config')];
  const numbers = numbersOf(name);
  const like = names.filter((one) => numbersOf(one) === numbers);
  const limit = Math.min(3, Math.floor(name.length / 8));
  const sorted = partsOf(name);
  return (
    completed.find((one) => names.includes(one)) ??
    closest(name, like, limit) ??
    like.find((one) => partsOf(one) === sorted)
  );
}

/** The parts of a name, in a fixed order. */
function partsOf(name: string): string {
  return name.split('_').sort().join(' ');
}

/** The numbers in a name, which give sizes and GPUs: a recipe with other numbers is another recipe, not a misspelling. */
export function numbersOf(name: string): string {
  return (name.match(/\d+/g) ?? []).sort().join(' ');
}

/** The names of all upstream recipes, including those about which nothing more is known. */
export function namesOfRecipes(
  recipes: RecipeFacts,
  options: ReadonlyMap<string, OptionFact>,
): readonly string[] {
  return [...Object.keys(recipes.recipes), ...unread(options)];
}

function unread(options: ReadonlyMap<string, OptionFact>): readonly string[] {
  return unreadBy(options, 'unread_recipes');
}

const unreadBy = rememberingBy((options: ReadonlyMap<string, OptionFact>, list): readonly string[] => {
  const names = options.get(list)?.default;
  return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
});
