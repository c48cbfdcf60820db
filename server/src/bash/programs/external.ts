import type { Command } from '../../launch/command.ts';
import { beginning } from '../../text/beginning.ts';
import type { Place } from '../../text/span.ts';
import { absolutePath } from '../conditions/fileTests.ts';
import { shadowOf } from '../conditions/shadow.ts';
import { ask, outcome } from '../conditions/verdict.ts';
import { fileEffect } from '../files/fileEffects.ts';
import { fileKey } from '../files/fileKey.ts';
import { fileText } from '../files/redirections.ts';
import { isPureCommand, runPure } from '../library/commands.ts';
import { operandQuestion } from '../slips/absentOperand.ts';
import { lacksBracket } from '../slips/missingBracket.ts';
import {
  doubtsOf,
  exportsVariables,
  mayBeUnreadFunction,
  openEnvironment,
  putInDoubt,
} from '../state/doubt.ts';
import { asPresumed, isPresumed } from '../state/elsewhere.ts';
import { environmentOf } from '../state/exported.ts';
import { displayed, hole, knownText, made, type Pieces, type ShellHole, sliceText } from '../state/pieces.ts';
import type { ShellWord } from '../state/run.ts';
import {
  commandName,
  type Flow,
  noOutputs,
  presumedSuccess,
  type Shell,
  type Status,
  stopFlow,
} from '../state/shell.ts';
import type { Occasion } from '../statements/simple.ts';
import { editedBlanks } from './blankEdits.ts';
import { runNested } from './child.ts';
import { consumeInput } from './consumed.ts';
import { foundFiles, inAnyOrder } from './find.ts';
import { commandsOfFind } from './findExec.ts';
import { outcomeOf, whetherFound } from './outcomes.ts';
import { textsOfParallel } from './parallel.ts';
import { ownAnswer } from './programs.ts';
import { commandsOfXargs } from './xargs.ts';

/** Programs that only handle text and files: they start nothing and are not told of. */
const quiet: ReadonlySet<string> = new Set(
  (
    'mkdir rm rmdir cp mv ls ln chmod chown touch sleep cat date hostname nproc whoami id uname mktemp realpath readlink ' +
    'clear stat df du find diff cmp md5sum sha256sum file tput stty getconf which compgen envsubst env-vars'
  ).split(' '),
);

