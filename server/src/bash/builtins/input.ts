import type { Place } from '../../text/span.ts';
import { assumedTextOf } from '../conditions/shadow.ts';
import { fromDescriptor } from '../files/descriptors.ts';
import { doubtNamed } from '../state/doubt.ts';
import { Elements } from '../state/elements.ts';
import {
  asOneValue,
  firstHole,
  hole,
  identityOf,
  isUncounted,
  knownText,
  made,
  type Pieces,
  type ShellHole,
  type ShellPiece,
  sliceText,
  withoutNul,
} from '../state/pieces.ts';
import { type Flow, failure, presumedSuccess, type Shell, success } from '../state/shell.ts';
import type { ShellWord } from '../state/shellWord.ts';
import { blankVariable } from '../state/store.ts';
import { attributedUpTo } from '../statements/arrayLiteral.ts';
import { setScalar } from '../statements/assign.ts';
import { isReadonly, targetName } from '../words/read.ts';
import {
  type Item,
  isUnknownSeparator,
  ordinarySeparators,
  piecesOf,
  separatorsOf,
  splitFields,
} from '../words/split.ts';
import { type Builtin, type Call, leadingOptions } from './builtin.ts';
import { valuedLetters } from './optionLetters.ts';
import { restored, unescaped } from './readEscapes.ts';
import { limitOf, type Taken, takeCount, takeLine } from './take.ts';
import { assignTarget, type Target, targetOf } from './target.ts';

const valued = valuedLetters('read');

/** Whether the text of a hole is certainly a single line. */
export function isOneLine({ oneLine, shape }: ShellHole): boolean {
  return oneLine === true || shape !== 'any';
}

/** The variable to which `read` without names assigns the line. */
const reply: Target = { name: 'REPLY', subscript: undefined };

/** Whether a word cannot name a variable or an element. */
function isNoTarget(word: ShellWord | undefined): boolean {
  const text = word === undefined ? undefined : knownText(word.pieces);
  return text !== undefined && targetOf(text) === undefined;
}

/** `read [-r] [-a ARRAY] [-d X] [-u N] NAME…`. */
export const read: Builtin = (shell, words, call) => {
  const options = leadingOptions(words, valued);
  return fromDescriptor(shell, options.values.get('u'), () => readLine(shell, options, call));
};

/** What a line is assigned to: variables, the array of `-a`, or REPLY if there is neither. */
interface Receivers {
  readonly targets: readonly (Target | undefined)[];
  readonly array: string | undefined;
}

/** A line as it was read. */
interface Line {
  readonly pieces: Pieces;
  /** The characters that separate its fields; empty if the whole line is one field. */
  readonly separators: string;
  readonly place: Place;
  /** Removes the marks of escaped characters from a value. */
  readonly settle: (value: Pieces) => Pieces;
}

/** The rest of the input in a loop after reading from a text whose number of lines is unknown: it counts as used up, so that the loop ends. */
const perhapsOver: Pieces = [
  { ...hole('outside', 'input', { path: '', span: { start: 0, end: 0 } }), splits: true },
];

function readLine(shell: Shell, options: ReturnType<typeof leadingOptions>, call: Call): Flow {
  const { values, rest } = options;
  const { place } = call;
  const array = values.get('a');
  // Bash looks at the first name before it reads anything.
  if (isNoTarget(array ?? rest[0])) {
    shell.status = failure;
    return undefined;
  }
  for (const { pieces } of array === undefined ? rest : [array]) doubtNamed(shell, pieces, place);
  const receivers: Receivers = {
    targets: rest.map(({ pieces }) => targetOf(knownText(pieces) ?? '')),
    array: array === undefined ? undefined : knownText(array.pieces),
  };
  if (shell.stdin === undefined || isUnknownSeparator(shell.store.get('IFS')))
    return giveUnknown(shell, receivers, place);
  // It only asks whether there is something to read.
  if (values.get('t') !== undefined && knownText(values.get('t')?.pieces ?? []) === '0') {
    shell.status = success;
    return undefined;
  }
  if (shell.stdin.pieces === perhapsOver) {
    giveUnknown(shell, receivers, place);
    if (shell.loops > 0) shell.status = failure;
    return undefined;
  }
  const taken = takeInput(shell, shell.stdin.pieces, options);
  if (taken === 'uncounted') {
    shell.run.linesPresumed += 1;
    shell.stdin.pieces = [{ ...hole('outside', 'input', place), splits: true }];
    return giveUnknown(shell, receivers, place);
  }
  if (rest.some(({ pieces }) => knownText(pieces) === undefined)) return giveUnknown(shell, receivers, place);
  const pieces = withoutNul(taken?.line ?? []);
  if (pieces.some((piece) => piece.kind === 'hole' && piece.splits && !isOneLine(piece))) {
    // The number of lines in a hole is unknown, and so are the line read from it and the rest of the input.
    shell.run.linesPresumed += 1;
    shell.stdin.pieces =
      shell.loops > 0 ? perhapsOver : [{ ...hole('outside', 'input', place), splits: true }];
    return giveUnknown(shell, receivers, place);
  }
  // A program's output may span several lines, even if quotes make it one value: a loop may get more of them.
  const written = pieces.find((piece) => piece.kind === 'hole' && piece.reason === 'command-output');
  if (written?.kind === 'hole' && !isOneLine(written)) shell.run.linesPresumed += 1;
  const isGiven = giveLine(shell, receivers, lineOf(shell, pieces, options, place));
  shell.status = isGiven && taken?.complete === true ? success : failure;
  return undefined;
}

