import { type Assignment, parse, type Word as WordNode } from 'unbash';
import type { Place } from '../text/span.ts';
import { amountPieces, evaluateIndex, evaluateText } from './arithmetic-text.ts';
import { expandValue, expandWord, limited } from './expand.ts';
import { union } from './needs.ts';
import { hole, knownText, nothing, type Pieces } from './pieces.ts';
import { readList, targetName } from './read.ts';
import type { ShellWord } from './run.ts';
import type { Shell } from './shell.ts';
import type { Source } from './source.ts';
import { blankVariable, orderedElements, type Variable } from './store.ts';

/** How a declaration changes what an assignment does. */
export interface AssignmentManner {
  readonly kind?: 'indexed' | 'associative';
  readonly global?: boolean;
}

/** Assigns `NAME=value`, `NAME[i]=value`, `NAME=(…)` and their `+=` forms. */
export function assignNode(
  shell: Shell,
  source: Source,
  node: Assignment,
  manner: AssignmentManner = {},
): void {
  const place = source.place(node.pos, node.end);
  const name = targetName(shell, node.name);
  const { value } = node;
  if (value.type === 'ArrayValue') {
    assignArray(shell, source, name, value.elements, node.append === true, place, manner);
    return;
  }
  const pieces = expandValue(shell, source, value);
  if (node.index !== undefined) {
    const variable = shell.store.get(name);
    const associative = variable?.kind === 'associative';
    const keys = readList(shell, name, place).keys;
    const key = evaluateIndex(shell, source, node.index, associative, keys);
    if (key === undefined) {
      forget(shell, name, place);
      return;
    }
    const old = node.append === true ? (variable?.elements.get(key) ?? nothing) : nothing;
    assignElement(
      shell,
      name,
      key,
      appended(shell, variable, old, pieces, node.append === true, place),
      place,
    );
    return;
  }
  const variable = shell.store.get(name);
  const old = node.append === true && variable !== undefined ? scalarOf(variable) : nothing;
  const joined = appended(shell, variable, old, pieces, node.append === true, place);
  const places = node.append === true ? [...(variable?.places ?? []).slice(-15), place] : [place];
  setScalar(shell, name, joined, places);
  shell.run.refer(place, () => ({
    kind: 'assignment',
    name,
    place,
    word: { pieces: joined, place },
    assignments: places,
  }));
}

function scalarOf(variable: Variable): Pieces {
  return variable.kind === 'scalar' ? variable.value : (variable.elements.get('0') ?? nothing);
}

function appended(
  shell: Shell,
  variable: Variable | undefined,
  old: Pieces,
  pieces: Pieces,
  append: boolean,
  place: Place,
): Pieces {
  if (variable?.integer === true) {
    const fresh = evaluateText(shell, pieces, place);
    const before = append ? evaluateText(shell, old, place) : undefined;
    if (fresh?.value === undefined || (append && before?.value === undefined))
      return [hole('too-complex', displayName(place), place, { shape: 'integer' })];
    const needs = union(fresh.needs, before?.needs ?? []);
    const value = BigInt.asIntN(64, fresh.value + (before?.value ?? 0n));
    return amountPieces({ value, soft: fresh.soft || before?.soft === true, needs }, 'number', place);
  }
  const joined = append ? limited(shell, [...old, ...pieces], '+=', place) : pieces;
  if (variable?.letters === undefined) return joined;
  const { letters } = variable;
  return joined.map((piece) => {
    if (piece.kind === 'hole') return piece;
    const text = letters === 'lower' ? piece.text.toLowerCase() : piece.text.toUpperCase();
    return { ...piece, text, origin: { ...piece.origin, verbatim: false } };
  });
}

function displayName(place: Place): string {
  return `number at ${place.span.start}`;
}

/** Variables that come exported from the login shell: a new value goes to the programs as well. */
const inherited: ReadonlySet<string> = new Set(['HOME', 'USER', 'LOGNAME', 'PATH', 'SHELL', 'LANG', 'TERM']);

/** What is assigned is one value, however many words it would have been. */
function settled(value: Pieces): Pieces {
  if (!value.some((piece) => piece.kind === 'hole' && piece.splits)) return value;
  return value.map((piece) => (piece.kind === 'hole' && piece.splits ? { ...piece, splits: false } : piece));
}

/** Gives a variable a plain value; an array keeps its other elements. */
export function setScalar(shell: Shell, name: string, value: Pieces, places: readonly Place[]): void {
  const old = shell.store.get(name) ?? { ...blankVariable, exported: inherited.has(name) };
  if (old.readonly) return;
  if (old.kind === 'indexed' || old.kind === 'associative') {
    const elements = new Map(old.elements);
    elements.set('0', settled(value));
    shell.assign(name, { ...old, elements, places });
    return;
  }
  const exported = old.exported || shell.switches.allexport;
  shell.assign(name, { ...old, kind: 'scalar', value: settled(value), places, needs: [], exported });
}

/** Assigns one element (or the plain value when `key` is undefined). */
export function assignElement(
  shell: Shell,
  given: string,
  key: string | undefined,
  value: Pieces,
  place: Place,
): void {
  const name = targetName(shell, given);
  if (key === undefined) {
    setScalar(shell, name, value, [place]);
    return;
  }
  const old = shell.store.get(name) ?? blankVariable;
  if (old.readonly) return;
  const elements = new Map(old.elements);
  if (old.kind === 'scalar') elements.set('0', old.value);
  elements.set(key, settled(value));
  shell.run.meter.spend(elements.size >> 4);
  const kind = old.kind === 'associative' ? 'associative' : 'indexed';
  shell.assign(name, { ...old, kind, elements, value: nothing, places: [...old.places.slice(-15), place] });
}

