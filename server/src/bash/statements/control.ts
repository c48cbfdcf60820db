import type { ArithmeticExpression, ArithmeticFor, CompoundList, If, While } from 'unbash';
import type { Place } from '../../text/span.ts';
import { amountStatus } from '../conditions/arithmeticStatus.ts';
import { awaitSkipped } from '../conditions/awaited.ts';
import { negated, outcome } from '../conditions/verdict.ts';
import { assumedOn } from '../state/fork.ts';
import {
  exitFlow,
  type Flow,
  failure,
  presumedSuccess,
  type Shell,
  type Status,
  stopFlow,
  success,
} from '../state/shell.ts';
import type { Source } from '../text/source.ts';
import { evaluateExpression } from '../words/arithmeticText.ts';
import { branch } from './branch.ts';
import { executeStatements, touching } from './execute.ts';
import { ifFound } from './ifFound.ts';
import { mayBreak } from './leaving.ts';
import { mergeState, stateOf } from './merge.ts';
import { pathsRead, readInAnyOrder } from './readFound.ts';
import { arePositionalsSame, isRepetition } from './repetition.ts';
import { afterRound, forgetChanged, leavesMore, uncountedRound, within } from './rounds.ts';
import { joinSides } from './sides.ts';

/** Runs the commands of a condition; their failure does not end the script. */
function condition(shell: Shell, source: Source, clause: CompoundList): Flow {
  shell.conditionDepth += 1;
  const flow = executeStatements(shell, source, clause.commands);
  shell.conditionDepth -= 1;
  return flow;
}

/** Runs the branch of an `if` whose condition holds, or each of them separately if that is unknown. */
export function executeIf(shell: Shell, source: Source, node: If): Flow {
  const branches = [node, ...node.elif];
  const from = (index: number): Flow => {
    const part = branches[index];
    if (part === undefined) {
      if (node.else !== undefined) return executeStatements(shell, source, node.else.commands);
      shell.status = success;
      return undefined;
    }
    const flow = condition(shell, source, part.clause);
    if (flow !== undefined) return flow;
    const place = source.place(part.clause.pos, part.clause.end);
    const then = (): Flow => {
      shell.status = success;
      return executeStatements(shell, source, part.then.commands);
    };
    const { status } = shell;
    if (status.fork === undefined) {
      const skipped = status.code === 0 ? (branches[index + 1] ?? node.else) : part.then;
      awaitSkipped(shell, status.needs, skipped, place);
    }
    return branch(shell, status, place, then, () => from(index + 1));
  };
  return from(0);
}

/** Runs `for ((…; …; …))`. */
export function executeCountedFor(shell: Shell, source: Source, node: ArithmeticFor): Flow {
  const place = source.place(node.pos, node.end);
  let failed = false;
  const evaluate = (expression: ArithmeticExpression | undefined): Status => {
    if (expression === undefined) return success;
    return touching(shell, () => {
      const amount = evaluateExpression(shell, source, expression);
      const text = source.text.slice(expression.pos, expression.end);
      failed = amount === undefined;
      return amount === undefined ? outcome(false) : amountStatus(shell, amount, text, place);
    });
  };
  evaluate(node.initialize);
  if (shell.refused !== undefined) return shell.giveUp(shell.refused);
  if (failed) {
    shell.status = failure;
    return undefined;
  }
  const test = (): Status => evaluate(node.test);
  const body = (): Flow => {
    const flow = executeStatements(shell, source, node.body.commands);
    if (flow === undefined || (flow.kind === 'continue' && flow.levels <= 1)) evaluate(node.update);
    return failed ? { kind: 'break', levels: 1 } : flow;
  };
  const flow = within(shell, () => repeat(shell, place, node.body, test, body));
  // An arithmetic error ends the loop.
  if (failed) shell.status = failure;
  return flow;
}

/** Runs `while` and `until`. */
export function executeWhile(shell: Shell, source: Source, node: While): Flow {
  const place = source.place(node.clause.pos, node.clause.end);
  let leaving: Flow;
  let leftWith = success;
  const test = (): Status => {
    leaving = condition(shell, source, node.clause);
    // Out of steps: the loop ends here, and what it changed is unknown.
    if (leaving?.kind === 'stop') {
      leaving = undefined;
      return success;
    }
    const { status } = shell;
    leftWith = status;
    if (leaving !== undefined) return outcome(false);
    return node.kind === 'while' ? status : negated(status);
  };
  const body = (): Flow => executeStatements(shell, source, node.body.commands);
  const found = pathsRead(shell, source, node);
  const flow = within(shell, () => {
    const rounds = found && readInAnyOrder(shell, source, node, found, place, test);
    return rounds === undefined ? repeat(shell, place, node.body, test, body) : rounds.flow;
  });
  if (flow !== undefined || leaving === undefined) return flow;
  // `while … || exit`: the status is not that of the last round.
  shell.status = leftWith;
  return afterRound(leaving).flow;
}

