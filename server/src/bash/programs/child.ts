import type { Command } from '../../launch/command.ts';
import type { Place } from '../../text/span.ts';
import { sliceWord } from '../../value/word.ts';
import { kindOf } from '../conditions/fileTests.ts';
import { ask } from '../conditions/verdict.ts';
import { fileKey, isKnownPath } from '../files/fileKey.ts';
import { nearbyFile } from '../files/nearbyFile.ts';
import { keyElsewhere, presumeScript } from '../files/presumedScript.ts';
import { fileText } from '../files/redirections.ts';
import type { NestedScript } from '../options.ts';
import { isMissing } from '../slips/absentOperand.ts';
import { addDoubts, doubtsOf } from '../state/doubt.ts';
import { guessDirectory, inheritDirectory, restsOnStart } from '../state/elsewhere.ts';
import { inheritExported } from '../state/exported.ts';
import { bareName } from '../state/needs.ts';
import {
  asOneValue,
  displayed,
  hole,
  isUncounted,
  knownText,
  made,
  type Pieces,
  sliceText,
} from '../state/pieces.ts';
import { positionalsOf } from '../state/positionals.ts';
import type { ScriptRun } from '../state/scriptRun.ts';
import { parsedFile } from '../state/shared.ts';
import { presumedSuccess, Shell, type Status } from '../state/shell.ts';
import type { ShellWord } from '../state/shellWord.ts';
import { noOutputs } from '../state/streams.ts';
import { switched } from '../state/switches.ts';
import { executeText } from '../statements/execute.ts';
import { endOf } from '../statements/functions.ts';
import type { Occasion } from '../statements/simple.ts';
import { isEndAsked, passAnswers } from '../statements/subshell.ts';
import { runExitTrap } from '../statements/traps.ts';
import { endOfCutText } from '../text/lines.ts';
import { type Source, sourceOfPieces, withoutOpenEnd } from '../text/source.ts';
import { directivesOf } from './batchWords.ts';
import { shells } from './invocation.ts';
import { perhapsExpanded } from './perhapsExpanded.ts';

/** Runs the shell text that a command starts (`bash -c TEXT`, `sbatch FILE`, `srun … bash -c TEXT`); undefined when it starts none. */
export function runNested(
  shell: Shell,
  words: readonly ShellWord[],
  command: Command,
  occasion: Occasion,
): Status | undefined {
  const { run } = shell;
  const nested = run.shared.options.nested(words) ?? ownScript(shell, words);
  if (nested === undefined) return undefined;
  if (shell.depth >= run.meter.budget.depth || !run.meter.spend(8)) {
    run.meter.truncated = true;
    return presumedSuccess;
  }
  if (nested.isQueued !== true) return runScript(shell, words, nested, command, occasion);
  const { outputs } = shell;
  shell.outputs = noOutputs;
  const status = runScript(shell, words, nested, command, occasion);
  shell.outputs = outputs;
  if (status === undefined) return undefined;
  // The job writes to a file of its own, later: the command that queues it prints its number and succeeds.
  const { place } = occasion;
  const number = hole('command-output', `$(${baseName(words[0])} …)`, place, {
    nonEmpty: true,
    oneLine: true,
  });
  shell.write([number, ...made('\n', place)]);
  return presumedSuccess;
}

/** A command that hands a text, a file or an input to a shell. */
interface Hand {
  readonly words: readonly ShellWord[];
  readonly nested: NestedScript;
  readonly target: ShellWord;
  /** The words after it. */
  readonly rest: readonly ShellWord[];
  readonly command: Command;
  readonly occasion: Occasion;
}

/** Runs the text, the file or the input that a command hands to a shell. */
function runScript(
  shell: Shell,
  words: readonly ShellWord[],
  nested: NestedScript,
  command: Command,
  occasion: Occasion,
): Status | undefined {
  const target = words[nested.index];
  if (target === undefined) return undefined;
  // For a name without a folder Bash searches the PATH.
  if (nested.kind === 'file' && nested.index === 0 && knownText(target.pieces)?.includes('/') === false)
    return undefined;
  const hand: Hand = { words, nested, target, rest: words.slice(nested.index + 1), command, occasion };
  if (nested.kind === 'file') return runFile(shell, hand);
  return nested.kind === 'text' ? runGivenText(shell, hand) : runInput(shell, hand);
}

/** The shell itself is not a launch: what it runs is recorded instead. */
function forgetShell({ run }: Shell, { words, command }: Hand): void {
  const isShell = shells.has(baseName(words[0]));
  if (isShell && run.commands.at(-1) === command) run.commands.pop();
}

