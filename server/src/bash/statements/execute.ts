import type {
  AndOr,
  Command as CommandNode,
  Function as FunctionNode,
  PipelineNode,
  Statement,
} from 'unbash';
import { arithmeticStatus } from '../conditions/arithmeticStatus.ts';
import { evaluateDouble } from '../conditions/test.ts';
import { withRedirections } from '../files/redirections.ts';
import { union } from '../state/needs.ts';
import { made } from '../state/pieces.ts';
import {
  discardFlow,
  type Flow,
  failure,
  notRedirected,
  type Shell,
  type Status,
  stopFlow,
  success,
} from '../state/shell.ts';
import { givenUpLine, indexOfNextLine, readableStatements } from '../text/lines.ts';
import type { Source } from '../text/source.ts';
import { atGroup, mayHaveGroups } from '../words/patternGroups.ts';
import { targetName } from '../words/read.ts';
import { withoutAlias } from './aliases.ts';
import { executeAndOr } from './andOr.ts';
import { forget } from './assign.ts';
import { branch } from './branch.ts';
import { executeCase } from './case.ts';
import { executeCountedFor, executeIf, executeWhile } from './control.ts';
import { executeCoprocess } from './coprocess.ts';
import { executeFor } from './for.ts';
import { startJob } from './job.ts';
import { executePipeline } from './pipeline.ts';
import { executeSelect } from './select.ts';
import { executeSimple } from './simple.ts';
import { executeSubshell } from './subshell.ts';
import { endedHere, isErrorTrapped, receiveSignals, runDebugTrap, runErrorTrap } from './traps.ts';

/** Runs statements in order until one of them leaves the normal control flow. */
export function executeStatements(shell: Shell, source: Source, statements: readonly Statement[]): Flow {
  for (const statement of statements) {
    const flow = executeStatement(shell, source, statement);
    if (flow !== undefined) return flow;
  }
  return undefined;
}

/** Runs a text as Bash reads it: an abandoned command takes the rest of its line with it, and nothing else. */
export function executeText(shell: Shell, source: Source): Flow {
  const statements = readableStatements(source);
  const grouped = mayHaveGroups(source);
  for (let index = 0; index < statements.length; ) {
    const group = grouped ? atGroup(shell, source, statements, index) : undefined;
    if (group === 'stops') return undefined;
    if (group === 'gives up') {
      index = indexOfNextLine(source, statements, index);
      continue;
    }
    const statement = statements[index];
    const flow = statement === undefined ? undefined : executeLineStatement(shell, source, statement);
    if (flow !== undefined && flow.kind !== 'discard') return flow;
    index = flow === undefined ? index + 1 : indexOfNextLine(source, statements, index);
  }
  return undefined;
}

