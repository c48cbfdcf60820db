import type { Subshell } from 'unbash';
import { holdAnswer } from '../conditions/narrowed.ts';
import { loseInputs } from '../files/descriptors.ts';
import type { Flow, Shell } from '../state/shell.ts';
import type { Source } from '../text/source.ts';
import { executeStatements } from './execute.ts';
import { endOf } from './functions.ts';
import { passSignals, runExitTrap } from './traps.ts';

/** Whether the line behind a command that ends there, or the one after it, reads `$?`. */
function isStatusRead({ text }: Source, end: number): boolean {
  const next = text.indexOf('\n', text.indexOf('\n', end) + 1);
  return /\$\{?\?|PIPESTATUS/.test(text.slice(end, next < end ? end + 200 : next));
}

/** Whether somebody asks how a command comes out that ends there: what ends it with a failure is no guard then. */
export function isEndAsked(shell: Shell, source: Source, end: number): boolean {
  // How a shell comes out may be how the last of its commands does.
  if (shell.tolerant > 0 || shell.endCounts) return true;
  // Under `set -e` nobody comes to ask behind a failure.
  return !shell.switches.errexit && (shell.store.trap('ERR') !== undefined || isStatusRead(source, end));
}

/**
 * Goes on behind another shell with what that took for so, since it would have ended otherwise.
 *
 * @param endsAlong whether this shell would have ended as well: else it goes on whatever that one ended for, unless it reads what that one wrote
 */
export function passAnswers(shell: Shell, { passed }: Shell, endsAlong: boolean): void {
  if (passed.length === 0) return;
  if (!endsAlong && shell.outputs.size === 0) {
    shell.run.dropAssumptions(passed.map(({ assumption }) => assumption));
    return;
  }
  for (const { fork, side } of passed) holdAnswer(shell, fork, side);
  shell.passed.push(...passed);
}

/** Where `set -e` ends `( )`, the local variables are still there, as behind `exit`. */
function withLocals(flow: Flow): Flow {
  if (flow?.kind !== 'exit' || flow.end === undefined) return flow;
  return { ...flow, end: { ...flow.end, byFailure: false } };
}

/** `( )`: a copy of the shell, which is awaited. */
export function executeSubshell(shell: Shell, source: Source, { body, pos, end }: Subshell): Flow {
  const copy = shell.fork();
  copy.loops = 0;
  copy.kind = 'awaited';
  copy.endCounts = isEndAsked(shell, source, end);
  const flow = executeStatements(copy, source, body.commands);
  const place = source.place(pos, end);
  if (copy.perhapsReturned.length > 0) copy.status = endOf(copy, '( … )', place);
  runExitTrap(copy, withLocals(flow));
  loseInputs(shell, copy);
  passSignals(shell, copy);
  passAnswers(shell, copy, shell.switches.errexit && !copy.endCounts);
  shell.status = copy.status;
  return undefined;
}
