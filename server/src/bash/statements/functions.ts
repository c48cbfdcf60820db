import type { Place } from '../../text/span.ts';
import { ask } from '../conditions/verdict.ts';
import { markUncertain } from '../state/doubt.ts';
import { comeBackTo, positionalsOf } from '../state/positionals.ts';
import { type Flow, type Shell, type Status, success } from '../state/shell.ts';
import type { ShellFunction } from '../state/shellFunction.ts';
import type { ShellWord } from '../state/shellWord.ts';
import { withSetOf } from '../state/switches.ts';
import { executeNode, executeStatements } from './execute.ts';
import { endLeftAlone } from './leaving.ts';
import { mergeInto } from './merge.ts';
import type { Occasion } from './simple.ts';
import { withTraps } from './traps.ts';

/** Maximum depth of recursive calls in loops with unknown rounds: each adds a loop whose body runs twice. */
const mostWithinItself = 2;

/** Maximum number of unfollowed calls for which all variables are put in doubt: there may be thousands. */
const mostInDoubt = 16;

/** Calls a function with words as its positionals. */
export function callFunction(
  shell: Shell,
  definition: ShellFunction,
  name: string,
  words: readonly ShellWord[],
  occasion: Occasion,
): Flow {
  const { run } = shell;
  if (shell.depth >= run.meter.budget.depth || !run.meter.spend(4)) {
    shell.status = success;
    giveUpWithin(shell, `calls of ${name} within calls come to an end`, occasion.place);
    return undefined;
  }
  if (run.uncounted > 0 && runningCalls(shell, definition, name) > mostWithinItself) {
    shell.status = openEnd(name, occasion.place, true);
    return undefined;
  }
  const { positionals, perhapsReturned, loops } = shell;
  shell.loops = 0;
  shell.perhapsReturned = [];
  shell.positionals = positionalsOf(words, occasion.open);
  shell.store.enter(false);
  shell.depth += 1;
  shell.frames.push({
    path: definition.file,
    functionName: name,
  });
  const { body } = definition.node;
  const before = shell.store.copy();
  const { length: left } = shell.assumptionsUntilExit;
  const release = run.meter.share();
  const flow = withTraps(shell, true, () =>
    body.type === 'CompoundList'
      ? executeStatements(shell, definition.source, body.commands)
      : executeNode(shell, definition.source, body),
  );
  endLeftAlone(shell, left, false);
  const kept = shell.frames.pop()?.kept;
  if (kept !== undefined) shell.switches = withSetOf(shell.switches, kept);
  shell.depth -= 1;
  shell.store.leave();
  shell.positionals = comeBackTo(positionals);
  shell.loops = loops;
  shell.status = endOf(shell, name, occasion.place);
  shell.perhapsReturned = perhapsReturned;
  release();
  if (flow?.kind === 'stop') {
    if (run.meter.exhausted) return flow;
    mergeInto(shell, before, occasion.place, 'too-complex');
  }
  return flow?.kind === 'exit' || flow?.kind === 'discard' ? flow : undefined;
}

/** Nested calls and sourced files are only followed to a certain depth: what follows depends on whether they end, and on what they change. */
export function giveUpWithin(shell: Shell, text: string, place: Place): void {
  const { run } = shell;
  run.meter.truncated = true;
  if (run.callsGivenUp >= mostInDoubt) return;
  run.callsGivenUp += 1;
  run.assume({ place, kind: 'branch', text });
  markUncertain(shell, place);
}

/** Number of active calls of a function. */
function runningCalls({ frames }: Shell, { file }: ShellFunction, name: string): number {
  return frames.filter(({ functionName, path }) => functionName === name && path === file).length;
}

/** The status of a function or `( )`: open if it may have returned earlier, depending on a question, with a different outcome. */
export function endOf({ status, perhapsReturned }: Shell, name: string, place: Place): Status {
  const succeeds = status.code === 0;
  if (status.fork !== undefined || perhapsReturned.every(({ code }) => (code === 0) === succeeds))
    return status;
  return openEnd(name, place, succeeds);
}

function openEnd(name: string, { path, span }: Place, first: boolean): Status {
  const key = `${name} at ${path} ${span.start}`;
  return ask({ key, yes: `${name} succeeds`, no: `${name} fails`, first }, { path, span });
}
