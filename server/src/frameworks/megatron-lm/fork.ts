import recognition from '../../../../schemas/megatron-lm/recognise.json';
import type { Place } from '../../text/span.ts';
import { foreignFlags } from '../argparse/foreign.ts';
import type { BoundArguments, IgnoredFlag } from '../argparse/parser.ts';
import type { BindingContext, BindingProblem, Run } from '../framework.ts';
import type { OptionFact } from '../knowledge.ts';
import { decidedIn } from '../otherVersion.ts';
import { keysOf } from '../ownChecks.ts';
import type { EntryScript } from './entries.ts';
import { treesOf } from './tree.ts';

/**
 * Whether the flags of somebody's own program tell that more than its own few are read differently there. One that takes its
 * arguments with upstream's parser usually adds one or two.
 */
export function hasOtherParser({ ignored }: BoundArguments, extraOptions: readonly string[]): boolean {
  const foreign = new Set(ignored.map(({ flag }) => flag).filter((flag) => !extraOptions.includes(flag)));
  return foreign.size >= recognition.flagsOfOtherParser;
}

const readAlike: ReadonlySet<string> = new Set(recognition.readAlike);

/** Whether every Megatron refuses what a problem is about: no number, or none at all, for an option that all of them read as one. */
export function isRefusedByAll({ rule, values: { name = '' } }: BindingProblem): boolean {
  return (rule === 'invalid-value' || rule === 'missing-value') && readAlike.has(name);
}

/** Whether flags that nobody knows, and that nearly miss none, tell a fork: it may take and allow more of everything. */
export function tellFork(problems: readonly BindingProblem[]): boolean {
  return foreignFlags(problems).size >= recognition.flagsOfFork;
}

/**
 * Problems without flags of somebody's own program that resemble only what another program of upstream's takes, or what is deprecated: nobody
 * means those (`--tasks` of an evaluation is no `--task` of a tool, `--batch_size` no `--batch-size` of years ago).
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

/** Problems without flags that begin like a known one: a parser of somebody's own takes abbreviations, as argparse does by default. */
export function withoutAbbreviations(problems: readonly BindingProblem[]): readonly BindingProblem[] {
  return problems.filter(
    ({ rule, values: { name = '', meant = '' } }) => rule !== 'unknown-option' || !meant.startsWith(name),
  );
}

/**
 * The run without the rules that the Megatron tree of the workspace decides otherwise: a tree states the next release long before it has
 * all its checks.
 *
 * @param ignored flags that are not known here
 */
export function decidedByTree(
  run: Run,
  ignored: readonly IgnoredFlag[],
  {
    entry,
    place,
    context,
  }: { readonly entry: EntryScript | undefined; readonly place: Place; readonly context: BindingContext },
): Run {
  const given = keysOf(ignored.map(({ flag }) => flag));
  const { host, knowledge } = context;
  const isTree = (folder: string): boolean => host.kind(`${folder}/megatron`) === 'directory';
  const folder = treesOf(entry, place.path, host).find(isTree);
  return folder === undefined ? run : decidedIn({ folder, host, given }, run, knowledge);
}
