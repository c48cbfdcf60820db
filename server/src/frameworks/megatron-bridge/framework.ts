import untouchedFields from '../../../../schemas/megatron-bridge/untouched.json';
import { isMap } from '../../expression/result.ts';
import type { Launch } from '../../launch/launch.ts';
import { remembering } from '../../value/remember.ts';
import { type Data, known, unknown, type Value } from '../../value/value.ts';
import { literalWord, textOf, type Word } from '../../value/word.ts';
import type { YamlDocument } from '../../yaml/document.ts';
import { lastOf } from '../argparse/settings.ts';
import { makeFacts } from '../facts.ts';
import type {
  BindingContext,
  BindingProblem,
  Effective,
  Framework,
  Run,
  Scope,
  Setting,
} from '../framework.ts';
import type { OptionFact, RecipeFacts } from '../knowledge.ts';
import { type Override, settingOf } from '../omegaconf/overrides.ts';
import { readTree, type TreePolicy, type TreeReading } from '../omegaconf/tree.ts';
import { optionsByName } from '../options.ts';
import { importPaths } from '../otherVersion.ts';
import { makeScope, type Presets } from '../scope.ts';
import { variablesOf } from '../variables.ts';
import { additionsToValues } from './additions.ts';
import { type ReadArguments, readArguments } from './arguments.ts';
import { benchmarkProblems } from './benchmarkNames.ts';
import { exceptDeclaredFlags } from './benchmarks.ts';
import { wrongChoice } from './choices.ts';
import { keysTakenAway, missingNames, unaddedDeletions, vainDeletions } from './deletions.ts';
import { withMegatron } from './megatron.ts';
import { keysOutsideRecipe } from './nestedModel.ts';
import { inOrder, isDeletion, letsFlagsWin } from './precedence.ts';
import { missingFlags } from './programFlags.ts';
import { presetsOf, recipeName } from './recipe.ts';
import { isRecipe, recipeProblems } from './recipeNames.ts';
import {
  namesBridge,
  type Program,
  programOf,
  recogniseDocument,
  recogniseLaunch,
  runsRecipes,
  sections,
  usesBridge,
} from './recognise.ts';
import { asReleased, otherRelease } from './release.ts';
import { rewrittenFields } from './rewritten.ts';
import { candidates } from './scriptPlaces.ts';
import { isDeclared, type NameUse, unknownNames } from './unknownNames.ts';
import { readYaml } from './yaml.ts';

