import type { Word as WordNode, WordPart } from 'unbash';
import type { Place } from '../../text/span.ts';
import { templateVariable } from '../../value/template.ts';
import { displayed, hole, knownText, type Pieces } from '../state/pieces.ts';
import type { Shell } from '../state/shell.ts';
import type { ShellWord } from '../state/shellWord.ts';
import { inBracesQuotes, inQuotes, literal, type Surroundings, tildeBehind } from '../text/literal.ts';
import { asWritten } from '../text/parse.ts';
import { type Source, textPieces } from '../text/source.ts';
import { expandArithmetic } from './arithmeticText.ts';
import { braceAlternatives, braceAtoms, mayHaveBraces } from './braceWords.ts';
import { globField } from './glob.ts';
import { appendSeveral } from './lists.ts';
import { expandParameter } from './parameter.ts';
import { hasBaredBraces } from './quotesWithinQuotes.ts';
import {
  attachesUncounted,
  type Item,
  isUnknownSeparator,
  joinItems,
  piecesOf,
  separatorsOf,
  splitFields,
  withoutSeparators,
} from './split.ts';
import { processSubstitution, substituteCommand } from './substitute.ts';
import { beginsWithTilde, type TildeRun, tildeRunOf } from './tildeRun.ts';

const bare: Surroundings = { quoted: false, splits: false, tilde: 'word' };
const inList: Surroundings = { quoted: false, splits: false, tilde: 'start' };
const inAssignment: Surroundings = { quoted: false, splits: false, tilde: 'assignment' };

/** The parts of a word; an unstructured word is a single literal. */
export function partsOf(word: WordNode): readonly WordPart[] {
  return (
    word.parts ?? [{ type: 'Literal', pos: word.pos, end: word.end, value: word.value, text: word.text }]
  );
}

/** Expands words of a command: braces, parameters, splitting, file names, quotes. */
export function expandWords(shell: Shell, source: Source, words: readonly WordNode[]): ShellWord[] {
  const out: ShellWord[] = [];
  for (const word of words) expandWord(shell, source, word, out);
  return out;
}

/**
 * Expands one word into any number of words.
 *
 * @param isElement whether it is in the list of an assignment, where `x=~` is not a home directory
 */
export function expandWord(
  shell: Shell,
  source: Source,
  word: WordNode,
  out: ShellWord[],
  isElement = false,
): void {
  const place = source.place(word.pos, word.end);
  if (!shell.run.meter.spend()) {
    out.push({ pieces: [hole('too-complex', word.text, place)], place });
    return;
  }
  const { parts } = word;
  if (parts === undefined && isPlain(word) && !source.hasHoles) {
    out.push({ pieces: word.text === '' ? [] : textPieces(source, word.text, word.pos), place });
    return;
  }
  const structure = partsOf(word);
  if (shell.switches.braceexpand && hasBaredBraces(word.text, structure)) {
    out.push({ pieces: [{ ...hole('too-complex', word.text, place), splits: true }], place });
    return;
  }
  if (shell.switches.braceexpand && mayHaveBraces(structure)) {
    const alternatives = braceAlternatives(shell, source, structure);
    if (alternatives === undefined) {
      shell.run.meter.truncated = true;
      out.push({ pieces: [{ ...hole('too-complex', word.text, place), splits: true }], place });
      return;
    }
    for (const items of alternatives) finishWord(shell, items, place, out);
    return;
  }
  const items: Item[] = [];
  expandParts(shell, source, structure, isElement ? inList : bare, items);
  finishWord(shell, items, place, out);
}

