import data from '../../../../schemas/megatron-bridge/recognise.json';
import { closest } from '../../text/spelling.ts';
import { folderAbove } from '../above.ts';
import type { BindingProblem, Setting } from '../framework.ts';
import type { OptionFact, RecipeFacts } from '../knowledge.ts';
import { problem } from '../problem.ts';
import { benchmarkName, benchmarkOf } from './benchmarks.ts';
import { letsFlagsWin } from './precedence.ts';
import { isRecipe, namesOfRecipes, numbersOf, type RecipeNaming } from './recipeNames.ts';
import { packageInfo } from './release.ts';

const { parts, labels } = data.benchmarkNames;

const shape = /^(.+)_(pretrain|sft|peft)_\d+gpu_([a-z]+\d+)_([a-z0-9]+)(?:_(.+))?_config$/;

/**
 * Whether a recipe is one of upstream's benchmarks; undefined if it is not an upstream recipe. The library also names recipes after GPUs, but
 * almost only H100 in BF16, for which there are few benchmarks; the exceptions are listed.
 */
export function isBenchmarkRecipe(
  name: string,
  recipes: RecipeFacts,
  options: ReadonlyMap<string, OptionFact>,
): boolean | undefined {
  if (!isRecipe(name, recipes, options)) return undefined;
  const listed = options.get('contrary_recipes')?.default;
  const isContrary = Array.isArray(listed) && listed.includes(name);
  return /_\d+gpu_/.test(name) && name.includes('_h100_bf16_') === isContrary;
}

/**
 * The benchmarks look up a recipe by model, task, GPU, precision and variant, and reject combinations that have no recipe for any number of
 * GPUs (scripts/performance/utils/utils.py:617). A fork or a newer release may have more, so only a misspelt model name is an error.
 */
export function benchmarkProblems(naming: RecipeNaming): readonly BindingProblem[] {
  const { launch, settings, recipes, options, open, paths, context } = naming;
  const isLookedUp =
    letsFlagsWin(launch, 'performance') &&
    benchmarkName(launch) !== 'run_recipe' &&
    benchmarkOf(launch, context.host) === 'own' &&
    !settings.has('performance.list_config_variants');
  const isForked = folderAbove(paths, packageInfo, context.host) !== undefined;
  if (open || !isLookedUp || isForked || recipes === undefined) return [];
  const known = namesOfRecipes(recipes, options).flatMap((name) => {
    if (isBenchmarkRecipe(name, recipes, options) !== true) return [];
    const [, model = '', task = '', gpu = '', precision = '', variant = ''] = shape.exec(name) ?? [];
    return model === '' ? [] : [[model, task, gpu, precision, variant]];
  });
  let left: readonly (readonly string[])[] = known;
  const before: string[] = [];
  for (const [at, { option, otherwise }] of parts.entries()) {
    const setting = settings.get(option);
    const text = setting === undefined ? (otherwise ?? undefined) : textOf(setting);
    const choices = options.get(option)?.choices;
    // What argparse rejects is reported elsewhere.
    if (text === undefined || (setting !== undefined && choices?.includes(text) === false)) return [];
    const wanted = plain(text, option);
    const fitting = left.filter((one) => one[at] === wanted);
    if (fitting.length === 0) {
      const gpu = setting ?? settings.get('performance.gpu');
      if (gpu === undefined) return [];
      const others = [...new Set(left.map((one) => one[at] ?? ''))];
      return [refused(gpu, wanted, others, before)];
    }
    left = fitting;
    before.push(wanted);
  }
  return [];
}

/** A part of a name in the form that recipe names use: fp8_cs becomes fp8cs. */
function plain(text: string, option: string): string {
  const small = text.toLowerCase();
  if (option === 'performance.compute_dtype') return small.replaceAll('_', '');
  return option === 'performance.config_variant' && labels.includes(small) ? '' : small;
}

function textOf({ value }: Setting): string | undefined {
  return value.kind === 'known' && typeof value.data === 'string' ? value.data : undefined;
}

/** The problem for a part that no benchmark has in combination with the parts before it. */
function refused(
  setting: Setting,
  wanted: string,
  choices: readonly string[],
  before: readonly string[],
): BindingProblem {
  const place = setting.valuePlace ?? setting.keyPlace;
  if (before.length > 0) {
    const listed = choices.map((choice) => (choice === '' ? 'none' : choice)).join(', ');
    const all = [...before, wanted];
    const name = [...all.slice(0, 2), ...(all.length > 2 ? ['…gpu', ...all.slice(2)] : [])].join('_');
    return {
      ...problem('unknown-recipe', place, { name, hint: ` There are: ${listed}.` }, 'warning'),
      setting,
    };
  }
  const near = closest(
    wanted,
    choices.filter((choice) => numbersOf(choice) === numbersOf(wanted)),
    Math.min(3, Math.floor(wanted.length / 5)),
  );
  const hint = near === undefined ? '' : ` Did you mean ${near}?`;
  const found = {
    ...problem('unknown-recipe', place, { name: wanted, hint }, near === undefined ? 'info' : 'error'),
    setting,
  };
  return near === undefined ? found : { ...found, meant: { value: near, title: `Use ${near}` } };
}
