import type { Pipeline } from 'unbash';
import { builtins } from '../builtins/table.ts';
import { both, negated } from '../conditions/verdict.ts';
import { loseInputs } from '../files/descriptors.ts';
import { displayed, type Pieces } from '../state/pieces.ts';
import { type Flow, failure, presumedSuccess, type Shell, type Status, success } from '../state/shell.ts';
import type { Sink } from '../state/streams.ts';
import type { Source } from '../text/source.ts';
import { executeNode } from './execute.ts';
import { passAnswers } from './subshell.ts';
import { passSignals, runExitTrap } from './traps.ts';

/** Runs commands joined with `|`, or a single one after `!`. */
export function executePipeline(shell: Shell, source: Source, node: Pipeline): Flow {
  const negations = node.prefixes.filter((prefix) => prefix.type === 'Negation').length;
  // If `set -e` is switched on only after the `!`, it does apply.
  const isSpared = negations > 0 && shell.switches.errexit;
  if (isSpared) shell.conditionDepth += 1;
  const flow =
    node.commands.length === 1 ? executeOnly(shell, source, node) : executePipe(shell, source, node);
  if (isSpared) shell.conditionDepth -= 1;
  // What ends the script or function (`! { …; exit 3; }`) keeps its status.
  const leaves = flow !== undefined && !('levels' in flow);
  if (!leaves && negations % 2 === 1)
    shell.status = shell.status.presumed ? { ...failure, presumed: true } : negated(shell.status);
  return flow;
}

function executeOnly(shell: Shell, source: Source, node: Pipeline): Flow {
  const [only] = node.commands;
  return only === undefined ? undefined : executeNode(shell, source, only);
}

/** Characters that a program writes at once. */
const writtenAtOnce = 4096;

/** A part of a pipeline that has run, and its output for the next one. */
interface Part {
  readonly shell: Shell;
  readonly node: Pipeline['commands'][number];
  readonly sink: Sink;
  /** The part of its input that it has not read. */
  readonly left: Pieces;
}

/** The name of the command that a part calls: a program, a builtin or a function. */
function calledBy({ node }: Part): string | undefined {
  return node.type === 'Command' ? (node.name?.value ?? '') : undefined;
}

/** Whether a part writes its whole output at once. Builtins write each line separately. */
function writesOnce(part: Part): boolean {
  const name = calledBy(part);
  const { size, pieces } = part.sink;
  if (name === undefined || part.shell.functions.has(name) || size > writtenAtOnce) return false;
  return !builtins.has(name) || /^[^\n]*\n?$/.test(displayed(pieces));
}

/** Whether a part is a program, which takes longer to exit than others take to write to it. */
function isProgram(part: Part): boolean {
  const name = calledBy(part);
  return name !== undefined && !part.shell.functions.has(name) && !builtins.has(name);
}

/**
 * The status of a part of a pipeline. If the next part may have exited before this one had written everything (`head -n 1`), this one may have
 * been killed by a signal, provided that it writes several times, or the next one does not read at all.
 */
function statusOfPart(part: Part, next: Part | undefined): Status {
  const { shell, sink } = part;
  const { status } = shell;
  if (next === undefined || next.left.length === 0) return status;
  if (status.code !== 0 || status.fork !== undefined) return status;
  const isRead = next.left !== sink.pieces || isProgram(next);
  return writesOnce(part) && isRead ? status : presumedSuccess;
}

function executePipe(shell: Shell, source: Source, { commands, operators, pos, end }: Pipeline): Flow {
  const place = source.place(pos, end);
  let input = shell.stdin;
  const parts: Part[] = [];
  commands.forEach((node, index) => {
    const last = index === commands.length - 1;
    const inherits = last && shell.switches.lastpipe;
    const part = inherits ? shell : shell.fork();
    const before = shell.stdin;
    part.stdin = input;
    const sink: Sink = { pieces: [], size: 0 };
    if (!last) part.stdout = sink;
    if (operators[index] === '|&') part.direct(2, sink);
    const flow = executeNode(part, source, node);
    if (part !== shell) {
      runExitTrap(part, flow);
      loseInputs(shell, part);
      passSignals(shell, part);
      passAnswers(shell, part, shell.switches.errexit && (last || shell.switches.pipefail));
    }
    parts.push({ shell: part, node, sink, left: part.stdin?.pieces ?? [] });
    if (inherits) shell.stdin = before;
    input = { pieces: sink.pieces };
  });
  const statuses = parts.map((part, index) => statusOfPart(part, parts[index + 1]));
  const last = statuses.at(-1) ?? success;
  shell.status = last;
  if (shell.switches.pipefail) {
    const failed = statuses.findLast((status) => status.code !== 0 && status.fork === undefined);
    const open = statuses.filter(({ fork }) => fork !== undefined);
    if (failed !== undefined && last.fork === undefined) shell.status = failed;
    else if (failed === undefined && open.length > 0)
      shell.status = open.reduce((all, status) => both(all, status, place));
    else if (last.code === 0 && last.fork === undefined && statuses.some(({ presumed }) => presumed))
      shell.status = presumedSuccess;
  }
  shell.pipeline = statuses;
  return undefined;
}
