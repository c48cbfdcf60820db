import { amountStatus } from '../conditions/arithmeticStatus.ts';
import { openStatusIs } from '../conditions/openStatus.ts';
import { assumedTextOf } from '../conditions/shadow.ts';
import { evaluateTest } from '../conditions/test.ts';
import { executeExternal, record } from '../programs/external.ts';
import { doubtText, hasNoJob, isAllRead } from '../state/doubt.ts';
import { union } from '../state/needs.ts';
import { displayed, hole, isUncounted, made, type Pieces, type ShellPiece } from '../state/pieces.ts';
import {
  exitFlow,
  type Flow,
  failure,
  presumedSuccess,
  returnFlow,
  type Shell,
  success,
} from '../state/shell.ts';
import { commandName, type ShellWord } from '../state/shellWord.ts';
import { executeText } from '../statements/execute.ts';
import { runNamed } from '../statements/simple.ts';
import { endedHere, withinCondition } from '../statements/traps.ts';
import { endOfCutText } from '../text/lines.ts';
import { sourceOfPieces } from '../text/source.ts';
import { evaluateText } from '../words/arithmeticText.ts';
import { isInFunction } from '../words/read.ts';
import { alias, unalias } from './alias.ts';
import {
  abandonForTooManyWords,
  type Builtin,
  type Call,
  isOneTooMany,
  leadingOptions,
  textAt,
  withoutDoubleDash,
} from './builtin.ts';
import { declarations, declareWords } from './declare.ts';
import { cd, dirs, popd, pushd, pwd } from './directories.ts';
import { read } from './input.ts';
import { kill, wait } from './kill.ts';
import { findCommand, looksUp } from './lookups.ts';
import { mapfile } from './mapfile.ts';
import { echo, printf } from './output.ts';
import { getopts, set, shift, unset } from './shellState.ts';
import { shopt } from './shopt.ts';
import { sourceFile } from './sourceFile.ts';
import { trap } from './trap.ts';

const nothing: Builtin = (shell) => {
  shell.status = success;
  return undefined;
};

/** A builtin that prints shell state when given only options; its output is unknown. */
const tells: Builtin = (shell, words, { name, place }) => {
  const isAsked = words.every((_, index) => textAt(words, index)?.startsWith('-') === true);
  if (isAsked) shell.write([{ ...hole('command-output', `$(${name})`, place), splits: true }]);
  // With words, it may be asked for something that the machine does not allow or that does not exist.
  shell.status = words.length === 0 ? success : presumedSuccess;
  return undefined;
};

/** `fg` and `bg`, which only work with `set -m`, and `disown`, which needs a background command. */
const controlsJob: Builtin = (shell, words, { name }) => {
  const isOff = name !== 'disown' && !shell.switches.monitor && isAllRead(shell);
  const isNone = (name !== 'disown' || words.length === 0) && hasNoJob(shell);
  shell.status = isOff || isNone ? failure : presumedSuccess;
  return undefined;
};

const fails: Builtin = (shell) => {
  shell.status = failure;
  return undefined;
};

/** `caller [N]`: where the function, or the one N levels further out, was called; the script is the outermost level. */
const caller: Builtin = (shell, words, call) => {
  const { place } = call;
  const text = textAt(words, 0) ?? '-1';
  const depth = isInFunction(shell) ? shell.frames.length - 1 : 0;
  if (/^-?\d+$/.test(text) && Number(text) >= depth) return fails(shell, words, call);
  shell.write([hole('random', '$(caller)', place, { nonEmpty: true, oneLine: true }), ...made('\n', place)]);
  shell.status = success;
  return undefined;
};

const test: Builtin = (shell, words, { name, place, touched }) => {
  const end = name === '[' ? closing(shell, words.at(-1)) : undefined;
  if (name === '[' && end === undefined) {
    shell.status = { code: 2, needs: [], presumed: false };
    return undefined;
  }
  const status = evaluateTest(shell, end === undefined ? words : words.slice(0, -1), place);
  const restsOnNone = touched.size === 0 && (end === undefined || end.length === 0);
  shell.status = restsOnNone ? status : { ...status, needs: union(union(status.needs, end ?? []), touched) };
  return undefined;
};

