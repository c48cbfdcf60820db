import type { ParsedScript, ParseError } from 'unbash';
import { beginning } from '../../text/beginning.ts';
import { absolutePath, kindOf } from '../conditions/fileTests.ts';
import { loseInputs } from '../files/descriptors.ts';
import { startAgain } from '../files/fileEffects.ts';
import { fileKey } from '../files/fileKey.ts';
import { fileText } from '../files/redirections.ts';
import {
  hole,
  knownText,
  nothing,
  type Pieces,
  through,
  withoutClosingNewlines,
  withoutNul,
} from '../state/pieces.ts';
import { failure, presumedSuccess, type Shell, type Status, success } from '../state/shell.ts';
import type { Sink } from '../state/streams.ts';
import type { Switches } from '../state/switches.ts';
import { executeStatements } from '../statements/execute.ts';
import { passAnswers } from '../statements/subshell.ts';
import { passSignals, runExitTrap } from '../statements/traps.ts';
import { errorsOf } from '../text/parse.ts';
import { type Source, sourceAt } from '../text/source.ts';
import { expandValue } from './expand.ts';

/** A substitution as it is written. */
export interface SubstitutionNode {
  readonly type: 'CommandExpansion' | 'ArithmeticCommandExpansion' | 'ProcessSubstitution';
  readonly pos: number;
  readonly end: number;
  readonly text: string;
  readonly script: ParsedScript | undefined;
}

/** The output of a substitution's commands, and their status. */
export interface Captured {
  readonly pieces: Pieces;
  readonly status: Status;
}

/** Runs the commands of `$( )` or `<( )` in a copy of the shell and collects their output. */
export function captureScript(shell: Shell, source: Source, node: SubstitutionNode): Captured {
  const place = source.place(node.pos, node.end);
  const { script } = node;
  const { run } = shell;
  // The command that it belongs to has already been abandoned.
  if (shell.refused !== undefined) return { pieces: nothing, status: failure };
  if (script === undefined || shell.depth >= run.meter.budget.depth || !run.meter.spend()) {
    if (script !== undefined) run.meter.truncated = true;
    return { pieces: [{ ...hole('too-complex', node.text, place), splits: true }], status: success };
  }
  // Errors in `$( )` are errors of the enclosing text.
  const [error] = node.text.startsWith('`')
    ? errorsBetweenQuotes(source, node, script)
    : (script.errors ?? []);
  if (error !== undefined && isReadWithScript(shell, source, node)) {
    shell.refused = 'unset';
    const at = source.place(error.pos, Math.min(error.pos + 1, node.end));
    run.report({ kind: 'syntax', message: `Bash stops reading here: ${error.message}.`, place: at });
    return { pieces: nothing, status: failure };
  }
  if (error !== undefined)
    return { pieces: [{ ...hole('too-complex', node.text, place), splits: true }], status: success };
  const inner = script.source === undefined ? source : sourceAt(script.source, place, script);
  const read = shortRead(shell, inner, script);
  if (read !== undefined) return read;
  const copy = shell.fork();
  const sink: Sink = { pieces: [], size: 0 };
  copy.stdout = sink;
  copy.depth += 1;
  copy.kind = 'awaited';
  copy.knownJobs = shell.knownJobs ?? shell.nesting;
  copy.conditionDepth = copy.passesCondition ? 1 : 0;
  copy.outerConditionDepth = 0;
  copy.isStatusChecked = copy.passesCondition;
  // Bash only uses the output and status of `$( )` there: `set -e` is not inherited.
  if (node.type !== 'ProcessSubstitution' && copy.switches.errexit && !isPassedOn(copy.switches))
    copy.switches = { ...copy.switches, errexit: false };
  const flow = executeStatements(copy, inner, script.commands);
  runExitTrap(copy, flow);
  loseInputs(shell, copy);
  passSignals(shell, copy);
  // Its output is that of the side on which it continues.
  passAnswers(shell, copy, true);
  return { pieces: sink.pieces, status: copy.status };
}

/** Whether `set -e` also holds in command substitutions. */
function isPassedOn({ inherit_errexit, posix }: Switches): boolean {
  return inherit_errexit || posix;
}

/** The syntax errors of commands between backquotes, which are read when they run. */
function errorsBetweenQuotes(
  { text }: Source,
  { pos, end }: SubstitutionNode,
  script: ParsedScript,
): readonly ParseError[] {
  return script.source === undefined
    ? errorsOf(script, text, { start: pos, end })
    : errorsOf(script, script.source);
}

/**
 * Whether Bash parses the commands of a substitution together with the enclosing text, so that it stops there at an error in them: not between
 * backquotes, in a heredoc, where it may be an arithmetic expansion, or in text that results from an expansion.
 */
function isReadWithScript(
  shell: Shell,
  source: Source,
  { pos, end, text, script }: SubstitutionNode,
): boolean {
  return (
    /^(?:\$\((?!\()|[<>]\()/.test(text) &&
    script?.source === undefined &&
    !shell.inHereText &&
    !shell.run.shared.pastErrors &&
    source.origin(pos, end).verbatim
  );
}

/** `$(<file)`. */
function shortRead(shell: Shell, source: Source, script: ParsedScript): Captured | undefined {
  const [only, ...more] = script.commands;
  if (only === undefined || more.length > 0 || only.command.type !== 'Command') return undefined;
  const { name, prefix, redirects } = only.command;
  const [redirect] = redirects;
  if (name !== undefined || prefix.length !== redirects.length || redirects.length !== 1) return undefined;
  if (redirect?.operator !== '<' || redirect.target === undefined) return undefined;
  const text = knownText(expandValue(shell, source, redirect.target, false));
  const path = text === undefined ? undefined : absolutePath(shell, text);
  const place = source.place(redirect.pos, redirect.end);
  const found = path === undefined ? undefined : fileText(shell, path);
  if (found !== undefined) return { pieces: found, status: success };
  const isMissing = path !== undefined && kindOf(shell, path) === 'absent' && !shell.run.given.has(path);
  const status = isMissing ? { ...failure, needs: [path] } : presumedSuccess;
  return { pieces: [hole('outside', `$(<${text ?? 'file'})`, place)], status };
}

/** `$( )`: the output of the commands, without trailing newlines. */
export function substituteCommand(shell: Shell, source: Source, node: SubstitutionNode): Pieces {
  const { pieces, status } = captureScript(shell, source, node);
  shell.substitution = status;
  // It is `$?` further right in the same command.
  shell.status = status;
  const place = source.place(node.pos, node.end);
  const text = withoutClosingNewlines(withoutNul(pieces));
  const label = node.text.length <= 80 ? node.text : `${beginning(node.text, 76)}…)`;
  const [only] = text;
  if (
    text.length === 1 &&
    only?.kind === 'hole' &&
    only.reason !== 'environment' &&
    only.reason !== 'positional'
  ) {
    const named: Pieces = [{ ...only, label, origin: { place, via: [], verbatim: false } }];
    if (only.reason === 'random') startAgain(shell, named);
    return named;
  }
  return through(text, place);
}

/** `<( )` and `>( )` as a word: the name of a pipe. */
export function processSubstitution(shell: Shell, source: Source, node: SubstitutionNode): Pieces {
  const { pieces } = captureScript(shell, source, node);
  const place = source.place(node.pos, node.end);
  const name: Pieces = [hole('command-output', node.text, place, { nonEmpty: true })];
  // Opening it reads their output: `bash <(…)`, `source <(…)`.
  if (node.text.startsWith('<')) shell.run.written.set(fileKey(shell, name), pieces);
  return name;
}
