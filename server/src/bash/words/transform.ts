import type { ParameterOperation, Word as WordNode } from 'unbash';
import type { Place } from '../../text/span.ts';
import type { HoleShape } from '../../value/word.ts';
import { settled } from '../conditions/narrowed.ts';
import { assumedTextOf } from '../conditions/shadow.ts';
import { decodeEscapes } from '../library/escapes.ts';
import { compilePattern, type Pattern, replacePattern } from '../library/pattern.ts';
import { quoteForReuse } from '../library/quote.ts';
import { charactersOfStep } from '../state/budget.ts';
import { hole, identityMade, knownText, type Pieces } from '../state/pieces.ts';
import type { Shell } from '../state/shell.ts';
import type { Source } from '../text/source.ts';
import { expandNumber } from './arithmeticText.ts';
import { expandParts, partsOf } from './expand.ts';
import { expandPattern } from './expandPattern.ts';
import { type Item, joinItems } from './split.ts';

/** The result of an operator on a text: another text, or the range of characters that it keeps; undefined if unknown. */
export type Transform = (text: string) => string | readonly [number, number] | undefined;

/**
 * Whether a text has the same characters in every locale. In other texts Bash counts bytes if the locale is C or unset, as in most containers,
 * and characters otherwise.
 */
export function isAscii(text: string): boolean {
  return !/[\u0080-\uffff]/.test(text);
}

/** Returns a function that applies a change to a value. A value with holes becomes a single hole that keeps what Bash would assume. */
export function transformer(
  shell: Shell,
  label: string,
  place: Place,
  shape: HoleShape = 'any',
): (pieces: Pieces, change: (text: string, pieces: Pieces) => Pieces | undefined) => Pieces {
  return (value, change) => {
    const pieces = settled(shell, value);
    const text = knownText(pieces);
    if (text !== undefined) return change(text, pieces) ?? [hole('too-complex', label, place, { shape })];
    const first = pieces.find((piece) => piece.kind === 'hole');
    const reason = first?.kind === 'hole' ? first.reason : 'too-complex';
    // Including what an operator inserts between the known parts: `${X//,/ }`.
    const blanks = pieces.some((piece) =>
      piece.kind === 'text'
        ? /\s/.test(piece.text) || /\s/.test(knownText(change(piece.text, [piece]) ?? []) ?? '')
        : piece.blanks === true,
    );
    const facts = { shape, of: identityMade(label, pieces), ...(blanks ? { blanks } : {}) };
    const shadow = assumedTextOf(shell, pieces);
    if (shadow === undefined) return [hole(reason, label, place, facts)];
    const origin = { place, via: [], verbatim: false };
    const changed = change(shadow.text, [{ kind: 'text', text: shadow.text, origin }]);
    const assumed = changed === undefined ? undefined : knownText(changed);
    if (assumed === undefined) return [hole(reason, label, place, facts)];
    const split = /\s/.test(assumed) ? { blanks: true } : {};
    return [hole(reason, label, place, { ...facts, ...split, assumed, needs: shadow.needs })];
  };
}

/**
 * What `${x#PATTERN}` or `${x%PATTERN}` leaves of a partly known value if it removes something from its known beginning or end: the shortest
 * match does not depend on what is further away. Undefined if nothing there matches.
 */
export function removedAtEdge(
  operator: string,
  pieces: Pieces,
  change: (text: string, pieces: Pieces) => Pieces | undefined,
): Pieces | undefined {
  if (operator !== '#' && operator !== '%') return undefined;
  const edge = operator === '#' ? pieces[0] : pieces.at(-1);
  if (pieces.length < 2 || edge?.kind !== 'text') return undefined;
  const left = change(edge.text, [edge]);
  if (left === undefined || knownText(left) === edge.text) return undefined;
  return operator === '#' ? [...left, ...pieces.slice(1)] : [...pieces.slice(0, -1), ...left];
}

/** What an operator of `${x…}` does to a known text; undefined if its operands are unknown. */
export function operationTransform(
  shell: Shell,
  source: Source,
  operation: ParameterOperation,
): Transform | undefined {
  switch (operation.type) {
    case 'Remove': {
      const pattern = compiled(shell, source, operation.operand);
      return pattern === undefined ? undefined : removal(pattern, operation.operator);
    }
    case 'Replace':
      return replacement(shell, source, operation);
    case 'Slice': {
      const offset = expandNumber(shell, source, operation.offset);
      const length =
        operation.length === undefined ? undefined : expandNumber(shell, source, operation.length);
      if (offset === undefined || (operation.length !== undefined && length === undefined)) return undefined;
      return slice(offset, length);
    }
    case 'CaseModification':
      return caseChange(shell, source, operation);
    case 'Transform':
      return transformation(operation.operand.text);
    default:
      return undefined;
  }
}

function compiled(shell: Shell, source: Source, word: WordNode): Pattern | undefined {
  const parts = expandPattern(shell, source, word, 'start');
  if (parts === undefined) return undefined;
  const pattern = compilePattern(parts, { extglob: shell.switches.extglob });
  return pattern.certain ? pattern : undefined;
}

