import type { Place } from '../../text/span.ts';
import { unknown } from '../../value/value.ts';
import type { YamlDocument } from '../../yaml/document.ts';
import { isNotAlwaysDemanded, lastReleaseWith } from '../earlierVersion.ts';
import type { BindingProblem, Run, Scope } from '../framework.ts';
import type { Knowledge } from '../knowledge.ts';
import { asWarning } from '../problem.ts';
import { variablesOf } from '../variables.ts';
import { type Composition, composeConfiguration, weakenedIfComposed } from './composition.ts';
import {
  deduceExperiment,
  type ExperimentChoice,
  experimentBeside,
  experimentOfScript,
} from './experiment.ts';
import { experimentScope } from './experimentScope.ts';
import type { Inputs } from './inputs.ts';
import { datasetsNotGiven } from './loadedDatasets.ts';
import { locate } from './located.ts';
import { lostKeysOnce } from './lostKeys.ts';
import { megatronScopes } from './megatron.ts';
import { type Merged, mergeInto } from './mergeInto.ts';
import { onlyDirectReferences } from './missingTargets.ts';
import { schemaOf } from './schema.ts';
import type { Branch } from './tree.ts';

/** Binds a configuration with its overrides to the options of the class that the script loads. */
export function bind(inputs: Inputs): Run {
  const { launch, form, document, context, bounds } = inputs;
  const isEarlier = bounds.newest !== undefined;
  const place = launch?.place ?? topOf(document);
  const composition = composeConfiguration(inputs, place);
  const { root, isComposed, open } = composition;
  const choice = chooseExperiment(root, inputs);
  const schema = schemaOf(context.knowledge.options, choice.experiment);
  const merged = mergeInto(schema, root, place, {
    extraKeys: new Set([...(choice.extraKeys ?? []), ...context.extraOptions, 'defaults', 'hydra']),
    classKnown: choice.certain && !isEarlier,
    missingSeverity: launch === undefined || open || isEarlier ? 'warning' : 'error',
  });
  const found = problemsOf(inputs, composition, choice, merged);
  const problems = lostKeysOnce(found, merged.settings, context.knowledge);
  const scope = experimentScope(merged, schema, choice, composition, inputs);
  return {
    framework: 'areal',
    because: inputs.because,
    launch,
    documents: document === undefined ? [] : [document],
    place,
    settings: [...merged.settings.values()],
    problems: withoutRepeats(isEarlier ? problems.map(asWarning) : problems, context.knowledge),
    scopes: [scope, ...megatronScopes(scope, context)].map(
      (one): Scope => (isComposed ? { ...one, ceiling: one.ceiling ?? 'warning' } : one),
    ),
    env: variablesOf(launch?.env ?? new Map()),
    worldSize: scope.lookup('job_gpus')?.value ?? unknown('outside', 'number of GPUs'),
    open,
    upstreamEntry: form === undefined ? choice.certain : choice.certain && choice.extraKeys?.size === 0,
  };
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

function problemsOf(
  { launch, form, context, bounds }: Inputs,
  { problems, withoutFile, isComposed, open }: Composition,
  choice: ExperimentChoice,
  merged: Merged,
): readonly BindingProblem[] {
  const ofClass = onlyDirectReferences(merged.problems)
    .filter((problem) => !withoutFile || problem.rule !== 'required-option')
    .map((problem) => weakenedIfComposed(problem, isComposed));
  const isSure = launch !== undefined && !open && bounds.newest === undefined;
  const datasets = isSure ? datasetsNotGiven(launch, form, choice, merged, context.host) : [];
  const named = ofClass.map((problem) => withLastRelease(problem, context.knowledge));
  return [...problems, ...named, ...datasets];
}

/** For an unknown key that resembles no current one but existed in earlier releases, adds the last release that had it. */
function withLastRelease(problem: BindingProblem, knowledge: Knowledge): BindingProblem {
  const { rule, replacement, values } = problem;
  if (rule !== 'unknown-option' || replacement !== undefined) return problem;
  const release = lastReleaseWith(values.name ?? '', knowledge);
  return release === undefined
    ? problem
    : { ...problem, values: { ...values, hint: ` AReaL has it up to ${release}.` } };
}

/**
 * Keeps one problem of each kind per place, an error in preference to a warning. What every release requires is kept apart from what only some
 * require: for a launch written for another release, the latter is no longer reported.
 */
function withoutRepeats(problems: readonly BindingProblem[], knowledge: Knowledge): BindingProblem[] {
  const first = new Map<string, BindingProblem>();
  for (const problem of problems) {
    const { rule, place, values, severity } = problem;
    const isOfSome = isNotAlwaysDemanded(problem, knowledge);
    const key = `${rule}\0${isOfSome}\0${place.path}\0${place.span.start}\0${place.span.end}\0${values.reason ?? ''}`;
    const before = first.get(key);
    if (before === undefined || (severity === 'error' && before.severity !== 'error'))
      first.set(key, problem);
  }
  return [...first.values()];
}
