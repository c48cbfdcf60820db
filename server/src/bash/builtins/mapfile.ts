import type { Place } from '../../text/span.ts';
import { fromDescriptor } from '../files/descriptors.ts';
import { doubtNamed } from '../state/doubt.ts';
import { Elements } from '../state/elements.ts';
import {
  hole,
  isUncounted,
  knownText,
  made,
  nothing,
  type Pieces,
  type ShellPiece,
  upToNul,
} from '../state/pieces.ts';
import { type Flow, failure, type Shell, success } from '../state/shell.ts';
import type { ShellWord } from '../state/shellWord.ts';
import { executeText } from '../statements/execute.ts';
import { sourceOfPieces } from '../text/source.ts';
import { isReadonly } from '../words/read.ts';
import { type Builtin, leadingOptions, textAt } from './builtin.ts';
import { assignList, isOneLine } from './input.ts';
import { valuedLetters } from './optionLetters.ts';
import { takeUpTo } from './take.ts';
import { targetOf } from './target.ts';

const valued = valuedLetters('mapfile');

/** A number of lines, 0 if not given; undefined if it is unknown. */
function countOf(word: ShellWord | undefined): number | undefined {
  if (word === undefined) return 0;
  const text = knownText(word.pieces);
  return text !== undefined && /^\d{1,6}$/.test(text) ? Number(text) : undefined;
}

/** An array with lines from an index on in place of its elements there. */
function placed(
  shell: Shell,
  name: string,
  lines: readonly Pieces[],
  origin: number | undefined,
  several: Pieces,
): Elements {
  const variable = shell.store.get(name);
  let elements =
    variable?.kind === 'scalar' ? Elements.list([variable.value]) : (variable?.elements ?? Elements.none);
  // If the number of lines is unknown, so is which elements stay.
  if (origin === undefined) return Elements.list([several]);
  const open = lines.findIndex(isUncounted);
  if (open >= 0) {
    const before = [...elements].filter(([key]) => Number(key) < origin).map(([, value]) => value);
    return before.length === origin
      ? Elements.list([...before, ...lines.slice(0, open), several])
      : Elements.list([several]);
  }
  for (const [offset, line] of lines.entries()) elements = elements.with(String(origin + offset), line, true);
  return elements;
}

/** `mapfile [-t] [-n COUNT] [-s SKIPPED] [-O FIRST] [-C COMMAND [-c EVERY]] ARRAY`, `readarray`. */
export const mapfile: Builtin = (shell, words, { place }) => {
  const options = leadingOptions(words, valued);
  return fromDescriptor(shell, options.values.get('u'), () => readLines(shell, options, place));
};

function readLines(shell: Shell, options: ReturnType<typeof leadingOptions>, place: Place): Flow {
  const { letters, values, rest } = options;
  const name = textAt(rest, 0) ?? 'MAPFILE';
  doubtNamed(shell, rest[0]?.pieces ?? nothing, place);
  const keepsNewline = !letters.has('t');
  const delimiterWord = values.get('d');
  const delimiter = delimiterWord === undefined ? '\n' : (knownText(delimiterWord.pieces) ?? '\n').charAt(0);
  const facts = shell.stdin?.pieces.some(isPerhapsNone) === true ? { mayBeNone: true } : {};
  const several = (): Pieces => [{ ...hole('outside', `\${${name}[@]}`, place, facts), splits: true }];
  const lines: Pieces[] = [];
  const skipped = countOf(values.get('s'));
  const most = countOf(values.get('n'));
  const origin = countOf(values.get('O'));
  if (shell.stdin === undefined || skipped === undefined || most === undefined || origin === undefined)
    lines.push(several());
  else {
    const end = most === 0 ? Number.POSITIVE_INFINITY : skipped + most;
    for (let count = 0; count < end; count += 1) {
      const taken = takeUpTo(shell, delimiter);
      if (taken === undefined || !shell.run.meter.spend()) break;
      const { complete } = taken;
      const line = upToNul(taken.line);
      const isCut = line !== taken.line;
      const ending = keepsNewline && complete && !isCut ? made(delimiter, place) : nothing;
      // A hole in the text may hold any number of lines; the lines after it stay.
      const open = line.some((piece) => piece.kind === 'hole' && !isOneLine(piece));
      if (open && (skipped > 0 || most > 0)) {
        shell.stdin.pieces = [...line, ...shell.stdin.pieces].filter(({ kind }) => kind === 'hole');
        lines.splice(0, lines.length, several());
        break;
      }
      if (count >= skipped) lines.push(open ? several() : [...line, ...ending]);
    }
  }
  if (targetOf(name) === undefined || isReadonly(shell, name)) {
    shell.status = failure;
    return undefined;
  }
  const arranged = letters.has('O')
    ? (items: readonly Pieces[]): Elements => placed(shell, name, items, origin, several())
    : undefined;
  if (!/^[A-Za-z_]\w*$/.test(name)) {
    shell.status = success;
    return undefined;
  }
  const callback = values.get('C');
  const flow =
    callback === undefined || lines.some(isUncounted)
      ? undefined
      : reportLines(shell, callback, values.get('c'), lines, origin ?? 0, (count) =>
          assignList(shell, name, lines.slice(0, count), place, arranged),
        );
  if (flow !== undefined) return flow;
  assignList(shell, name, lines, place, arranged);
  shell.status = success;
  return undefined;
}

function isPerhapsNone(piece: ShellPiece): boolean {
  return piece.kind === 'hole' && piece.mayBeNone === true;
}

/** Lines between two runs of the command of `-C` if `-c` sets no other number. */
const ordinaryQuantum = 5000;

/** Runs the command of `-C` with the index and text of each such line, before that line is in the array. */
function reportLines(
  shell: Shell,
  callback: ShellWord,
  every: ShellWord | undefined,
  lines: readonly Pieces[],
  origin: number,
  assign: (count: number) => void,
): Flow {
  const quantum = every === undefined ? ordinaryQuantum : (countOf(every) ?? 0);
  const { place } = callback;
  for (let count = quantum; quantum > 0 && count <= lines.length; count += quantum) {
    assign(count - 1);
    const line = (lines[count - 1] ?? nothing).map((piece) =>
      piece.kind === 'text' ? { ...piece, text: piece.text.replaceAll("'", "'\\''") } : piece,
    );
    const before = made(` ${origin + count - 1} '`, place);
    const source = sourceOfPieces([...callback.pieces, ...before, ...line, ...made("'", place)], place);
    const flow = source === undefined ? undefined : executeText(shell, source);
    if (flow !== undefined) return flow;
  }
  return undefined;
}
