import type { Launch } from '../../launch/launch.ts';
import type { Place } from '../../text/span.ts';
import type { Host } from '../../value/host.ts';
import { known, unknown, type Value } from '../../value/value.ts';
import { display, textOf } from '../../value/word.ts';
import type { YamlDocument } from '../../yaml/document.ts';
import { folderAbove } from '../above.ts';
import { knownFields } from '../declaration.ts';
import { makeFacts } from '../facts.ts';
import type { BindingContext, BindingProblem, Framework, Run, Scope } from '../framework.ts';
import { nameRules } from '../nameRules.ts';
import { asNewer } from '../newerVersion.ts';
import { rejoin } from '../omegaconf/apart.ts';
import { duplicateKeys } from '../omegaconf/duplicateKeys.ts';
import { invalidOverride } from '../omegaconf/invalidOverride.ts';
import {
  type Override,
  type OverrideProblem,
  parseOverride,
  withDottedIndex,
} from '../omegaconf/overrides.ts';
import { asInstalled, importPaths } from '../otherVersion.ts';
import { beginsVerbatim } from '../places.ts';
import { makeScope } from '../scope.ts';
import { variablesOf } from '../variables.ts';
import { applyOverrides } from './compose.ts';
import { folderOf, readDefaults } from './defaultsList.ts';
import {
  deduceExperiment,
  type ExperimentChoice,
  experimentBeside,
  experimentOfScript,
} from './experiment.ts';
import { emptyTree, rawTree, unreadAsOne } from './experimentFile.ts';
import {
  handsOnArguments,
  type LaunchForm,
  looksLikeExperiment,
  mayNameConfig,
  namesConfigOrLauncher,
  overridesExperiment,
  ownText,
  readLaunch,
} from './launchForm.ts';
import { datasetsNotGiven } from './loadedDatasets.ts';
import { locate, withPresumed } from './located.ts';
import { megatronScopes } from './megatron.ts';
import { type Merged, mergeInto } from './merge.ts';
import { missingConfig } from './missingConfig.ts';
import { atTheirReference } from './missingTargets.ts';
import { optionsInForce } from './optionsInForce.ts';
import { pinnedRelease } from './pinnedRelease.ts';
import { rawReferences } from './rawReferences.ts';
import { isGivenOtherwise, type ReleaseBounds, releaseBounds } from './releaseBounds.ts';
import { type Schema, schemaOf } from './schema.ts';
import type { Branch } from './tree.ts';

/** AReaL: reinforcement learning and fine-tuning from one YAML file with Hydra overrides. */
export const areal: Framework = {
  id: 'areal',
  title: 'AReaL',

  recogniseLaunch(launch: Launch, host: Host): string | undefined {
    const form = readLaunch(launch);
    if (form === undefined || (form.config === undefined && mayNameConfig(launch))) return undefined;
    if (form.mode !== 'controller') return `starts through AReaL's ${form.mode} launcher`;
    const script = form.script === undefined ? undefined : locate(form.script, launch, host);
    const text = script === undefined ? undefined : host.read(script);
    const isLoading =
      form.config === undefined
        ? handsOnArguments(text ?? '')
        : /\bload_expr_config\b|\bareal\.(?:trainer|api)\b/.test(text ?? '');
    if (isLoading) return `runs ${form.script ?? 'a script'}, which loads an AReaL configuration`;
    if (form.config === undefined) return undefined;
    const name = textOf(form.config);
    const config = name === undefined ? undefined : locate(name, launch, host);
    const yaml = config === undefined ? undefined : host.read(config);
    if (yaml !== undefined)
      return looksLikeExperiment(yaml)
        ? `runs with ${name ?? 'a file'}, which is an AReaL experiment`
        : undefined;
    return text === undefined && overridesExperiment(form) ? 'is given settings of AReaL' : undefined;
  },

  isNamedIn: namesConfigOrLauncher,

  isUsedBy: handsOnArguments,

  recogniseDocument(document: YamlDocument): string | undefined {
    const own = ownText(document);
    return own !== undefined && looksLikeExperiment(own)
      ? 'it names an experiment, a trial and an engine section of AReaL'
      : undefined;
  },

  bindLaunch(named: Launch, because: string, context: BindingContext): Run {
    const form = readLaunch(named);
    const launch = form === undefined ? named : withPresumed(named, form, context.host);
    const name = form?.config === undefined ? undefined : textOf(form.config);
    const path = name === undefined ? undefined : locate(name, launch, context.host);
    const document = path === undefined ? undefined : context.document(path);
    const missing = form && missingConfig(form, name, path, launch, context);
    const bounds = form === undefined ? {} : releaseBounds(form, launch, context.host);
    return withoutPlusOfMisnamed(
      bindInstalled({ launch, form, document, because, context, missing, bounds }, importPaths(launch)),
    );
  },

  bindDocument(document: YamlDocument, because: string, context: BindingContext): Run {
    const none = { launch: undefined, form: undefined, missing: undefined, bounds: {} };
    return bindInstalled({ ...none, document, because, context }, [document.path]);
  },
};