function removal(pattern: Pattern, operator: '#' | '##' | '%' | '%%'): Transform {
  return (text) => {
    if (operator === '#') return [pattern.shortestPrefix(text) ?? 0, text.length];
    if (operator === '##') return [pattern.longestPrefix(text) ?? 0, text.length];
    const length = operator === '%' ? pattern.shortestSuffix(text) : pattern.longestSuffix(text);
    return [0, text.length - (length ?? 0)];
  };
}

function replacement(
  shell: Shell,
  source: Source,
  operation: Extract<ParameterOperation, { type: 'Replace' }>,
): Transform | undefined {
  // After `/#` and `/%` the pattern is not the start of a word, where `~` is the home directory.
  const tilde = operation.operator.length === 1 || operation.operator === '//' ? 'start' : 'no';
  const parts = expandPattern(shell, source, operation.pattern, tilde);
  if (parts === undefined) return undefined;
  // Bash looks for the `#` and `%` of `${x/#a/b}` when it has expanded the pattern.
  if (operation.operator === '/' && parts[0]?.quoted === false && /^[#%]/.test(parts[0].text))
    return undefined;
  const pattern = compilePattern(parts, {
    extglob: shell.switches.extglob,
    ignoreCase: shell.switches.nocasematch,
  });
  if (!pattern.certain) return undefined;
  const items: Item[] = [];
  if (operation.replacement.text !== '')
    expandParts(
      shell,
      source,
      partsOf(operation.replacement),
      { quoted: false, splits: false, tilde: 'start' },
      items,
    );
  // Since Bash 5.2 an unquoted `&` stands for the match, and a backslash quotes it; before, it is literal.
  const dependsOnVersion = items.some(
    (item) =>
      item.kind === 'piece' && !item.quoted && item.piece.kind === 'text' && /[&\\]/.test(item.piece.text),
  );
  const text = dependsOnVersion ? undefined : knownText(joinItems(items));
  const isEmpty = parts.every((part) => part.text === '');
  const mode = ({ '/': 'first', '//': 'all', '/#': 'prefix', '/%': 'suffix' } as const)[operation.operator];
  // In an empty value Bash only finds patterns that begin with a star, unless it looks at the end.
  const first = parts.find((part) => part.text !== '');
  const matchesNothing =
    isEmpty || mode === 'suffix' || (first?.quoted === false && first.text.startsWith('*'));
  return (value) => {
    if (value === '' && !matchesNothing) return '';
    if (!shell.run.meter.spend(value.length >> charactersOfStep)) return undefined;
    let isKnown = true;
    const result = replacePattern(value, pattern, isEmpty, mode, () => {
      isKnown &&= text !== undefined;
      return text ?? '';
    });
    // The replacement matters only if there is a match.
    return isKnown ? result : undefined;
  };
}

function slice(offset: number, length: number | undefined): Transform {
  return (text) => {
    if (!isAscii(text)) return undefined;
    const size = text.length;
    const from = offset < 0 ? size + offset : offset;
    if (from < 0 || from > size) return '';
    const to = length === undefined ? size : length < 0 ? size + length : Math.min(size, from + length);
    if (to < from) return length !== undefined && length < 0 ? undefined : '';
    return [from, to];
  };
}

function caseChange(
  shell: Shell,
  source: Source,
  operation: Extract<ParameterOperation, { type: 'CaseModification' }>,
): Transform | undefined {
  const word = operation.operand;
  const parts = word === undefined ? [] : expandPattern(shell, source, word, 'start');
  if (parts === undefined) return undefined;
  // A pattern that expands to nothing counts as none, so all letters change; a quoted empty one matches no letter.
  const isAny = !/["']/.test(word?.text ?? '') && parts.every(({ text }) => text === '');
  const pattern = isAny ? undefined : compilePattern(parts, { extglob: shell.switches.extglob });
  if (pattern?.certain === false) return undefined;
  const upper = operation.operator.startsWith('^');
  const all = operation.operator.length === 2;
  const change = (character: string): string => {
    if (pattern !== undefined && !pattern.matches(character)) return character;
    const changed = upper ? character.toUpperCase() : character.toLowerCase();
    return changed.length === character.length ? changed : character;
  };
  return (text) => {
    if (!isAscii(text)) return undefined;
    const [first = '', ...rest] = text;
    return change(first) + (all ? rest.map(change).join('') : rest.join(''));
  };
}

function transformation(operator: string): Transform | undefined {
  switch (operator) {
    case 'E':
      return (text) => decodeEscapes(text, 'dollar-quote')?.text;
    // As displayed in a prompt: text without escapes and expansions stays the same.
    case 'P':
      return (text) => (/[\\$`]/.test(text) ? undefined : text);
    case 'K':
    case 'k':
    case 'Q':
      return (text) => quoteForReuse(text);
    case 'U':
      return (text) => (isAscii(text) ? text.toUpperCase() : undefined);
    case 'L':
      return (text) => (isAscii(text) ? text.toLowerCase() : undefined);
    case 'u':
      return (text) => (isAscii(text) ? text.charAt(0).toUpperCase() + text.slice(1) : undefined);
    default:
      return undefined;
  }
}
