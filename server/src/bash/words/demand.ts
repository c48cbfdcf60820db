import type { Place } from '../../text/span.ts';
import { doubtsOf } from '../state/doubt.ts';
import { absenceOf, assumedOn, type Fork } from '../state/fork.ts';
import { hole } from '../state/pieces.ts';
import type { Shell } from '../state/shell.ts';
import { blankVariable } from '../state/store.ts';

/**
 * From here on the variable counts as given: the script ends without it. After unread text, that text may have set it instead, which says
 * nothing about the environment and other shells.
 */
export function demand(shell: Shell, name: string, place: Place): void {
  const { run } = shell;
  if (!run.given.has(name)) {
    const absence = absenceOf(name, place);
    if (isLacking(shell, absence)) {
      shell.refused ??= 'unset';
      return;
    }
    // A copy of the shell ends without it if it was assumed to be unset before.
    if (shell.kind !== 'own' && !run.trying && run.isTakenForAbsent(name)) {
      shell.refused ??= 'unset';
      shell.refusedFor = name;
      return;
    }
    if (/^[A-Za-z_]/.test(name) && doubtsOf(shell.store) !== undefined) {
      const value = [hole('outside', `$${name}`, place, { nonEmpty: true })];
      shell.store.setGlobal(name, { ...blankVariable, kind: 'scalar', value, places: [place] });
    } else {
      const isOutlived = shell.callerContinues === 'always';
      if (!shell.subshell) run.beginGiven(name, place, isOutlived);
      if (!shell.subshell && isOutlived && shell.lacked === undefined) {
        shell.lacked = name;
        run.alsoWithout(name, place);
      }
      run.given.add(name);
    }
    if (run.decisionOn(absence.key) === undefined) run.assume(assumedOn(absence, 0, 'guard'));
  }
  run.require(name, place);
}

/**
 * Whether a variable is not given on this path. A copy of the shell, or a script, that is a condition ends alone without it, and the other side
 * of the condition runs (`( : "$X" ) || python …`): that is a separate path.
 */
function isLacking({ run, kind, conditionDepth, isStatusChecked }: Shell, absence: Fork): boolean {
  if (run.joining || absence.key.startsWith('given =')) return false;
  const planned = run.planned(absence);
  if (planned === undefined) {
    const isAsked = kind === 'awaited' ? conditionDepth > 0 : kind === 'own' && isStatusChecked;
    if (!isAsked) return false;
    if (run.trying) {
      run.trialFailed = true;
      return false;
    }
  }
  return run.choose(absence) === 1;
}
