import type { Place } from '../../text/span.ts';
import { runPure } from '../library/commands.ts';
import {
  displayed,
  identityOf,
  knownText,
  made,
  type Pieces,
  type ShellHole,
  type ShellPiece,
} from '../state/pieces.ts';
import type { Shell } from '../state/shell.ts';

/** The input of `sed`, including unknown parts. */
export interface SedGiven {
  /** Its arguments, without `-i` and the files that it changes in place. */
  readonly args: readonly Pieces[];
  readonly input: Pieces | undefined;
  /** The text of a file that it reads; undefined if nothing is known of it. */
  readonly read: (path: string) => Pieces | undefined;
  /** Where the command is. */
  readonly place: Place;
}

/** Enclose the number of a hole while `sed` edits the text around it. */
const [opens, closes] = ['\x01', '\x02'];
const marks = new RegExp(`${opens}(\\d+)${closes}`);

/** Values that a hole may have: if everything around it stays the same with each of them, its value does not matter there. */
interface Sample {
  readonly number: string;
  readonly word: string;
  /** For a hole that need not be a word. */
  readonly line: string;
  /** For a hole in the input that need not be one line. */
  readonly lines: string;
  readonly isEmpty?: true;
  /** Only for holes in the input: inserted values are assumed to contain no characters that are special to sed. */
  readonly hasSigns?: true;
}

const samples: readonly Sample[] = [
  { number: '3', word: 'a', line: 'a', lines: 'a' },
  { number: '0', word: '0', line: '0', lines: '0' },
  { number: '41', word: 'Zz_9.x', line: 'Zz_9.x b', lines: 'c\nd e' },
  { number: '8', word: '', line: '', lines: '', isEmpty: true },
  // Characters at which scripts split texts.
  { number: '5', word: 'p/q=r-s:t,u', line: 'p/q=r -s:t, #u', lines: 'p/q=r\n-s:t, #u', hasSigns: true },
];

type Filling = (hole: ShellHole) => string;

/**
 * The output of `sed` if it inserts unknown values (`sed "s/LR/$LR/"`), or edits text around them: they stay holes, and everything else is
 * known. Undefined if nothing is unknown, or if the text around a value may depend on it.
 */
export function sedAround(shell: Shell, given: SedGiven): Pieces | undefined {
  const numbers = new Map<ShellHole, number>();
  const numbered: Filling = (hole) => {
    const number = numbers.get(hole) ?? numbers.size;
    numbers.set(hole, number);
    return `${opens}${number}${closes}`;
  };
  const isFit = given.args.every(
    (arg) => arg.every(({ kind }) => kind === 'text') || onlyPutsIn(filled(arg, numbered)),
  );
  const output = isFit ? run(given, numbered) : undefined;
  if (output === undefined || numbers.size === 0) return undefined;
  const holes = [...numbers.keys()];
  const parts = output.split(marks);
  const holeOf = (part: string): ShellHole | undefined => holes[Number(part)];
  const isAs = (filling: Filling): boolean => {
    const expected = parts.map((part, index) => {
      const hole = index % 2 === 0 ? undefined : holeOf(part);
      return hole === undefined ? part : filling(hole);
    });
    return run(given, filling) === expected.join('');
  };
  const putIn = new Set(given.args.flat());
  const isSettled = samples.every((sample) => isAs((hole) => sampled(hole, sample, putIn.has(hole))));
  if (!isSettled) return undefined;
  // What the script looks for may be on the unknown lines.
  const lines = holesOfLines(given);
  const matching = textsOfPatterns(given.args);
  if (lines.size > 0 && !isAs((hole) => (lines.has(hole) ? matching : 'q'))) return undefined;
  const isAsAssumed = isAs((hole) => shell.run.assumedText(hole) ?? '');
  const script = given.args.map(displayed).join(' ');
  return parts.flatMap((part, index): Pieces => {
    const hole = index % 2 === 0 ? undefined : holeOf(part);
    if (hole === undefined) return made(part, given.place);
    const kept = isAsAssumed ? hole : withoutAssumed(hole);
    return [putIn.has(hole) || hole.shape === 'integer' ? kept : edited(kept, script)];
  });
}