function runGivenText(shell: Shell, hand: Hand): Status | undefined {
  const { words, nested, target, rest } = hand;
  const text = textOfWords(words, nested);
  const source = sourceOfPieces(
    nested.isPerhapsExpanded === true ? perhapsExpanded(text) : text,
    target.place,
  );
  if (source === undefined) return undefined;
  forgetShell(shell, hand);
  const [zero, ...others] = nested.isLine === true || nested.isTyped === true ? [] : rest;
  const isOne = zero === undefined || !isUncounted(zero.pieces);
  // If there are several words, the first is its name; how many remain is unknown.
  const name = isOne ? zero?.pieces : asOneValue(zero.pieces);
  const positionals = isOne ? others : [zero, ...others];
  return runSource(shell, source, name ?? made('bash', target.place), { ...hand, rest: positionals });
}

function runFile(shell: Shell, hand: Hand): Status | undefined {
  const { run } = shell;
  const { words, nested, target, command } = hand;
  const named = fileKey(shell, target.pieces);
  const elsewhere = keyElsewhere(shell, target, named);
  if (elsewhere !== undefined) presumeScript(shell, target);
  const path = elsewhere ?? named;
  const text = fileText(shell, path);
  if (text === undefined) {
    const label = displayed(target.pieces);
    if (isKnownPath(path) && kindOf(shell, path, command) === 'absent')
      run.report({
        kind: 'missing-script',
        message: `${label} is not in the workspace.`,
        place: target.place,
        severity: 'warning',
        isPresumed: restsOnStart(shell, target.pieces),
        correction: nearbyFile(shell, target.pieces),
      });
    // A program that has run may have made it.
    else if (!isKnownPath(path) || !isMissing(shell, path, label)) return undefined;
    // A script that checks how it ends goes on without it.
    if (shell.conditionDepth === 0 || nested.isQueued === true) return undefined;
    const [yes, no] = [`${label} is there`, `${label} is not there`];
    return ask({ key: `-f ${label}`, yes, no, first: true, ofMachine: true, code: 127 }, target.place);
  }
  const known = run.written.has(path) ? undefined : knownText(text);
  if (shell.outputs.size === 0 && known !== undefined && run.shared.options.isIdle?.(path, known) === true) {
    forgetShell(shell, hand);
    return presumedSuccess;
  }
  const source = sourceOfFile(shell, path, executed(text), target.place);
  if (source === undefined) return undefined;
  forgetShell(shell, hand);
  const isOwn = !words.slice(0, nested.index).some((word) => shells.has(baseName(word)));
  const switches = isOwn ? optionsOfFirstLine(source.text) : nested.switches;
  return runSource(shell, source, target.pieces, { ...hand, nested: { ...nested, switches } });
}

function runInput(shell: Shell, hand: Hand): Status | undefined {
  const input = shell.stdin?.pieces;
  const { place } = hand.occasion;
  const source = input === undefined ? undefined : sourceOfPieces(executed(input), place);
  if (source === undefined) return undefined;
  forgetShell(shell, hand);
  return runSource(shell, source, made('bash', place), hand);
}

/** The options in the shebang line of a script (`#!/bin/bash -eu`): they apply if the script is executed directly. */
function optionsOfFirstLine(text: string): string {
  const [, options = ''] =
    /^#! *\S*\b(?:env +-S +)?(?:ba|da|z)?sh((?: +-\w+)*) *\n/.exec(text.slice(0, 200)) ?? [];
  return options.trim();
}

/** The shell text that is in the words of a command. */
function textOfWords(words: readonly ShellWord[], { index, skip, isLine, isTyped }: NestedScript): Pieces {
  const [first, ...others] = words.slice(index);
  if (first === undefined) return [];
  if (isTyped === true) return words.slice(index).flatMap(typed);
  const text = skip === 0 ? first.pieces : sliceWord(first, skip).pieces;
  if (isLine !== true) return text;
  return [...text, ...others.flatMap(({ pieces, place }) => [...made(' ', place), ...pieces])];
}

/** The key at the end of a line, as written for `screen -X stuff`. */
const enter = /(?:\\n|\\r|\\01[25]|\^M|\r)$/;

/** What a word of `tmux send-keys` or `screen -X stuff` types: its text, or the effect of the key that it names. */
function typed({ pieces, place }: ShellWord): Pieces {
  const text = knownText(pieces) ?? '';
  const last = pieces.at(-1);
  const end = last?.kind === 'text' ? enter.exec(last.text) : null;
  if (last?.kind === 'text' && end !== null)
    return [...pieces.slice(0, -1), sliceText(last, 0, end.index), ...made('\n', place)];
  if (/^(?:Enter|KPEnter|C-m|C-j)$/i.test(text)) return made('\n', place);
  if (/^Space$/i.test(text)) return made(' ', place);
  const isOtherKey =
    /^(?:[CMS]-\S|\^[a-z]|Tab|Escape|B(?:Space|Tab)|DC|End|Home|IC|Up|Down|Left|Right|F\d\d?)$/i;
  return isOtherKey.test(text) ? [] : pieces;
}

/** The text of a file or an input as read by a shell that executes it. */
function executed(text: Pieces): Pieces {
  const last = text.at(-1);
  if (last?.kind !== 'text') return text;
  const { length } = withoutOpenEnd(last.text);
  return length === last.text.length ? text : [...text.slice(0, -1), sliceText(last, 0, length)];
}

