import type { Place } from '../../text/span.ts';
import { assumedTextOf } from '../conditions/shadow.ts';
import { type FilterContext, runPure } from '../library/commands.ts';
import { knownText, made, type Pieces, type ShellHole, type ShellPiece, sliceText } from '../state/pieces.ts';
import type { Shell } from '../state/shell.ts';
import type { ShellWord } from '../state/shellWord.ts';

/** Stands for a hole while a program edits the text around it: not a blank, and nothing that those programs look at. */
const mark = '\x01';

const blank = String.raw`(?: |\t|\\[tsn]|\[\[:(?:space|blank):\]\]|\[(?: |\t|\\t)+\])`;
const someBasic = String.raw`\^?(?:${blank}(?:\*|\\\+)?)+\$?`;
const someExtended = String.raw`\^?(?:${blank}[*+]?)+\$?`;

/** Scripts of `sed` that change or remove only blanks. */
const sedScript = (some: string): RegExp =>
  new RegExp(
    String.raw`^(?:\s*(?:s([/#,])${some}\1(?: |\t|\\[tn])*\1g?|/\^(?:${blank}\*)?\$/d)\s*(?:;|$))+$`,
  );
const sedBasic = sedScript(someBasic);
const sedExtended = sedScript(someExtended);

/** A set of `tr` that has only blanks. */
const blankSet = /^(?:[ \t\n\r\v\f]|\\[tnrvf]|\\0?1[1-5]|\[:(?:space|blank):\])+$/;

/** Whether a program changes only blanks in its input, and whether it may add lines. */
type Effect = 'keeps-lines' | 'adds-lines' | 'other';

function effectOf(name: string, args: readonly string[]): Effect {
  const operands = args.filter((arg) => !arg.startsWith('-'));
  const options = args.filter((arg) => arg.startsWith('-'));
  if (name === 'xargs') return args.length === 0 || args.join(' ') === 'echo' ? 'keeps-lines' : 'other';
  if (name === 'tr') {
    if (!options.every((option) => /^-[ds]+$/.test(option))) return 'other';
    if (operands.length === 0 || !operands.every((set) => blankSet.test(set))) return 'other';
    return /\n|\\n|\\0?12|space/.test(operands[1] ?? '') ? 'adds-lines' : 'keeps-lines';
  }
  if (name !== 'sed' || !options.every((option) => /^-[eEr]$/.test(option))) return 'other';
  const scripts = options.includes('-e') ? operands : operands.slice(0, 1);
  if (scripts.length === 0 || scripts.length < operands.length) return 'other';
  const form = options.some((option) => option !== '-e') ? sedExtended : sedBasic;
  if (!scripts.every((script) => form.test(script))) return 'other';
  return scripts.some((script) => /[/#,](?: |\t|\\t)*\\n/.test(script)) ? 'adds-lines' : 'keeps-lines';
}

/**
 * The output of a program that changes only blanks in its input (`tr '\n' ' '`, `sed 's/  *` `/ /g'`, `xargs`): everything else keeps its
 * origin, and holes stay where they are. Undefined for any other program.
 */
export function editedBlanks(
  shell: Shell,
  name: string,
  words: readonly ShellWord[],
  input: Pieces | undefined,
  context: FilterContext,
  place: Place,
): Pieces | undefined {
  if (input === undefined || (name !== 'tr' && name !== 'sed' && name !== 'xargs')) return undefined;
  const args = words.slice(1).map((word) => knownText(word.pieces));
  const known = args.flatMap((arg) => arg ?? []);
  if (known.length < args.length) return undefined;
  const effect = effectOf(name, known);
  if (effect === 'other') return undefined;
  const run = (text: string): string | undefined => runPure(name, known, text, context)?.output;
  const text = input.map((piece) => (piece.kind === 'text' ? piece.text : mark)).join('');
  // `xargs` interprets quotes, and `echo` does not print what it takes for an option.
  if (name === 'xargs' && (/["'\\]/.test(text) || text.trimStart().startsWith(mark))) return undefined;
  const output = run(text);
  const edited = output === undefined ? undefined : aligned(input, output, place);
  if (output === undefined || edited === undefined || !text.includes(mark)) return edited;
  const isSameWithoutHoles = run(text.replaceAll(mark, '')) === output.replaceAll(mark, '');
  const settled = isSameWithoutHoles ? edited : asWords(edited);
  if (settled === undefined) return undefined;
  const before = assumedTextOf(shell, input);
  const after = before === undefined ? undefined : run(before.text);
  const isAsAssumed = after !== undefined && after === assumedTextOf(shell, settled)?.text;
  return settled.map((piece) => (piece.kind === 'text' ? piece : passed(piece, effect, isAsAssumed)));
}

/** Pieces in which holes between blanks are words: if one is empty, an adjacent blank disappears, too. Undefined if two holes touch. */
function asWords(pieces: Pieces): Pieces | undefined {
  const out: ShellPiece[] = [];
  for (const [index, piece] of pieces.entries()) {
    const beside = [pieces[index - 1], pieces[index + 1]];
    if (piece.kind === 'text' || piece.nonEmpty === true || piece.shape !== 'any') out.push(piece);
    else if (beside.some((each) => each?.kind === 'hole')) return undefined;
    else {
      const isWord = beside.every((each) => each?.kind !== 'text' || each.text.trim() === '');
      out.push(isWord ? { ...piece, takesBlank: true } : piece);
    }
  }
  return out;
}

/** A hole after such a program; its assumed text is dropped if the program's output would differ with it. */
function passed(hole: ShellHole, effect: Effect, isAsAssumed: boolean): ShellHole {
  const { assumed, needs, oneLine, lines: _, defines: __, body: ___, ...rest } = hole;
  return {
    ...rest,
    ...(oneLine === undefined || effect === 'adds-lines' ? {} : { oneLine }),
    ...(isAsAssumed && assumed !== undefined ? { assumed, ...(needs === undefined ? {} : { needs }) } : {}),
  };
}

/** A text that differs from pieces only in blanks, as those pieces; undefined if it differs in more. */
function aligned(pieces: Pieces, text: string, place: Place): Pieces | undefined {
  const out: ShellPiece[] = [];
  const blankRun = /[ \t\n\r\v\f]*/y;
  let at = 0;
  const blanks = (): void => {
    blankRun.lastIndex = at;
    const [found = ''] = blankRun.exec(text) ?? [];
    out.push(...made(found, place));
    at += found.length;
  };
  for (const piece of pieces) {
    const parts = piece.kind === 'text' ? piece.text.matchAll(/[^ \t\n\r\v\f]+/g) : [undefined];
    for (const part of parts) {
      blanks();
      const [run = mark] = part ?? [];
      if (!text.startsWith(run, at)) return undefined;
      out.push(
        piece.kind === 'text' && part !== undefined
          ? sliceText(piece, part.index, part.index + run.length)
          : piece,
      );
      at += run.length;
    }
  }
  blanks();
  return at === text.length ? out : undefined;
}