/** The unknown parts of the input that begin a line, and of which nothing is known. */
function holesOfLines({ args, input, read }: SedGiven): ReadonlySet<ShellHole> {
  const files = args.flatMap((arg) => {
    const path = knownText(arg);
    return path === undefined ? [] : [read(path) ?? []];
  });
  const found = new Set<ShellHole>();
  for (const text of [input ?? [], ...files])
    for (const [index, piece] of text.entries()) {
      const before = text[index - 1];
      const begins = before === undefined || (before.kind === 'text' && before.text.endsWith('\n'));
      if (piece.kind === 'hole' && begins && piece.shape === 'any' && piece.oneWord !== true)
        found.add(piece);
    }
  return found;
}

/** Lines that the patterns of a script match: their texts without operators. */
function textsOfPatterns(args: readonly Pieces[]): string {
  const texts = args.flatMap((arg) => displayed(arg).split(/[/|#,;\n]/));
  return texts.map((text) => text.replace(/\\[a-z]/g, ' ').replace(/[\\.*^$+?(){}[\]]/g, '')).join('\n');
}

function sampled(hole: ShellHole, sample: Sample, isPutIn: boolean): string {
  const { number, word, line, lines, isEmpty, hasSigns } = sample;
  if (hole.shape === 'integer') return number;
  if (hasSigns === true && isPutIn) return 'q';
  if (isEmpty === true && (hole.nonEmpty === true || hole.shape !== 'any')) return 'q';
  if (hole.oneWord === true) return word;
  return isPutIn || hole.oneLine === true ? line : lines;
}

function filled(pieces: Pieces, filling: Filling): string {
  return pieces.map((piece: ShellPiece) => (piece.kind === 'text' ? piece.text : filling(piece))).join('');
}

function run({ args, input, read }: SedGiven, filling: Filling): string | undefined {
  const context = {
    read: (path: string): string | undefined => {
      const text = read(path);
      return text === undefined ? undefined : filled(text, filling);
    },
  };
  const words = args.map((arg) => filled(arg, filling));
  const result = runPure('sed', words, input === undefined ? undefined : filled(input, filling), context);
  return result?.status === 0 ? result.output : undefined;
}

/** A hole from the input may have been changed inside, so less is known of its text. */
function edited(hole: ShellHole, script: string): ShellHole {
  const { nonEmpty: _, oneWord: __, lines: ___, defines: ____, body: _____, ...rest } = hole;
  return { ...rest, of: `${identityOf(hole)} ${script}` };
}

function withoutAssumed({ assumed: _, needs: __, ...hole }: ShellHole): ShellHole {
  return hole;
}

const pattern = String.raw`/(?:[^/\\\n\x01]|\\[^\n])*/`;
const address = String.raw`(?:\d+|\$|${pattern})`;
/** What may precede a command. */
const leading = new RegExp(String.raw`[\s;{}]*(?:${address}(?:,${address})?\s*!?\s*)?`, 'y');

/** Whether marks occur in a `sed` script only where it inserts text: the replacements of `s`, and the lines of `a`, `i` and `c`. */
function onlyPutsIn(script: string): boolean {
  let at = 0;
  while (at < script.length) {
    leading.lastIndex = at;
    at += leading.exec(script)?.[0].length ?? 0;
    const command = script[at];
    if (command === undefined) return true;
    if (command === 's') {
      const delimiter = script[at + 1] ?? '';
      const middle = endOfPart(script, at + 2, delimiter);
      const end = middle === undefined ? undefined : endOfPart(script, middle + 1, delimiter);
      if (middle === undefined || end === undefined || delimiter === opens) return false;
      if (script.slice(at, middle).includes(opens)) return false;
      at = end + 1;
      while (/[gIip\d]/.test(script[at] ?? '')) at += 1;
    } else if (/[aic]/.test(command)) {
      const end = script.indexOf('\n', at);
      at = end < 0 ? script.length : end;
    } else if (/[dpq]/.test(command)) at += 1;
    else return false;
  }
  return true;
}

/** The index of the next unescaped delimiter. */
function endOfPart(script: string, from: number, delimiter: string): number | undefined {
  for (let at = from; at < script.length; at += 1) {
    if (script[at] === '\\') at += 1;
    else if (script[at] === delimiter) return at;
  }
  return undefined;
}
