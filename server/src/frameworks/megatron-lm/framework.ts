import recognition from '../../../../schemas/megatron-lm/recognise.json';
import { basename } from '../../bash/library/paths.ts';
import type { Launch } from '../../launch/launch.ts';
import type { Place } from '../../text/span.ts';
import type { Host } from '../../value/host.ts';
import type { Value } from '../../value/value.ts';
import { known, unknown } from '../../value/value.ts';
import type { Word } from '../../value/word.ts';
import { textOf } from '../../value/word.ts';
import type { YamlDocument } from '../../yaml/document.ts';
import { modelConfig } from '../../yaml/modelConfig.ts';
import { bindArguments } from '../argparse/bind.ts';
import type { BoundArguments } from '../argparse/parser.ts';
import { lastOf, missingRequired } from '../argparse/settings.ts';
import { makeFacts } from '../facts.ts';
import type { BindingContext, BindingProblem, Framework, Run } from '../framework.ts';
import { nameRules } from '../nameRules.ts';
import { asWarnings } from '../otherVersion.ts';
import { makeScope } from '../scope.ts';
import { variablesOf } from '../variables.ts';
import { conversionsAt } from './conversions.ts';
import {
  type EntryScript,
  entryScript,
  isTrainer,
  namesTraining,
  recognise,
  scriptGroups,
  upstreamEntryOf,
} from './entries.ts';
import {
  decidedByTree,
  foreignOnce,
  hasOtherParser,
  tellFork,
  withoutAbbreviations,
  withoutNamesOfOthers,
} from './fork.ts';
import { ownSources } from './ownSources.ts';
import { optionMap, optionsOfScript } from './programOptions.ts';
import {
  flagsOfOthers,
  givenByEarlierName,
  isLaterNews,
  optionsAt,
  optionsInForce,
  releaseOf,
  releaseOfGone,
  rulesAfter,
} from './releases.ts';
import { trainingRules } from './trainingRules.ts';
import {
  isCopy,
  isDecimalUnderPatches,
  isOtherRelease,
  isPatched,
  liftedByPatch,
  namesOtherVersion,
  releaseOfTree,
  runsElsewhere,
  testValuesSplit,
} from './tree.ts';
import { besideYaml, isYamlConfig, yamlSettings } from './yamlConfig.ts';
import { bindYaml, yamlOf, yamlScope } from './yamlRun.ts';

/** Megatron-LM: pretraining and reinforcement learning from one command line. */
export const megatronLm: Framework = {
  id: 'megatron-lm',
  title: 'Megatron-LM',

  recogniseLaunch(launch: Launch, host: Host): string | undefined {
    return recognise(launch, host);
  },

  isNamedIn: namesTraining,

  recogniseDocument(document: YamlDocument): string | undefined {
    if (isYamlConfig(document)) return 'it has the sections language_model and model_parallel of --yaml-cfg';
    const args = document.at(['MODEL_ARGS']);
    return args?.kind === 'map' && args.entries.some((entry) => entry.key.startsWith('--'))
      ? "it is a configuration of Megatron-LM's functional tests (MODEL_ARGS)"
      : undefined;
  },

  bindLaunch(launch: Launch, because: string, context: BindingContext): Run {
    const entry = entryScript(launch);
    const ofTree = releaseOfTree(entry, launch.place.path, context.host);
    const patched = isPatched(entry, launch, context.host);
    const otherVersion =
      releaseOf(context) === undefined &&
      ((entry !== undefined && namesOtherVersion(launch, entry)) ||
        isOtherRelease(ofTree, context.knowledge.release) ||
        patched);
    const upstream =
      entry === undefined || otherVersion || isCopy(entry, launch.place.path, context.host)
        ? undefined
        : upstreamEntryOf(entry, scriptGroups(context.knowledge.options));
    return bindRun({
      args: launch.args,
      env: launch.env,
      worldSize: worldSizeOf(launch),
      launch,
      documents: [],
      place: launch.place,
      because,
      context,
      entry,
      inference: /inference|generat|evaluat/.test(upstream ?? entry?.name ?? ''),
      upstream,
      ofTree,
      otherVersion,
      patched,
    });
  },

  bindDocument(document: YamlDocument, because: string, context: BindingContext): Run {
    const ofTree = releaseOfTree(undefined, document.path, context.host);
    const config = modelConfig(document, 'MODEL_ARGS', testValuesSplit(ofTree));
    if (config === undefined && isYamlConfig(document)) return bindYaml(document, because, context);
    return bindRun({
      args: config?.words ?? [],
      env: config?.env ?? new Map(),
      worldSize: unknown('outside', 'number of GPUs'),
      launch: undefined,
      documents: [document],
      place: config?.place ?? document.root?.place ?? { path: document.path, span: { start: 0, end: 0 } },
      because,
      context,
      entry: undefined,
      inference: config?.mode === 'inference',
      upstream: undefined,
      ofTree,
      otherVersion: releaseOf(context) === undefined && isOtherRelease(ofTree, context.knowledge.release),
    });
  },
};