/** The names whose absence makes a word the `]` of a test: for `[ -n "$X"]`, X. Undefined if the word is not a `]`. */
function closing(shell: Shell, last: ShellWord | undefined): readonly string[] | undefined {
  if (last === undefined) return undefined;
  const { pieces } = last;
  const end = pieces.at(-1);
  if (end?.kind !== 'text' || !end.text.endsWith(']')) return undefined;
  if (pieces.length === 1) return end.text === ']' ? [] : undefined;
  const shadow = assumedTextOf(shell, pieces);
  return shadow?.text === ']' ? shadow.needs : undefined;
}

const letBuiltin: Builtin = (shell, words, { place }) => {
  if (words.length === 0) shell.status = failure;
  for (const word of words) {
    // `n=n*2` is also a glob pattern: that a file with such a name exists can be ignored.
    const [only, ...more] = word.pieces;
    const isPattern = only?.kind === 'hole' && only.splits && only.label.includes('*') && more.length === 0;
    const amount = evaluateText(shell, isPattern ? made(only.label, place) : word.pieces, place);
    shell.status =
      amount === undefined ? failure : amountStatus(shell, amount, displayed(word.pieces), place);
  }
  return undefined;
};

function leavingCode(shell: Shell, words: readonly ShellWord[]): void {
  if (words.length === 0) return;
  const text = textAt(words, 0);
  // Anything but a number is refused with status 2.
  const code = text === undefined ? 0 : /^\s*[-+]?\d+\s*$/.test(text) ? Number(text) & 255 : 2;
  const needs = shell.run.regionNeeds;
  const open = text === undefined ? openStatusIs(words[0]?.pieces ?? [], '0') : undefined;
  shell.status = open ?? { code, needs: code === 0 ? [] : needs, presumed: text === undefined };
}

const exit: Builtin = (shell, words) => {
  if (isOneTooMany(words)) return abandonForTooManyWords(shell);
  leavingCode(shell, words);
  return endedHere(shell, shell.exit(shell.status.code), false);
};

const returnBuiltin: Builtin = (shell, words) => {
  if (shell.frames.length <= shell.mainFrames) {
    shell.status = { ...failure, code: 2 };
    return undefined;
  }
  if (isOneTooMany(words)) return abandonForTooManyWords(shell);
  const { status } = shell;
  leavingCode(shell, words);
  const needs = shell.run.regionNeeds;
  if (needs.length > 0) shell.status = { ...shell.status, needs: union(shell.status.needs, needs) };
  return shell.store.trap('RETURN') === undefined ? returnFlow : { kind: 'return', before: status };
};

function loopExit(kind: 'break' | 'continue'): Builtin {
  return (shell, words): Flow => {
    shell.status = success;
    if (shell.loops === 0) return undefined;
    if (isOneTooMany(words)) return abandonForTooManyWords(shell);
    const text = textAt(words, 0);
    const levels = text === undefined ? 1 : Number(text);
    if (!Number.isInteger(levels)) return shell.exit(128);
    if (levels > 0) return { kind, levels: Math.min(levels, shell.loops) };
    shell.status = failure;
    return { kind: 'break', levels: shell.loops };
  };
}

const evalBuiltin: Builtin = (shell, given, call) => {
  const words = withoutDoubleDash(given);
  const pieces: ShellPiece[] = [];
  words.forEach((word, index) => {
    const [first, ...rest] = word.pieces;
    // If the word expands to nothing, the blank before it is gone, too.
    if (index > 0 && first?.kind === 'hole' && isUncounted(word.pieces) && rest.length === 0)
      pieces.push({ ...first, apart: true });
    else {
      if (index > 0) pieces.push(...made(' ', call.place));
      pieces.push(...word.pieces);
    }
  });
  return runText(shell, pieces, words, call);
};

function runText(shell: Shell, pieces: Pieces, words: readonly ShellWord[], call: Call): Flow {
  const source = pieces.every((piece) => piece.kind === 'hole' && piece.defines === undefined)
    ? undefined
    : sourceOfPieces(pieces, call.place);
  if (source?.hasHoles !== false) doubtText(shell, pieces, call.place);
  if (pieces.length === 0) {
    shell.status = success;
    return undefined;
  }
  if (source === undefined || shell.depth >= shell.run.meter.budget.depth) {
    record(shell, words, call);
    shell.status = presumedSuccess;
    return undefined;
  }
  shell.depth += 1;
  const flow = withinCondition(shell, () => executeText(shell, source));
  shell.depth -= 1;
  if (flow === undefined) shell.status = endOfCutText(source) ?? shell.status;
  return flow;
}

