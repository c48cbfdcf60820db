import type { Assignment, Word as WordNode } from 'unbash';
import type { OpenPlace } from '../../launch/command.ts';
import type { Place } from '../../text/span.ts';
import { noteTextBehindList, noteTextOntoArray } from '../slips/assignmentSlips.ts';
import { Elements } from '../state/elements.ts';
import { asOneValue, hole, made, nothing, type Pieces } from '../state/pieces.ts';
import type { Shell } from '../state/shell.ts';
import { blankVariable, type Variable } from '../state/store.ts';
import type { Source } from '../text/source.ts';
import { beforeFirst, evaluateIndex, expandSubscript, keyOrBefore } from '../words/arithmeticText.ts';
import { braceAlternatives, mayHaveBraces } from '../words/braceWords.ts';
import { expandValue, limited, partsOf } from '../words/expand.ts';
import { expandListAsText } from '../words/listAsText.ts';
import { type Keys, keysOf } from '../words/listReading.ts';
import {
  absentValue,
  isOwnReadonly,
  isReadonly,
  readScalar,
  scalarValue,
  targetName,
} from '../words/read.ts';
import { joinItems } from '../words/split.ts';
import { assignArray, type Entry, expandEntries, isGivenUp } from './arrayLiteral.ts';
import { attributed } from './attributed.ts';
import { isOfElement, type Referred, referredBy } from './referred.ts';

/** An assignment whose words are expanded but which has not been carried out yet. */
export interface Expanded {
  readonly node: Assignment;
  readonly source: Source;
  readonly content:
    | { readonly kind: 'value'; readonly value: Pieces }
    /** `open`: places among the elements of `"$@"` that are empty as written. */
    | { readonly kind: 'list'; readonly entries: readonly Entry[]; readonly open: readonly OpenPlace[] };
}

/** Expands an argument of a declaration: with braces it becomes several assignments, carried out in turn. */
export function expandDeclared(
  shell: Shell,
  source: Source,
  node: Assignment,
  isNamed: boolean,
): readonly Expanded[] {
  const { value } = node;
  const parts = value.type === 'ArrayValue' ? [] : partsOf(value);
  const alternatives =
    shell.switches.braceexpand && mayHaveBraces(parts) ? braceAlternatives(shell, source, parts) : undefined;
  if (alternatives === undefined) return [expandAssignment(shell, source, node, isNamed)];
  return alternatives.map((items) => ({
    node,
    source,
    content: { kind: 'value', value: joinItems(items, true) },
  }));
}

/** Expands the value of an assignment; `isNamed` means that its list is an associative array. */
export function expandAssignment(shell: Shell, source: Source, node: Assignment, isNamed = false): Expanded {
  const { value } = node;
  if (value.type !== 'ArrayValue') {
    if (value.text.startsWith('(')) {
      noteTextBehindList(shell, source, node);
      const place = source.place(value.pos, value.end);
      const text = expandListAsText(shell, source, value) ?? [hole('too-complex', value.text, place)];
      return { node, source, content: { kind: 'value', value: text } };
    }
    return { node, source, content: { kind: 'value', value: expandValue(shell, source, value) } };
  }
  const openBefore = shell.openPlaces.length;
  const isAssociative = isNamed || shell.store.get(targetName(shell, node.name))?.kind === 'associative';
  const entries = expandEntries(shell, source, value.elements, isAssociative);
  const open = shell.openPlaces.splice(openBefore);
  return { node, source, content: { kind: 'list', entries, open } };
}

/** Expands the elements of `A=("${A[@]:1}")` with A already an array: Bash converts a scalar first. */
function readAsList(shell: Shell, { name, value }: Assignment, expand: () => Expanded): Expanded {
  const target = value.type === 'ArrayValue' ? targetName(shell, name) : name;
  const text = value.type === 'ArrayValue' ? shell.store.get(target) : undefined;
  if (value.type !== 'ArrayValue' || text?.kind !== 'scalar' || text.readonly) return expand();
  if (!value.elements.some((element) => element.text.includes(`{${name}[`))) return expand();
  shell.store.set(target, { ...text, kind: 'indexed', elements: Elements.list([text.value]) });
  const expanded = expand();
  shell.store.set(target, text);
  return expanded;
}

/** Assigns `NAME=value`, `NAME[i]=value`, `NAME=(…)` and their `+=` forms. */
export function assignNode(shell: Shell, source: Source, node: Assignment): void {
  const expanded = readAsList(shell, node, () => expandAssignment(shell, source, node));
  if (isReadonly(shell, node.name)) shell.refused ??= 'assignment';
  assignExpanded(shell, expanded);
}

