import type { AndOr, PipelineNode } from 'unbash';
import type { Place } from '../../text/span.ts';
import { awaitSkipped } from '../conditions/awaited.ts';
import { ask } from '../conditions/verdict.ts';
import { union } from '../state/needs.ts';
import type { Flow, Shell, Status } from '../state/shell.ts';
import type { Source } from '../text/source.ts';
import { branch } from './branch.ts';
import { executeNode, settled } from './execute.ts';
import { isErrorTrapped } from './traps.ts';

/** Runs a list of commands joined with `&&` and `||`. */
export function executeAndOr(shell: Shell, source: Source, node: AndOr): Flow {
  const run = (index: number): Flow => {
    const command = node.commands[index];
    if (command === undefined) return undefined;
    const last = index === node.commands.length - 1;
    if (!last) shell.conditionDepth += 1;
    const wasTrapped = isErrorTrapped(shell);
    const flow = executeNode(shell, source, command);
    if (!last) shell.conditionDepth -= 1;
    shell.lastWasTrapped = wasTrapped;
    return flow;
  };
  shell.lastRan = undefined;
  const first = run(0);
  if (first !== undefined) return first;
  for (let index = 0; index < node.operators.length; index += 1) {
    const and = node.operators[index] === '&&';
    const right = node.commands[index + 1];
    const place = source.place(right?.pos ?? node.pos, right?.end ?? node.end);
    // Captured output is a path, which a later guard may require.
    const entered = and && shell.stdout === undefined ? missingDirectory(shell) : undefined;
    const status = entered === undefined ? shell.status : directoryQuestion(entered, place);
    const goOn = (): Flow => {
      if (entered !== undefined) shell.cwd = entered;
      const flow = run(index + 1);
      if (index === node.operators.length - 1) shell.lastRan = node;
      // What follows also depends on the condition.
      const presumed = shell.status.presumed || (and && status.presumed);
      if (status.needs.length > 0 || presumed !== shell.status.presumed)
        shell.status = { ...shell.status, needs: union(shell.status.needs, status.needs), presumed };
      return flow;
    };
    // `cd X || exit`: whatever follows runs in X.
    if (!and && shell.cwd === undefined && right !== undefined && leaves(source, right))
      shell.cwd = shell.cwdOnSuccess;
    if (status.fork === undefined && (status.code === 0) !== and)
      awaitSkipped(shell, status.needs, right, place);
    const stay = (): Flow => {
      // The other side may have been tried before.
      shell.lastRan = undefined;
      shell.status = settled(status, and ? 'no' : 'yes');
      return undefined;
    };
    const flow = and ? branch(shell, status, place, goOn, stay) : branch(shell, status, place, stay, goOn);
    if (flow !== undefined) return flow;
  }
  return undefined;
}

/** The directory that `cd` has just not found in the workspace; what a list does in it (`cd clone && torchrun …`) is also followed. */
function missingDirectory({ status, cwdOnSuccess }: Shell): string | undefined {
  const isMissing =
    status.code !== 0 && status.fork === undefined && status.needs.includes(`${cwdOnSuccess}/`);
  return isMissing ? cwdOnSuccess : undefined;
}

function directoryQuestion(path: string, place: Place): Status {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return ask(
    {
      key: `cd ${path}`,
      yes: `${name} is a directory`,
      no: `${name} is not there`,
      first: false,
      ofMachine: true,
    },
    place,
  );
}

/** Whether a command exits or returns, judging by its text. */
function leaves(source: Source, node: PipelineNode): boolean {
  return /\b(?:exit|return)\b/.test(source.text.slice(node.pos, node.end));
}