function baseName(word: ShellWord | undefined): string {
  const text = word === undefined ? '' : displayed(word.pieces);
  return text.slice(text.lastIndexOf('/') + 1);
}

/** A shell script of the workspace that is started by its own path. */
function ownScript(shell: Shell, words: readonly ShellWord[]): NestedScript | undefined {
  const name = words[0]?.pieces ?? [];
  const known = knownText(name);
  if (known?.includes('/') === false) return undefined;
  const path = fileKey(shell, name);
  if (isKnownPath(path) && kindOf(shell, path) !== 'file') return undefined;
  const [first] = fileText(shell, path) ?? [];
  const start = first?.kind === 'text' ? first.text.slice(0, 80) : undefined;
  if (start === undefined) return undefined;
  // The shell itself reads a file that names no interpreter.
  const isOurs = path.endsWith('.sh') || shell.run.written.has(path);
  return /^#!.*\b(ba|da|z)?sh\b/.test(start) || (isOurs && !start.startsWith('#!'))
    ? { kind: 'file', index: 0, skip: 0, switches: '', environment: (outer) => outer }
    : undefined;
}

/**
 * The parsed text of a file: the workspace's own, or what the script wrote into it.
 *
 * @param path its path or its key
 * @param place where it is named
 */
export function sourceOfFile(shell: Shell, path: string, text: Pieces, place: Place): Source | undefined {
  const known = knownText(text);
  if (!shell.run.written.has(path) && known !== undefined) return parsedFile(shell.run.shared, path, known);
  return sourceOfPieces(text, isKnownPath(path) ? { path, span: { start: 0, end: 0 } } : place);
}

/** Runs a script in a child shell: it inherits exported variables, and nothing comes back. */
function runSource(
  shell: Shell,
  source: Source,
  name: Pieces,
  { nested, rest, command, occasion }: Hand,
): Status {
  const directives = directivesOf(source, startsBatch(command));
  const child = new Shell(shell.run, {
    cwd: shell.cwd,
    name,
    positionals: positionalsOf(rest, occasion.open),
    via: [command, ...shell.via],
    directives: directives.length > 0 ? directives : shell.directives,
    slurm: shell.slurm || directives.length > 0 || startsSlurm(command),
  });
  inheritDirectory(shell, child);
  if (nested.isElsewhere === true) guessDirectory(child);
  inheritExported(shell, child, nested.environment, nested.isElsewhere === true || nested.isQueued === true);
  child.store.inheritKnown(shell.store);
  child.switches = switched(child.switches, nested.switches.split(' '));
  addDoubts(child.store, doubtsOf(shell.store));
  // A text's commands read the same input: `ssh HOST 'bash -s' < FILE`.
  child.stdin = nested.kind === 'text' ? shell.stdin : undefined;
  child.outputs = shell.outputs;
  // If its exit status is checked, it may end either way.
  child.isStatusChecked = isEndAsked(shell, occasion.source, occasion.end);
  child.subshell = shell.subshell || child.isStatusChecked;
  child.offersGiven = !shell.subshell && child.isStatusChecked;
  const endsAlong = shell.switches.errexit && !child.isStatusChecked && nested.isQueued !== true;
  child.callerContinues = endsAlong ? 'onSuccess' : 'always';
  // A text and an input have no name.
  if (nested.kind !== 'file') {
    child.frames = [];
    child.mainFrames = 0;
  }
  child.depth = shell.depth + 1;
  child.nesting = shell.nesting + 1;
  child.outerRegions = shell.run.regions.length;
  shell.run.meter.add(source.text);
  const isKept = endsAlong || child.isStatusChecked || shell.outputs.size > 0;
  const given = isKept ? undefined : new Set(shell.run.given);
  const flow = executeText(child, source);
  if (flow === undefined) child.status = endOfCutText(source) ?? child.status;
  if (child.perhapsReturned.length > 0) child.status = endOf(child, displayed(name), occasion.place);
  runExitTrap(child, flow);
  passAnswers(shell, child, endsAlong);
  // What continues however the script ends does not depend on what the script required.
  if (given !== undefined) forgetDemands(shell.run, given, child.lacked);
  return child.status;
}

/** Takes back the names assumed to be given since `before`, except `kept`. */
function forgetDemands(run: ScriptRun, before: ReadonlySet<string>, kept: string | undefined): void {
  const more = [...run.given].filter((name) => !before.has(name) && name !== kept);
  if (more.length === 0) return;
  for (const name of more) run.given.delete(name);
  const names = new Set(more.map(bareName));
  run.dropAssumptions(run.assumptions.filter(({ given }) => given !== undefined && names.has(given)));
}

function startsSlurm(command: Command): boolean {
  return command.words.some((word) => /^(srun|sbatch|salloc)$/.test(knownText(word.pieces) ?? ''));
}

/** Whether a job is submitted in the text, so that all options of sbatch are visible. */
function startsBatch(command: Command): boolean {
  return command.words.some((word) => knownText(word.pieces) === 'sbatch');
}