/** Repeats a body while a condition holds; with an unknown condition one round is run, after which changed values are unknown. */
function repeat(shell: Shell, place: Place, node: CompoundList, test: () => Status, body: () => Flow): Flow {
  const { meter } = shell.run;
  const before = stateOf(shell);
  const decided = shell.run.decisions.length;
  let last: Status = success;
  let isCut = false;
  const release = meter.share();
  for (let rounds = 0; ; rounds += 1) {
    const { store, positionals, cwd } = shell;
    const start = store.copy();
    const { version } = store;
    const input = shell.stdin?.pieces;
    const { linesPresumed } = shell.run;
    const status = test();
    if (status.fork === undefined && status.code !== 0) {
      awaitSkipped(shell, status.needs, node, place);
      if (rounds === 0) restOnAbsent(shell, status, place);
      break;
    }
    if (rounds >= meter.budget.rounds || !meter.spend()) {
      meter.truncated = true;
      isCut = true;
      break;
    }
    // There may be no round at all, or another one after each.
    const isOpen = status.fork !== undefined || shell.run.linesPresumed !== linesPresumed;
    const tried = isOpen ? forgetChanged(shell, place, body) : undefined;
    if (status.fork !== undefined && leavesMore(tried)) {
      release();
      return leaveOrPass(shell, status.fork, place, body);
    }
    const once = (): Flow => shell.within(status, place, () => onItsSide(shell, status, body));
    const isCounted = status.fork === undefined && !status.presumed;
    const read = isOpen ? input : undefined;
    const round = afterRound(
      isCounted ? once() : ifFound(shell.run, read, place, () => uncountedRound(shell, once)),
    );
    last = shell.status.fork === undefined ? shell.status : presumedSuccess;
    isCut = round.flow?.kind === 'stop';
    if (isCut) break;
    if (round.flow !== undefined) {
      release();
      return round.flow;
    }
    if (isOpen) {
      // Without a round the loop succeeds, whatever the status of the last command in one.
      if (last.code !== 0) last = presumedSuccess;
      // Also if the first round ends the loop.
      mergeState(shell, before, place, 'loop');
      break;
    }
    if (round.ends) break;
    // Nothing has changed, so nothing ever will: the loop waits for something outside.
    if (input !== shell.stdin?.pieces || cwd !== shell.cwd) continue;
    if (!arePositionalsSame(positionals, shell.positionals)) continue;
    const untouched = shell.store === store && store.version === version;
    if (!untouched && !isRepetition(start, shell.store)) continue;
    if (shell.run.decisions.length > decided) {
      // If this path answers no to what the loop waits for, it waits forever; another path continues.
      if (mayBreak(node) && !shell.run.mayHaveLeft) {
        release();
        return exitFlow;
      }
      // Another round may take another side of a question asked in this one.
      forgetChanged(shell, place, body);
    }
    break;
  }
  release();
  if (isCut) {
    if (!meter.exhausted && shell.run.decisions.length > decided) forgetChanged(shell, place, body);
    mergeState(shell, before, place, 'too-complex');
  }
  shell.status = last;
  return meter.exhausted ? stopFlow : undefined;
}

/** A loop whose every round leaves more than the loop: what follows it runs only if there is no round. */
function leaveOrPass(
  shell: Shell,
  { fork, first }: NonNullable<Status['fork']>,
  place: Place,
  round: () => Flow,
): Flow {
  const pass = (): Flow => {
    shell.status = success;
    return undefined;
  };
  const once = (): Flow => afterRound(round()).flow;
  const joined = joinSides(shell, fork, place, first ? [once, pass] : [pass, once]);
  joined.settle();
  return joined.flow;
}

/**
 * What follows a loop that is skipped for lack of a variable depends on that. A loop over arguments is written for scripts that may have none.
 */
function restOnAbsent(shell: Shell, status: Status, place: Place): void {
  const needs = status.needs.filter((name) => /^[A-Za-z_]\w*$/.test(name));
  shell.within({ ...status, needs }, place, () => undefined);
}

/** Runs a round that happens only on one side of an open question: what it starts is recorded with that assumption. */
function onItsSide({ run }: Shell, { fork: asked }: Status, round: () => Flow): Flow {
  if (asked === undefined) return round();
  const { length } = run.assumptions;
  run.assume(assumedOn(asked.fork, asked.first ? 0 : 1, 'branch'));
  const flow = round();
  run.forgetAssumptions(length);
  return flow;
}
