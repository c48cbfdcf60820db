import type { Place } from '../../text/span.ts';
import { hole } from '../state/pieces.ts';
import type { Flow, Shell } from '../state/shell.ts';
import type { Sink } from '../state/streams.ts';
import { beginTrial } from './branch.ts';
import { filesOf } from './joinedFiles.ts';
import { endLeftAlone } from './leaving.ts';
import { mergeState } from './merge.ts';
import { sinksOf } from './sides.ts';

/** Runs a loop, which its commands may leave. */
export function within(shell: Shell, loop: () => Flow): Flow {
  const { run } = shell;
  const { mayHaveLeft } = run;
  shell.loops += 1;
  const { length } = shell.assumptionsUntilExit;
  run.mayHaveLeft = false;
  const flow = loop();
  run.mayHaveLeft = mayHaveLeft;
  endLeftAlone(shell, length, true);
  shell.loops -= 1;
  return flow;
}

/** What follows a round of a loop: whether the loop ends, and how the round leaves more than the loop. */
export interface Round {
  readonly ends: boolean;
  readonly flow: Flow;
}

/** What a loop does after one round. */
export function afterRound(flow: Flow): Round {
  if (flow === undefined) return { ends: false, flow: undefined };
  if (!('levels' in flow)) return { ends: true, flow };
  if (flow.levels > 1) return { ends: true, flow: { kind: flow.kind, levels: flow.levels - 1 } };
  return { ends: flow.kind === 'break', flow: undefined };
}

/** Whether a round that ends in this way leaves more than its loop. */
export function leavesMore(flow: Flow): boolean {
  return flow?.kind !== 'stop' && afterRound(flow).flow !== undefined;
}

/** Runs a round of a loop with an unknown number of rounds: the output of all of them is unknown. */
export function uncountedRound(shell: Shell, round: () => Flow): Flow {
  const { run } = shell;
  const before = sinksOf(shell).map((sink) => ({ sink, length: sink.pieces.length }));
  run.uncounted += 1;
  const flow = round();
  run.uncounted -= 1;
  for (const { sink, length } of before) forgetOutput(sink, length);
  return flow;
}

/** Makes the output after a number of pieces unknown. */
function forgetOutput({ pieces }: Sink, length: number): void {
  const first = pieces[length];
  if (first === undefined) return;
  const { place } = first.origin;
  pieces.splice(length, pieces.length - length, {
    ...hole('loop', 'output', place, { blanks: true }),
    splits: true,
  });
}

/**
 * Makes everything unknown that a round of a loop with an unknown number of rounds may change, on any side of its questions.
 *
 * @returns how a round ends; one that leaves more than the loop is the last, so that it changes nothing
 */
export function forgetChanged(shell: Shell, place: Place, body: () => Flow): Flow {
  const { run } = shell;
  const { trying, trialFailed, joining } = run;
  run.joining = true;
  const undo = beginTrial(shell);
  const before = shell.store;
  shell.store = before.copy();
  const { subshell } = shell;
  shell.subshell = true;
  const flow = uncountedRound(shell, body);
  shell.subshell = subshell;
  const { store, positionals, cwd } = shell;
  const files = filesOf(run);
  undo();
  run.trying = trying;
  run.trialFailed = trialFailed;
  run.joining = joining;
  if (!leavesMore(flow)) mergeState(shell, { store, positionals, cwd, files }, place, 'loop');
  return flow;
}
