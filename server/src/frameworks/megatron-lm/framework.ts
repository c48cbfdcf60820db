import recognition from '../../../../schemas/megatron-lm/recognise.json';
import { basename } from '../../bash/library/paths.ts';
import { namesOf, visitCalls } from '../../expression/tree.ts';
import type { Launch } from '../../launch/launch.ts';
import type { Host } from '../../value/host.ts';
import type { Value } from '../../value/value.ts';
import { known, unknown } from '../../value/value.ts';
import { textOf } from '../../value/word.ts';
import type { YamlDocument } from '../../yaml/document.ts';
import { modelConfig } from '../../yaml/modelConfig.ts';
import { lastOf, missingRequired } from '../argparse/settings.ts';
import { makeFacts } from '../facts.ts';
import type { BindingContext, BindingProblem, Framework, Run, Scope, Setting } from '../framework.ts';
import type { OptionFact } from '../knowledge.ts';
import { asWarning } from '../problem.ts';
import { makeScope, type ScopeParts } from '../scope.ts';
import { variablesOf } from '../variables.ts';
import {
  entryScript,
  isTrainer,
  namesTraining,
  recognise,
  scriptGroups,
  startsRelative,
  upstreamEntryOf,
} from './entries.ts';
import { decidedByTree, isRefusedByAll } from './fork.ts';
import { optionMap } from './programOptions.ts';
import { type ReadArguments, readArguments } from './readArguments.ts';
import {
  givenByEarlierName,
  isLaterChange,
  optionsAfter,
  optionsInForce,
  releaseOf,
  rulesAfter,
  sinceNoteFor,
} from './releases.ts';
import type { RunParts } from './runParts.ts';
import { trainingRules } from './trainingRules.ts';
import {
  isCopy,
  isOtherRelease,
  isPatched,
  liftedByPatch,
  namesOtherVersion,
  releaseNamed,
  releaseOfSubmodule,
  releaseOfTree,
  testValuesSplit,
} from './tree.ts';
import { besideYaml, isYamlConfig, yamlSettings } from './yamlConfig.ts';
import { bindYaml, yamlOf, yamlScope } from './yamlRun.ts';