interface RunParts {
  readonly args: readonly Word[];
  readonly env: ReadonlyMap<string, Word>;
  readonly worldSize: Value;
  readonly launch: Launch | undefined;
  readonly documents: readonly YamlDocument[];
  readonly place: Place;
  readonly because: string;
  readonly context: BindingContext;
  readonly entry: EntryScript | undefined;
  /** The program generates text and does not train. */
  readonly inference: boolean;
  /** Upstream's path of the entry script; undefined for a fork or when the script is not known. */
  readonly upstream: string | undefined;
  /** The release of the Megatron tree that the text lies in. */
  readonly ofTree: string | undefined;
  /** The text names, or lies in, a Megatron of another version: nothing is certain enough for an error. */
  readonly otherVersion: boolean;
  /** Another package changes Megatron before it starts. */
  readonly patched?: boolean;
}

/** What every model is given; a file without any of it is a part that is put together with others. */
const shape: readonly string[] = [
  'num_layers',
  'hidden_size',
  'num_attention_heads',
  'hybrid_layer_pattern',
  'use_checkpoint_args',
  'yaml_cfg',
];

/** `WORLD_SIZE` as the job reads it: what the launcher starts, or the variable when the text sets it and no launcher does. */
function worldSizeOf(launch: Launch): Value {
  if (launch.worldSize.kind === 'known') return launch.worldSize;
  const word = launch.env.get('WORLD_SIZE');
  const text = word === undefined || launch.wrappers.length > 0 ? undefined : textOf(word);
  return text !== undefined && /^\d+$/.test(text) ? known(Number(text)) : launch.worldSize;
}

