import recognition from '../../../../schemas/megatron-lm/recognise.json';
import { namesOf } from '../../expression/tree.ts';
import { foreignFlags } from '../argparse/foreign.ts';
import type { BoundArguments, IgnoredFlag } from '../argparse/parser.ts';
import type { BindingProblem, Run, Scope } from '../framework.ts';
import type { Knowledge, OptionFact } from '../knowledge.ts';
import { decidedIn } from '../otherVersion.ts';
import { keysOf } from '../ownChecks.ts';
import { minorOf } from '../release.ts';
import { otherDefaultsIn, restsOnDefault } from './ownDefaults.ts';
import type { RunParts } from './runParts.ts';
import { treesOf } from './tree.ts';

/**
 * Whether the unknown flags of a custom program show that more than those few are parsed differently. A program that uses upstream's parser
 * usually adds one or two flags.
 */
export function hasOtherParser({ ignored }: BoundArguments, extraOptions: readonly string[]): boolean {
  const foreign = new Set(ignored.map(({ flag }) => flag).filter((flag) => !extraOptions.includes(flag)));
  return foreign.size >= recognition.flagsOfOtherParser;
}

const readAlike: ReadonlySet<string> = new Set(recognition.readAlike);

/** Whether every Megatron rejects what a problem is about: an option that all of them read as a number has a non-number or no value. */
export function isRefusedByAll({ rule, values: { name = '' } }: BindingProblem): boolean {
  return (rule === 'invalid-value' || rule === 'missing-value') && readAlike.has(name);
}

/** Whether flags that are unknown, and resemble no known one, indicate a fork: it may accept more of everything. */
export function suggestsFork(problems: readonly BindingProblem[]): boolean {
  return foreignFlags(problems).size >= recognition.flagsOfFork;
}

/**
 * Problems without those of a custom program's flags that resemble only deprecated flags or flags of another upstream program, which are never
 * meant (`--tasks` of an evaluation is not `--task` of a tool, nor `--batch_size` the `--batch-size` of years ago).
 */
export function withoutNamesOfOthers(
  problems: readonly BindingProblem[],
  options: readonly OptionFact[],
): readonly BindingProblem[] {
  const meantByNobody = ({ rule, values: { meant = '' } }: BindingProblem): boolean =>
    rule === 'unknown-option' &&
    meant.startsWith('--') &&
    options
      .filter(({ flags }) => flags?.includes(meant) === true)
      .every(({ parser, deprecated }) => parser !== undefined || deprecated === true);
  return problems.filter((problem) => !meantByNobody(problem));
}

/** Problems without flags that are a prefix of a known one: a custom parser accepts abbreviations, which is argparse's default. */
export function withoutAbbreviations(problems: readonly BindingProblem[]): readonly BindingProblem[] {
  return problems.filter(
    ({ rule, values: { name = '', meant = '' } }) => rule !== 'unknown-option' || !meant.startsWith(name),
  );
}

/**
 * The run without the rules for which the workspace's Megatron tree decides differently: a tree states the next release long before it has all
 * of that release's checks.
 *
 * @param ignored flags unknown here
 */
export function decidedByTree(
  run: Run,
  ignored: readonly IgnoredFlag[],
  { entry, place, context, ofTree }: Pick<RunParts, 'entry' | 'place' | 'context' | 'ofTree'>,
): Run {
  const given = keysOf(ignored.map(({ flag }) => flag));
  const { host, knowledge } = context;
  const isTree = (folder: string): boolean => host.kind(`${folder}/megatron`) === 'directory';
  const folder = treesOf(entry, place.path, host).find(isTree);
  if (folder === undefined) return run;
  const decided = decidedIn({ folder, host, given }, run, knowledge);
  // The newest release has the known defaults.
  return minorOf(ofTree) === minorOf(knowledge.release)
    ? decided
    : withKnownDefaults(decided, knowledge, otherDefaultsIn(folder, knowledge.options, host));
}

/** A run without the rules that depend on a default which the workspace's tree has changed. */
function withKnownDefaults(run: Run, { framework }: Knowledge, others: ReadonlySet<string>): Run {
  if (others.size === 0) return run;
  const scopes = run.scopes.map((scope): Scope => {
    if (scope.set !== framework) return scope;
    const { isReplaced } = scope;
    return {
      ...scope,
      isReplaced: (constraint) =>
        isReplaced?.(constraint) === true || restsOnDefault(namesOf(constraint.when), scope, others),
    };
  });
  return { ...run, scopes };
}
