import type { Launch } from '../../launch/launch.ts';
import { unknown } from '../../value/value.ts';
import type { YamlDocument } from '../../yaml/document.ts';
import { lastOf } from '../argparse/settings.ts';
import type { BindingContext, BindingProblem, Run } from '../framework.ts';
import { importPaths } from '../importPaths.ts';
import type { RecipeFacts } from '../knowledge.ts';
import { optionsByName } from '../options.ts';
import { readCommandLine } from './commandLine.ts';
import { commandProblems, nestingOf } from './commandProblems.ts';
import { additionOf } from './nestedModel.ts';
import { isDeletion } from './precedence.ts';
import { presetsOf } from './recipe.ts';
import { asReleased, otherRelease } from './release.ts';
import { makeRun } from './run.ts';
import { isDeclared, type NameUse } from './unknownNames.ts';
import { worldSizeOf } from './worldSize.ts';
import { readYaml } from './yaml.ts';

/** Binds a launch: its recipe, the file that it names, its flags and overrides. */
export function bindLaunch(launch: Launch, because: string, context: BindingContext): Run {
  const options = optionsByName(context.knowledge.options);
  const paths = importPaths(launch);
  const recipes = recipesIn(paths, context, launch);
  const command = readCommandLine(launch, options, context);
  const { program, read, document, file, settings, flagsWin, open } = command;
  const presets = presetsOf(
    { launch, program, settings, deleted: read.overrides.filter(isDeletion) },
    recipes,
  );
  const around = { options, paths, recipes, context };
  const run = makeRun({
    because,
    launch,
    program,
    document,
    options,
    settings,
    presets,
    recipes,
    flagsWin,
    problems: [...commandProblems(command, around), ...ofFile(file.problems, { paths, context })],
    worldSize: worldSizeOf(launch, program, settings),
    open,
    addition: program === 'own' ? undefined : additionOf(options, nestingOf(command, around)),
    context,
  });
  return asReleased(run, paths, context);
}

/** Binds a file of overrides on its own. */
export function bindDocument(document: YamlDocument, because: string, context: BindingContext): Run {
  const options = optionsByName(context.knowledge.options);
  const paths = [document.path];
  const file = readYaml(document, options);
  const run = makeRun({
    because,
    launch: undefined,
    program: undefined,
    document,
    options,
    settings: lastOf(file.settings),
    presets: undefined,
    recipes: recipesIn(paths, context, undefined),
    flagsWin: false,
    problems: ofFile(file.problems, { paths, context }),
    worldSize: unknown('outside', 'number of GPUs'),
    open: true,
    addition: undefined,
    context,
  });
  return asReleased(run, paths, context);
}

/** The problems of a file, except for names that a Bridge in the workspace has. */
function ofFile(
  problems: readonly BindingProblem[],
  where: Pick<NameUse, 'paths' | 'context'>,
): readonly BindingProblem[] {
  return problems.filter(
    ({ rule, values }) => rule !== 'unknown-option' || !isDeclared(values.name ?? '', where),
  );
}

/** What recipes and named precisions set; omitted for another release, whose recipes may have the same names but other settings. */
function recipesIn(
  paths: readonly string[],
  context: BindingContext,
  launch: Launch | undefined,
): RecipeFacts | undefined {
  return otherRelease(paths, context, launch) === undefined ? context.knowledge.recipes : undefined;
}
