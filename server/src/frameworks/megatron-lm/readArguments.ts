import recognition from '../../../../schemas/megatron-lm/recognise.json';
import { bindArguments } from '../argparse/bind.ts';
import { foreignOnce } from '../argparse/foreign.ts';
import type { BoundArguments } from '../argparse/parser.ts';
import type { BindingProblem } from '../framework.ts';
import type { OptionFact } from '../knowledge.ts';
import { nameRules } from '../nameRules.ts';

import { conversionsAt } from './conversions.ts';
import { hasOtherParser, suggestsFork, withoutAbbreviations, withoutNamesOfOthers } from './fork.ts';
import { type OwnSources, ownSources, sourcesBeside } from './ownSources.ts';
import { optionsOfScript } from './programOptions.ts';
import { flagsOfChanges, flagsOfOthers, optionsAt, releaseOf, releaseOfGone } from './releases.ts';
import type { RunParts } from './runParts.ts';
import { isDecimalUnderPatches, isPinnedUnseen, runsElsewhere } from './tree.ts';

/** The words of a run as read by the Megatron that it starts. */
export interface ReadArguments {
  readonly bound: BoundArguments;
  /** What is wrong with the words, as far as this Megatron is known. */
  readonly problems: readonly BindingProblem[];
  /** The options of the program in all releases. */
  readonly all: readonly OptionFact[];
  /** Those that the program has. */
  readonly options: readonly OptionFact[];
  /** The release that the project declares. */
  readonly release: string | undefined;
  /** The release whose rules apply: the declared one, that of the tree, or the one implied by removed options. */
  readonly rulesRelease: string | undefined;
  /** It is not the known Megatron: nothing is certain enough for an error. */
  readonly otherVersion: boolean;
}

/** Reads the words of a run with the options of its program, and decides from them whether another Megatron must be meant. */
export function readArguments(parts: RunParts): ReadArguments {
  const { context, upstream, ofTree } = parts;
  const { knowledge } = context;
  const release = releaseOf(context);
  const stated = release ?? ofTree;
  const all = optionsOfScript(knowledge.options, upstream ?? '');
  const options = optionsAt(all, release ?? '');
  const bound = bindArguments(parts.args, {
    options,
    allowAbbrev: false,
    unknown: 'refuse',
    fork: upstream === undefined,
    conversions: conversionsAt(release),
    extraOptions: context.extraOptions,
    otherReleases: flagsOfOthers(knowledge.options, release ?? ''),
    anyRelease: stated === undefined,
    shortNames: recognition.shortNames,
    about: `Megatron-LM ${release ?? `at ${knowledge.commit.slice(0, 8)}`} does not know it.`,
  });
  const implied =
    stated === undefined ? releaseOfGone(flagsGone(bound, parts), knowledge.options) : undefined;
  const fromWords = knownToFork(bound, parts);
  const fork =
    upstream === undefined
      ? hasOtherParser(bound, context.extraOptions)
      : release === undefined && runsElsewhere(parts.entry, context.host) && suggestsFork(fromWords);
  const isOwnParser = upstream === undefined && parts.patched !== true && fork;
  const ofRelease = implied === undefined ? fromWords : withoutLaterTypes(fromWords, knowledge.options);
  const readable = runsElsewhere(parts.entry, context.host) ? knownBeside(ofRelease, parts) : ofRelease;
  const ofItsParser = isOwnParser
    ? withoutAbbreviations(readable)
    : fork
      ? foreignOnce(readable, recognition.flagsOfOtherParser)
      : readable;
  const isPinned = implied !== undefined && isPinnedUnseen(parts.entry, parts.place.path, context.host);
  return {
    bound,
    problems: withoutFlagsInUse(isPinned ? withoutWeight(ofItsParser) : ofItsParser, parts),
    all,
    options,
    release,
    rulesRelease: stated ?? implied,
    otherVersion: parts.otherVersion || implied !== undefined || fork,
  };
}

/**
 * The flags of a run that earlier releases had and the newest lacks. Flags of a custom program are not reported, but those it does not declare
 * itself are read by the Megatron it imports.
 */
