import type { Pipeline } from 'unbash';
import { both, negated } from '../conditions/verdict.ts';
import { loseInputs } from '../files/descriptors.ts';
import { type Flow, failure, presumedSuccess, type Shell, type Status, success } from '../state/shell.ts';
import type { Sink } from '../state/streams.ts';
import type { Source } from '../text/source.ts';
import { executeNode } from './execute.ts';
import { passAnswers } from './subshell.ts';
import { passSignals, runExitTrap } from './traps.ts';

/** Runs commands with `|` between them, or one behind `!`. */
export function executePipeline(shell: Shell, source: Source, node: Pipeline): Flow {
  const negations = node.prefixes.filter((prefix) => prefix.type === 'Negation').length;
  // What switches `set -e` on only behind the `!` is not spared.
  const isSpared = negations > 0 && shell.switches.errexit;
  if (isSpared) shell.tolerant += 1;
  const flow =
    node.commands.length === 1 ? executeOnly(shell, source, node) : executePipe(shell, source, node);
  if (isSpared) shell.tolerant -= 1;
  // What ends the script or function (`! { …; exit 3; }`) takes its status along.
  const leaves = flow !== undefined && !('levels' in flow);
  if (!leaves && negations % 2 === 1)
    shell.status = shell.status.presumed ? { ...failure, presumed: true } : negated(shell.status);
  return flow;
}

function executeOnly(shell: Shell, source: Source, node: Pipeline): Flow {
  const [only] = node.commands;
  return only === undefined ? undefined : executeNode(shell, source, only);
}

/** Characters that a pipe holds for one who does not read them. */
const pipeSize = 65_536;

function executePipe(shell: Shell, source: Source, { commands, operators, pos, end }: Pipeline): Flow {
  const place = source.place(pos, end);
  let input = shell.stdin;
  const statuses: Status[] = [];
  let mayBreak = false;
  commands.forEach((command, index) => {
    const last = index === commands.length - 1;
    const inherits = last && shell.switches.lastpipe;
    const part = inherits ? shell : shell.fork();
    const before = shell.stdin;
    part.stdin = input;
    const sink: Sink = { pieces: [], size: 0 };
    if (!last) part.stdout = sink;
    if (operators[index] === '|&') part.direct(2, sink);
    const flow = executeNode(part, source, command);
    if (part !== shell) {
      runExitTrap(part, flow);
      loseInputs(shell, part);
      passSignals(shell, part);
      passAnswers(shell, part, shell.switches.errexit && (last || shell.switches.pipefail));
    }
    if (inherits) shell.stdin = before;
    statuses.push(part.status);
    input = { pieces: sink.pieces };
    mayBreak ||= sink.size > pipeSize;
  });
  const last = statuses.at(-1) ?? success;
  shell.status = last;
  if (shell.switches.pipefail) {
    const failed = statuses.findLast((status) => status.code !== 0 && status.fork === undefined);
    const open = statuses.filter(({ fork }) => fork !== undefined);
    if (failed !== undefined && last.fork === undefined) shell.status = failed;
    else if (failed === undefined && open.length > 0)
      shell.status = open.reduce((all, status) => both(all, status, place));
    // A part that goes on writing to one which has ended (`head -n 1`) fails.
    else if (mayBreak && last.code === 0 && last.fork === undefined) shell.status = presumedSuccess;
  }
  shell.pipeline = statuses;
  return undefined;
}
