import type { Command } from '../../launch/command.ts';
import type { Place } from '../../text/span.ts';
import { knownPrefix } from '../../value/word.ts';
import { ask, outcome } from '../conditions/verdict.ts';
import { fileEffect } from '../files/fileEffects.ts';
import { isPureCommand } from '../library/commands.ts';
import { absentOperand, operandQuestion } from '../slips/absentOperand.ts';
import { isBracketWithValue, lacksBracket } from '../slips/missingBracket.ts';
import {
  doubtsOf,
  exportsVariables,
  markUncertain,
  mayBeUnreadFunction,
  openEnvironment,
} from '../state/doubt.ts';
import { environmentOf } from '../state/exported.ts';
import { firstHole, knownText, made, type Pieces } from '../state/pieces.ts';
import { type Flow, presumedSuccess, type Shell, type Status, stopFlow } from '../state/shell.ts';
import { commandName, type ShellWord } from '../state/shellWord.ts';
import { noOutputs } from '../state/streams.ts';
import { ifFound } from '../statements/ifFound.ts';
import type { Occasion } from '../statements/simple.ts';
import { absentValue, readScalar } from '../words/read.ts';
import { runNested } from './child.ts';
import { consumeInput } from './consumed.ts';
import { type EnvironmentValue, withSplitText } from './envSplit.ts';
import { foundFiles } from './find.ts';
import { commandsOfFind } from './findExec.ts';
import { commandsOfMultiProg } from './multiProg.ts';
import { outcomeOf } from './outcomes.ts';
import { textsOfParallel } from './parallel.ts';
import { ownAnswer } from './programs.ts';
import { runText, unknownOutput } from './textPrograms.ts';
import { commandsOfXargs } from './xargs.ts';

/** Programs that only handle text and files: they start nothing and are not recorded. */
const quiet: ReadonlySet<string> = new Set(
  (
    'mkdir rm rmdir cp mv ls ln chmod chown touch sleep cat date hostname nproc whoami id uname mktemp realpath readlink ' +
    'clear stat df du find diff cmp md5sum sha256sum file tput stty getconf which compgen envsubst env-vars'
  ).split(' '),
);

