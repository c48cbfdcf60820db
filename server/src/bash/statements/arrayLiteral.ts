import { parse, type Word as WordNode } from 'unbash';
import type { OpenPlace } from '../../launch/command.ts';
import type { Place } from '../../text/span.ts';
import { Elements } from '../state/elements.ts';
import { asOneValue, isUncounted, knownText, made, nothing, type Pieces } from '../state/pieces.ts';
import type { Shell } from '../state/shell.ts';
import type { ShellWord } from '../state/shellWord.ts';
import { blankVariable, type Variable } from '../state/store.ts';
import { type Source, shiftedSource } from '../text/source.ts';
import { keyOf } from '../words/arithmeticText.ts';
import { mayHaveBraces } from '../words/braceWords.ts';
import { expandNamedElement, expandValue, expandWord, partsOf } from '../words/expand.ts';
import { elementsBefore, forget } from './assign.ts';
import { attributed } from './attributed.ts';

/** A part of `(…)`: a run of words, or one element with a key. */
export type Entry =
  | { readonly kind: 'words'; readonly words: readonly Pieces[] }
  | {
      readonly kind: 'keyed';
      /** Undefined when it cannot be read. */
      readonly key: Pieces | undefined;
      readonly value: Pieces;
      readonly append: boolean;
      readonly place: Place;
    };

/** Expands the elements of `(…)`. */
export function expandEntries(
  shell: Shell,
  source: Source,
  nodes: readonly WordNode[],
  isAssociative: boolean,
): readonly Entry[] {
  return withBlanks(source, nodes).map((node) => {
    // Results of brace expansion are plain words, whatever they begin with; in associative arrays there is no brace expansion.
    const isBraced = !isAssociative && mayHaveBraces(partsOf(node));
    const subscript = isBraced ? undefined : subscriptOf(node);
    // Alternating keys and values: each word is one of them, whatever it expands to.
    if (subscript === undefined && isAssociative)
      return { kind: 'words', words: [asOneValue(expandNamedElement(shell, source, node))] };
    if (subscript === undefined) {
      const words: ShellWord[] = [];
      expandWord(shell, source, node, words, true);
      return { kind: 'words', words: words.map((word) => word.pieces) };
    }
    const { append, valueAt } = subscript;
    const inner = within(source, { ...node, text: node.text.slice(0, 1 + subscript.key.length) }, 1);
    const outer = within(source, node, valueAt);
    const key =
      plainKey(subscript.key, source.place(node.pos, node.end)) ??
      (inner === undefined ? undefined : expandNamedElement(shell, inner.source, inner.word));
    const expandElement = isAssociative ? expandNamedElement : expandValue;
    const value = outer === undefined ? nothing : expandElement(shell, outer.source, outer.word);
    return { kind: 'keyed', key, value, append, place: source.place(node.pos, node.end) };
  });
}

/** Rejoins elements that the parser split because the key has blanks within its brackets: `[a b]=1`. */
function withBlanks(source: Source, nodes: readonly WordNode[]): readonly WordNode[] {
  if (!nodes.some(({ text }) => openKey.test(text))) return nodes;
  const out: WordNode[] = [];
  for (let index = 0; index < nodes.length; index += 1) {
    const node = nodes[index];
    if (node === undefined) break;
    const close = openKey.test(node.text)
      ? nodes.findIndex(({ text }, at) => at > index && text.includes(']'))
      : -1;
    const last = nodes[close];
    const text = last === undefined ? '' : source.text.slice(node.pos, last.end);
    if (last === undefined || !/^\[[^\]]*\]\+?=/.test(text)) out.push(node);
    else {
      out.push({ type: 'Word', pos: node.pos, end: last.end, text, value: text });
      index = close;
    }
  }
  return out;
}

/** The start of a key with an unclosed bracket. */
const openKey = /^\[[^\]]*$/;

