import { type ParameterExpansionPart, parse, type Word as WordNode, type WordPart } from 'unbash';
import type { Place } from '../../text/span.ts';
import { hole, nothing, type Pieces } from '../state/pieces.ts';
import type { Shell } from '../state/shell.ts';
import { inBraces } from '../text/literal.ts';
import { type Source, shiftedSource } from '../text/source.ts';
import { expandParts, partsOf } from './expand.ts';
import { append, appendSeveral } from './lists.ts';
import { namesThroughQuotes } from './namesThroughQuotes.ts';
import { type Reading, seenThrough } from './read.ts';
import { type Item, separatorsOf } from './split.ts';

/** The expansion of one `${…}`. */
export interface Expansion {
  readonly shell: Shell;
  readonly source: Source;
  readonly part: ParameterExpansionPart;
  readonly quoted: boolean;
  /** Whether it is in the value of an assignment, where `~` after a colon is also a home directory. */
  readonly assigned: boolean;
  readonly place: Place;
  /** What the word has been expanded to so far. */
  readonly out: Item[];
}

/** Appends the value of a scalar parameter. */
export function appendScalar(
  shell: Shell,
  name: string,
  reading: Reading,
  quoted: boolean,
  place: Place,
  out: Item[],
): void {
  if (!shell.run.meter.spend(reading.pieces.length >> 2)) {
    append(out, [hole('too-complex', `$${name}`, place)], quoted);
    return;
  }
  const pieces = seenThrough(shell, name, reading, place);
  refer(shell, name, reading, pieces, place);
  append(out, pieces, quoted);
}

/** Records the result of an expansion, for hovers. */
export function refer(shell: Shell, name: string, reading: Reading, pieces: Pieces, place: Place): void {
  shell.run.refer(place, () => ({
    kind: 'expansion',
    name,
    place,
    word: { pieces, place },
    assignments: reading.variable?.places ?? [],
  }));
}

/** Appends a hole for the whole expansion, with the reason of the unknown value. */
export function appendUnknown({ part, place, quoted, out }: Expansion, pieces: Pieces = nothing): void {
  const first = pieces.find((piece) => piece.kind === 'hole');
  const reason = first?.kind === 'hole' ? first.reason : 'too-complex';
  append(out, [hole(reason, part.text, place)], quoted);
}

/** Expands the word after an operator such as `:-` into the surrounding word. */
export function expandOperand(
  { shell, source, quoted, assigned, place, out }: Expansion,
  operand: WordNode,
): void {
  if (operand.text === '') return;
  if (quoted) {
    // Next to a list Bash splits even at an escaped blank, and keeps the backslash.
    if (/\\[ \t\n]/.test(operand.text) && namesList(operand.text)) {
      appendSeveral(out, operand.text, place, undefined, true);
      return;
    }
    const isHere =
      shell.inHereText &&
      operand.parts?.some(({ type }) => type === 'SingleQuoted' || type === 'AnsiCQuoted') === true;
    const { source: from, word } = (isHere ? readInQuotes(source, operand) : undefined) ?? {
      source,
      word: operand,
    };
    expandParts(shell, from, namesThroughQuotes(partsOf(word)), inBraces, out);
    return;
  }
  const before = out.length;
  expandParts(
    shell,
    source,
    partsOf(operand),
    { quoted: false, splits: true, tilde: assigned ? 'assignment' : 'start' },
    out,
  );
  if (out.length === before || !out.slice(before).some(({ kind }) => kind === 'break')) return;
  const separators = separatorsOf(shell.store.get('IFS'));
  if (separators === '' || separators.includes(' ') || !partsOf(operand).some(isUnquotedList)) return;
  // If the separators do not include a blank, Bash makes one word of an unquoted list there.
  out.length = before;
  out.push({
    kind: 'piece',
    piece: { ...hole('too-complex', operand.text, place), splits: true },
    quoted,
    splits: true,
  });
}

/** Whether a part of a word may be a list outside of quotes. */
function isUnquotedList({ type, text }: WordPart): boolean {
  return type !== 'DoubleQuoted' && /[@*]/.test(text);
}

/** Whether a text may expand to a list. */
function namesList(text: string): boolean {
  return /\$@|[[{!]@|@[\]}:]/.test(text);
}

/** The operand of an expansion in a heredoc, which Bash reads as within double quotes: single quotes are literal. */
function readInQuotes(
  source: Source,
  { text: written, pos }: WordNode,
): { readonly source: Source; readonly word: WordNode } | undefined {
  const prefix = 'x="${_:-';
  const text = `${prefix}${written}}"`;
  const script = parse(text);
  const command = script.commands[0]?.command;
  const assignment = command?.type === 'Command' ? command.prefix[0] : undefined;
  const value = assignment?.type === 'Assignment' ? assignment.value : undefined;
  const [quotes] = value?.type === 'Word' ? (value.parts ?? []) : [];
  const [expansion] = quotes?.type === 'DoubleQuoted' ? quotes.parts : [];
  const operation = expansion?.type === 'ParameterExpansion' ? expansion.operation : undefined;
  if (operation?.type !== 'Default') return undefined;
  const word = { ...operation.operand, parts: partsOf(operation.operand).map(asWritten) };
  return { word, source: shiftedSource(source, script, text, pos - prefix.length) };
}

/** `$'…'` is also literal in a heredoc. */
function asWritten(part: WordPart): WordPart {
  const { type, pos, end, text } = part;
  return type === 'AnsiCQuoted' ? { type: 'Literal', pos, end, text, value: text } : part;
}