function flagsGone(
  { problems, ignored }: BoundArguments,
  { entry, place, context, upstream }: RunParts,
): ReadonlySet<string> {
  const gone = flagsOfChanges(problems);
  if (upstream !== undefined || ignored.length === 0) return gone;
  const { options } = context.knowledge;
  const sources = ownSources(options, entry, place.path, context.host, true);
  const others = ignored.map(({ flag }) => flag).filter((flag) => !sources.declares(flag));
  return new Set([...gone, ...others]);
}

/** Lowers name problems without a suggestion to info: the pinned release has the flags that have since been removed. */
function withoutWeight(problems: readonly BindingProblem[]): readonly BindingProblem[] {
  return problems.map((problem) =>
    nameRules.has(problem.rule) && (problem.rule !== 'unknown-option' || !problem.values.meant)
      ? { ...problem, severity: 'info' }
      : problem,
  );
}

/**
 * Problems of a launch written for an earlier release, without those about values of options that have since been deprecated: these may have
 * had another type while in use, as `--warmup` was a fraction.
 */
function withoutLaterTypes(
  problems: readonly BindingProblem[],
  options: readonly OptionFact[],
): readonly BindingProblem[] {
  const isOfDeprecated = ({ rule, values: { name = '' } }: BindingProblem): boolean =>
    rule === 'invalid-value' &&
    options.some(({ flags, deprecated }) => deprecated === true && flags?.includes(name) === true);
  return problems.filter((problem) => !isOfDeprecated(problem));
}

/** Problems without those about flags and values that the sources in the workspace accept, or that resemble only what is never meant. */
function knownToFork(
  bound: BoundArguments,
  { entry, place, context, upstream, patched }: RunParts,
): readonly BindingProblem[] {
  if (!bound.problems.some(isDoubtful)) return bound.problems;
  const { options } = context.knowledge;
  const sources = ownSources(options, entry, place.path, context.host, upstream === undefined);
  const isKnown = ({ rule, values: { name = '', value = '' } }: BindingProblem): boolean =>
    rule === 'invalid-value' && patched === true && isDecimalUnderPatches(name, value);
  const unknown = withoutKnown(bound.problems, sources).filter((problem) => !isKnown(problem));
  return upstream === undefined ? withoutNamesOfOthers(unknown, options) : unknown;
}

/**
 * Problems without those about flags deprecated upstream that the Megatron that runs still uses: its sources declare them without saying so, as
 * in a tree that already states the next release, or another package uses them for its decisions.
 */
function withoutFlagsInUse(
  problems: readonly BindingProblem[],
  { entry, place, context: { knowledge, host }, patched }: RunParts,
): readonly BindingProblem[] {
  if (!problems.some(({ rule }) => rule === 'deprecated-option')) return problems;
  const sources = ownSources(knowledge.options, entry, place.path, host, false);
  const isInUse = (flag: string): boolean =>
    (patched === true && recognition.usedByPatches.includes(flag)) ||
    (!recognition.deprecatedWithoutSaying.includes(flag) && sources.uses(flag));
  return problems.flatMap((problem) => {
    const {
      rule,
      values: { name = '' },
    } = problem;
    if (rule !== 'deprecated-option') return [problem];
    if (isInUse(name)) return [];
    return sources.disowns(name) ? [{ ...problem, isStated: true }] : [problem];
  });
}

/** Problems without those about flags and values that a Megatron at the top of the workspace accepts: it may be the one that runs. */
function knownBeside(
  problems: readonly BindingProblem[],
  { place, context: { knowledge, host } }: RunParts,
): readonly BindingProblem[] {
  if (!problems.some(isDoubtful)) return problems;
  return withoutKnown(problems, sourcesBeside(knowledge.options, place.path, host));
}

function withoutKnown(problems: readonly BindingProblem[], sources: OwnSources): readonly BindingProblem[] {
  const isKnown = ({ rule, values: { name = '', value = '' } }: BindingProblem): boolean =>
    rule === 'invalid-choice'
      ? sources.offers(name, value)
      : rule === 'invalid-value'
        ? sources.accepts(name, value)
        : sources.declares(name);
  return problems.filter((problem) => !isDoubtful(problem) || !isKnown(problem));
}

/** Whether sources could tell more about what a problem is about. A word without dashes is not a flag that they could declare. */
function isDoubtful({ rule, values }: BindingProblem): boolean {
  return values.name?.startsWith('-') === true && (nameRules.has(rule) || valueRules.has(rule));
}

const valueRules: ReadonlySet<string> = new Set(['invalid-choice', 'invalid-value']);