/** `${x:=value}`. */
export function assignScalar(
  shell: Shell,
  source: Source,
  name: string,
  index: WordNode | undefined,
  value: Pieces,
  place: Place,
  places: readonly Place[],
): void {
  const target = targetName(shell, name);
  if (!/^[A-Za-z_]\w*$/.test(target)) return;
  if (index === undefined) {
    setScalar(shell, target, value, places);
    return;
  }
  const associative = shell.store.get(target)?.kind === 'associative';
  const key = evaluateIndex(shell, source, index, associative, readList(shell, target, place).keys);
  if (key !== undefined) assignElement(shell, target, key, value, place);
}

function assignArray(
  shell: Shell,
  source: Source,
  name: string,
  nodes: readonly WordNode[],
  append: boolean,
  place: Place,
  manner: AssignmentManner,
): void {
  const old = shell.store.get(name) ?? blankVariable;
  if (old.readonly) return;
  const kind = manner.kind ?? (old.kind === 'associative' ? 'associative' : 'indexed');
  const elements = new Map<string, Pieces>(append ? orderedElements(old) : []);
  if (append && old.kind === 'scalar') elements.set('0', old.value);
  const openBefore = shell.openPlaces.length;
  let next = 0;
  for (const key of elements.keys()) next = Math.max(next, Number(key) + 1);
  const pending: Pieces[] = [];
  for (const node of nodes) {
    const subscript = subscriptOf(node);
    if (subscript === undefined) {
      const words: ShellWord[] = [];
      expandWord(shell, source, node, words);
      for (const word of words) {
        if (kind === 'associative') pending.push(word.pieces);
        else {
          elements.set(String(next), word.pieces);
          next += 1;
        }
      }
      continue;
    }
    const key = elementKey(shell, source, node, subscript.key, kind === 'associative', [...elements.keys()]);
    const valueSource = within(source, node, subscript.valueAt);
    const value =
      valueSource === undefined ? nothing : expandValue(shell, valueSource.source, valueSource.word);
    if (key === undefined) {
      forget(shell, name, place);
      return;
    }
    const joined = subscript.append ? [...(elements.get(key) ?? nothing), ...value] : value;
    elements.set(key, joined);
    if (kind === 'indexed') next = Number(key) + 1;
  }
  // `A=(key value key value)` of an associative array.
  for (let index = 0; index < pending.length; index += 2) {
    const key = knownText(pending[index] ?? nothing);
    if (key !== undefined) elements.set(key, pending[index + 1] ?? nothing);
  }
  if (!shell.run.meter.spend(elements.size >> 4) || elements.size > shell.run.meter.budget.words * 4) {
    shell.run.meter.truncated = true;
    forget(shell, name, place);
    return;
  }
  const open = shell.openPlaces.splice(openBefore);
  const places = append ? [...old.places.slice(-15), place] : [place];
  shell.assign(name, {
    ...old,
    kind,
    value: nothing,
    elements,
    places,
    open: append ? [...old.open, ...open] : open,
    needs: append ? old.needs : [],
    exported: old.exported || shell.switches.allexport,
  });
  shell.run.refer(place, () => ({ kind: 'assignment', name, place, word: undefined, assignments: places }));
}

interface Subscript {
  readonly key: string;
  readonly append: boolean;
  /** Units of the word before the value. */
  readonly valueAt: number;
}

/** The `[key]=` at the beginning of an element, if there is one. */
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

function elementKey(
  shell: Shell,
  source: Source,
  node: WordNode,
  text: string,
  associative: boolean,
  keys: readonly string[],
): string | undefined {
  if (/^\d+$/.test(text)) return associative ? text : String(Number(text));
  if (associative && /^[\w.-]+$/.test(text)) return text;
  const inner = within(source, { ...node, text: node.text.slice(0, 1 + text.length) }, 1);
  if (inner === undefined) return undefined;
  return evaluateIndex(shell, inner.source, inner.word, associative, keys);
}

/** A part of a word, from unit `from` on, as a word of its own whose characters keep their places. */
function within(
  source: Source,
  node: WordNode,
  from: number,
): { readonly source: Source; readonly word: WordNode } | undefined {
  const prefix = 'x=';
  const text = prefix + node.text.slice(from);
  const script = parse(text);
  const command = script.commands[0]?.command;
  const assignment = command?.type === 'Command' ? command.prefix[0] : undefined;
  if (assignment?.type !== 'Assignment' || assignment.value.type !== 'Word') return undefined;
  const shift = node.pos + from - prefix.length;
  return {
    word: assignment.value,
    source: {
      ...source,
      text,
      script,
      origin: (start, end) => source.origin(start + shift, end + shift),
      place: (start, end) => source.place(start + shift, end + shift),
      holeAt: (character) => source.holeAt(character),
    },
  };
}

/** An assignment to a place that cannot be known: nothing is known of the variable any more. */
export function forget(shell: Shell, name: string, place: Place): void {
  const old = shell.store.get(name) ?? blankVariable;
  shell.assign(name, unknownVariable(old, name, place, 'too-complex'));
}

/** A variable of which nothing is known but its kind. */
export function unknownVariable(
  old: Variable,
  name: string,
  place: Place,
  reason: 'too-complex' | 'branch' | 'loop',
): Variable {
  const value: Pieces = [hole(reason, `$${name}`, place)];
  const places = [...old.places.slice(-15), place];
  if (old.kind === 'indexed' || old.kind === 'associative') {
    const elements = new Map<string, Pieces>([
      ['0', [{ ...hole(reason, `\${${name}[@]}`, place), splits: true }]],
    ]);
    return { ...old, elements, places };
  }
  return { ...old, kind: 'scalar', value, elements: new Map(), places };
}