/** `["$X" = y ]`, `""`, and what `if $FLAG` runs where it holds `1` or `True`: there are no such programs. */
const noProgram = /^(?:$|\[|(?:\d+|True|False|TRUE|FALSE)$)/;

/** Runs a program: computes what can be computed of it, and tells of what would be started. */
export function executeExternal(
  shell: Shell,
  name: string | undefined,
  words: readonly ShellWord[],
  occasion: Occasion,
): Flow {
  if (shell.run.meter.exhausted) return stopFlow;
  if ((name !== undefined && noProgram.test(name)) || lacksBracket(name, words)) {
    shell.status = { code: 127, needs: [], presumed: false };
    return undefined;
  }
  const base = name?.slice(name.lastIndexOf('/') + 1);
  if (name !== undefined && mayBeUnreadFunction(shell, name)) putInDoubt(shell, occasion.place);
  if (base !== undefined && exportsVariables(base)) openEnvironment(shell);
  const question = base === undefined ? undefined : operandQuestion(shell, base, words, occasion.place);
  if (base !== undefined) {
    if (fileEffect(shell, base, words)) {
      shell.status = presumedSuccess;
      return undefined;
    }
    const answer = ownAnswer(shell, base, words, occasion.place);
    if (answer !== undefined) {
      shell.write(answer.pieces);
      shell.status = answer.status;
      if (!quiet.has(base)) record(shell, words, occasion);
      return undefined;
    }
    const runs = base === 'xargs' ? commandsOfXargs(shell, words, occasion.place) : undefined;
    if (runs !== undefined) return runEach(shell, runs, occasion);
    const texts = base === 'parallel' ? textsOfParallel(shell, words, occasion.place) : undefined;
    if (texts !== undefined) return runEach(shell, texts.map(inShell), occasion);
    if (base === 'find') {
      const found = shell.stdout === undefined ? undefined : foundFiles(shell, words, occasion.place);
      if (found !== undefined) {
        shell.write(found);
        shell.status = outcome(true);
        return undefined;
      }
      runFound(shell, words, occasion);
    }
    if (isPureCommand(base)) {
      const status = runText(shell, base, words, occasion);
      consumeInput(shell, base, words);
      shell.status = status.presumed && question !== undefined ? question : status;
      return undefined;
    }
  }
  const command = base !== undefined && quiet.has(base) ? undefined : record(shell, words, occasion);
  shell.status =
    question ??
    (name === undefined ? undefined : wasFunction(shell, name, occasion)) ??
    (base !== undefined && quiet.has(base) ? presumedSuccess : outcomeOf(shell, words, occasion.place));
  if (command !== undefined) {
    const nested = runNested(shell, words, command, occasion);
    if (nested !== undefined) {
      shell.status = nested;
      return undefined;
    }
  }
  writeUnknown(shell, words, occasion);
  return undefined;
}

/** Whether there is a program of that name, where it is one that a function had until `unset` took it away. */
function wasFunction(shell: Shell, name: string, { place }: Occasion): Status | undefined {
  if (!shell.run.shared.formerFunctions.has(name)) return undefined;
  const key = `${name} at ${place.path} ${place.span.start}`;
  return ask(
    { key, yes: `${name} is a program`, no: `${name} is no program`, first: true, code: 127 },
    place,
  );
}

/** `bash -c TEXT`, of which only the text stands in the script. */
function inShell(text: Pieces): readonly ShellWord[] {
  const place = text[0]?.origin.place ?? { path: '', span: { start: 0, end: 0 } };
  return [made('bash', place), made('-c', place), text].map((pieces) => ({ pieces, place }));
}

/** Runs the commands that a program starts; none of them reads what it reads itself. */
function runEach(shell: Shell, runs: readonly (readonly ShellWord[])[], occasion: Occasion): Flow {
  const { stdin } = shell;
  shell.stdin = { pieces: [] };
  let flow: Flow;
  for (const run of runs) flow ??= executeExternal(shell, commandName(run), run, occasion);
  shell.stdin = stdin;
  shell.status = presumedSuccess;
  return flow;
}

/** Runs what `find` starts, perhaps; what it writes itself is not known. */
function runFound(shell: Shell, words: readonly ShellWord[], occasion: Occasion): void {
  const runs = commandsOfFind(words, occasion.place);
  if (runs.length === 0) return;
  const { outputs } = shell;
  shell.outputs = noOutputs;
  runEach(shell, runs, occasion);
  shell.outputs = outputs;
}

/** What a program writes that is not known, wherever somebody reads it. */
function writeUnknown(shell: Shell, words: readonly ShellWord[], occasion: Occasion): void {
  const { stdout, stderr } = shell;
  if (stdout !== undefined) shell.write([unknownOutput(words, occasion)]);
  if (stderr !== undefined && stderr !== stdout) shell.writeTo(stderr, [unknownOutput(words, occasion)]);
}

function unknownOutput(words: readonly ShellWord[], occasion: Occasion): ShellHole {
  const label = words.map((word) => displayed(word.pieces)).join(' ');
  const short = label.length <= 60 ? label : `${beginning(label, 56)}…`;
  return { ...hole('command-output', `$(${short})`, occasion.place), splits: true };
}

/** Programs whose status says whether they found something. */
const searches: ReadonlySet<string> = new Set(['grep', 'egrep', 'fgrep']);

/** Programs that never write anything. */
const silentPrograms: ReadonlySet<string> = new Set(['[', 'test', ':', 'true', 'false']);

/** A program of text: its output and status where they are certain. */
function runText(shell: Shell, name: string, words: readonly ShellWord[], occasion: Occasion): Status {
  const { place } = occasion;
  const given = words.slice(1).map(({ pieces }) => knownText(pieces));
  const input = inAnyOrder(name, given, shell.stdin?.pieces, place);
  const passed = passThrough(shell, name, words);
  if (passed !== undefined) {
    shell.write(passed);
    return outcome(true);
  }
  const context = {
    read: (path: string): string | undefined => {
      const absolute = absolutePath(shell, path);
      const pieces = absolute === undefined ? undefined : fileText(shell, absolute);
      return pieces === undefined ? undefined : knownText(pieces);
    },
  };
  const edited = editedBlanks(shell, name, words, input, context, place);
  if (edited !== undefined) {
    shell.write(edited);
    return outcome(true);
  }
  const first = firstLines(name, words, input);
  if (first !== undefined) {
    shell.write(first);
    return outcome(true);
  }
  const field = firstField(name, words, input, place);
  if (field !== undefined) {
    shell.write(field);
    return outcome(true);
  }
  const counted = countLines(name, words, input);
  if (counted !== undefined) {
    shell.write(made(`${counted}\n`, place));
    return outcome(true);
  }
  const args = words.slice(1).map((word) => shadowOf(shell, word.pieces));
  const text = input === undefined ? undefined : shadowOf(shell, input);
  const needs = [...args.flatMap((arg) => arg?.needs ?? []), ...(text?.needs ?? [])];
  const holed = [...words.flatMap((word) => word.pieces), ...(input ?? [])].filter(
    (piece) => piece.kind === 'hole',
  );
  const known = args.every((arg) => arg !== undefined);
  const output =
    known && (input === undefined || text !== undefined || holed.length === 0)
      ? runPure(
          name,
          args.flatMap((arg) => (arg === undefined ? [] : [arg.text])),
          text?.text,
          context,
        )
      : undefined;
  if (output !== undefined && holed.length === 0) {
    const pieces = made(output.output, place);
    shell.write(words.some((word) => isPresumed(word.pieces)) ? asPresumed(pieces) : pieces);
    const rests = [...occasion.touched];
    return { code: output.status, needs: output.status === 0 ? [] : rests, presumed: false };
  }
  const silent =
    searches.has(name) &&
    words.some((word) => /^(-[a-zA-Z]*q[a-zA-Z]*|--quiet|--silent)$/.test(knownText(word.pieces) ?? ''));
  const joins = holed.length > 0 && holed.every((piece) => piece.kind === 'hole' && piece.joins === true);
  const shape = countsOneThing(name, words) ? 'integer' : 'any';
  const label = `$(${words.map((word) => displayed(word.pieces)).join(' ')})`;
  const reason = holed[0]?.kind === 'hole' ? holed[0].reason : 'command-output';
  if (output !== undefined) {
    const facts = { shape, assumed: output.output, needs, joins } as const;
    // Also where nothing comes of it: with what is not set it may be something (`seq 0 $((N-1))`).
    if (output.output !== '' || (!silentPrograms.has(name) && !silent))
      shell.write([{ ...hole(reason, label, place, facts), splits: true }]);
    return outcome(output.status === 0, needs);
  }
  // What is known to go in with blanks comes out with blanks, most often.
  const isKnownWithBlanks = text !== undefined && /\S\s+\S/.test(text.text);
  const blanks = isKnownWithBlanks || holed.some((piece) => piece.kind === 'hole' && piece.blanks === true);
  if (!silent) shell.write([{ ...hole(reason, label, place, { shape, joins, blanks }), splits: true }]);
  if (shell.stderr !== shell.stdout) shell.writeTo(shell.stderr, [unknownOutput(words, occasion)]);
  return searches.has(name) ? whetherFound(shell, words, place, joins) : presumedSuccess;
}

/** `wc -l` of its input: with more letters it prints several numbers, with files their names as well. */
function countsOneThing(name: string, words: readonly ShellWord[]): boolean {
  return name === 'wc' && words.length === 2 && /^-[lwcmL]$/.test(knownText(words[1]?.pieces ?? []) ?? '');
}

/** `cat` and `tee` hand on what they read, with its origins. */
function passThrough(shell: Shell, name: string, words: readonly ShellWord[]): Pieces | undefined {
  if (name === 'tee') {
    const appends = words.some((word) => /^(?:-[a-z]*a[a-z]*|--append)$/.test(knownText(word.pieces) ?? ''));
    for (const word of words.slice(1)) {
      if (knownText(word.pieces)?.startsWith('-') === true) continue;
      const path = fileKey(shell, word.pieces);
      const before = appends ? (fileText(shell, path) ?? []) : [];
      shell.run.written.set(path, [...before, ...(shell.stdin?.pieces ?? [])]);
    }
    return shell.stdin?.pieces;
  }
  if (name !== 'cat') return undefined;
  const operands = words.slice(1).map((word) => word.pieces);
  if (operands.length === 0) return shell.stdin?.pieces;
  const out: Pieces[number][] = [];
  for (const operand of operands) {
    const text = knownText(operand);
    if (text?.startsWith('-') === true && text !== '-') return undefined;
    const path = fileKey(shell, operand);
    const pieces = text === '-' ? shell.stdin?.pieces : fileText(shell, path);
    if (pieces === undefined) return undefined;
    out.push(...pieces);
  }
  return out;
}

/** `wc -l` of text whose holes stand within lines. */
function countLines(
  name: string,
  words: readonly ShellWord[],
  input: Pieces | undefined,
): number | undefined {
  if (name !== 'wc' || words.length !== 2 || input === undefined) return undefined;
  if (knownText(words[1]?.pieces ?? []) !== '-l') return undefined;
  let lines = 0;
  for (const piece of input) {
    if (piece.kind === 'text') lines += piece.text.split('\n').length - 1;
    else if (piece.oneLine !== true) return undefined;
  }
  return lines;
}

/** What prints the first word of each line. */
const firstWordOnly = /^(?:awk \{ ?print \$1;? ?(?:; ?exit;? ?)?\}|cut -d {1,2}-f ?1|cut -f ?1 -d {2})$/;

/** `awk '{print $1}'` of one line that is not known: one word. */
function firstField(
  name: string,
  words: readonly ShellWord[],
  input: Pieces | undefined,
  place: Place,
): Pieces | undefined {
  if (input === undefined || (name !== 'awk' && name !== 'cut')) return undefined;
  const [only, end, ...others] = input;
  const isOneLine = only?.kind === 'hole' && only.oneLine === true && others.length === 0;
  if (!isOneLine || (end !== undefined && (end.kind === 'hole' || end.text !== '\n'))) return undefined;
  const args = words.slice(1).map(({ pieces }) => knownText(pieces) ?? '?');
  if (!firstWordOnly.test([name, ...args].join(' '))) return undefined;
  const { nonEmpty = false } = only;
  const label = `$(${[name, ...args].join(' ')})`;
  const facts = { nonEmpty: nonEmpty && name === 'awk', oneLine: true, oneWord: true };
  return [hole(only.reason, label, place, facts), ...made('\n', place)];
}

/** What prints the first line, and no others. */
const firstOnly: ReadonlySet<string> = new Set(['sed -n 1p', 'sed 1q', 'awk NR==1']);

/** `head -n N` of text whose holes up to there stand within lines. */
function firstLines(
  name: string,
  words: readonly ShellWord[],
  input: Pieces | undefined,
): Pieces | undefined {
  const args = words.slice(1).map(({ pieces }) => knownText(pieces) ?? '?');
  const line = [name, ...args].join(' ');
  const [, count] = /^head -(?:n ?|-lines[= ])?(\d{1,4})$/.exec(line) ?? [];
  if ((count === undefined && !firstOnly.has(line)) || input === undefined) return undefined;
  let left = Number(count ?? '1');
  const out: Pieces[number][] = [];
  for (const piece of input) {
    if (left === 0) return out;
    if (piece.kind === 'hole') {
      if (piece.oneLine !== true) return undefined;
      out.push(piece);
      continue;
    }
    let end = 0;
    for (let at = 0; left > 0 && at >= 0; ) {
      at = piece.text.indexOf('\n', end);
      end = at < 0 ? piece.text.length : at + 1;
      if (at >= 0) left -= 1;
    }
    out.push(sliceText(piece, 0, end));
  }
  return out;
}

/** Tells of a command that would be started. */
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