/** `["$X" = y ]`, `""`, and what `if $FLAG` runs if its value is `1` or `True`: there are no such programs. */
const noProgram = /^(?:$|\[|(?:\d+|True|False|TRUE|FALSE)$)/;

/** `"$@"` or `$CMD` that begins with `X=1`, and `trainer.epochs=1` after a missing line continuation: no program has such a name. */
const assignment = /^[^\s/=]+=/;

/** Runs a program: computes what can be computed, and records what would be started. */
export function executeExternal(
  shell: Shell,
  name: string | undefined,
  written: readonly ShellWord[],
  occasion: Occasion,
): Flow {
  if (shell.run.meter.exhausted) return stopFlow;
  const words =
    name === 'env' || name?.endsWith('/env') === true
      ? withSplitText(written, environmentValue(shell, occasion.place))
      : written;
  const isNone = name === undefined ? isBracketWithValue(words) : noProgram.test(name);
  if (isNone || lacksBracket(name, words)) {
    shell.status = { code: 127, needs: [], presumed: false };
    return undefined;
  }
  const [first] = words;
  if (first !== undefined && assignment.test(knownPrefix(first))) {
    record(shell, words, occasion);
    shell.status = { code: 127, needs: [], presumed: false };
    return undefined;
  }
  const base = name === undefined ? undefined : baseName(name);
  if (name !== undefined && mayBeUnreadFunction(shell, name)) markUncertain(shell, occasion.place);
  if (base !== undefined && exportsVariables(base)) openEnvironment(shell);
  const question = base === undefined ? undefined : operandQuestion(shell, base, words, occasion.place);
  const ran = base === undefined ? undefined : runUnderstood(shell, base, words, occasion, question);
  if (ran !== undefined) return ran.flow;
  runOther(shell, name, words, occasion, question);
  return undefined;
}

/**
 * Runs a program with known effects: on files, with text, or by starting something else.
 *
 * @param question whether what it works on exists, if that decides its exit status
 * @returns how it leaves the normal control flow; undefined for any other program
 */
function runUnderstood(
  shell: Shell,
  base: string,
  words: readonly ShellWord[],
  occasion: Occasion,
  question: Status | undefined,
): { readonly flow: Flow } | undefined {
  const { place } = occasion;
  if (fileEffect(shell, base, words)) {
    shell.status = presumedSuccess;
    return goesOn;
  }
  const answer = ownAnswer(shell, base, words, place);
  if (answer !== undefined) {
    shell.write(answer.pieces);
    shell.status = answer.status;
    if (!quiet.has(base)) record(shell, words, occasion);
    return goesOn;
  }
  const runs = base === 'xargs' ? commandsOfXargs(shell, words, place) : undefined;
  if (runs !== undefined) return { flow: runForEachFound(shell, words, runs, occasion) };
  const programs = base === 'srun' ? commandsOfMultiProg(shell, words, place) : undefined;
  if (programs !== undefined) return { flow: runEach(shell, programs, occasion) };
  const texts = base === 'parallel' ? textsOfParallel(shell, words, place) : undefined;
  if (texts !== undefined) return { flow: runEach(shell, texts.map(inShell), occasion) };
  if (base === 'find') {
    const found = shell.stdout === undefined ? undefined : foundFiles(shell, words, place);
    if (found !== undefined) {
      shell.write(found);
      shell.status = outcome(true);
      return goesOn;
    }
    runFound(shell, words, occasion);
  }
  if (!isPureCommand(base)) return undefined;
  const status = runText(shell, base, words, occasion);
  consumeInput(shell, base, words);
  shell.status = status.presumed ? (question ?? absentOperand(shell, base, words) ?? status) : status;
  return goesOn;
}

const goesOn: { readonly flow: Flow } = { flow: undefined };

/** Records any other program, with what it starts in turn. */
function runOther(
  shell: Shell,
  name: string | undefined,
  words: readonly ShellWord[],
  occasion: Occasion,
  question: Status | undefined,
): void {
  const isQuiet = name !== undefined && quiet.has(baseName(name));
  const command = isQuiet ? undefined : record(shell, words, occasion);
  // `--num-layers 24` after a missing line continuation: there is no such program.
  if (name?.startsWith('-') === true) {
    shell.status = { code: 127, needs: [], presumed: false };
    return;
  }
  shell.status =
    question ??
    (name === undefined ? undefined : wasFunction(shell, name, occasion)) ??
    (isQuiet ? presumedSuccess : outcomeOf(shell, words, occasion.place));
  const nested = command === undefined ? undefined : runNested(shell, words, command, occasion);
  if (nested === undefined) writeUnknown(shell, words, occasion);
  else shell.status = nested;
}

function baseName(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1);
}

/** Looks up values that programs find in the environment of a shell. */
function environmentValue(shell: Shell, place: Place): EnvironmentValue {
  const env = environmentOf(shell);
  return (name) => {
    const variable = shell.store.get(name);
    if (variable === undefined) return valueFromOutside(shell, name, place);
    if (variable.kind === 'unset') return variable.inherits ? undefined : 'unset';
    const value = env.get(name)?.pieces ?? 'unset';
    return value === 'unset' || value.every(({ kind }) => kind === 'text') ? value : undefined;
  };
}

/** The value of an environment variable that the script does not set; Bash's own variables are not in the environment. */
function valueFromOutside(shell: Shell, name: string, place: Place): Pieces | undefined {
  const reading = readScalar(shell, name, place);
  if (!reading.set) return [{ ...absentValue(shell, name, reading, place), vanishes: true }];
  const isGiven = Object.hasOwn(shell.run.shared.options.machine.variables, name);
  return isGiven || firstHole(reading.pieces)?.reason === 'environment' ? reading.pieces : undefined;
}

