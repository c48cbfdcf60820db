import { beginning } from '../../text/beginning.ts';
import type { Place } from '../../text/span.ts';
import { absolutePath } from '../conditions/fileTests.ts';
import { assumedTextOf } from '../conditions/shadow.ts';
import { outcome } from '../conditions/verdict.ts';
import { fileKey } from '../files/fileKey.ts';
import { fileText } from '../files/redirections.ts';
import { runPure } from '../library/commands.ts';
import type { FilterContext } from '../library/filters/filter.ts';
import { charactersOfStep } from '../state/budget.ts';
import { asPresumed, isPresumed } from '../state/elsewhere.ts';
import {
  displayed,
  firstHole,
  hole,
  knownText,
  made,
  nothing,
  type Pieces,
  type ShellHole,
} from '../state/pieces.ts';
import type { Shell, Status } from '../state/shell.ts';
import type { ShellWord } from '../state/shellWord.ts';
import type { Sink } from '../state/streams.ts';
import type { Occasion } from '../statements/simple.ts';
import { editedBlanks } from './blankEdits.ts';
import { inAnyOrder } from './find.ts';
import { outcomeOfText, whetherFound } from './outcomes.ts';
import { type Redirected, writingToFile } from './outputFile.ts';
import {
  firstField,
  firstLines,
  joinedLines,
  lastLines,
  lineCount,
  partlyKnownFile,
  passThrough,
} from './partlyKnown.ts';
import { bodyOfFunction, renamedFunction } from './renamedFunction.ts';
import { sedAround } from './sedAround.ts';

/** The output of a program of which only the words are known. */
export function unknownOutput(words: readonly ShellWord[], occasion: Occasion): ShellHole {
  const label = words.map((word) => displayed(word.pieces)).join(' ');
  const short = label.length <= 60 ? label : `${beginning(label, 56)}…`;
  return { ...hole('command-output', `$(${short})`, occasion.place), splits: true };
}

/** Programs whose status says whether they found something. */
const searches: ReadonlySet<string> = new Set(['grep', 'egrep', 'fgrep']);

/** Programs that never write anything. */
const silentPrograms: ReadonlySet<string> = new Set(['[', 'test', ':', 'true', 'false']);

/** The inputs of a text program. */
interface Given {
  readonly name: string;
  readonly words: readonly ShellWord[];
  readonly input: Pieces | undefined;
  readonly context: FilterContext;
  readonly occasion: Occasion;
}

/** Programs that never print the names of the files that they read. */
const namelessReaders: ReadonlySet<string> = new Set(['sort', 'paste', 'cut', 'uniq', 'tac', 'rev', 'jq']);

/**
 * Gives a made-up name to each file whose content is known although its name is not (`sort <(…)`, `cut -f1 "$(mktemp)"`).
 *
 * @returns the words with these names, and the texts by name
 */
function withNamedFiles(
  shell: Shell,
  name: string,
  words: readonly ShellWord[],
): { readonly words: readonly ShellWord[]; readonly texts: ReadonlyMap<string, string> } {
  const texts = new Map<string, string>();
  if (!namelessReaders.has(name)) return { words, texts };
  const named = words.map((word) => {
    if (firstHole(word.pieces) === undefined) return word;
    const content = fileText(shell, fileKey(shell, word.pieces));
    const text = content === undefined ? undefined : knownText(content);
    if (text === undefined) return word;
    const path = `/dev/fd/${texts.size + 10}`;
    texts.set(path, text);
    return { pieces: made(path, word.place), place: word.place };
  });
  return { words: named, texts };
}

/** Runs a text program: its output and status as far as they are certain. */
export function runText(
  shell: Shell,
  name: string,
  written: readonly ShellWord[],
  occasion: Occasion,
): Status {
  const redirected = writingToFile(name, written);
  if (redirected !== undefined && !streams.test(knownText(redirected.file.pieces) ?? ''))
    return runIntoFile(shell, name, redirected, occasion);
  const { place } = occasion;
  const { words, texts } = withNamedFiles(shell, name, written);
  const args = words.slice(1).map(({ pieces }) => knownText(pieces));
  const input = inAnyOrder(name, args, shell.stdin?.pieces, place);
  const context: FilterContext = {
    read: (path) => {
      const text = texts.get(path);
      if (text !== undefined) return text;
      const absolute = absolutePath(shell, path);
      const pieces = absolute === undefined ? undefined : fileText(shell, absolute);
      return pieces === undefined ? undefined : knownText(pieces);
    },
  };
  const read = partlyKnownFile(shell, name, words);
  const output =
    passThrough(shell, name, words) ??
    editedBlanks(shell, name, words, input, context, place) ??
    bodyOfFunction(name, words, input) ??
    firstLines(name, read?.words ?? words, read?.input ?? input) ??
    lastLines(name, read?.words ?? words, read?.input ?? input) ??
    firstField(name, words, input, place) ??
    lineCount(name, words, input, place) ??
    joinedLines(name, words, input, place) ??
    renamedFunction(name, words, input) ??
    editedAround(shell, name, words, input, place);
  if (output === undefined) return compute(shell, { name, words, input, context, occasion });
  shell.write(output);
  return outcome(true);
}

/** Paths that mean what the program has open. */
const streams = /^\/dev\/(?:std|fd\/)/;