/** How many words the options of `exec` are (`-c`, `-l`, `-a NAME`). */
function optionsOfExec(words: readonly ShellWord[]): number {
  for (let at = 0; ; at += 1) {
    const text = textAt(words, at);
    if (text === '--') return at + 1;
    if (text === undefined || !/^-[acl]+$/.test(text)) return at;
    if (text.endsWith('a')) at += 1;
  }
}

/** `exec PROGRAM…`: the program replaces the shell. */
const exec: Builtin = (shell, given, call) => {
  const words = given.slice(optionsOfExec(given));
  if (words.length === 0) {
    shell.status = /^-[cl]*a$/.test(textAt(given, given.length - 1) ?? '')
      ? { ...failure, code: 2 }
      : success;
    return undefined;
  }
  const flow = executeExternal(shell, commandName(words), words, call);
  if (flow !== undefined) return flow;
  shell.store.setTrap('EXIT', undefined);
  return exitFlow;
};

/** `command PROGRAM…`, `builtin NAME…`: runs the words as written, but ignores functions. */
const command: Builtin = (shell, words, call) => {
  const options = call.name === 'command' ? leadingOptions(words) : undefined;
  const rest = options?.rest ?? withoutDoubleDash(words);
  if (options?.letters.has('v') === true || options?.letters.has('V') === true) {
    shell.status = findCommand(shell, rest, options.letters.has('V'), call.place);
    return undefined;
  }
  if (rest.length === 0) {
    shell.status = success;
    return undefined;
  }
  const name = commandName(rest);
  const hidden = name === undefined ? undefined : shell.functions.get(name);
  if (name !== undefined && hidden !== undefined) {
    shell.define(name, undefined);
    const flow = runNamed(shell, name, rest, call);
    shell.define(name, hidden);
    return flow;
  }
  if (call.name !== 'builtin' || name === undefined || !runningText.has(name))
    return runNamed(shell, name, rest, call);
  // If `builtin` runs a text in a condition, its commands do not know that they are in one.
  const { conditionDepth } = shell;
  shell.conditionDepth = shell.outerConditionDepth;
  const flow = runNamed(shell, name, rest, call);
  shell.conditionDepth = conditionDepth;
  return flow;
};

const runningText: ReadonlySet<string> = new Set(['eval', 'source', '.']);

/** The commands that the shell runs itself. */
export const builtins: ReadonlyMap<string, Builtin> = new Map<string, Builtin>([
  [':', nothing],
  ['true', nothing],
  ['false', fails],
  ['[', test],
  ['test', test],
  ['let', letBuiltin],
  ['echo', echo],
  ['printf', printf],
  ['cd', cd],
  ['pushd', pushd],
  ['popd', popd],
  ['dirs', dirs],
  ['pwd', pwd],
  ['read', read],
  ['mapfile', mapfile],
  ['readarray', mapfile],
  ['set', set],
  ['shopt', shopt],
  ['shift', shift],
  ['unset', unset],
  ['getopts', getopts],
  ['exit', exit],
  ['return', returnBuiltin],
  ['break', loopExit('break')],
  ['continue', loopExit('continue')],
  ['eval', evalBuiltin],
  ['source', sourceFile],
  ['.', sourceFile],
  ['exec', exec],
  ['command', command],
  ['builtin', command],
  ['type', looksUp],
  ['hash', looksUp],
  ['trap', trap],
  ['wait', wait],
  ['kill', kill],
  ['umask', tells],
  ['ulimit', tells],
  ['alias', alias],
  ['unalias', unalias],
  ['jobs', tells],
  ['disown', controlsJob],
  ['bg', controlsJob],
  ['fg', controlsJob],
  ['times', tells],
  ['history', tells],
  ['enable', tells],
  ['complete', tells],
  ['bind', tells],
  ['caller', caller],
  ...Array.from(declarations, (name) => [name, declareWords] as const),
]);
