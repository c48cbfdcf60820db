import data from '../../../../schemas/areal/recognise.json';
import type { Launch } from '../../launch/launch.ts';
import type { Host } from '../../value/host.ts';
import { textOf } from '../../value/word.ts';
import type { YamlDocument } from '../../yaml/document.ts';
import { folderAbove } from '../above.ts';
import { knownFields } from '../declaration.ts';
import type { BindingContext, BindingProblem, Framework, Run } from '../framework.ts';
import { importPaths } from '../importPaths.ts';
import { nameRules } from '../nameRules.ts';
import { asNewer } from '../newerVersion.ts';
import { asInstalled } from '../otherVersion.ts';
import { bind } from './bind.ts';
import type { Inputs } from './inputs.ts';
import {
  handsOnArguments,
  type LaunchForm,
  looksLikeExperiment,
  mayNameConfig,
  namesConfigOrLauncher,
  overridesExperiment,
  ownText,
  readLaunch,
  withoutOwnFlags,
} from './launchForm.ts';
import { layouts } from './layouts.ts';
import { locate, withPresumed } from './located.ts';
import { missingConfig } from './missingConfig.ts';
import { pinnedRelease } from './pinnedRelease.ts';
import { isGivenOtherwise, releaseBounds } from './releaseBounds.ts';

/** AReaL: reinforcement learning and fine-tuning from one YAML file with Hydra overrides. */
export const areal: Framework = {
  id: 'areal',

  recogniseLaunch(launch: Launch, host: Host): string | undefined {
    const form = readLaunch(launch);
    if (form === undefined || (form.config === undefined && mayNameConfig(launch))) return undefined;
    if (form.mode !== 'controller') return `starts through AReaL's ${form.mode} launcher`;
    const text = sourceOfScript(form, launch, host);
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

  layouts,

  recogniseDocument(document: YamlDocument): string | undefined {
    const own = ownText(document);
    return own !== undefined && looksLikeExperiment(own)
      ? 'it names an experiment, a trial and an engine section of AReaL'
      : undefined;
  },

  bindLaunch(named: Launch, because: string, context: BindingContext): Run {
    const read = readLaunch(named);
    const form = read && withoutOwnFlags(read, sourceOfScript(read, named, context.host));
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

/** The source of a launch's training script, if the workspace has it. */
function sourceOfScript({ script }: LaunchForm, launch: Launch, host: Host): string | undefined {
  const path = script === undefined ? undefined : locate(script, launch, host);
  return path === undefined ? undefined : host.read(path);
}

/**
 * The run bound to the options of the installed release: the one in the workspace, a declared or pinned one, or the newer one that the run is
 * written for.
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

/** Treats the release a project pins as declared, unless the project holds AReaL itself or the user declares a release. */
function withPinned(context: BindingContext, paths: readonly string[]): BindingContext {
  const { host, machine, knowledge } = context;
  const isDeclared = machine.versions.areal !== undefined;
  if (isDeclared || folderAbove(paths, declaration(knowledge).files[0], host) !== undefined) return context;
  const areal = pinnedRelease(paths, host);
  if (areal === undefined) return context;
  return { ...context, machine: { ...machine, versions: { ...machine.versions, areal } } };
}

/** Where a repository that holds AReaL itself declares its options. */
const declaration = knownFields(data.declaration);

/** Drops "needs a `+`" problems for keys that do not exist at all. */
function withoutPlusOfMisnamed(run: Run): Run {
  const at = ({ place: { path, span } }: BindingProblem): string => `${path} ${span.start}`;
  const misnamed = new Set(run.problems.filter(({ rule }) => nameRules.has(rule)).map(at));
  const problems = run.problems.filter(
    (problem) => problem.rule !== 'override-needs-plus' || !misnamed.has(at(problem)),
  );
  return { ...run, problems };
}