/**
 * The run with the options of the release that is there: the one that the workspace holds, a declared or pinned one, or the newer one that
 * the run is written for.
 */
function bindInstalled(written: Inputs, paths: readonly string[]): Run {
  const inputs = { ...written, context: withPinned(written.context, paths) };
  const { context } = inputs;
  const asNewerRun = (): Run =>
    bind({ ...inputs, context: { ...context, knowledge: asNewer(context.knowledge) } });
  return asInstalled(bind(inputs), paths, declaration, context, {
    asNewerRun,
    isGivenOtherwise,
    ...inputs.bounds,
  });
}

/** What a project pins counts as declared, unless it holds AReaL itself or declares a release for us. */
function withPinned(context: BindingContext, paths: readonly string[]): BindingContext {
  const { host, machine, knowledge } = context;
  const isTold = machine.versions.areal !== undefined;
  if (isTold || folderAbove(paths, declaration(knowledge).files[0], host) !== undefined) return context;
  const areal = pinnedRelease(paths, host);
  if (areal === undefined) return context;
  return { ...context, machine: { ...machine, versions: { ...machine.versions, areal } } };
}

/** Where AReaL declares its options, in a repository that holds AReaL itself. */
const declaration = knownFields('areal/api/cli_args.py');

interface Inputs {
  readonly launch: Launch | undefined;
  readonly form: LaunchForm | undefined;
  readonly document: YamlDocument | undefined;
  readonly because: string;
  readonly context: BindingContext;
  /** The launch names a configuration file that is certainly not there. */
  readonly missing: BindingProblem | undefined;
  readonly bounds: ReleaseBounds;
}

function bind(inputs: Inputs): Run {
  const { launch, form, document, context } = inputs;
  const isEarlier = inputs.bounds.newest !== undefined;
  const place = launch?.place ?? topOf(document);
  const { overrides, problems: refused, isOpen: openOverrides } = overridesOf(form);
  const problems: BindingProblem[] = [...(inputs.missing === undefined ? [] : [inputs.missing]), ...refused];
  const raw = rawTree(document);
  if (launch !== undefined && document !== undefined) problems.push(...unreadAsOne(document));
  const folder = document === undefined ? undefined : folderOf(document.path);
  const composed = applyOverrides(
    raw ?? emptyTree(place),
    overrides,
    (name) => folder !== undefined && context.host.kind(folder + name) === 'directory',
  );
  const withoutFile = raw === undefined;
  const searchesElsewhere = overrides.some(({ key }) => key.startsWith('hydra.'));
  const list =
    document === undefined
      ? undefined
      : readDefaults(composed.root, document.path, context.host, searchesElsewhere);
  // What other files set comes in between.
  const isComposed = composed.isOpen || list?.isOpen === true;
  const asComposed = (problem: BindingProblem): BindingProblem =>
    isComposed && !nameRules.has(problem.rule) ? softened(problem) : problem;
  if (!withoutFile)
    problems.push(
      ...composed.problems.map(asComposed),
      ...(list?.problems ?? []),
      ...duplicateKeys(document),
    );
  if (form !== undefined && form.mode !== 'controller') problems.push(...rawReferences(composed.root));
  const choice = chooseExperiment(composed.root, inputs);
  const schema = schemaOf(context.knowledge.options, choice.experiment);
  const open = withoutFile || openOverrides || (launch?.open.length ?? 0) > 0 || isComposed;
  const merged = mergeInto(schema, composed.root, place, {
    extraKeys: new Set([...(choice.extraKeys ?? []), ...context.extraOptions, 'defaults', 'hydra']),
    classKnown: choice.certain && !isEarlier,
    missingSeverity: launch === undefined || open || isEarlier ? 'warning' : 'error',
  });
  problems.push(
    ...atTheirReference(merged.problems)
      .filter((problem) => !withoutFile || problem.rule !== 'required-option')
      .map(asComposed),
  );
  if (launch !== undefined && !open && !isEarlier)
    problems.push(...datasetsNotGiven(launch, form, choice, merged, context.host));
  const scope = experimentScope(merged, schema, composed.root.entries.keys(), choice, inputs, withoutFile);
  const worldSize = scope.lookup('job_gpus')?.value ?? unknown('outside', 'number of GPUs');
  return {
    framework: 'areal',
    because: inputs.because,
    launch,
    documents: document === undefined ? [] : [document],
    place,
    settings: [...merged.settings.values()],
    problems: withoutRepeats(isEarlier ? problems.map(softened) : problems),
    scopes: [scope, ...megatronScopes(scope, context)].map(
      (one): Scope => (isComposed ? { ...one, ceiling: one.ceiling ?? 'warning' } : one),
    ),
    env: variablesOf(launch?.env ?? new Map()),
    worldSize,
    open,
    upstreamEntry: form === undefined ? choice.certain : choice.certain && choice.extraKeys?.size === 0,
  };
}