/** Runs one top-level statement, unless Bash abandons its line. */
export function executeLineStatement(shell: Shell, source: Source, statement: Statement): Flow {
  const line = givenUpLine(source, statement);
  if (line === undefined) return executeStatement(shell, source, statement);
  // Later commands use the arrays that the line was meant to fill.
  for (const [, name] of source.text.slice(line.start, line.end).matchAll(/\b([A-Za-z_]\w*)\+?=\(/g))
    if (name !== undefined)
      forget(shell, targetName(shell, name), source.place(line.start, line.end), 'indexed');
  shell.status = failure;
  return shell.switches.errexit ? shell.exit(2) : discardFlow;
}

/** Runs one statement, then applies `set -e`. */
export function executeStatement(shell: Shell, source: Source, statement: Statement): Flow {
  const { meter, restart } = shell.run;
  // What comes after a guard for which the path is restarted runs after the restart.
  if (!meter.spend() || restart.length > 0) return stopFlow;
  const wasTrapped = isErrorTrapped(shell);
  const { command } = statement;
  if (statement.background === true) {
    startJob(shell, source, statement);
    return undefined;
  }
  const flow = executeNode(shell, source, command);
  if (flow !== undefined) return flow;
  return afterCommand(shell, source, command, wasTrapped);
}

/**
 * Handles a failed command that is not a condition: runs the `ERR` trap, and ends the script under `set -e`.
 *
 * @param wasTrapped whether an `ERR` trap was set when it began
 */
function afterCommand(shell: Shell, source: Source, node: PipelineNode | AndOr, wasTrapped: boolean): Flow {
  const { status } = shell;
  if (shell.conditionDepth > shell.outerConditionDepth) return undefined;
  const errexit = shell.switches.errexit && shell.conditionDepth === 0;
  if (status.code === 0 && status.fork === undefined) {
    // An assumed success is a real one if the script continues only then; before `&&` it also continues after a failure.
    const isFirm = node.type !== 'AndOr' || !node.operators.includes('&&');
    if (status.presumed && errexit && isFirm && endsWhereItFails(shell, node)) {
      shell.status = { ...status, presumed: false };
      shell.mayHaveEnded = true;
    }
    return undefined;
  }
  const isTrapped = (node.type === 'AndOr' ? shell.lastWasTrapped : wasTrapped) && isErrorTrapped(shell);
  if (!errexit && !isTrapped) return undefined;
  if (!endsWhereItFails(shell, node)) return undefined;
  const place = source.place(node.pos, node.end);
  const fail = ({ code }: Status): Flow =>
    (isTrapped ? runErrorTrap(shell) : undefined) ??
    (errexit ? endedHere(shell, shell.exit(code), true) : undefined);
  if (status.fork === undefined) return shell.within(status, place, () => fail(status));
  // Its exit status is unknown.
  return branch(shell, status, place, none, () => fail(settled(status, 'no')));
}

/** Whether Bash checks the status of a command that is not a condition: in a list it must be the last, and not negated. */
function endsWhereItFails({ lastRan, status }: Shell, node: PipelineNode | AndOr): boolean {
  if (node.type === 'AndOr' && lastRan !== node) return false;
  const last = node.type === 'AndOr' ? (node.commands.at(-1) ?? node) : node;
  if (last.type === 'Pipeline' && last.prefixes.some((prefix) => prefix.type === 'Negation')) return false;
  return failing.has(commandOf(last).type) || status === notRedirected;
}

function none(): Flow {
  return undefined;
}

/** The command inside its redirections. */
function commandOf(node: PipelineNode | AndOr): PipelineNode | AndOr {
  return node.type === 'Redirected' ? commandOf(node.command) : node;
}

/** Commands whose own failure ends a script; the status of others is that of their last command, which has already been checked. */
const failing: ReadonlySet<string> = new Set([
  'Command',
  'Pipeline',
  'AndOr',
  'Subshell',
  'TestCommand',
  'ArithmeticCommand',
  'Function',
]);

/** Runs any command and leaves its status in the shell. */
export function executeNode(shell: Shell, source: Source, node: PipelineNode | AndOr): Flow {
  shell.refused = undefined;
  const flow = executeAny(shell, source, node);
  // Compound commands leave it as set by the last command in them.
  if (noted.has(node.type)) shell.pipeline = [shell.status];
  return flow === undefined && shell.pendingSignals !== undefined ? receiveSignals(shell) : flow;
}

/** Commands before which the `DEBUG` trap runs; before a loop it runs in each round. */
const followsDebugTrap: ReadonlySet<string> = new Set([
  'Command',
  'TestCommand',
  'ArithmeticCommand',
  'Case',
  'Select',
]);

/** Commands that count as a one-part pipeline for `PIPESTATUS`. */
const noted: ReadonlySet<string> = new Set(['Command', 'Subshell', 'TestCommand', 'ArithmeticCommand']);

function executeAny(shell: Shell, source: Source, node: PipelineNode | AndOr): Flow {
  if (shell.hasDebugTrap && followsDebugTrap.has(node.type)) {
    const flow = runDebugTrap(shell);
    if (flow !== undefined) return flow;
  }
  switch (node.type) {
    case 'AndOr':
      return executeAndOr(shell, source, node);
    case 'Pipeline':
      return executePipeline(shell, source, node);
    case 'Command': {
      const text = shell.switches.expand_aliases ? withoutAlias(shell, source, node) : undefined;
      return text === undefined ? executeSimple(shell, source, node) : executeAlias(shell, text, node);
    }
    case 'BraceGroup':
      return executeStatements(shell, source, node.body.commands);
    case 'Subshell':
      return executeSubshell(shell, source, node);
    case 'If':
      return executeIf(shell, source, node);
    case 'For':
      return executeFor(shell, source, node);
    case 'ArithmeticFor':
      return executeCountedFor(shell, source, node);
    case 'While':
      return executeWhile(shell, source, node);
    case 'Case':
      return executeCase(shell, source, node);
    case 'Select':
      return executeSelect(shell, source, node);
    case 'TestCommand': {
      shell.status = touching(shell, () =>
        shell.expanding(() => evaluateDouble(shell, source, node.expression)),
      );
      return shell.refused === undefined ? undefined : shell.giveUp(shell.refused);
    }
    case 'ArithmeticCommand':
      shell.status = touching(shell, () => arithmeticStatus(shell, source, node));
      return shell.refused === undefined ? undefined : shell.giveUp(shell.refused);
    case 'Redirected':
      return withRedirections(shell, source, node.redirects, () => executeNode(shell, source, node.command));
    case 'Function':
      defineFunction(shell, source, node);
      return undefined;
    case 'Coproc':
      return executeCoprocess(shell, source, node);
  }
}

function executeAlias(shell: Shell, text: Source, node: CommandNode): Flow {
  const { alias } = shell;
  shell.alias = node.name?.value;
  const flow = executeText(shell, text);
  shell.alias = alias;
  return flow;
}

/** Evaluates a condition, and adds to its outcome the needs of the values that it read. */
export function touching(shell: Shell, evaluate: () => Status): Status {
  const outer = shell.touched;
  const touched = new Set<string>();
  shell.touched = touched;
  const status = evaluate();
  shell.touched = outer;
  if (touched.size === 0) return status;
  if (outer !== undefined) for (const name of touched) outer.add(name);
  return { ...status, needs: union(status.needs, touched) };
}

/** Defines a function; Bash does not accept a name with quotes or expansions. */
function defineFunction(shell: Shell, source: Source, node: FunctionNode): void {
  const name = node.name.value;
  if (/["'$\\]/.test(node.name.text)) {
    shell.status = failure;
    return;
  }
  const file = shell.frames.at(-1)?.path ?? made('environment', source.place(node.pos, node.end));
  const exported = shell.switches.allexport || shell.functions.get(name)?.exported === true;
  shell.define(name, { node, source, file, exported });
  shell.status = success;
}

/** A status with its question answered. */
export function settled(status: Status, side: 'yes' | 'no'): Status {
  if (status.fork === undefined) return status;
  return { code: side === 'yes' ? 0 : (status.fork.fork.code ?? 1), needs: status.needs, presumed: false };
}