/** Assigns an expanded value; `kind` is the array kind requested by a declaration. */
export function assignExpanded(
  shell: Shell,
  { node, source, content }: Expanded,
  kind?: 'indexed' | 'associative',
): void {
  if (shell.refused !== undefined) return;
  const place = source.place(node.pos, node.end);
  const name = targetName(shell, node.name);
  const append = node.append === true;
  if (content.kind === 'list') {
    // An array element cannot be an array.
    if (isOfElement(shell, name))
      shell.refuse('expansion', place, `$${node.name} stands for one element, which takes no list.`);
    else assignArray(shell, name, content.entries, append, place, content.open, kind);
    return;
  }
  const { value } = content;
  const variable = shell.store.get(name);
  if (node.index === undefined && variable?.reference === true) {
    const referred = referredBy(shell, variable, place);
    if (referred !== undefined) {
      assignReferred(shell, referred, value, append, place);
      return;
    }
  }
  if (node.index !== undefined) {
    // A declared name without a value counts as one element here.
    const isValueless = variable?.kind === 'unset';
    const known: Keys = isValueless
      ? { associative: false, next: 1, certain: true }
      : keysOf(shell, name, place);
    const subscript = expandSubscript(shell, source, node.index, known);
    const key = keyOrBefore(shell, subscript, known, place);
    // Bash does not accept an empty key.
    if (key === beforeFirst || (known.associative && key === '')) {
      shell.refused = 'assignment';
      return;
    }
    if (key === undefined) {
      forget(shell, name, place);
      return;
    }
    const old = append ? elementValueBefore(shell, name, variable, key, place) : nothing;
    assignElement(shell, name, key, appended(shell, variable, old, value, append, place), place);
    return;
  }
  if (variable?.kind === 'indexed') noteTextOntoArray(shell, source, node, variable, value);
  const old = append ? valueBefore(shell, name, variable, place) : nothing;
  const joined = appended(shell, variable, old, value, append, place);
  const places = append ? [...(variable?.places ?? []).slice(-15), place] : [place];
  setScalar(shell, name, joined, places);
  shell.run.refer(place, () => ({
    kind: 'assignment',
    name,
    place,
    word: { pieces: joined, place },
    assignments: places,
  }));
}

/** Assigns a value to the target of a nameref; if that is an unknown element, the whole array becomes unknown. */
export function assignReferred(
  shell: Shell,
  referred: Referred,
  value: Pieces,
  append: boolean,
  place: Place,
): void {
  if (referred.kind === 'unknown') return;
  const { name, key } = referred;
  if (key === undefined) {
    forget(shell, targetName(shell, name), place);
    return;
  }
  const target = targetName(shell, name);
  const variable = shell.store.get(target);
  const before = elementValueBefore(shell, target, variable, key, place);
  const joined = appended(shell, variable, append ? before : nothing, value, append, place);
  assignElement(shell, name, key, joined, place);
}

/** Whether a name stands for the value from the environment, if there is one. */
function isFromOutside(variable: Variable | undefined): boolean {
  return variable === undefined || (variable.kind === 'unset' && variable.inherits);
}

/** What `NAME+=` appends to: for a variable that the script does not set, its value from the environment. */
function valueBefore(shell: Shell, name: string, variable: Variable | undefined, place: Place): Pieces {
  if (variable !== undefined && !isFromOutside(variable)) return scalarOf(name, variable, place);
  const reading = readScalar(shell, name, place);
  if (reading.set) return reading.pieces;
  return reading.needs.length === 0 ? nothing : [absentValue(shell, name, reading, place)];
}

/** The elements before an assignment to one or to more: a scalar is the first, also one that the machine gives and the script does not set. */
export function elementsBefore(
  shell: Shell,
  name: string,
  variable: Variable | undefined,
  place: Place,
): Elements {
  if (variable?.kind === 'scalar') return Elements.list([variable.value]);
  const isGiven = isFromOutside(variable) && Object.hasOwn(shell.run.shared.options.machine.variables, name);
  if (isGiven) return Elements.list([readScalar(shell, name, place).pieces]);
  return variable?.elements ?? Elements.none;
}

/** What `NAME[KEY]+=` adds to. */
function elementValueBefore(
  shell: Shell,
  name: string,
  variable: Variable | undefined,
  key: string,
  place: Place,
): Pieces {
  if (key === '0' && isFromOutside(variable)) return valueBefore(shell, name, variable, place);
  return variable === undefined ? nothing : elementOf(variable, key);
}

function scalarOf(name: string, variable: Variable, place: Place): Pieces {
  return variable.kind === 'scalar'
    ? scalarValue(name, variable, place)
    : (variable.elements.get('0') ?? nothing);
}

/** The value that `NAME[key]+=` appends to. */
function elementOf({ kind, value, elements }: Variable, key: string): Pieces {
  if (kind === 'scalar') return key === '0' ? value : nothing;
  return elements.get(key) ?? nothing;
}

/** The result of `NAME+=VALUE` for NAME, or for the first element of an array. */
export function appendedTo(shell: Shell, name: string, value: Pieces, place: Place): Pieces {
  const variable = shell.store.get(name);
  return appended(shell, variable, valueBefore(shell, name, variable, place), value, true, place);
}

