import type { Command as CommandNode, While } from 'unbash';
import type { Place } from '../../text/span.ts';
import { foundPaths } from '../programs/find.ts';
import { hole, made, nothing, type Pieces } from '../state/pieces.ts';
import { type Flow, presumedSuccess, type Shell } from '../state/shell.ts';
import type { Source } from '../text/source.ts';
import { executeStatements } from './execute.ts';
import { leavesEarly } from './for.ts';
import { mergeState, stateOf } from './merge.ts';
import { afterRound, forgetChanged, uncountedRound } from './rounds.ts';

/** What a loop reads, one item per round. */
interface Found {
  readonly paths: readonly string[];
  readonly end: '\n' | '\0';
}

/** The paths that `while read F` iterates over, if only their order is unknown (`find … | while read -r F`). */
export function pathsRead(shell: Shell, source: Source, node: While): Found | undefined {
  const [only, ...more] = node.clause.commands;
  const command = only?.command.type === 'Command' ? only.command : undefined;
  if (node.kind !== 'while' || shell.stdin === undefined || command === undefined || more.length > 0)
    return undefined;
  const end = endOfLines(command);
  const paths = end === undefined ? undefined : foundPaths(shell.stdin.pieces, end);
  if (end === undefined || paths === undefined) return undefined;
  return leavesEarly.test(source.text.slice(node.body.pos, node.body.end)) ? undefined : { paths, end };
}

/** The line terminator of a `read` that reads one whole line into one variable. */
function endOfLines({ name, prefix, args, redirects }: CommandNode): Found['end'] | undefined {
  if (name?.value !== 'read' || redirects.length > 0) return undefined;
  if (prefix.some((part) => part.type !== 'Assignment' || !/^IFS=(?:''|"")?$/.test(part.text)))
    return undefined;
  const words = args.map(({ text }) => text).join(' ');
  if (/^(?:-r )?[A-Za-z_]\w*$/.test(words)) return '\n';
  return /^(?:-r -d |-rd |-d )(?:''|""|\$'\\0') [A-Za-z_]\w*$/.test(words) ? '\0' : undefined;
}

/**
 * Runs the rounds of such a loop: each starts with what the others, in any order, may leave.
 *
 * @param test reads the next line
 * @returns undefined if a round may itself read on, so that it is unknown which paths are left for the others
 */
export function readInAnyOrder(
  shell: Shell,
  source: Source,
  { body }: While,
  { paths, end }: Found,
  place: Place,
  test: () => unknown,
): { readonly flow: Flow } | undefined {
  const { stdin } = shell;
  if (stdin === undefined) return undefined;
  const all = stdin.pieces;
  const others: Pieces = [{ ...hole('command-output', 'input', place), splits: true }];
  let isReadOn = false;
  const round = (path: Pieces): Flow => {
    if (shell.stdin !== undefined) shell.stdin.pieces = [...path, ...made(end, place), ...others];
    test();
    const left = shell.stdin?.pieces;
    const flow = executeStatements(shell, source, body.commands);
    isReadOn ||= shell.stdin?.pieces !== left;
    return flow;
  };
  forgetChanged(shell, place, () =>
    round([hole('command-output', '$(find)', place, { nonEmpty: true, oneLine: true })]),
  );
  stdin.pieces = all;
  if (isReadOn) return undefined;
  for (const path of paths) {
    const start = stateOf(shell);
    const after = afterRound(uncountedRound(shell, () => round(made(path, place))));
    if (after.ends) return { flow: after.flow };
    mergeState(shell, start, place, 'loop');
  }
  stdin.pieces = nothing;
  test();
  shell.status = presumedSuccess;
  return { flow: undefined };
}