/**
 * The next input: a line, or as many characters as are asked for. Undefined at the end of the input; `uncounted` if the point where the rest
 * begins is unknown.
 */
function takeInput(
  shell: Shell,
  input: Pieces,
  options: ReturnType<typeof leadingOptions>,
): Taken | 'uncounted' | undefined {
  const { letters, values } = options;
  const word = values.get('d');
  const delimiter = word === undefined ? '\n' : (knownText(word.pieces) ?? '\n').charAt(0);
  const raw = letters.has('r');
  const limit = limitOf(options);
  if (limit === undefined) return takeLine(shell, delimiter, raw);
  if (limit === 'unknown' || (!raw && input.some(hasBackslash))) return 'uncounted';
  return takeCount(shell, limit.count, limit.exact ? undefined : delimiter) ?? 'uncounted';
}

function hasBackslash(piece: ShellPiece): boolean {
  return piece.kind === 'text' && piece.text.includes('\\');
}

function lineOf(
  shell: Shell,
  pieces: Pieces,
  options: ReturnType<typeof leadingOptions>,
  place: Place,
): Line {
  const limit = limitOf(options);
  const isOne = limit !== undefined && limit !== 'unknown' && limit.exact;
  const separators = isOne ? '' : separatorsOf(shell.store.get('IFS'));
  return options.letters.has('r') || !pieces.some(hasBackslash)
    ? { pieces, separators, place, settle: (value) => value }
    : { pieces: unescaped(pieces, separators), separators, place, settle: restored };
}

/** Assigns unknown values to the receivers. */
function giveUnknown(shell: Shell, { targets, array }: Receivers, place: Place): undefined {
  const asked = targets.length > 0 || array !== undefined ? targets : [reply];
  for (const target of asked)
    if (target !== undefined) assignTarget(shell, target, [readValue(shell, target.name, place)], [place]);
  if (array !== undefined)
    shell.assign(targetName(shell, array), {
      ...blankVariable,
      kind: 'indexed',
      elements: Elements.list([[{ ...hole('outside', `\${${array}[@]}`, place), splits: true }]]),
      places: [place],
    });
  shell.status = presumedSuccess;
  return undefined;
}

/** Assigns a line's fields to the receivers. @returns whether all of them can be assigned */
function giveLine(shell: Shell, { targets, array }: Receivers, line: Line): boolean {
  const { pieces, separators, place, settle } = line;
  if (array !== undefined) {
    if (isReadonly(shell, array)) return false;
    assignList(shell, array, splitPieces(pieces, separators).map(settle), place);
    return true;
  }
  if (targets.length === 0) {
    setScalar(shell, reply.name, settle(pieces), [place]);
    return true;
  }
  const refused = targets.findIndex((target) => target === undefined || isReadonly(shell, target.name));
  assignNames(shell, refused < 0 ? targets : targets.slice(0, refused), targets.length, line);
  return refused < 0;
}

/** The unknown result of a read: a different value each time. */
function readValue(shell: Shell, name: string, place: Place): ShellHole {
  const unknown = hole('outside', `$${name}`, place);
  const [before] = shell.store.get(name)?.value ?? [];
  const first = identityOf(unknown);
  const last = before?.kind === 'hole' ? identityOf(before) : '';
  return { ...unknown, of: last.startsWith(first) ? `${last}'` : first };
}

function fieldsOf(line: Pieces, separators: string): readonly Pieces[] {
  return splitPieces(line, separators).map(asOneValue);
}

function splitPieces(line: Pieces, separators: string): readonly Pieces[] {
  const items = line.map((piece): Item => ({ kind: 'piece', piece, quoted: false, splits: true }));
  return splitFields(items, separators).map(piecesOf);
}

/** Makes an array of what was read, applying the variable's attributes (`declare -i`, `declare -u`). */
export function assignList(
  shell: Shell,
  given: string,
  values: readonly Pieces[],
  place: Place,
  arranged = (items: readonly Pieces[]): Elements => Elements.list(items),
): void {
  const name = targetName(shell, given);
  const old = shell.store.get(name) ?? blankVariable;
  const { integer, letters } = old;
  const elements = arranged(attributedUpTo(shell, old, values, place));
  shell.assign(name, { ...blankVariable, integer, letters, kind: 'indexed', elements, places: [place] });
}

