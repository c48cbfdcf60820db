import type { Place } from '../../text/span.ts';
import { quoteForDeclare, quoteForReuse } from '../library/quote.ts';
import {
  displayed,
  isUncounted,
  knownText,
  made,
  nothing,
  type Pieces,
  type ShellPiece,
} from '../state/pieces.ts';
import { orderedElements, type Variable } from '../state/store.ts';
import { appendUnknown, type Expansion } from './expansion.ts';
import { type ListReading, plainList } from './listReading.ts';
import { append, appendList, appendSeveral } from './lists.ts';
import { type Reading, targetName } from './read.ts';

const caseFlags: { readonly [form in NonNullable<Variable['letters']>]: string } = {
  lower: 'l',
  upper: 'u',
  capital: 'c',
  unsure: '',
};

/** The letters of a variable's attributes in the order in which Bash prints them; empty if it has none. */
export function attributesOf({
  kind,
  integer,
  reference,
  readonly,
  exported,
  letters,
  elements,
}: Variable): string {
  // A declared array without a value is still an array.
  const isList = kind === 'indexed' || (kind === 'unset' && elements.size > 0);
  return [
    isList ? 'a' : kind === 'associative' ? 'A' : '',
    integer ? 'i' : '',
    reference ? 'n' : '',
    readonly ? 'r' : '',
    exported ? 'x' : '',
    letters === undefined ? '' : caseFlags[letters],
  ].join('');
}

/** The value of a variable as printed by `declare -p`; undefined if it has special characters, or an unknown number of elements. */
export function writtenValue(variable: Variable, place: Place): Pieces | undefined {
  if (variable.kind === 'scalar') return inQuotes(variable.value, place);
  const out: ShellPiece[] = [];
  for (const [key, element] of orderedElements(variable)) {
    const quoted = isUncounted(element) ? undefined : inQuotes(element, place);
    if (quoted === undefined || !/^[\w.+-]+$/.test(key)) return undefined;
    out.push(...made(`${out.length === 0 ? '' : ' '}[${key}]=`, place), ...quoted);
  }
  const end = variable.kind === 'associative' && out.length > 0 ? ' )' : ')';
  return [...made('(', place), ...out, ...made(end, place)];
}

/** A text in double quotes. */
function inQuotes(pieces: Pieces, place: Place): Pieces | undefined {
  const known = knownText(pieces);
  if (known !== undefined) {
    const quoted = quoteForDeclare(known);
    return quoted === undefined ? undefined : made(quoted, place);
  }
  const out: ShellPiece[] = [];
  for (const piece of pieces) {
    const quoted = piece.kind === 'hole' ? undefined : quoteForDeclare(piece.text);
    if (piece.kind === 'hole') out.push(piece);
    else if (quoted === undefined) return undefined;
    else out.push(...made(quoted.slice(1, -1), place));
  }
  return [...made('"', place), ...out, ...made('"', place)];
}

/** Whether attributes and value of a variable are the same on every path that led here. */
function isCertain({ perhapsUnset, awaited, needs, open, value, letters }: Variable): boolean {
  if (letters === 'unsure' || perhapsUnset || awaited || needs.length > 0 || open.length > 0) return false;
  return value.every((piece) => piece.kind === 'text' || !/^(?:branch|loop|too-complex)$/.test(piece.reason));
}

/** Whether an operator describes a variable (`@A`, `@a`, and for arrays `@K`, `@k`) rather than changing each value. */
export function isDescription(letter: string, ofList: boolean): boolean {
  return /^[Aa]$/.test(letter) || (ofList && /^[Kk]$/.test(letter));
}

/** `${x@A}` and `${x@a}`, also of an element: the declaration or the attributes of the variable. */
export function describeScalar(expansion: Expansion, name: string, letter: string, reading: Reading): void {
  const { shell, place, quoted, out } = expansion;
  // A script's arguments are not variables.
  if (/^\d+$/.test(name)) {
    append(out, nothing, quoted);
    return;
  }
  const target = targetName(shell, name);
  const variable = shell.store.get(target);
  const text =
    variable === undefined || !isCertain(variable) || (!reading.set && expansion.part.index !== undefined)
      ? undefined
      : letter === 'a'
        ? attributesOf(variable)
        : declaration(target, variable, reading);
  if (text === undefined) appendUnknown(expansion, reading.pieces);
  else append(out, made(text, place), quoted);
}

