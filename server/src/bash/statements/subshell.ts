import type { Subshell } from 'unbash';
import { holdAnswer } from '../conditions/narrowed.ts';
import { loseInputs } from '../files/descriptors.ts';
import { atError } from '../state/hiddenNames.ts';
import type { Flow, Shell } from '../state/shell.ts';
import type { Source } from '../text/source.ts';
import { executeStatements } from './execute.ts';
import { endOf } from './functions.ts';
import { passSignals, runExitTrap } from './traps.ts';

/** Whether the line behind a place, or the one after it, reads `$?`. */
function isStatusRead({ text }: Source, end: number): boolean {
  const next = text.indexOf('\n', text.indexOf('\n', end) + 1);
  return /\$\{?\?|PIPESTATUS/.test(text.slice(end, next < end ? end + 200 : next));
}

/** `( )`: a copy of the shell, which is awaited. */
export function executeSubshell(shell: Shell, source: Source, { body, pos, end }: Subshell): Flow {
  const copy = shell.fork();
  copy.loops = 0;
  copy.kind = 'awaited';
  const { errexit } = shell.switches;
  const isWatched = !errexit && shell.store.get(atError) !== undefined;
  copy.endCounts = shell.tolerant > 0 || isWatched || isStatusRead(source, end);
  executeStatements(copy, source, body.commands);
  const place = source.place(pos, end);
  if (copy.perhapsReturned.length > 0) copy.status = endOf(copy, '( … )', place);
  runExitTrap(copy);
  loseInputs(shell, copy);
  passSignals(shell, copy);
  // Unless the script ends where the copy does, it goes on whatever that ended for.
  if (!errexit) shell.run.dropAssumptions(copy.passed.map(({ assumption }) => assumption));
  else if (shell.tolerant === 0) for (const { fork, side } of copy.passed) holdAnswer(shell, fork, side);
  shell.status = copy.status;
  return undefined;
}