/** Whether a program exists that has the name of a function removed by `unset`; undefined for any other name. */
function wasFunction(shell: Shell, name: string, { place }: Occasion): Status | undefined {
  if (!shell.run.shared.formerFunctions.has(name)) return undefined;
  const key = `${name} at ${place.path} ${place.span.start}`;
  return ask(
    { key, yes: `${name} is a program`, no: `${name} is no program`, first: true, code: 127 },
    place,
  );
}

/** `bash -c TEXT`, of which only the text is in the script. */
function inShell(text: Pieces): readonly ShellWord[] {
  const place = text[0]?.origin.place ?? { path: '', span: { start: 0, end: 0 } };
  return [made('bash', place), made('-c', place), text].map((pieces) => ({ pieces, place }));
}

/** Runs the commands that a program starts; none of them reads the program's input. */
function runEach(shell: Shell, runs: readonly (readonly ShellWord[])[], occasion: Occasion): Flow {
  const { stdin } = shell;
  shell.stdin = { pieces: [] };
  let flow: Flow;
  for (const run of runs) flow ??= executeExternal(shell, commandName(run), run, occasion);
  shell.stdin = stdin;
  shell.status = presumedSuccess;
  return flow;
}

/** Runs what `xargs` starts: with some of its options, nothing if its input is empty. */
function runForEachFound(
  shell: Shell,
  words: readonly ShellWord[],
  runs: readonly (readonly ShellWord[])[],
  occasion: Occasion,
): Flow {
  const run = (): Flow => runEach(shell, runs, occasion);
  const mayNotRun = words.some(({ pieces }) =>
    /^(?:-[0rt]*[rIi]|--no-run-if-empty|--replace)/.test(knownText(pieces) ?? ''),
  );
  return mayNotRun ? ifFound(shell.run, shell.stdin?.pieces, occasion.place, run) : run();
}

/** Runs what `find` may start; its own output is unknown. */
function runFound(shell: Shell, words: readonly ShellWord[], occasion: Occasion): void {
  const runs = commandsOfFind(words, occasion.place);
  if (runs.length === 0) return;
  const { outputs } = shell;
  shell.outputs = noOutputs;
  const found = [{ ...unknownOutput(words, occasion), mayBeNone: true }];
  ifFound(shell.run, found, occasion.place, () => runEach(shell, runs, occasion));
  shell.outputs = outputs;
}

/** Whether a program writes the names of files that it looks for. */
function looksForFiles(words: readonly ShellWord[]): boolean {
  return /(?:^|\/)(?:find|ls)$/.test(commandName(words) ?? '');
}

/** Writes unknown output of a program, wherever it is read. */
function writeUnknown(shell: Shell, words: readonly ShellWord[], occasion: Occasion): void {
  const { stdout, stderr } = shell;
  const output = unknownOutput(words, occasion);
  const found = { mayBeNone: true, blanks: true };
  if (stdout !== undefined) shell.write([looksForFiles(words) ? { ...output, ...found } : output]);
  if (stderr !== undefined && stderr !== stdout) shell.writeTo(stderr, [unknownOutput(words, occasion)]);
}

/** Records a command that would be started. */
export function record(shell: Shell, words: readonly ShellWord[], occasion: Occasion): Command | undefined {
  const { run } = shell;
  const command: Command = {
    words,
    env: environmentOf(shell),
    cwd: shell.cwd,
    place: occasion.place,
    input: shell.stdin === undefined ? undefined : { pieces: shell.stdin.pieces, place: occasion.place },
    via: shell.via,
    directives: shell.directives,
    assumptions: run.assumed(),
    open: occasion.open,
    doubtful: doubtsOf(shell.store),
    slips: occasion.slips ?? [],
  };
  run.meter.spend(4);
  run.commands.push(command);
  return command;
}