/** Megatron-Bridge: recipes in Python with YAML files and dotted overrides on top. Of recipes of somebody's own nothing is known. */
export const megatronBridge: Framework = {
  id: 'megatron-bridge',
  title: 'Megatron-Bridge',
  recogniseLaunch,
  isNamedIn: namesBridge,
  isUsedBy: usesBridge,
  recogniseDocument,
  bindLaunch(launch, because, context) {
    const options = optionMap(context);
    const program = programOf(launch, context.host) ?? 'own';
    const read = readArguments(launch.args, options, program);
    const document = documentOf(read.configFile, launch, context);
    const yaml = document === undefined ? undefined : readYaml(document, options);
    const { overrides } = read;
    const file = yaml?.settings ?? [];
    const flagsWin = letsFlagsWin(launch, program);
    const beforehand = flagsWin ? file : [...file, ...read.flags];
    const given = [...file, ...read.flags, ...overrides.map(asSetting)];
    const treeOf = (words: readonly Override[]): TreeReading =>
      readTree(words, fieldsOf(options), policy(program, context, given));
    const deletions = overrides.filter(isDeletion);
    const tree = treeOf(overrides.filter((override) => !isDeletion(override)));
    const ofOverrides = [...tree.settings.values()];
    const settings = inOrder({ file, flags: read.flags, overrides, ofOverrides, flagsWin });
    const paths = importPaths(launch);
    const recipes = recipesIn(paths, context, launch);
    const presets = presetsOf({ launch, program, settings, deleted: deletions }, recipes);
    const unadded = presetsOf(
      { launch, program, settings: withoutAdded(settings, overrides), deleted: deletions },
      recipes,
    );
    const beforeOverrides = presetsOf(
      { launch, program, settings: lastOf(beforehand), deleted: [] },
      recipes,
    );
    const name = recipeName(settings);
    const isUpstreams = name !== undefined && isRecipe(name, recipes, options);
    const open = launch.open.length > 0 || read.open;
    const naming = { launch, settings, options, recipes, open, paths, context };
    const ofTree = { program, overrides, isUpstreamModel: isUpstreams, paths, context };
    const isFilled = (section: string): boolean =>
      read.configFile !== undefined ||
      overrides.some(({ key, operation }) => key.split('.', 1)[0] === section && operation !== 'set');
    const certainDefault = (name: string): Data | undefined =>
      program !== 'own' && untouched.has(name) ? options.get(name)?.default : undefined;
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
      problems: [
        ...exceptDeclaredFlags(read.problems, launch, context.host),
        ...unknownNames(tree.problems, ofTree),
        ...unknownNames(missingNames(treeOf(unaddedDeletions(overrides)).problems), ofTree),
        ...(program === 'own'
          ? []
          : [
              ...keysTakenAway(overrides),
              ...vainDeletions({ overrides, options, settings: beforehand, presets: beforeOverrides }),
            ]),
        ...additionsToValues({ options, settings: beforehand, overrides, presets: unadded, certainDefault }),
        ...(runsRecipes(program) ? recipeProblems(naming) : []),
        ...(program === 'performance' && !open ? missingFlags(launch, read.flags, options) : []),
        ...(program === 'performance' ? benchmarkProblems(naming) : []),
        ...(runsRecipes(program) && isUpstreams && recipes !== undefined
          ? keysOutsideRecipe({
              recipe: name,
              overrides,
              options,
              facts: recipes,
              presets: beforeOverrides,
              isFilled,
            })
          : []),
        ...ofFile(yaml?.problems ?? [], { paths, context }),
      ],
      worldSize: worldSizeOf(launch, program, settings),
      env: launch.env,
      open,
      upstreamEntry: program !== 'own',
      context,
    });
    return asReleased(run, paths, context);
  },
  bindDocument(document, because, context) {
    const options = optionMap(context);
    const yaml = readYaml(document, options);
    const run = makeRun({
      because,
      launch: undefined,
      program: undefined,
      document,
      options,
      settings: lastOf(yaml.settings),
      presets: undefined,
      recipes: recipesIn([document.path], context, undefined),
      flagsWin: false,
      problems: ofFile(yaml.problems, { paths: [document.path], context }),
      worldSize: unknown('outside', 'number of GPUs'),
      env: new Map(),
      open: true,
      upstreamEntry: false,
      context,
    });
    return asReleased(run, [document.path], context);
  },
};

/** What is said of a file, but for names that a Bridge in the workspace has. */
function ofFile(
  problems: readonly BindingProblem[],
  where: Pick<NameUse, 'paths' | 'context'>,
): readonly BindingProblem[] {
  return problems.filter(
    ({ rule, values }) => rule !== 'unknown-option' || !isDeclared(values.name ?? '', where),
  );
}

/** What recipes and named precisions set, unless another release is there, which may have others under their names. */
function recipesIn(
  paths: readonly string[],
  context: BindingContext,
  launch: Launch | undefined,
): RecipeFacts | undefined {
  return otherRelease(paths, context, launch) === undefined ? context.knowledge.recipes : undefined;
}

interface RunParts {
  readonly because: string;
  readonly launch: Launch | undefined;
  readonly program: Program | undefined;
  readonly document: YamlDocument | undefined;
  readonly options: ReadonlyMap<string, OptionFact>;
  readonly settings: ReadonlyMap<string, Setting>;
  readonly presets: Presets | undefined;
  readonly recipes: RecipeFacts | undefined;
  readonly flagsWin: boolean;
  readonly problems: readonly BindingProblem[];
  readonly worldSize: Value;
  readonly env: ReadonlyMap<string, Word>;
  readonly open: boolean;
  readonly upstreamEntry: boolean;
  readonly context: BindingContext;
}

