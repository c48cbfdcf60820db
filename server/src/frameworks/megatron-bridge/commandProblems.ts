import { lastOf } from '../argparse/settings.ts';
import type { BindingContext, BindingProblem, Setting } from '../framework.ts';
import type { OptionFact, RecipeFacts } from '../knowledge.ts';
import type { Override } from '../omegaconf/overrides.ts';
import type { Presets } from '../scope.ts';
import { additionsToValues } from './additions.ts';
import { benchmarkProblems } from './benchmarkNames.ts';
import { exceptDeclaredFlags } from './benchmarks.ts';
import type { CommandLine } from './commandLine.ts';
import { keysTakenAway, vainDeletions } from './deletions.ts';
import { certainDefault } from './fields.ts';
import { flagsOutsideRecipe, hiddenKeys, isBelowModel, keysOutsideRecipe, nesting } from './nestedModel.ts';
import { isDeletion } from './precedence.ts';
import { missingFlags } from './programFlags.ts';
import { presetsOf, recipeName } from './recipe.ts';
import { isRecipe, recipeProblems } from './recipeNames.ts';
import { unknownNames } from './unknownNames.ts';

/** What a command line is checked against. */
export interface Surroundings {
  readonly options: ReadonlyMap<string, OptionFact>;
  /** Where the framework's own sources may be. */
  readonly paths: readonly string[];
  readonly recipes: RecipeFacts | undefined;
  readonly context: BindingContext;
}

/** What is wrong with the words of a launch: its flags, its overrides, and what its program asks for. */
export function commandProblems(command: CommandLine, around: Surroundings): readonly BindingProblem[] {
  const { launch, program, read, overrideProblems } = command;
  const { paths, context } = around;
  const isUpstreamModel = upstreamRecipe(command, around) !== undefined;
  return [
    ...exceptDeclaredFlags(read.problems, launch, context.host),
    ...unknownNames(overrideProblems, {
      program,
      overrides: read.overrides,
      isUpstreamModel,
      paths,
      context,
    }),
    ...changesOfKeys(command, around),
    ...hidden(command),
    ...programProblems(command, around),
  ];
}

/** The name of the recipe, if it is one of upstream's. */
function upstreamRecipe({ settings }: CommandLine, { options, recipes }: Surroundings): string | undefined {
  const name = recipeName(settings);
  return name !== undefined && isRecipe(name, recipes, options) ? name : undefined;
}

/** Deletions and additions of keys that are rejected or have no effect. */
function changesOfKeys(command: CommandLine, around: Surroundings): readonly BindingProblem[] {
  const { launch, program, read, settings, beforeOverrides } = command;
  const { overrides } = read;
  const { options, recipes } = around;
  const deleted = overrides.filter(isDeletion);
  const presets = presetsOf(
    { launch, program, settings: withoutAdded(settings, overrides), deleted },
    recipes,
  );
  const additions = additionsToValues({
    options,
    settings: beforeOverrides,
    overrides,
    presets,
    facts: recipes,
    // If they are below `model.transformer`, a plus sign creates them anew.
    isElsewhere: (name) => nestingOf(command, around) !== undefined && isBelowModel(name, options),
    certainDefault: (name) => (program === 'own' ? undefined : certainDefault(name, options)),
  });
  if (program === 'own') return additions;
  const vain = vainDeletions({
    overrides,
    options,
    settings: beforeOverrides,
    presets: presetsBeforehand(command, recipes),
  });
  return [...keysTakenAway(overrides), ...vain, ...additions];
}

/** What the recipe sets, before any override. */
function presetsBeforehand(
  { launch, program, beforeOverrides }: CommandLine,
  recipes: RecipeFacts | undefined,
): Presets | undefined {
  return presetsOf({ launch, program, settings: lastOf(beforeOverrides), deleted: [] }, recipes);
}

function withoutAdded(
  settings: ReadonlyMap<string, Setting>,
  overrides: readonly Override[],
): ReadonlyMap<string, Setting> {
  const added = new Set(overrides.flatMap(({ operation, key }) => (operation === 'add' ? [key] : [])));
  return new Map([...settings].filter(([name]) => !added.has(name)));
}

/** What an upstream program requires. */
function programProblems(command: CommandLine, around: Surroundings): readonly BindingProblem[] {
  const { launch, program, read, settings, open } = command;
  if (program === 'own') return [];
  const naming = { launch, settings, open, ...around };
  if (program === 'performance')
    return [...(open ? [] : missingFlags(launch, read.flags, around.options)), ...benchmarkProblems(naming)];
  return [...recipeProblems(naming), ...outsideRecipe(command, around)];
}

/** Whether the model of the recipe has its fields one level down. */
export function nestingOf(command: CommandLine, around: Surroundings): 'certain' | 'perhaps' | undefined {
  const { paths, context } = around;
  return nesting(upstreamRecipe(command, around), command.read.overrides, paths, context.host);
}

/** Keys that are hidden from Hydra, unless a file has them. */
function hidden({ program, read }: CommandLine): readonly BindingProblem[] {
  return program === 'own' || read.configFile !== undefined ? [] : hiddenKeys(read.overrides);
}

/** Keys that the recipe's configuration lacks. */
function outsideRecipe(command: CommandLine, around: Surroundings): readonly BindingProblem[] {
  const { overrides, configFile } = command.read;
  const { options, recipes } = around;
  const recipe = upstreamRecipe(command, around);
  if (recipe === undefined || recipes === undefined) return [];
  const held = nestingOf(command, around);
  const flags = flagsOutsideRecipe(command.read.flags, options, held);
  const filled = new Set(
    overrides.flatMap(({ key, operation }) => (operation === 'set' ? [] : (key.split('.', 1)[0] ?? []))),
  );
  const outside = keysOutsideRecipe({
    recipe,
    nesting: held,
    overrides,
    options,
    facts: recipes,
    presets: presetsBeforehand(command, recipes),
    isFilled: (section) => configFile !== undefined || filled.has(section),
  });
  return [...flags, ...outside];
}