/** Megatron-LM: pretraining and reinforcement learning from one command line. */
export const megatronLm: Framework = {
  id: 'megatron-lm',
  // A program in Go reads what configures the functional tests.
  yamlLoader: 'other',
  // megatron/training/initialize.py:289 calls set_device.
  takesGpuByNumber: true,

  recogniseLaunch(launch: Launch, host: Host): string | undefined {
    return recognise(launch, host);
  },

  isRelative: startsRelative,

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
    const ofTree =
      releaseOfTree(entry, launch.place.path, context.host) ??
      releaseNamed(launch, entry) ??
      releaseOfSubmodule(entry, launch.place.path, context.host);
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
      inference: isWithoutTraining.test(upstream ?? entry?.name ?? ''),
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

/** `WORLD_SIZE` as the job sees it: the number the launcher starts, or the variable if the text sets it and there is no launcher. */
function worldSizeOf(launch: Launch): Value {
  if (launch.worldSize.kind === 'known') return launch.worldSize;
  const word = launch.env.get('WORLD_SIZE');
  const text = word === undefined || launch.wrappers.length > 0 ? undefined : textOf(word);
  return text !== undefined && /^\d+$/.test(text) ? known(Number(text)) : launch.worldSize;
}

function bindRun(parts: RunParts): Run {
  const { context, launch, upstream } = parts;
  const { knowledge } = context;
  const read = readArguments(parts);
  const { bound, release } = read;
  const settings = lastOf(bound.settings);
  const isPart = launch === undefined && !recognition.modelOptions.some((name) => settings.has(name));
  const options = optionMap(optionsInForce(read.all, release ?? ''), upstream ?? '');
  const facts = makeFacts({
    worldSize: parts.worldSize,
    environment: parts.env,
    machine: context.machine,
  });
  const replacement = settings.get('yaml_cfg');
  const document = replacement === undefined ? undefined : yamlOf(replacement, parts);
  const fromYaml = document === undefined ? [] : yamlSettings(document, options);
  const open = bound.open || isPart || (launch?.open.length ?? 0) > 0;
  const problems = [
    ...read.problems,
    ...(upstream === undefined || addsArguments(upstream)
      ? []
      : missingRequired(bound, read.options, parts.place)),
    ...(replacement === undefined ? [] : besideYaml(bound)),
  ].filter(
    (problem) => release !== undefined || !isLaterChange(problem, knowledge.options, parts.ofTree ?? ''),
  );
  const isFork = upstream !== undefined && read.rulesRelease === undefined;
  const isSure = (problem: BindingProblem): boolean => isFork && isRefusedByAll(problem);
  const run: Run = {
    framework: 'megatron-lm',
    because: parts.because,
    launch,
    documents: document === undefined ? parts.documents : [document, ...parts.documents],
    place: parts.place,
    settings: [...bound.settings, ...fromYaml],
    problems: read.otherVersion ? problems.map((one) => (isSure(one) ? one : asWarning(one))) : problems,
    scopes:
      replacement === undefined
        ? [commandLineScope(parts, read, { settings, options, facts, isPart, open })]
        : document === undefined
          ? []
          : [
              yamlScope({
                settings: fromYaml,
                options,
                facts,
                context,
                release: read.rulesRelease,
                ofProgram: ofProgram(parts, false),
              }),
            ],
    env: variablesOf(parts.env),
    worldSize: parts.worldSize,
    open,
    upstreamEntry: upstream !== undefined,
  };
  return replacement === undefined ? decidedByTree(run, bound.ignored, parts) : run;
}

interface Given {
  readonly settings: ReadonlyMap<string, Setting>;
  readonly options: ReadonlyMap<string, OptionFact>;
  readonly facts: ReturnType<typeof makeFacts>;
  /** A partial configuration, which others complete. */
  readonly isPart: boolean;
  /** Further words may be given besides the known ones. */
  readonly open: boolean;
}

/** The scope of a command line: what its words set, and the defaults of everything else. */
function commandLineScope(
  parts: RunParts,
  { bound, release, rulesRelease, otherVersion }: ReadArguments,
  { settings, options, facts, isPart, open }: Given,
): Scope {
  const { context, upstream } = parts;
  const { knowledge } = context;
  // A fork may have its own defaults for what upstream requires, and further words may give it.
  const demanded = open || upstream === undefined ? required : undefined;
  const ignored = bound.ignored.map(({ flag }) => flag);
  const renamed = givenByEarlierName(
    [...ignored, ...bound.settings.map(({ written }) => written)],
    knowledge.options,
  );
  const namesModelFile = ignored.some((flag) => recognition.flagsOfModelFiles.includes(flag));
  return makeScope({
    set: 'megatron-lm',
    role: undefined,
    options,
    derivations: knowledge.derivations,
    settings,
    forced: ofProgram(parts, ignored.length > 0),
    unknownDefault: (name) =>
      isPart ||
      addsArguments(upstream) ||
      demanded?.has(name) === true ||
      renamed.has(name) ||
      (namesModelFile && heldByModelFiles.has(name)),
    excludes: new Set([
      ...rulesAfter(knowledge, rulesRelease ?? ''),
      ...(parts.inference ? trainingRules(knowledge) : []),
      ...(namesModelFile ? missingFromModel(knowledge, settings) : []),
      ...(parts.patched === true || upstream === undefined
        ? liftedByPatch(new Set(ignored), parts.patched === true)
        : []),
    ]),
    ...(rulesRelease === undefined ? {} : { later: optionsAfter(knowledge.options, rulesRelease) }),
    ...(otherVersion || isOtherRelease(release, knowledge.release) ? { ceiling: 'warning' } : {}),
    sinceNote:
      otherVersion && rulesRelease === undefined
        ? (since) => sinceNoteFor(since, knowledge.release)
        : undefined,
    facts,
  });
}

/** The rules that ask whether a model option is given, if it is not and a file describes the model: this is then unknown. */
function missingFromModel(
  { constraints }: BindingContext['knowledge'],
  settings: ReadonlyMap<string, Setting>,
): readonly string[] {
  const isLeft = (name: string): boolean => heldByModelFiles.has(name) && !settings.has(name);
  return constraints.flatMap(({ id, when }) => {
    let asksForIt = false;
    visitCalls(when, (call, args) => {
      asksForIt ||= (call === 'given' || call === 'asked') && args.flatMap(namesOf).some(isLeft);
    });
    return asksForIt ? [id] : [];
  });
}

/** Programs that do not train: they generate, evaluate, or change a checkpoint, as all but one of the Model Optimizer ones do. */
const isWithoutTraining = new RegExp(recognition.patternsWithoutTraining.join('|'));

/**
 * What follows from the program that is started, whatever its arguments.
 * @param takesOthers whether there are unknown flags
 */
function ofProgram(
  { upstream, entry, ofTree, patched, inference }: RunParts,
  takesOthers: boolean,
): NonNullable<ScopeParts['forced']> {
  // A tree of another release starts its own trainer by that name.
  const pretrains =
    isTrainer(upstream) || (ofTree !== undefined && patched !== true && isTrainer(entry?.name));
  const program = upstream ?? (pretrains ? entry?.name : undefined);
  const because = 'of the program that is started';
  const name = unknown('outside', 'the program');
  return new Map([
    ['runs_inference', { value: known(inference), because }],
    ['pretrains', { value: pretrains ? known(true) : name, because }],
    ['takes_unknown_flags', { value: known(takesOthers), because }],
    ['program', { value: program === undefined ? name : known(basename(program)), because }],
  ]);
}

/** Whether a program sets further options itself. */
function addsArguments(upstream: string | undefined): boolean {
  return recognition.programsThatAddArguments.includes(upstream ?? '');
}

/** Options that upstream requires. */
const required: ReadonlySet<string> = new Set(recognition.demandedOptions);

/** What a model description file may contain that another package makes Megatron-LM read. */
const heldByModelFiles: ReadonlySet<string> = new Set(recognition.heldByModelFiles);