function makeRun(parts: RunParts): Run {
  const { options, settings, program, recipes, context } = parts;
  const environment = withRecipeVariables(parts.env, settings);
  const facts = makeFacts({ worldSize: parts.worldSize, environment, machine: context.machine });
  const scopesFrom = (presets: Presets | undefined): readonly [Scope, Scope] => {
    const scope = makeScope({
      set: 'megatron-bridge',
      role: undefined,
      options: parts.upstreamEntry ? withCertainDefaults(options) : options,
      derivations: context.knowledge.derivations,
      settings,
      presets,
      forced: rewrittenFields({ options, settings, program, presets, recipes, flagsWin: parts.flagsWin }),
      facts: (name) => unlessRecipe(name, facts(name), environment, presets),
      spelling: (name) => settings.get(name)?.written ?? flagOf(name, options) ?? name,
    });
    return withMegatron(scope, options, parts.upstreamEntry === false, context);
  };
  const scopes = scopesFrom(parts.presets);
  const top = parts.document?.root?.place ?? { path: parts.document?.path ?? '', span: { start: 0, end: 0 } };
  return {
    framework: 'megatron-bridge',
    because: parts.because,
    launch: parts.launch,
    documents: parts.document === undefined ? [] : [parts.document],
    place: parts.launch?.place ?? { path: top.path, span: { start: top.span.start, end: top.span.start } },
    settings: [...settings.values()],
    problems: parts.problems,
    scopes:
      parts.presets === undefined
        ? scopes
        : scopes.map((scope, at) => ({ ...scope, certain: () => scopesFrom(undefined)[at] ?? scope })),
    env: variablesOf(parts.env),
    worldSize: parts.worldSize,
    open: parts.open,
    upstreamEntry: parts.upstreamEntry,
  };
}

/** The flag of an option that is no field of the configuration. */
function flagOf(name: string, options: ReadonlyMap<string, OptionFact>): string | undefined {
  return fieldsOf(options).has(name) ? undefined : options.get(name)?.flags?.[0];
}

function optionMap(context: BindingContext): ReadonlyMap<string, OptionFact> {
  return optionsByName(context.knowledge.options);
}

/** The options that are fields of the configuration: not the flags of programs, nor lists that only constraints read. */
const fieldsOf = remembering(
  (options: ReadonlyMap<string, OptionFact>): ReadonlyMap<string, OptionFact> =>
    new Map([...options].filter(([name]) => sections.includes(name.split('.', 1)[0] ?? ''))),
);

const untouched: ReadonlySet<string> = new Set(untouchedFields);

/** The options as upstream's own recipes leave them: fields that none of them sets have the default of their class. */
const withCertainDefaults = remembering(
  (options: ReadonlyMap<string, OptionFact>): ReadonlyMap<string, OptionFact> => {
    const out = new Map(options);
    for (const [name, option] of options) {
      const { defaultUnknown, ...certain } = option;
      if (defaultUnknown === true && untouched.has(name)) out.set(name, certain);
    }
    return out;
  },
);

/**
 * A recipe may set every variable that the launch does not set (its `env_vars`), so that absence says nothing where the recipe is not
 * known.
 */
function unlessRecipe(
  name: string,
  fact: Effective | undefined,
  environment: ReadonlyMap<string, Word>,
  presets: Presets | undefined,
): Effective | undefined {
  if (fact === undefined || fact.how === 'given' || !/^(?:env|alloc_conf)\./.test(name)) return fact;
  const variables = presets?.value('env_vars');
  if (
    presets !== undefined &&
    name.startsWith('env.') &&
    variables?.kind === 'known' &&
    isMap(variables.data)
  ) {
    const variable = name.slice('env.'.length);
    const isSet = Object.hasOwn(variables.data, variable);
    const value = isSet ? known(String(variables.data[variable])) : fact.value;
    return { ...fact, value, how: 'preset', from: presets.from };
  }
  if (name.startsWith('alloc_conf.') && environment.has('PYTORCH_CUDA_ALLOC_CONF')) return fact;
  return { ...fact, value: unknown('outside', `what the recipe sets ${name} to`) };
}