/** The overrides of a command line, what Hydra refuses of them, and whether some have names that are not known. */
function overridesOf(form: LaunchForm | undefined): {
  readonly overrides: readonly Override[];
  readonly problems: readonly BindingProblem[];
  readonly isOpen: boolean;
} {
  // Hydra takes no word without an equals sign, whatever it names; it sees none where no configuration is named.
  const words = form?.config === undefined ? [] : form.overrides;
  const rejoined = rejoin(words, (text) => /^\+*[A-Za-z_][\w.]*$/.test(text), 'error');
  const overrides: Override[] = [];
  const problems = [...rejoined.problems];
  let isOpen = false;
  for (const word of rejoined.words) {
    const parsed = parseOverride(word, 'hydra');
    if (parsed.kind === 'override') overrides.push(parsed);
    else if (parsed.reason === 'open-key') isOpen = true;
    else problems.push(refusedOverride(parsed));
  }
  return { overrides, problems, isOpen };
}

function topOf(document: YamlDocument | undefined): Place {
  return { path: document?.path ?? '', span: { start: 0, end: 0 } };
}

function chooseExperiment(root: Branch, inputs: Inputs): ExperimentChoice {
  const { launch, form, document, context } = inputs;
  const script =
    launch === undefined || form?.script === undefined
      ? undefined
      : locate(form.script, launch, context.host);
  const read = script === undefined ? undefined : experimentOfScript(script, context.host);
  if (read !== undefined) return read;
  if (launch === undefined && document !== undefined)
    return experimentBeside(document.path, root, context.host);
  return { experiment: deduceExperiment(root), certain: false, extraKeys: undefined, trainer: undefined };
}

function refusedOverride(problem: OverrideProblem): BindingProblem {
  const reason =
    problem.reason === 'sweep' ? 'several values need --multirun, which AReaL does not run' : problem.detail;
  return invalidOverride({
    key: problem.key,
    shown: display(problem.word),
    reason,
    place: problem.place,
    severity: 'error',
    replacement: beginsVerbatim(problem.word, problem.key.length) ? withDottedIndex(problem.key) : undefined,
  });
}

function softened(problem: BindingProblem): BindingProblem {
  return problem.severity === 'error' ? { ...problem, severity: 'warning' } : problem;
}

function withoutRepeats(problems: readonly BindingProblem[]): BindingProblem[] {
  const first = new Map<string, BindingProblem>();
  for (const problem of problems) {
    const { rule, place, values, severity } = problem;
    const key = `${rule}\0${place.path}\0${place.span.start}\0${place.span.end}\0${values.reason ?? ''}`;
    const before = first.get(key);
    if (before === undefined || (severity === 'error' && before.severity !== 'error'))
      first.set(key, problem);
  }
  return [...first.values()];
}

/** That a key lacks its `+` is not worth telling of one that does not exist at all. */
function withoutPlusOfMisnamed(run: Run): Run {
  const at = ({ place: { path, span } }: BindingProblem): string => `${path} ${span.start}`;
  const misnamed = new Set(run.problems.filter(({ rule }) => nameRules.has(rule)).map(at));
  const problems = run.problems.filter(
    (problem) => problem.rule !== 'override-needs-plus' || !misnamed.has(at(problem)),
  );
  return { ...run, problems };
}

/** A script that starts no trainer itself may leave that to what it imports. */
function startsTrainer({ trainer }: ExperimentChoice): Value {
  return trainer === false ? unknown('outside', 'what the script imports') : known(true);
}

function experimentScope(
  merged: Merged,
  schema: Schema,
  sections: Iterable<string>,
  choice: ExperimentChoice,
  inputs: Inputs,
  withoutFile: boolean,
): Scope {
  const { launch, form, context } = inputs;
  const named = (value: Value, because: string): { value: Value; because: string } => ({ value, because });
  const certain = (text: string | null, label: string): Value =>
    withoutFile ? unknown('file-not-found', label) : known(text);
  const scope = makeScope({
    set: 'areal',
    role: undefined,
    options: optionsInForce(context.knowledge.options, merged, choice),
    derivations: context.knowledge.derivations,
    settings: merged.settings,
    forced: new Map([
      ['launch_mode', named(known(form?.mode ?? null), 'how the script is started')],
      [
        'experiment',
        named(certain(choice.experiment, 'the experiment class'), 'the class of the experiment'),
      ],
      [
        'written_sections',
        named(
          withoutFile ? unknown('file-not-found', 'the sections of the file') : known([...sections]),
          'the top-level keys of the file and its overrides',
        ),
      ],
      ['starts_trainer', named(startsTrainer(choice), 'what the script does')],
    ]),
    facts: makeFacts({
      worldSize: launch?.worldSize ?? unknown('outside', 'number of GPUs'),
      environment: launch?.env ?? new Map(),
      machine: context.machine,
    }),
    unknownDefault: (name) => withoutFile && schema.fields.has(name.split('.')[0] ?? name),
    spelling: (name) => name,
  });
  return { ...scope, addition: (name) => `++${name}` };
}