function bindRun(parts: RunParts): Run {
  const { context, launch, upstream } = parts;
  const { knowledge } = context;
  const release = releaseOf(context);
  const told = release ?? parts.ofTree;
  const all = optionsOfScript(knowledge.options, upstream ?? '');
  const mine = optionsAt(all, release ?? '');
  const bound = bindArguments(parts.args, {
    options: mine,
    allowAbbrev: false,
    unknown: 'refuse',
    fork: upstream === undefined,
    conversions: conversionsAt(release),
    extraOptions: context.extraOptions,
    otherReleases: flagsOfOthers(knowledge.options, release ?? ''),
    anyRelease: told === undefined,
    about: `Megatron-LM ${release ?? `at ${knowledge.commit.slice(0, 8)}`} does not know it.`,
  });
  const implied = told === undefined ? releaseOfGone(bound.problems, knowledge.options) : undefined;
  const fromWords = knownToFork(bound, parts);
  const fork =
    upstream === undefined
      ? hasOtherParser(bound, context.extraOptions)
      : release === undefined && runsElsewhere(parts.entry, context.host) && tellFork(fromWords);
  const otherVersion = parts.otherVersion || implied !== undefined || fork;
  const isOwnParser = upstream === undefined && parts.patched !== true && fork;
  const said = isOwnParser ? withoutAbbreviations(fromWords) : fork ? foreignOnce(fromWords) : fromWords;
  // A tree of another release starts its own trainer by that name.
  const pretrains =
    isTrainer(upstream) ||
    (parts.ofTree !== undefined && parts.patched !== true && isTrainer(parts.entry?.name));
  const program = upstream ?? (pretrains ? parts.entry?.name : undefined);
  const settings = lastOf(bound.settings);
  const isPart = launch === undefined && !shape.some((name) => settings.has(name));
  const open = bound.open || isPart || (launch?.open.length ?? 0) > 0;
  const options = optionMap(optionsInForce(all, release ?? ''), upstream ?? '');
  const addsArguments = recognition.programsThatAddArguments.includes(upstream ?? '');
  // A fork may have defaults of its own for what upstream demands, and more words may give it.
  const demanded = open || upstream === undefined ? required : undefined;
  const replacement = settings.get('yaml_cfg');
  const document = replacement === undefined ? undefined : yamlOf(replacement, parts);
  const ignored = bound.ignored.map(({ flag }) => flag);
  const renamed = givenByEarlierName(
    [...ignored, ...bound.settings.map(({ written }) => written)],
    knowledge.options,
  );
  const facts = makeFacts({
    worldSize: parts.worldSize,
    environment: parts.env,
    machine: context.machine,
  });
  const fromYaml = document === undefined ? [] : yamlSettings(document, options);
  const scope = makeScope({
    set: 'megatron-lm',
    role: undefined,
    options,
    derivations: knowledge.derivations,
    settings,
    forced: new Map([
      ['runs_inference', { value: known(parts.inference), because: 'of the program that is started' }],
      [
        'pretrains',
        {
          value: pretrains ? known(true) : unknown('outside', 'the program'),
          because: 'of the program that is started',
        },
      ],
      [
        'program',
        {
          value: program === undefined ? unknown('outside', 'the program') : known(basename(program)),
          because: 'of the program that is started',
        },
      ],
    ]),
    unknownDefault: (name) => isPart || addsArguments || demanded?.has(name) === true || renamed.has(name),
    excludes: new Set([
      ...rulesAfter(knowledge, told ?? implied ?? ''),
      ...(parts.inference ? trainingRules(knowledge) : []),
      ...(parts.patched === true ? liftedByPatch(new Set(ignored)) : []),
    ]),
    ...(otherVersion || isOtherRelease(release, knowledge.release) ? { ceiling: 'warning' } : {}),
    facts,
  });
  const problems = [
    ...said,
    ...(upstream === undefined || addsArguments ? [] : missingRequired(bound, mine, parts.place)),
    ...(replacement === undefined ? [] : besideYaml(bound)),
  ].filter(
    (problem) => release !== undefined || !isLaterNews(problem, knowledge.options, parts.ofTree ?? ''),
  );
  const run: Run = {
    framework: 'megatron-lm',
    because: parts.because,
    launch,
    documents: document === undefined ? parts.documents : [document, ...parts.documents],
    place: parts.place,
    settings: [...bound.settings, ...fromYaml],
    problems: otherVersion ? asWarnings(problems) : problems,
    scopes:
      replacement === undefined
        ? [scope]
        : document === undefined
          ? []
          : [yamlScope(fromYaml, options, facts, context, told ?? implied)],
    env: variablesOf(parts.env),
    worldSize: parts.worldSize,
    open,
    upstreamEntry: upstream !== undefined,
  };
  return replacement === undefined ? decidedByTree(run, bound.ignored, parts) : run;
}

/** Options without which upstream stops. */
const required: ReadonlySet<string> = new Set(recognition.demandedOptions);

/** Problems without those about flags and values that the sources in the workspace take, or that resemble what nobody means. */
function knownToFork(
  bound: BoundArguments,
  { entry, place, context, upstream, patched }: RunParts,
): readonly BindingProblem[] {
  const doubtful = bound.problems.filter(
    // A word without dashes is no flag that sources could declare.
    ({ rule, values }) =>
      values.name?.startsWith('-') === true && (nameRules.has(rule) || valueRules.has(rule)),
  );
  if (doubtful.length === 0) return bound.problems;
  const { options } = context.knowledge;
  const sources = ownSources(options, entry, place.path, context.host, upstream === undefined);
  const isKnown = ({ rule, values }: BindingProblem): boolean =>
    rule === 'invalid-choice'
      ? sources.offers(values.name ?? '', values.value ?? '')
      : rule === 'invalid-value'
        ? sources.accepts(values.name ?? '', values.value ?? '') ||
          (patched === true && isDecimalUnderPatches(values.name ?? '', values.value ?? ''))
        : sources.declares(values.name ?? '');
  const unknown = bound.problems.filter((problem) => !doubtful.includes(problem) || !isKnown(problem));
  return upstream === undefined ? withoutNamesOfOthers(unknown, options) : unknown;
}

const valueRules: ReadonlySet<string> = new Set(['invalid-choice', 'invalid-value']);