function appended(
  shell: Shell,
  variable: Variable | undefined,
  old: Pieces,
  pieces: Pieces,
  append: boolean,
  place: Place,
): Pieces {
  if (!append) return pieces;
  if (variable?.integer !== true) return limited(shell, [...old, ...pieces], '+=', place);
  const sum = [...made('(', place), ...old, ...made(')+(', place), ...pieces, ...made(')', place)];
  return old.length === 0 ? pieces : sum;
}

/** Variables exported by the login shell: programs also get a new value. */
const inherited: ReadonlySet<string> = new Set(['HOME', 'USER', 'LOGNAME', 'PATH', 'SHELL', 'LANG', 'TERM']);

const exportedVariable: Variable = { ...blankVariable, exported: true };

/** A variable that the script has not touched: one from the caller is exported, and stays so with a new value. */
export function untouched({ run, unreadSource }: Shell, name: string): Variable {
  const isGiven = Object.hasOwn(run.shared.options.machine.variables, name);
  const isExported = inherited.has(name) || isGiven || (run.given.has(name) && !unreadSource);
  return isExported ? exportedVariable : blankVariable;
}

/** Assigns a scalar value to a variable; an array keeps its other elements. */
export function setScalar(shell: Shell, name: string, value: Pieces, places: readonly Place[]): void {
  const known = shell.store.get(name);
  if (known?.readonly ?? isOwnReadonly(name)) return;
  const old = known ?? untouched(shell, name);
  const place = places.at(-1);
  if ((old.kind === 'indexed' || old.kind === 'associative') && place !== undefined) {
    changeElement(shell, name, old, '0', value, place, places);
    return;
  }
  // An integer variable without a value counts as 0 in its own assignment, even if unset variables are errors.
  if (old.integer && old.kind === 'unset' && !old.inherits)
    shell.assign(name, { ...old, kind: 'scalar', value: nothing });
  const given = place === undefined ? asOneValue(value) : attributed(shell, old, asOneValue(value), place);
  if (isGivenUp(shell, old)) {
    shell.assign(name, old);
    return;
  }
  // Spelled out: scripts mostly consist of assignments, and an object spread takes several times as long.
  shell.assign(name, {
    kind: 'scalar',
    value: given,
    elements: old.elements,
    exported: old.exported || shell.switches.allexport,
    perhapsExported: old.perhapsExported && !shell.switches.allexport,
    readonly: old.readonly,
    integer: old.integer,
    letters: old.letters,
    reference: old.reference,
    inherits: old.inherits,
    temporary: old.temporary,
    outlasts: old.outlasts,
    places,
    open: old.open,
    needs: [],
    perhapsUnset: false,
    awaited: false,
  });
}

function changeElement(
  shell: Shell,
  name: string,
  old: Variable,
  key: string,
  value: Pieces,
  place: Place,
  places: readonly Place[],
): void {
  const kind = old.kind === 'associative' ? 'associative' : 'indexed';
  const before = elementsBefore(shell, name, shell.store.get(name), place);
  if (kind === 'indexed' && !before.isCertain(key)) {
    // Which element this is depends on how many precede it.
    forget(shell, name, place);
    return;
  }
  const given = attributed(shell, old, asOneValue(value), place);
  if (isGivenUp(shell, old)) return;
  const elements = before.with(key, given, kind === 'indexed');
  if (elements.size <= before.size) shell.run.meter.spend(elements.size >> 4);
  shell.assign(name, { ...old, kind, elements, value: nothing, places, perhapsUnset: false });
}

/** Assigns one element (or the scalar value if `key` is undefined). */
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
  changeElement(shell, name, old, key, value, place, [...old.places.slice(-15), place]);
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
    const referred = referredBy(shell, shell.store.get(target), place);
    if (referred === undefined) setScalar(shell, target, value, places);
    else assignReferred(shell, referred, value, false, place);
    return;
  }
  const key = evaluateIndex(shell, source, index, keysOf(shell, target, place));
  if (key !== undefined) assignElement(shell, target, key, value, place);
}

/** Makes a variable unknown after an assignment to an unknown element. */
export function forget(shell: Shell, name: string, place: Place, kind?: 'indexed' | 'associative'): void {
  const old = shell.store.get(name) ?? blankVariable;
  shell.assign(
    name,
    unknownVariable(kind === undefined ? old : { ...old, kind }, name, place, 'too-complex'),
  );
}

/** A variable of which only the kind and the first elements are known. */
export function unknownVariable(
  old: Variable,
  name: string,
  place: Place,
  reason: 'too-complex' | 'branch' | 'loop',
  begins: readonly Pieces[] = [],
): Variable {
  const value: Pieces = [hole(reason, `$${name}`, place)];
  const places = [...old.places.slice(-15), place];
  if (old.kind === 'indexed' || old.kind === 'associative') {
    const rest: Pieces = [{ ...hole(reason, `\${${name}[@]}`, place), splits: true }];
    return { ...old, elements: Elements.list([...begins, rest]), places };
  }
  return { ...old, kind: 'scalar', value, elements: Elements.none, places };
}
