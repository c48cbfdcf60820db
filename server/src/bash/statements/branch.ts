import type { Place } from '../../text/span.ts';
import { answerTo, isPossible, learn } from '../conditions/narrowed.ts';
import type { Fork } from '../state/fork.ts';
import type { Flow, Shell, Status } from '../state/shell.ts';
import { filesOf, putFiles } from './joinedFiles.ts';
import { type Body, type Joined, joinSides, sinksOf } from './sides.ts';

/** Continues with one of two bodies, depending on a condition; for an open condition both are followed. */
export function branch(shell: Shell, status: Status, place: Place, yes: Body, no: Body): Flow {
  if (status.fork === undefined) return shell.within(status, place, status.code === 0 ? yes : no);
  const { fork, first } = status.fork;
  // Neither side starts with the status left by the other.
  const bodies = [yes, no].map((body) => (): Flow => {
    shell.status = status;
    return body();
  });
  return followFork(shell, fork, place, first ? bodies : bodies.reverse());
}

/**
 * Continues after an open question with one body per side. Sides that leave the same state are joined at once: what they start is recorded with
 * their assumption. Otherwise this path takes one side and another path the other, or, if there are too many paths, the sides are joined and
 * whatever differs becomes unknown.
 */
export function followFork(shell: Shell, fork: Fork, place: Place, sides: readonly Body[]): Flow {
  const { run } = shell;
  const bodies = sides.map((body, side) => (): Flow => {
    learn(shell, fork.facts?.[side] ?? []);
    return body();
  });
  const held = run.joining ? undefined : answerTo(shell, fork);
  if (held !== undefined) return bodies[held]?.();
  const possible = bodies.filter((_, side) => isPossible(shell, fork.facts?.[side] ?? []));
  if (possible.length === 1) return possible[0]?.();
  const planned = run.joining ? undefined : run.planned(fork);
  if (planned === undefined && (fork.joins || run.trying)) {
    const joined = joinSides(shell, fork, place, bodies);
    if (!joined.same && !fork.joins) run.trialFailed = true;
    joined.settle();
    return joined.flow;
  }
  // What was absent may exist once a program has run, and a later guard asks just that.
  const isGuardOnly = planned !== undefined && !run.trying && run.mayHaveCome(fork);
  if (planned === undefined || isGuardOnly) {
    const joined = agreedSides(shell, fork, place, bodies, isGuardOnly);
    if (joined !== undefined) return joined.flow;
  }
  const side = run.choose(fork);
  const body = side === undefined ? undefined : bodies[side];
  if (body === undefined) {
    const joined = joinSides(shell, fork, place, bodies);
    joined.settle();
    return joined.flow;
  }
  return shell.within({ code: 0, needs: [], presumed: false, fork: { fork, first: true } }, place, body);
}

/**
 * Runs all sides, and continues with what they leave if it is the same; otherwise has no effect.
 *
 * @param isGuardOnly continue only if all sides end the script except the one that finds what it asks for
 */
function agreedSides(
  shell: Shell,
  fork: Fork,
  place: Place,
  bodies: readonly Body[],
  isGuardOnly: boolean,
): Joined | undefined {
  const { run } = shell;
  const undo = beginTrial(shell);
  const joined = joinSides(shell, fork, place, bodies);
  const isAgreed = joined.same && !run.trialFailed && (!isGuardOnly || joined.only === fork.found);
  run.trying = false;
  if (isAgreed) {
    joined.settle();
    return joined;
  }
  undo();
  return undefined;
}

/** Begins a trial; returns a function that undoes everything. */
export function beginTrial(shell: Shell): () => void {
  const { run, store, cwd, switches, positionals, stdin, status, pipeline, perhapsReturned } = shell;
  const functions = shell.sharedFunctions();
  const input = stdin?.pieces;
  const files = filesOf(run);
  const takeBack = run.mark();
  const { length: passed } = shell.endingAssumptions;
  const { outputs } = shell;
  const collected = sinksOf(shell).map((sink) => ({
    sink,
    length: sink.pieces.length,
    last: sink.pieces.at(-1),
    before: { ...sink },
  }));
  run.trying = true;
  run.trialFailed = false;
  return () => {
    shell.store = store;
    shell.cwd = cwd;
    shell.functions = functions;
    shell.switches = switches;
    shell.positionals = positionals;
    shell.status = status;
    shell.pipeline = pipeline;
    shell.perhapsReturned = perhapsReturned;
    if (stdin !== undefined && input !== undefined) stdin.pieces = input;
    shell.outputs = outputs;
    for (const { sink, length, last, before } of collected) {
      // The last piece may have been changed by later output.
      sink.pieces.length = length;
      if (last !== undefined) sink.pieces[length - 1] = last;
      sink.size = before.size;
      sink.isMixed = before.isMixed;
    }
    shell.endingAssumptions.length = passed;
    takeBack();
    putFiles(run, files);
  };
}
