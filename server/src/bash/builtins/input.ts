import type { Place } from '../../text/span.ts';
import { shadowOf } from '../conditions/shadow.ts';
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
import { type Flow, failure, presumedSuccess, type Shell, type Status, success } from '../state/shell.ts';
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
import { restored, unescaped } from './readEscapes.ts';
import { limitOf, takeCount, takeLine } from './take.ts';
import { assignTarget, type Target, targetOf } from './target.ts';

/** Whether the text of a hole surely is within one line. */
export function isOneLine({ oneLine, shape }: ShellHole): boolean {
  return oneLine === true || shape !== 'any';
}

/** What `read` without names gives the line to. */
const reply: Target = { name: 'REPLY', subscript: undefined };

/** Whether a word cannot be the name of a variable or an element. */
function isNoTarget(word: ShellWord | undefined): boolean {
  const text = word === undefined ? undefined : knownText(word.pieces);
  return text !== undefined && targetOf(text) === undefined;
}

/** `read [-r] [-a ARRAY] [-d X] [-u N] NAME…`. */
export const read: Builtin = (shell, words, call) => {
  const options = leadingOptions(words, 'adnNptui');
  return fromDescriptor(shell, options.values.get('u'), call.place, () => readLine(shell, options, call));
};

function readLine(shell: Shell, options: ReturnType<typeof leadingOptions>, call: Call): Flow {
  const { letters, values, rest } = options;
  const { place } = call;
  const targets = rest.map(({ pieces }) => targetOf(knownText(pieces) ?? ''));
  const array = values.get('a');
  const arrayName = array === undefined ? undefined : knownText(array.pieces);
  // Bash looks at the first name before it reads anything.
  if (isNoTarget(array ?? rest[0])) {
    shell.status = failure;
    return undefined;
  }
  for (const { pieces } of array === undefined ? rest : [array]) doubtNamed(shell, pieces, place);
  const unknown = (): void => {
    const names = targets.filter((target) => target !== undefined);
    const asked = rest.length > 0 || arrayName !== undefined ? names : [reply];
    for (const target of asked) assignTarget(shell, target, [readValue(shell, target.name, place)], [place]);
    if (arrayName !== undefined)
      shell.assign(targetName(shell, arrayName), {
        ...blankVariable,
        kind: 'indexed',
        elements: Elements.list([[{ ...hole('outside', `\${${arrayName}[@]}`, place), splits: true }]]),
        places: [place],
      });
    shell.status = presumedSuccess;
  };
  const ifs = shell.store.get('IFS');
  if (shell.stdin === undefined || isUnknownSeparator(ifs)) {
    unknown();
    return undefined;
  }
  // It only asks whether there is something to read.
  if (values.get('t') !== undefined && knownText(values.get('t')?.pieces ?? []) === '0') {
    shell.status = success;
    return undefined;
  }
  const delimiterWord = values.get('d');
  const delimiter = delimiterWord === undefined ? '\n' : (knownText(delimiterWord.pieces) ?? '\n').charAt(0);
  const raw = letters.has('r');
  const asked = arrayName === undefined ? targets : [{ name: arrayName, subscript: undefined }];
  const refused = asked.findIndex((target) => target === undefined || isReadonly(shell, target.name));
  const limit = limitOf(options);
  const isHidden =
    !raw && shell.stdin.pieces.some((piece) => piece.kind === 'text' && piece.text.includes('\\'));
  const taken =
    limit === undefined
      ? takeLine(shell, delimiter, raw)
      : limit === 'unknown' || isHidden
        ? undefined
        : takeCount(shell, limit.count, limit.exact ? undefined : delimiter);
  if (limit !== undefined && taken === undefined) {
    unknown();
    shell.run.linesPresumed += 1;
    shell.stdin.pieces = [{ ...hole('outside', 'input', place), splits: true }];
    return undefined;
  }
  const status: Status = taken?.complete === true && refused < 0 ? success : failure;
  let line = withoutNul(taken?.line ?? []);
  if (rest.some(({ pieces }) => knownText(pieces) === undefined)) {
    unknown();
    return undefined;
  }
  if (line.some((piece) => piece.kind === 'hole' && piece.splits && !isOneLine(piece))) {
    // How many lines a hole has is not known: what is read from it is not either.
    unknown();
    shell.run.linesPresumed += 1;
    if (shell.stdin !== undefined) shell.stdin.pieces = [];
    return undefined;
  }
  const separators = limit !== undefined && limit !== 'unknown' && limit.exact ? '' : separatorsOf(ifs);
  const escapes = !raw && line.some((piece) => piece.kind === 'text' && piece.text.includes('\\'));
  if (escapes) line = unescaped(line, separators);
  const settle = (value: Pieces): Pieces => (escapes ? restored(value) : value);
  const places: readonly Place[] = [place];
  if (arrayName !== undefined && refused >= 0) {
    shell.status = failure;
    return undefined;
  }
  if (arrayName !== undefined) {
    assignList(shell, arrayName, splitPieces(line, separators).map(settle), place);
  } else if (rest.length === 0) setScalar(shell, reply.name, settle(line), places);
  else {
    const given = refused < 0 ? targets : targets.slice(0, refused);
    assignNames(shell, given, targets.length, line, separators, places, settle);
  }
  shell.status = status;
  return undefined;
}

/** What is read that is not known: another value each time. */
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

/** Makes an array of what was read, as the attributes of the variable (`declare -i`, `declare -u`) have it. */
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

/** Gives each of the first names, up to one that cannot be changed, a field; the last of all takes the rest of the line as it is. */
function assignNames(
  shell: Shell,
  targets: readonly (Target | undefined)[],
  count: number,
  line: Pieces,
  separators: string,
  places: readonly Place[],
  settle: (value: Pieces) => Pieces,
): void {
  const values = fieldsFor(count, line, separators);
  const uncertain = splitPieces(line, separators).findIndex(isUncounted);
  const shadow = uncertain < 0 ? undefined : shadowOf(shell, line);
  const [place] = places;
  const assumed =
    shadow === undefined || place === undefined
      ? undefined
      : fieldsFor(count, made(shadow.text, place), separators);
  targets.forEach((target, index) => {
    if (target === undefined) return;
    const value = values[index] ?? [];
    const last = index === count - 1;
    const certain = uncertain < 0 || index < uncertain || (index === uncertain && last && value.length === 1);
    const whole = !last || value.length === 1 || !endsInHole(value, separators);
    if ((certain && whole) || place === undefined) {
      assignTarget(shell, target, settle(asOneValue(value)), places);
      return;
    }
    // Which field this one gets depends on how many words stand before it.
    const text = knownText(assumed?.[index] ?? line);
    const facts = text === undefined ? {} : { assumed: text, needs: shadow?.needs ?? [] };
    const unknown = hole(firstHole(line)?.reason ?? 'outside', `$${target.name}`, place, facts);
    assignTarget(shell, target, [unknown], places);
  });
}

/** Whether a word at either end of a value may be absent: then the blank beside it would be as well. */
function endsInHole(value: Pieces, separators: string): boolean {
  const fields = splitPieces(value, separators);
  return [fields[0], fields.at(-1)].some((field) => field !== undefined && isUncounted(field));
}

/** The fields of a line for so many names; the last one holds the rest of the line as it is. */
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

/** Without IFS blanks at both ends. */
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

/** The last name's text: a single closing separator that is no blank is removed when nothing else follows. */
function lastField(line: Pieces, separators: string): Pieces {
  const fields = fieldsOf(line, separators);
  const text = knownText(line);
  if (fields.length === 1 && text !== undefined) return fields[0] ?? [];
  return line;
}
