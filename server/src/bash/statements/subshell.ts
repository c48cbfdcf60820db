import type { Subshell } from 'unbash';
import { holdAnswer } from '../conditions/narrowed.ts';
import { loseInputs } from '../files/descriptors.ts';
import type { Flow, Shell } from '../state/shell.ts';
import type { Source } from '../text/source.ts';
import { executeStatements } from './execute.ts';
import { endOf } from './functions.ts';
import { passSignals, runExitTrap } from './traps.ts';

/** Whether the rest of the line after a command, or the next line, reads `$?`. */
function isStatusRead({ text }: Source, end: number): boolean {
  const next = text.indexOf('\n', text.indexOf('\n', end) + 1);
  return /\$\{?\?|PIPESTATUS/.test(text.slice(end, next < end ? end + 200 : next));
}

/** Whether the status of a command that ends there is checked: a failure that ends it is then not a guard. */
export function isEndAsked(shell: Shell, source: Source, end: number): boolean {
  // A shell's status may be that of its last command.
  if (shell.conditionDepth > 0 || shell.isStatusChecked) return true;
  // Under `set -e` nothing after a failure can check it.
  return !shell.switches.errexit && (shell.store.trap('ERR') !== undefined || isStatusRead(source, end));
}

/**
 * Passes on another shell's assumptions, made because it would have ended otherwise.
 *
 * @param endsAlong whether this shell would have ended, too; if not, it continues however the other one ended, and keeps the assumptions only
 *   if it reads that shell's output
 */
export function passAnswers(shell: Shell, { endingAssumptions }: Shell, endsAlong: boolean): void {
  if (endingAssumptions.length === 0) return;
  if (!endsAlong && shell.outputs.size === 0) {
    shell.run.dropAssumptions(endingAssumptions.map(({ assumption }) => assumption));
    return;
  }
  for (const { fork, side } of endingAssumptions) holdAnswer(shell, fork, side);
  shell.endingAssumptions.push(...endingAssumptions);
}

/** When `set -e` ends `( )`, local variables still exist, as after `exit`. */
function withLocals(flow: Flow): Flow {
  if (flow?.kind !== 'exit' || flow.end === undefined) return flow;
  return { ...flow, end: { ...flow.end, byFailure: false } };
}

/** `( )`: a copy of the shell, which is awaited. */
export function executeSubshell(shell: Shell, source: Source, { body, pos, end }: Subshell): Flow {
  const copy = shell.fork();
  copy.loops = 0;
  copy.kind = 'awaited';
  copy.isStatusChecked = isEndAsked(shell, source, end);
  const flow = executeStatements(copy, source, body.commands);
  const place = source.place(pos, end);
  if (copy.perhapsReturned.length > 0) copy.status = endOf(copy, '( … )', place);
  runExitTrap(copy, withLocals(flow));
  loseInputs(shell, copy);
  passSignals(shell, copy);
  passAnswers(shell, copy, shell.switches.errexit && !copy.isStatusChecked);
  shell.status = copy.status;
  return undefined;
}
