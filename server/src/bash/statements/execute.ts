import type {
  AndOr,
  Command as CommandNode,
  Function as FunctionNode,
  Pipeline,
  PipelineNode,
  Statement,
} from 'unbash';
import type { Place } from '../../text/span.ts';
import { arithmeticStatus } from '../conditions/arithmeticStatus.ts';
import { awaitSkipped } from '../conditions/awaited.ts';
import { evaluateDouble } from '../conditions/test.ts';
import { ask, both, negated } from '../conditions/verdict.ts';
import { loseInputs } from '../files/descriptors.ts';
import { withRedirections } from '../files/redirections.ts';
import { union } from '../state/needs.ts';
import { made } from '../state/pieces.ts';
import {
  discardFlow,
  type Flow,
  failure,
  notRedirected,
  presumedSuccess,
  type Shell,
  type Status,
  stopFlow,
  success,
} from '../state/shell.ts';
import type { Sink } from '../state/streams.ts';
import { givenUpLine, indexOfNextLine, readableStatements } from '../text/lines.ts';
import type { Source } from '../text/source.ts';
import { mayHaveGroups, stopsAtGroup } from '../words/patternGroups.ts';
import { targetName } from '../words/read.ts';
import { withoutAlias } from './aliases.ts';
import { forget } from './assign.ts';
import { branch } from './branch.ts';
import { executeCase } from './case.ts';
import { executeCountedFor, executeFor, executeIf, executeWhile } from './control.ts';
import { executeCoprocess } from './coprocess.ts';
import { startJob } from './job.ts';
import { executeSelect } from './select.ts';
import { executeSimple } from './simple.ts';
import { executeSubshell, passAnswers } from './subshell.ts';
import {
  isErrorTrapped,
  passSignals,
  receiveSignals,
  runDebugTrap,
  runErrorTrap,
  runExitTrap,
} from './traps.ts';

/** Runs statements in order until one of them leaves the normal order. */
export function executeStatements(shell: Shell, source: Source, statements: readonly Statement[]): Flow {
  for (const statement of statements) {
    const flow = executeStatement(shell, source, statement);
    if (flow !== undefined) return flow;
  }
  return undefined;
}

/** Runs a text as Bash reads it: a command that is given up takes the rest of its line with it, and nothing else. */
export function executeText(shell: Shell, source: Source): Flow {
  const statements = readableStatements(source);
  const grouped = mayHaveGroups(source);
  for (let index = 0; index < statements.length; ) {
    if (grouped && stopsAtGroup(shell, source, statements, index)) return undefined;
    const statement = statements[index];
    const flow = statement === undefined ? undefined : executeLineStatement(shell, source, statement);
    if (flow !== undefined && flow.kind !== 'discard') return flow;
    index = flow === undefined ? index + 1 : indexOfNextLine(source, statements, index);
  }
  return undefined;
}