/** A literal key with blanks, which is not a single word; undefined for others, and if it contains expansions or quotes. */
function plainKey(key: string, place: Place): Pieces | undefined {
  return /["'$`\\]/.test(key) || !/\s/.test(key) ? undefined : made(key, place);
}

/** Assigns `NAME=(…)` or `NAME+=(…)`; `wanted` is the kind requested by a declaration. */
export function assignArray(
  shell: Shell,
  name: string,
  entries: readonly Entry[],
  append: boolean,
  place: Place,
  open: readonly OpenPlace[],
  wanted: 'indexed' | 'associative' | undefined,
): void {
  const old = shell.store.get(name) ?? blankVariable;
  if (old.readonly) return;
  const kind = wanted ?? (old.kind === 'associative' ? 'associative' : 'indexed');
  const before = append ? elementsBefore(shell, name, shell.store.get(name), place) : Elements.none;
  const elements =
    kind === 'associative'
      ? namedElements(shell, old, entries, before, place)
      : indexedElements(shell, old, entries, before, place);
  // An associative array is filled as a new table first, which then replaces the old one.
  if (kind === 'associative' && !append && isGivenUp(shell, old)) return;
  const { meter } = shell.run;
  if (elements === undefined || elements.size > meter.budget.words * 4) {
    if (elements !== undefined) meter.truncated = true;
    forget(shell, name, place, kind);
    return;
  }
  const places = append ? [...old.places.slice(-15), place] : [place];
  shell.assign(name, {
    ...old,
    kind,
    value: nothing,
    elements,
    places,
    open: append ? [...openBefore(shell, old, place), ...open] : open,
    needs: append ? old.needs : [],
    exported: old.exported || shell.switches.allexport,
    perhapsUnset: false,
  });
  shell.run.refer(place, () => ({ kind: 'assignment', name, place, word: undefined, assignments: places }));
}

/** Places where more elements may precede the added ones: also in an array that only an unreadable file can have begun. */
function openBefore({ unreadSource }: Shell, { kind, open }: Variable, place: Place): readonly Place[] {
  return kind === 'unset' && unreadSource ? [place] : open;
}

/** The elements of `(a b [5]=c …)` after the existing ones; undefined if an index is unknown. */
function indexedElements(
  shell: Shell,
  variable: Variable,
  entries: readonly Entry[],
  before: Elements,
  place: Place,
): Elements | undefined {
  let elements = before;
  let next = before.next;
  for (const entry of entries) {
    if (entry.kind === 'words') {
      const values = attributedUpTo(shell, variable, entry.words, place);
      if (next === elements.next) elements = elements.appended(values);
      else
        for (const [offset, value] of values.entries())
          elements = elements.with(String(next + offset), value, true);
      next += values.length;
      if (isGivenUp(shell, variable)) return elements;
      continue;
    }
    const certain = elements.next <= elements.certainBelow;
    const known = { associative: false, next: elements.next, certain };
    const key = entry.key === undefined ? undefined : keyOf(shell, entry.key, known, entry.place);
    if (key === undefined || !elements.isCertain(key)) return undefined;
    const value = keyedValue(shell, variable, entry, elements.get(key));
    if (isGivenUp(shell, variable)) return elements;
    elements = elements.with(key, value, true);
    next = Number(key) + 1;
  }
  return elements;
}

/** The values of words with the attributes of their array applied, up to one that arithmetic refuses. */
export function attributedUpTo(
  shell: Shell,
  variable: Variable,
  words: readonly Pieces[],
  place: Place,
): readonly Pieces[] {
  if (!variable.integer) return words.map((value) => attributed(shell, variable, value, place));
  const values: Pieces[] = [];
  for (const word of words) {
    const value = isUncounted(word) ? word : attributed(shell, variable, word, place);
    if (isGivenUp(shell, variable)) break;
    values.push(value);
  }
  return values;
}

/** Whether arithmetic has refused a value for an integer variable: Bash does not assign it, nor what follows it. */
export function isGivenUp({ refused }: Shell, { integer }: Variable): boolean {
  return integer && refused !== undefined;
}

/** The elements of `([key]=value …)` or `(key value …)`; undefined if a key is unknown. */
function namedElements(
  shell: Shell,
  variable: Variable,
  entries: readonly Entry[],
  before: Elements,
  place: Place,
): Elements | undefined {
  let elements = before;
  const pairs: Pieces[] = [];
  const isInPairs = entries[0]?.kind === 'words';
  for (const entry of entries) {
    if (entry.kind === 'words') {
      if (isInPairs) pairs.push(...entry.words);
      // After an element with a key, Bash complains about one without and omits it.
      else if (shell.switches.errexit) shell.refused ??= 'assignment';
      continue;
    }
    // Among alternating keys and values it would be one of them.
    if (isInPairs) return undefined;
    const key = entry.key === undefined ? undefined : knownText(entry.key);
    if (key === undefined) return undefined;
    const value = keyedValue(shell, variable, entry, elements.get(key));
    if (isGivenUp(shell, variable)) return elements;
    // Bash does not accept an empty key, and omits the element.
    if (key !== '') elements = elements.with(key, value, false);
  }
  if (pairs.some(isUncounted)) return undefined;
  for (let index = 0; index < pairs.length; index += 2) {
    const key = knownText(pairs[index] ?? nothing);
    if (key === undefined) return undefined;
    const value = attributed(shell, variable, pairs[index + 1] ?? nothing, place);
    if (isGivenUp(shell, variable)) return elements;
    elements = elements.with(key, value, false);
  }
  return elements;
}

function keyedValue(
  shell: Shell,
  variable: Variable,
  { append, value, place }: Extract<Entry, { kind: 'keyed' }>,
  old: Pieces | undefined,
): Pieces {
  return attributed(shell, variable, append ? [...(old ?? nothing), ...value] : value, place);
}

interface Subscript {
  readonly key: string;
  readonly append: boolean;
  /** Index in the word where the value begins. */
  readonly valueAt: number;
}

/** The `[key]=` at the start of an element, if there is one. */
function subscriptOf(node: WordNode): Subscript | undefined {
  const { text } = node;
  if (!text.startsWith('[')) return undefined;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '[') depth += 1;
    else if (character === ']') {
      depth -= 1;
      if (depth > 0) continue;
      const rest = text.slice(at + 1, at + 3);
      if (rest.startsWith('=')) return { key: text.slice(1, at), append: false, valueAt: at + 2 };
      return rest === '+=' ? { key: text.slice(1, at), append: true, valueAt: at + 3 } : undefined;
    }
  }
  return undefined;
}

/** The part of a word from index `from` on, as a separate word whose characters keep their places. */
function within(
  source: Source,
  node: WordNode,
  from: number,
): { readonly source: Source; readonly word: WordNode } | undefined {
  const prefix = 'x=';
  const text = prefix + node.text.slice(from);
  const script = parse(text);
  const command = script.commands[0]?.command;
  const assignment =
    command?.type === 'Command' && command.name === undefined ? command.prefix[0] : undefined;
  if (assignment?.type !== 'Assignment' || assignment.value.type !== 'Word') return undefined;
  return {
    word: assignment.value,
    source: shiftedSource(source, script, text, node.pos + from - prefix.length),
  };
}