/** The launch's environment with the `env_vars` that the user wrote; a variable of the launch wins over them. */
function withRecipeVariables(
  env: ReadonlyMap<string, Word>,
  settings: ReadonlyMap<string, Setting>,
): ReadonlyMap<string, Word> {
  const all = new Map(env);
  for (const [name, setting] of settings) {
    if (!name.startsWith('env_vars.') || setting.value.kind !== 'known') continue;
    const variable = name.slice('env_vars.'.length);
    if (!all.has(variable))
      all.set(
        variable,
        literalWord(String(setting.value.data), setting.valuePlace ?? setting.keyPlace, setting.origin),
      );
  }
  return all;
}

/** The file that `--config-file` names, when the workspace has it. */
function documentOf(
  word: ReadArguments['configFile'],
  launch: Launch,
  context: BindingContext,
): YamlDocument | undefined {
  const path = word === undefined ? undefined : textOf(word);
  if (path === undefined) return undefined;
  for (const candidate of candidates(path, launch, context.host)) {
    const document = context.document(candidate);
    if (document !== undefined) return document;
  }
  return undefined;
}

function withoutAdded(
  settings: ReadonlyMap<string, Setting>,
  overrides: readonly Override[],
): ReadonlyMap<string, Setting> {
  const added = new Set(overrides.flatMap(({ operation, key }) => (operation === 'add' ? [key] : [])));
  return new Map([...settings].filter(([name]) => !added.has(name)));
}

function asSetting(override: Override): Setting {
  return settingOf(override, override.key);
}

/** Whether the last of some settings of a name is something. */
function isSet(name: string, given: readonly Setting[]): boolean {
  const value = given.findLast((setting) => setting.name === name)?.value;
  return value !== undefined && !(value.kind === 'known' && value.data === null);
}

function policy(program: Program, context: BindingContext, given: readonly Setting[]): TreePolicy {
  return {
    unknown: 'fork',
    isTold: () => program !== 'own',
    // The tree is made of plain values, so that nothing is converted or refused when it is read.
    wrongType: (option, leaf) => {
      if (option.type === 'group') return 'error';
      const isNumber = option.type === 'int' || option.type === 'float' || option.type === 'bool';
      return isNumber && leaf.type === 'str' ? 'warning' : undefined;
    },
    wrongChoice: ({ name }) => wrongChoice(name, (other) => isSet(other, given)),
    extra: context.extraOptions,
  };
}

/** Launchers that start one process a GPU themselves. */
const distributed =
  /^(?:torchrun|-m torch\.distributed\.(?:run|launch)|ft_launcher|-m nvidia_resiliency\S*|mpirun|mpiexec)$/;

/**
 * GPUs of the job. Without a launcher in the text the program may still run in many processes (srun around the whole script),
 * so that only a launcher's numbers count. The benchmarks and the program that submits a job are told the numbers.
 */
function worldSizeOf(launch: Launch, program: Program, settings: ReadonlyMap<string, Setting>): Value {
  const asked = (name: string): number | undefined => {
    const value = settings.get(name)?.value;
    return value?.kind === 'known' && /^\d+$/.test(String(value.data)) ? Number(value.data) : undefined;
  };
  if (program === 'performance') {
    const gpus = asked('performance.num_gpus');
    if (gpus !== undefined) return known(gpus);
  }
  if (program === 'submit') {
    const [nodes, gpus] = [asked('submit.nodes'), asked('submit.gpus_per_node')];
    return nodes === undefined || gpus === undefined
      ? unknown('outside', 'number of GPUs')
      : known(nodes * gpus);
  }
  const started =
    launch.wrappers.some((wrapper) => distributed.test(wrapper)) || launch.worldSizeWords.length > 0;
  return started ? launch.worldSize : unknown('outside', 'number of GPUs');
}