function declaration(name: string, variable: Variable, { set, pieces }: Reading): string | undefined {
  const attributes = attributesOf(variable);
  const start = attributes === '' ? '' : `declare -${attributes} `;
  if (!set) return attributes === '' ? '' : `${start}${name}`;
  const text = knownText(pieces);
  const value = text === undefined ? undefined : quoteForReuse(text);
  return value === undefined ? undefined : `${start}${name}=${value}`;
}

/** `${a[@]@A}`, `${a[@]@a}`, `${a[@]@K}`, `${a[@]@k}`, and the same for `$@`: the declaration, attributes, or keys with values of a list. */
export function describeList(
  expansion: Expansion,
  name: string,
  star: boolean,
  letter: string,
  reading: ListReading,
): void {
  const { shell, part, place, quoted, out } = expansion;
  const words = isKnownList(reading)
    ? reading.isPositional === true
      ? ofWords(reading, letter)
      : ofArray(targetName(shell, name), reading, letter, place)
    : undefined;
  if (words === undefined) appendSeveral(out, part.text, place, undefined, quoted);
  else {
    const elements = words.map((word) => made(word, place));
    appendList(shell, plainList(elements), star, quoted, place, out, quoted);
  }
}

function isKnownList({ open, counted, elements, needs, variable }: ListReading): boolean {
  return (
    !open &&
    needs.length === 0 &&
    counted === elements.length &&
    (variable === undefined || isCertain(variable))
  );
}

function ofWords({ elements }: ListReading, letter: string): readonly string[] | undefined {
  if (letter === 'a') return elements.map(() => '');
  const texts = reused(elements);
  if (texts === undefined || letter !== 'A') return texts;
  return texts.length === 0 ? [] : ['set', '--', ...texts];
}

function reused(values: readonly Pieces[]): readonly string[] | undefined {
  const out: string[] = [];
  for (const value of values) {
    const known = knownText(value);
    const text = known === undefined ? undefined : quoteForReuse(known);
    if (text === undefined) return undefined;
    out.push(text);
  }
  return out;
}

function ofArray(
  name: string,
  { variable, elements, keys }: ListReading,
  letter: string,
  place: Place,
): readonly string[] | undefined {
  if (variable === undefined || variable.kind === 'unset') return undefined;
  const attributes = attributesOf(variable);
  if (letter === 'a')
    return variable.kind === 'scalar' && attributes === '' ? [] : elements.map(() => attributes);
  if (variable.kind === 'scalar') {
    const [text] = reused(elements) ?? [];
    if (text === undefined || letter !== 'A') return text === undefined ? undefined : [text];
    return [attributes === '' ? `${name}=${text}` : `declare -${attributes} ${name}=${text}`];
  }
  // An array that was only declared gives a different result from an empty one.
  if (elements.length === 0) return undefined;
  if (letter === 'A') {
    const value = knownText(writtenValue(variable, place) ?? []);
    return value === undefined ? undefined : ['declare', `-${attributes}`, `${name}=${value}`];
  }
  return letter === 'k' ? keysAndValues(keys, elements) : inOneWord(variable, keys, elements, place);
}

function keysAndValues(keys: readonly string[], elements: readonly Pieces[]): readonly string[] | undefined {
  if (!elements.every((element) => knownText(element) !== undefined)) return undefined;
  return elements.flatMap((element, index) => [keys[index] ?? '', displayed(element)]);
}

function inOneWord(
  { kind }: Variable,
  keys: readonly string[],
  elements: readonly Pieces[],
  place: Place,
): readonly string[] | undefined {
  const parts: string[] = [];
  for (const [index, element] of elements.entries()) {
    const text = knownText(inQuotes(element, place) ?? []);
    const key = keys[index] ?? '';
    if (text === undefined || (kind === 'associative' && !/^[\w.+-]+$/.test(key))) return undefined;
    parts.push(`${key} ${text}`);
  }
  return [kind === 'associative' ? `${parts.join(' ')} ` : parts.join(' ')];
}