/** Assigns one field to each name, up to one that cannot be changed; the last of all names takes the rest of the line as it is. */
function assignNames(
  shell: Shell,
  targets: readonly (Target | undefined)[],
  count: number,
  { pieces: line, separators, place, settle }: Line,
): void {
  const values = fieldsFor(count, line, separators);
  const uncertain = splitPieces(line, separators).findIndex(isUncounted);
  const shadow = uncertain < 0 ? undefined : assumedTextOf(shell, line);
  const assumed = shadow === undefined ? undefined : fieldsFor(count, made(shadow.text, place), separators);
  targets.forEach((target, index) => {
    if (target === undefined) return;
    const value = values[index] ?? [];
    const last = index === count - 1;
    const certain = uncertain < 0 || index < uncertain || (index === uncertain && last && value.length === 1);
    const whole = !last || value.length === 1 || !endsInHole(value, separators);
    if (certain && whole) {
      assignTarget(shell, target, settle(asOneValue(value)), [place]);
      return;
    }
    // Which field this name gets depends on how many words precede it.
    const text = knownText(assumed?.[index] ?? line);
    const facts = text === undefined ? {} : { assumed: text, needs: shadow?.needs ?? [] };
    const unknown = hole(firstHole(line)?.reason ?? 'outside', `$${target.name}`, place, facts);
    assignTarget(shell, target, [unknown], [place]);
  });
}

/** Whether the word at either end of a value may expand to nothing: then the adjacent blank would be gone, too. */
function endsInHole(value: Pieces, separators: string): boolean {
  const fields = splitPieces(value, separators);
  return [fields[0], fields.at(-1)].some((field) => field !== undefined && isUncounted(field));
}

/** The fields of a line for this many names; the last one holds the rest of the line as it is. */
function fieldsFor(count: number, line: Pieces, separators: string): readonly Pieces[] {
  const out: Pieces[] = [];
  let rest = trimmed(line, separators);
  for (let index = 0; index + 1 < count; index += 1) {
    const { field, remaining } = firstField(rest, separators);
    out.push(field);
    rest = remaining;
  }
  out.push(lastField(rest, separators));
  return out;
}

function isBlank(character: string, separators: string): boolean {
  return ordinarySeparators.includes(character) && separators.includes(character);
}

/** A line without IFS blanks at either end. */
function trimmed(line: Pieces, separators: string): Pieces {
  const out = [...line];
  for (let first = out[0]; first?.kind === 'text'; first = out[0]) {
    let at = 0;
    while (at < first.text.length && isBlank(first.text.charAt(at), separators)) at += 1;
    if (at === 0) break;
    out.shift();
    if (at < first.text.length) {
      out.unshift(sliceText(first, at, first.text.length));
      break;
    }
  }
  for (let last = out.at(-1); last?.kind === 'text'; last = out.at(-1)) {
    let end = last.text.length;
    while (end > 0 && isBlank(last.text.charAt(end - 1), separators)) end -= 1;
    if (end === last.text.length) break;
    out.pop();
    if (end > 0) {
      out.push(sliceText(last, 0, end));
      break;
    }
  }
  return out;
}

function firstField(
  line: Pieces,
  separators: string,
): { readonly field: Pieces; readonly remaining: Pieces } {
  const field: ShellPiece[] = [];
  for (let index = 0; index < line.length; index += 1) {
    const piece = line[index];
    if (piece === undefined) break;
    if (piece.kind === 'hole') {
      field.push(piece);
      continue;
    }
    const at = [...piece.text].findIndex((character) => separators.includes(character));
    if (at < 0) {
      field.push(piece);
      continue;
    }
    const cut = piece.text.search(separatorClass(separators));
    if (cut > 0) field.push(sliceText(piece, 0, cut));
    const tail: Pieces = [sliceText(piece, cut, piece.text.length), ...line.slice(index + 1)];
    return { field, remaining: afterDelimiter(tail, separators) };
  }
  return { field, remaining: [] };
}

function separatorClass(separators: string): RegExp {
  return new RegExp(`[${separators.replace(/[\\\]^-]/g, '\\$&')}]`);
}

/** Removes one delimiter: blanks, and at most one other separator among them. */
function afterDelimiter(line: Pieces, separators: string): Pieces {
  let rest = trimStart(line, separators);
  const [first] = rest;
  if (first?.kind === 'text' && separators.includes(first.text.charAt(0)))
    rest = trimStart(
      first.text.length > 1 ? [sliceText(first, 1, first.text.length), ...rest.slice(1)] : rest.slice(1),
      separators,
    );
  return rest;
}

function trimStart(line: Pieces, separators: string): Pieces {
  const [first, ...rest] = line;
  if (first?.kind !== 'text') return line;
  let at = 0;
  while (at < first.text.length && isBlank(first.text.charAt(at), separators)) at += 1;
  if (at === 0) return line;
  return at < first.text.length
    ? [sliceText(first, at, first.text.length), ...rest]
    : trimStart(rest, separators);
}

/** The text for the last name: a single trailing non-blank separator is removed if nothing else follows. */
function lastField(line: Pieces, separators: string): Pieces {
  const fields = fieldsOf(line, separators);
  const text = knownText(line);
  if (fields.length === 1 && text !== undefined) return fields[0] ?? [];
  return line;
}