/** Whether a word is literal, without characters special to the shell. */
function isPlain(word: WordNode): boolean {
  const { text } = word;
  return text === word.value && !/[~*?[\\{]/.test(text);
}

function finishWord(shell: Shell, given: readonly Item[], place: Place, out: ShellWord[]): void {
  const variable = shell.store.get('IFS');
  const separators = separatorsOf(variable);
  const items =
    variable !== undefined && isUnknownSeparator(variable) ? withoutSeparators(given, place) : given;
  if (attachesUncounted(items)) {
    const first = items.findIndex((item) => item.kind === 'piece' && item.many === true);
    const before = splitFields(items.slice(0, first), separators).map(piecesOf);
    const label = displayed(joinItems(items.slice(first)));
    const rest = { ...hole('too-complex', label, place), splits: true };
    for (const pieces of before.slice(0, -1)) out.push({ pieces, place });
    out.push({ pieces: [...(before.at(-1) ?? []), rest], place });
    return;
  }
  const fields = splitFields(items, separators);
  if (!shell.run.meter.spend(fields.length >> 2)) return;
  for (const field of fields) {
    const found = shell.switches.noglob ? undefined : globField(shell, field, place);
    if (found !== undefined) for (const pieces of found) out.push({ pieces, place });
    else out.push({ pieces: piecesOf(field), place });
  }
}

/** Expands a word into a single value: for an assignment, a here-string, the word of `case`, a redirection. */
export function expandValue(
  shell: Shell,
  source: Source,
  word: WordNode,
  assignment = true,
  isAssigned = assignment,
): Pieces {
  const { meter } = shell.run;
  if (!meter.spend()) return [hole('too-complex', word.text, source.place(word.pos, word.end))];
  const items: Item[] = [];
  expandParts(shell, source, partsOf(word), assignment ? inAssignment : bare, items);
  const pieces = joinItems(items, isAssigned);
  return limited(shell, pieces, word.text, source.place(word.pos, word.end));
}

/** The pieces, or a hole if the value is too long. */
export function limited(shell: Shell, pieces: Pieces, label: string, place: Place): Pieces {
  const { meter } = shell.run;
  let size = pieces.length * 100;
  for (const piece of pieces) if (piece.kind === 'text') size += piece.text.length;
  if (size <= meter.budget.size && meter.spend(pieces.length >> 3)) return pieces;
  meter.truncated = true;
  return [hole('too-complex', label, place)];
}

/** Expands a word into the value of an element of an associative array, where `~` is not a home directory. */
export function expandNamedElement(shell: Shell, source: Source, word: WordNode): Pieces {
  const items: Item[] = [];
  expandParts(shell, source, partsOf(word), { quoted: false, splits: false, tilde: 'no' }, items);
  return limited(shell, joinItems(items, true), word.text, source.place(word.pos, word.end));
}

function textOfLiteral(part: WordPart | undefined): string | undefined {
  return part?.type === 'Literal' ? part.text : undefined;
}

/** Expands a word that begins with `~` and a colon. */
function expandTildeRun(
  shell: Shell,
  source: Source,
  parts: readonly WordPart[],
  around: Surroundings,
  out: Item[],
  { isQuoted, parts: count }: TildeRun,
): void {
  const [first, next] = parts;
  if (isQuoted || first === undefined || next === undefined) {
    expandParts(shell, source, parts, { ...around, tilde: 'no' }, out);
    return;
  }
  expandParts(shell, source, [first], around, out);
  const end = parts[count - 1]?.end ?? next.end;
  const isOwnHome = first.text.startsWith('~:');
  const written = source.text.slice(next.pos, end);
  const place = source.place(next.pos, end);
  if (!isOwnHome || source.hasHoles) push(out, [hole('too-complex', written, place)], true);
  else if (count > 1) singleQuoted(shell, source, written, next.pos, out);
  expandParts(shell, source, parts.slice(count), { ...around, tilde: 'no' }, out);
}

/** Expands the parts of a word into items, in order. */
export function expandParts(
  shell: Shell,
  source: Source,
  parts: readonly WordPart[],
  around: Surroundings,
  out: Item[],
): void {
  const { quoted, splits } = around;
  const run = beginsWithTilde(parts, around) ? tildeRunOf(parts) : undefined;
  if (run !== undefined) {
    expandTildeRun(shell, source, parts, around, out, run);
    return;
  }
  for (let index = 0; index < parts.length; index += 1) {
    const part = parts[index];
    // Bash expands no more of an abandoned command.
    if (part === undefined || shell.refused !== undefined) return;
    switch (part.type) {
      case 'Literal': {
        const tilde = index === 0 ? around.tilde : tildeBehind(textOfLiteral(parts[0]), around.tilde);
        literal(
          shell,
          source,
          part.text,
          part.pos,
          quoted && around.unescapes !== true ? 'double' : 'none',
          { ...around, tilde },
          out,
          {
            first: index === 0,
            last: index === parts.length - 1,
          },
        );
        break;
      }
      case 'Glob':
      case 'ExtendedGlob':
        globPart(shell, source, part, around, out);
        break;
      case 'SingleQuoted':
        out.push({ kind: 'quotes' });
        singleQuoted(shell, source, part.value, part.pos + 1, out);
        break;
      case 'AnsiCQuoted':
        ansiQuoted(source, part, out);
        break;
      case 'DoubleQuoted':
      case 'LocaleString':
        doubleQuoted(shell, source, part.parts, around, out);
        break;
      case 'SimpleExpansion':
      case 'ParameterExpansion':
        expandParameter(shell, source, part, quoted, out, around.tilde === 'assignment');
        break;
      case 'CommandExpansion':
        push(out, substituteCommand(shell, source, part), quoted);
        break;
      case 'ArithmeticExpansion':
        push(out, expandArithmetic(shell, source, part.expression, part), quoted);
        break;
      case 'ProcessSubstitution':
        push(out, processSubstitution(shell, source, part), true);
        break;
      case 'BraceExpansion':
        for (const atom of braceAtoms([part])) {
          if (atom.kind === 'run')
            literal(shell, source, atom.text, atom.pos, 'none', { quoted, splits, tilde: 'no' }, out);
          else expandParts(shell, source, [atom.part], around, out);
        }
        break;
    }
  }
}

function ansiQuoted(
  source: Source,
  { text, value, pos, end }: Extract<WordPart, { type: 'AnsiCQuoted' }>,
  out: Item[],
): void {
  out.push({ kind: 'quotes' });
  if (value === '') return;
  const isPlain = text === `$'${value}'`;
  const origin = isPlain ? source.origin(pos + 2, end - 1) : { ...source.origin(pos, end), verbatim: false };
  out.push({
    kind: 'piece',
    piece: { kind: 'text', text: asWritten(value), origin },
    quoted: true,
    splits: false,
  });
}

function doubleQuoted(
  shell: Shell,
  source: Source,
  parts: readonly WordPart[],
  around: Surroundings,
  out: Item[],
): void {
  if (parts.some((each) => isList(shell, each))) {
    quotedLists(shell, source, parts, around, out);
    return;
  }
  out.push({ kind: 'quotes' });
  expandParts(shell, source, parts, around.braces === true ? inBracesQuotes : inQuotes, out);
}

/** Expands quotes that contain a list: if the list is empty and there is nothing else, they make no word. */
function quotedLists(
  shell: Shell,
  source: Source,
  parts: readonly WordPart[],
  around: Surroundings,
  out: Item[],
): void {
  const before = out.length;
  let staysEmpty = parts.some((part) => !isList(shell, part));
  for (const part of parts) {
    const at = out.length;
    if (isEditedStar(part)) {
      appendSeveral(out, part.text, source.place(part.pos, part.end), undefined, true);
      continue;
    }
    expandParts(shell, source, [part], around.braces === true ? inBracesQuotes : inQuotes, out);
    if (isList(shell, part) && out.slice(at).every(({ kind }) => kind === 'more')) staysEmpty = false;
  }
  if (staysEmpty) out.splice(before, 0, { kind: 'quotes' });
}

/** `$@`, `${a[@]}`, or `${!name}` if that names one: expands to any number of words even within quotes. */
function isList(shell: Shell, part: WordPart): boolean {
  if (part.type === 'SimpleExpansion') return part.text === '$@';
  if (part.type !== 'ParameterExpansion' || part.prefix === '#') return false;
  if (part.operation?.type === 'Names') return part.operation.operator === '@';
  if (part.parameter === '@' || part.index?.text === '@') return true;
  if (part.prefix !== '!' || part.index !== undefined) return false;
  const named = shell.store.get(part.parameter);
  return /^@$|\[@\]$/.test((named === undefined ? undefined : knownText(named.value)) ?? '');
}

/** `${a[*]%x}`: next to a list within the same quotes Bash makes words of it by rules of its own. */
function isEditedStar(part: WordPart): boolean {
  if (part.type !== 'ParameterExpansion' || part.prefix === '#' || part.operation?.type === 'Default')
    return false;
  if (part.operation?.type === 'Names') return part.operation.operator === '*';
  const isEdited = part.operation !== undefined || part.prefix === '!';
  return isEdited && (part.parameter === '*' || part.index?.text === '*');
}

function push(out: Item[], pieces: Pieces, quoted: boolean): void {
  for (const piece of pieces) out.push({ kind: 'piece', piece, quoted, splits: !quoted });
}

function globPart(
  shell: Shell,
  source: Source,
  part: Extract<WordPart, { type: 'Glob' | 'ExtendedGlob' }>,
  around: Surroundings,
  out: Item[],
): void {
  const inner = part.parts ?? [];
  if (inner.every((child) => child.type === 'Literal')) {
    literal(
      shell,
      source,
      part.text,
      part.pos,
      around.quoted ? 'double' : 'none',
      { ...around, tilde: 'no' },
      out,
    );
    return;
  }
  let at = part.pos;
  const between = (end: number): void => {
    if (end > at)
      literal(
        shell,
        source,
        part.text.slice(at - part.pos, end - part.pos),
        at,
        'none',
        { ...around, tilde: 'no' },
        out,
      );
  };
  for (const child of inner) {
    between(child.pos);
    expandParts(shell, source, [child], { ...around, tilde: 'no' }, out);
    at = child.end;
  }
  between(part.end);
}

/** Text in single quotes, with holes where a template is filled in. */
function singleQuoted(shell: Shell, source: Source, text: string, pos: number, out: Item[]): void {
  let at = pos;
  for (const [index, part] of text.split(templateVariable).entries()) {
    if (index > 0) {
      const place = source.place(at, at + templateVariable.length);
      const piece = hole('outside', templateVariable, place);
      out.push({ kind: 'piece', piece, quoted: true, splits: false });
      at += templateVariable.length;
    }
    literal(shell, source, part, at, 'raw', inQuotes, out);
    at += part.length;
  }
}
