import recognition from '../../../../schemas/megatron-lm/recognise.json';
import type { Place } from '../../text/span.ts';
import type { BoundArguments, IgnoredFlag } from '../argparse/parser.ts';
import type { BindingContext, BindingProblem, Run } from '../framework.ts';
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

/** Whether flags that nobody knows, and that nearly miss none, tell a fork: it may take and allow more of everything. */
export function tellFork(problems: readonly BindingProblem[]): boolean {
  const foreign = problems.flatMap(({ rule, isJoined, values: { name = '', meant = '' } }) =>
    // That a longer one begins like it makes no near miss.
    rule === 'unknown-option' &&
    isJoined !== true &&
    // A name with blanks is no name: an option and its value are one word there.
    /^--\S+$/.test(name) &&
    (meant === '' || meant.startsWith(`${name}-`))
      ? [name]
      : [],
  );
  return new Set(foreign).size >= recognition.flagsOfFork;
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
