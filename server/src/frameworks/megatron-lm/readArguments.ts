import recognition from '../../../../schemas/megatron-lm/recognise.json';
import { bindArguments } from '../argparse/bind.ts';
import { foreignOnce } from '../argparse/foreign.ts';
import type { BoundArguments } from '../argparse/parser.ts';
import type { BindingProblem } from '../framework.ts';
import type { OptionFact } from '../knowledge.ts';
import { nameRules } from '../nameRules.ts';

import { conversionsAt } from './conversions.ts';
import { hasOtherParser, tellFork, withoutAbbreviations, withoutNamesOfOthers } from './fork.ts';
import { type OwnSources, ownSources, sourcesBeside } from './ownSources.ts';
import { optionsOfScript } from './programOptions.ts';
import { flagsOfOthers, namedInNews, optionsAt, releaseOf, releaseOfGone } from './releases.ts';
import type { RunParts } from './runParts.ts';
import { isDecimalUnderPatches, isPinnedUnseen, runsElsewhere } from './tree.ts';

/** The words of a run as the Megatron that it starts would read them. */
export interface ReadArguments {
  readonly bound: BoundArguments;
  /** What is wrong with the words, as far as this Megatron is known. */
  readonly problems: readonly BindingProblem[];
  /** The options of the program, of every release. */
  readonly all: readonly OptionFact[];
  /** Those of them that the program has. */
  readonly options: readonly OptionFact[];
  /** The release that the project declares. */
  readonly release: string | undefined;
  /** The release by which rules hold: declared, that of the tree, or that of options which are gone. */
  readonly rulesRelease: string | undefined;
  /** Another Megatron than the one that is known here: nothing is certain enough for an error. */
  readonly otherVersion: boolean;
}

/** Reads the words of a run with the options of its program, and judges from them whether another Megatron must be meant. */
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
      : release === undefined && runsElsewhere(parts.entry, context.host) && tellFork(fromWords);
  const isOwnParser = upstream === undefined && parts.patched !== true && fork;
  const ofRelease = implied === undefined ? fromWords : withoutLaterTypes(fromWords, knowledge.options);
  const told = runsElsewhere(parts.entry, context.host) ? knownBeside(ofRelease, parts) : ofRelease;
  const ofItsParser = isOwnParser
    ? withoutAbbreviations(told)
    : fork
      ? foreignOnce(told, recognition.flagsOfOtherParser)
      : told;
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
 * The flags of a run that releases had and the newest does not. Of those of somebody's own program nothing is said, but without a declaration of
 * its own they are read by the Megatron that it imports.
 */
function flagsGone(
  { problems, ignored }: BoundArguments,
  { entry, place, context, upstream }: RunParts,
): ReadonlySet<string> {
  const gone = namedInNews(problems);
  if (upstream !== undefined || ignored.length === 0) return gone;
  const { options } = context.knowledge;
  const sources = ownSources(options, entry, place.path, context.host, true);
  const others = ignored.map(({ flag }) => flag).filter((flag) => !sources.declares(flag));
  return new Set([...gone, ...others]);
}

/** Problems of which those about names that resemble no other one are worth a look only: the release that is pinned has the flags that are gone since. */
function withoutWeight(problems: readonly BindingProblem[]): readonly BindingProblem[] {
  return problems.map((problem) =>
    nameRules.has(problem.rule) && (problem.rule !== 'unknown-option' || !problem.values.meant)
      ? { ...problem, severity: 'info' }
      : problem,
  );
}

/**
 * Problems of a launch that is written for an earlier release, without those about values of options that have been deprecated since: these may
 * have been of another type while they were in use, as `--warmup` was a fraction.
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

/** Problems without those about flags and values that the sources in the workspace take, or that resemble what nobody means. */
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
 * Problems without those about flags that are deprecated upstream, where the Megatron that is run still uses them: its sources declare them
 * without saying so, as a tree does that states the next release already, or another package decides by them.
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

/** Problems without those about flags and values that a Megatron takes which lies at the top of the workspace: it may be the one that is run. */
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

/** Whether sources could say more of what a problem is about. A word without dashes is no flag that they could declare. */
function isDoubtful({ rule, values }: BindingProblem): boolean {
  return values.name?.startsWith('-') === true && (nameRules.has(rule) || valueRules.has(rule));
}

const valueRules: ReadonlySet<string> = new Set(['invalid-choice', 'invalid-value']);