/** Runs one statement that is none of a command's parts, unless Bash gives its line up. */
export function executeLineStatement(shell: Shell, source: Source, statement: Statement): Flow {
  const line = givenUpLine(source, statement);
  if (line === undefined) return executeStatement(shell, source, statement);
  // What the line was meant to put into its lists is asked for further down.
  for (const [, name] of source.text.slice(line.start, line.end).matchAll(/\b([A-Za-z_]\w*)\+?=\(/g))
    if (name !== undefined)
      forget(shell, targetName(shell, name), source.place(line.start, line.end), 'indexed');
  shell.status = failure;
  return shell.switches.errexit ? shell.exit(2) : discardFlow;
}

/** Runs one statement, and `set -e` behind it. */
export function executeStatement(shell: Shell, source: Source, statement: Statement): Flow {
  const { meter, restart } = shell.run;
  // What stands behind a guard for which the path is begun again is gone through then.
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
 * What follows when a command that is no condition failed: the commands of `trap … ERR`, under `set -e` the end of the script.
 *
 * @param wasTrapped whether there were such commands when it began
 */
function afterCommand(shell: Shell, source: Source, node: PipelineNode | AndOr, wasTrapped: boolean): Flow {
  const { status } = shell;
  const { errexit } = shell.switches;
  if (shell.tolerant > 0) return undefined;
  if (status.code === 0 && status.fork === undefined) {
    // What is taken for a success is one where the script goes on, but for what stands before `&&`: where that fails, it goes on as well.
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
    (isTrapped ? runErrorTrap(shell) : undefined) ?? (errexit ? shell.exit(code) : undefined);
  if (status.fork === undefined) return shell.within(status, place, () => fail(status));
  // With which number it fails is not known.
  return branch(shell, status, place, none, () => fail(settled(status, 'no')));
}

/** Whether Bash looks at how a command ended, which is no condition: it is none within a list but the last, and not negated. */
function endsWhereItFails({ lastRan, status }: Shell, node: PipelineNode | AndOr): boolean {
  if (node.type === 'AndOr' && lastRan !== node) return false;
  const last = node.type === 'AndOr' ? (node.commands.at(-1) ?? node) : node;
  if (last.type === 'Pipeline' && last.prefixes.some((prefix) => prefix.type === 'Negation')) return false;
  return failing.has(commandOf(last).type) || status === notRedirected;
}

function none(): Flow {
  return undefined;
}

/** The command of which redirections are written. */
function commandOf(node: PipelineNode | AndOr): PipelineNode | AndOr {
  return node.type === 'Redirected' ? commandOf(node.command) : node;
}

/** Commands whose own failure ends a script; what other ones come to is what their last command came to, which has been looked at. */
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
  // Compound commands leave it as the last command within them had it.
  if (noted.has(node.type)) shell.pipeline = [shell.status];
  return flow === undefined && shell.sent !== undefined ? receiveSignals(shell) : flow;
}

/** Commands before which those of `trap … DEBUG` run; before a loop they run in each round. */
const followsDebugTrap: ReadonlySet<string> = new Set([
  'Command',
  'TestCommand',
  'ArithmeticCommand',
  'Case',
  'Select',
]);

/** Commands that are a pipe of one part for `PIPESTATUS`. */
const noted: ReadonlySet<string> = new Set(['Command', 'Subshell', 'TestCommand', 'ArithmeticCommand']);

function executeAny(shell: Shell, source: Source, node: PipelineNode | AndOr): Flow {
  if (shell.runsAtEach && followsDebugTrap.has(node.type)) {
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

/** Evaluates a condition and adds to its outcome what the values that it read rest on. */
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

/** Defines a function; Bash takes no name with quotes or expansions. */
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

function executeAndOr(shell: Shell, source: Source, node: AndOr): Flow {
  const run = (index: number): Flow => {
    const command = node.commands[index];
    if (command === undefined) return undefined;
    const last = index === node.commands.length - 1;
    if (!last) shell.tolerant += 1;
    const wasTrapped = isErrorTrapped(shell);
    const flow = executeNode(shell, source, command);
    if (!last) shell.tolerant -= 1;
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
    // What is captured is a path, which a guard behind it may demand.
    const entered = and && shell.stdout === undefined ? missingDirectory(shell) : undefined;
    const status = entered === undefined ? shell.status : directoryQuestion(entered, place);
    const goOn = (): Flow => {
      if (entered !== undefined) shell.cwd = entered;
      const flow = run(index + 1);
      if (index === node.operators.length - 1) shell.lastRan = node;
      // What follows rests on the condition as well.
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
      // Perhaps the other side was tried before.
      shell.lastRan = undefined;
      shell.status = settled(status, and ? 'no' : 'yes');
      return undefined;
    };
    const flow = and ? branch(shell, status, place, goOn, stay) : branch(shell, status, place, stay, goOn);
    if (flow !== undefined) return flow;
  }
  return undefined;
}

/** The directory that `cd` has just not found in the workspace; what a list does in it (`cd clone && torchrun …`) is followed as well. */
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

/** Whether a command ends the script or function, as far as its text says. */
function leaves(source: Source, node: PipelineNode): boolean {
  return /\b(?:exit|return)\b/.test(source.text.slice(node.pos, node.end));
}

/** A status whose question has been answered. */
export function settled(status: Status, side: 'yes' | 'no'): Status {
  if (status.fork === undefined) return status;
  return { code: side === 'yes' ? 0 : (status.fork.fork.code ?? 1), needs: status.needs, presumed: false };
}

function executePipeline(shell: Shell, source: Source, node: Pipeline): Flow {
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
    executeNode(part, source, command);
    if (part !== shell) {
      runExitTrap(part);
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