/** Runs a text program that writes to a file, which it may also read (`sort -o list list`). */
function runIntoFile(shell: Shell, name: string, { words, file }: Redirected, occasion: Occasion): Status {
  const { stdout, run } = shell;
  const sink: Sink = { pieces: [], size: 0 };
  const key = fileKey(shell, file.pieces);
  // Only `sort` reads everything before it opens the file.
  if (name !== 'sort') run.written.set(key, nothing);
  shell.stdout = sink;
  const status = runText(shell, name, words, occasion);
  shell.stdout = stdout;
  run.written.set(key, sink.pieces);
  return status;
}

/** What `sed` makes of partly known input. */
function editedAround(
  shell: Shell,
  name: string,
  words: readonly ShellWord[],
  input: Pieces | undefined,
  place: Place,
): Pieces | undefined {
  if (name !== 'sed') return undefined;
  const args = words.slice(1).map(({ pieces }) => pieces);
  const read = (path: string): Pieces | undefined => {
    const absolute = absolutePath(shell, path);
    return absolute === undefined ? undefined : fileText(shell, absolute);
  };
  return sedAround(shell, { args, input, read, place });
}

/** The result for a program's words and input with nothing set that is unknown. */
interface Computed {
  readonly output: ReturnType<typeof runPure>;
  /** The input. */
  readonly text: string | undefined;
  /** The absent names that the result depends on. */
  readonly needs: readonly string[];
}

function computed(shell: Shell, { name, words, input, context }: Given, isHoled: boolean): Computed {
  const args = words.slice(1).map(({ pieces }) => assumedTextOf(shell, pieces));
  const text = input === undefined ? undefined : assumedTextOf(shell, input);
  const isKnown = input === undefined || text !== undefined || !isHoled;
  const given = args.flatMap((arg) => (arg === undefined ? [] : [arg.text]));
  const characters = given.reduce((sum, arg) => sum + arg.length, text?.text.length ?? 0);
  shell.run.meter.spend(characters >> charactersOfStep);
  return {
    output: isKnown && given.length === args.length ? runPure(name, given, text?.text, context) : undefined,
    text: text?.text,
    needs: [...args.flatMap((arg) => arg?.needs ?? []), ...(text?.needs ?? [])],
  };
}

function compute(shell: Shell, given: Given): Status {
  const { name, words, input, occasion } = given;
  const { place } = occasion;
  const all = [...words.flatMap(({ pieces }) => pieces), ...(input ?? [])];
  const holed = all.flatMap((piece) => (piece.kind === 'hole' ? [piece] : []));
  const { output, text, needs } = computed(shell, given, holed.length > 0);
  if (output !== undefined && holed.length === 0) {
    const pieces = made(output.output, place);
    shell.write(words.some((word) => isPresumed(word.pieces)) ? asPresumed(pieces) : pieces);
    return { code: output.status, needs: output.status === 0 ? [] : [...occasion.touched], presumed: false };
  }
  const isSilent =
    searches.has(name) &&
    words.some((word) => /^(-[a-zA-Z]*q[a-zA-Z]*|--quiet|--silent)$/.test(knownText(word.pieces) ?? ''));
  const joins = holed.length > 0 && holed.every((piece) => piece.joins === true);
  const shape = countsOneThing(name, words) ? 'integer' : 'any';
  const label = `$(${words.map((word) => displayed(word.pieces)).join(' ')})`;
  const reason = holed[0]?.reason ?? 'command-output';
  if (output !== undefined) {
    const blanks = /\s/.test(output.output.replace(/\n+$/, ''));
    const facts = { shape, assumed: output.output, needs, joins, ...(blanks ? { blanks } : {}) } as const;
    // Even if the output is empty: with the missing names set it may not be (`seq 0 $((N-1))`).
    if (output.output !== '' || (!silentPrograms.has(name) && !isSilent))
      shell.write([{ ...hole(reason, label, place, facts), splits: true }]);
    return outcome(output.status === 0, needs);
  }
  // Input known to contain blanks usually yields output with blanks.
  const isKnownWithBlanks = text !== undefined && /\S\s+\S/.test(text);
  const isOfOneLine = shape === 'integer' || takesOneLine(name, words);
  // One line of the files that a program found is a single file.
  const keepsBlanks = (piece: ShellHole): boolean =>
    piece.blanks === true && !(isOfOneLine && (piece.mayBeNone === true || piece.lines !== undefined));
  const blanks = isKnownWithBlanks || holed.some(keepsBlanks);
  const mayBeNone = input?.some((piece) => piece.kind === 'hole' && piece.mayBeNone === true) === true;
  const facts = { shape, joins, blanks, ...(mayBeNone ? { mayBeNone: true } : {}) } as const;
  if (!isSilent) shell.write([{ ...hole(reason, label, place, facts), splits: true }]);
  if (shell.stderr !== shell.stdout) shell.writeTo(shell.stderr, [unknownOutput(words, occasion)]);
  return searches.has(name)
    ? whetherFound(shell, words, place, joins)
    : outcomeOfText(shell, name, words, place);
}

/** `head -n 1`, `tail -1`. */
function takesOneLine(name: string, words: readonly ShellWord[]): boolean {
  const options = words.slice(1).map(({ pieces }) => knownText(pieces) ?? '');
  return (name === 'head' || name === 'tail') && /^-n? ?1$/.test(options.slice(0, 2).join(' '));
}

/** `wc -l` of its input: with more letters it prints several numbers, with files also their names. */
function countsOneThing(name: string, words: readonly ShellWord[]): boolean {
  return name === 'wc' && words.length === 2 && /^-[lwcmL]$/.test(knownText(words[1]?.pieces ?? []) ?? '');
}
