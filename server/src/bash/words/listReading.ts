import type { OpenPlace } from '../../launch/command.ts';
import type { Place } from '../../text/span.ts';
import { hole, identityOfElement, isUncounted, made, nothing, type Pieces } from '../state/pieces.ts';
import type { Shell } from '../state/shell.ts';
import { orderedElements, type Variable } from '../state/store.ts';
import { argumentOf, isOfScript } from './arguments.ts';
import {
  countedOf,
  isInFunction,
  madeWhereRead,
  type Reading,
  readScalar,
  statusText,
  targetName,
  touch,
  uncertain,
} from './read.ts';

/** The elements of `$@`, `${a[@]}` in order; `open` if there may be more. */
export interface ListReading {
  readonly elements: readonly Pieces[];
  readonly keys: readonly string[];
  /** Number of elements at the start that are certainly at their keys. */
  readonly counted: number;
  readonly open: boolean;
  /** `$@` or `$*`, or a part of them. */
  readonly isPositional?: true;
  /** The array that an unreadable file may have set: the reason why the list is open, if not the caller's words. */
  readonly unread?: string;
  /** The number of the script's argument that would follow the known ones. */
  readonly next?: number | undefined;
  /** Whether this is a part that does not reach the end: the rest of the list does not follow it. */
  readonly isCut?: boolean;
  readonly variable: Variable | undefined;
  /** Names whose absence makes the list empty. */
  readonly needs: readonly string[];
}

/** Reads `$@` or all elements of an array (a scalar is an array with one element). */
export function readList(shell: Shell, name: string, place: Place): ListReading {
  if (name === '@' || name === '*') {
    const { words, open } = shell.positionals;
    const given = open && (shell.run.given.has('@') || shell.run.given.has('#') || shell.run.given.has('*'));
    const elements: readonly Pieces[] = given
      ? [...words, [{ ...hole('positional', '$@', place), splits: true }]]
      : demandedWords(shell, place);
    if (open && !given && elements.length === 0) touch(shell, ['@']);
    return {
      elements,
      keys: elements.map((_, index) => String(index + 1)),
      counted: countedOf(elements),
      open,
      isPositional: true,
      next: open ? nextArgument(shell, given ? words : elements) : undefined,
      variable: undefined,
      needs: open ? ['@'] : [],
    };
  }
  const frames = readFrames(shell, name, place);
  if (frames !== undefined) return plainList(frames);
  const variable = shell.store.get(targetName(shell, name));
  if (variable?.reference === true && variable.value.length > 0)
    return plainList([[{ ...hole('too-complex', `\${${name}[@]}`, place), splits: true }]], 0);
  if (variable !== undefined && (variable.kind === 'indexed' || variable.kind === 'associative')) {
    touch(shell, variable.needs);
    const all = orderedElements(variable);
    const first = all.findIndex(([key]) => !variable.elements.isCertain(key));
    // With unknown keys, the order is unknown, too.
    const entries =
      first >= 0 && variable.kind === 'associative' ? all.filter(([, value]) => isUncounted(value)) : all;
    return {
      elements: entries.map(([, value]) => value),
      keys: entries.map(([key]) => key),
      counted: first < 0 ? entries.length : variable.kind === 'associative' ? 0 : first,
      open: variable.open.length > 0,
      variable,
      needs: [],
    };
  }
  if (variable === undefined && ownArrays.has(name)) {
    const all = hole('environment', `\${${name}[@]}`, place);
    return plainList([[{ ...all, splits: true }]], 0);
  }
  const reading = readScalar(shell, name, place);
  return {
    ...plainList(reading.set ? [reading.pieces] : []),
    // Arrays are not inherited from outside, but may come from a sourced file.
    ...(shell.unreadSource && !reading.set ? { open: true, unread: name } : {}),
    variable: reading.variable,
    needs: reading.needs,
  };
}

/** The number of the script's argument after the known ones; undefined if unknown. */
function nextArgument({ positionals }: Shell, elements: readonly Pieces[]): number | undefined {
  const isCountable = isOfScript(positionals) && countedOf(elements) === elements.length;
  return isCountable ? (positionals.offset ?? 0) + elements.length + 1 : undefined;
}

/** Where an open list is read, marked if unreadable text must have set it. */
export function openPlace({ unread, variable, next }: ListReading, place: Place): OpenPlace {
  const isUnread = unread !== undefined || variable?.open.some((part) => part.isUnread === true) === true;
  if (next !== undefined) return { ...place, next };
  return isUnread ? { ...place, isUnread } : place;
}

/** The script's own arguments: the known ones, else those that it requires (`$1` under `set -u`). */
function demandedWords(shell: Shell, place: Place): readonly Pieces[] {
  const { words, open, openPlaces, shifted, offset = 0 } = shell.positionals;
  if (!open || shifted === true || words.length > 0 || openPlaces.length > 0)
    return open ? words.map((word) => madeWhereRead(word, place)) : words;
  const demanded: Pieces[] = [];
  const nextName = (): string => String(offset + demanded.length + 1);
  for (let name = nextName(); shell.run.given.has(name); name = nextName()) {
    const of = argumentOf(shell, name);
    demanded.push([hole('positional', `$${name}`, place, { nonEmpty: true, oneWord: true, of })]);
  }
  return demanded;
}

/** A list with a certain number of values, or with only the first ones counted. */
export function plainList(elements: readonly Pieces[], counted = elements.length): ListReading {
  return {
    elements,
    keys: elements.map((_, index) => String(index)),
    counted,
    open: false,
    variable: undefined,
    needs: [],
  };
}

/** Arrays that Bash itself fills with unknown elements. */
const ownArrays: ReadonlySet<string> = new Set(['BASH_VERSINFO', 'BASH_LINENO', 'DIRSTACK', 'GROUPS']);

/** Reads one element of an array; a scalar is an array with one element. `label` names it for users. */
export function readElement(shell: Shell, name: string, key: string, label: string, place: Place): Reading {
  const variable = shell.store.get(targetName(shell, name));
  if (variable === undefined || (variable.kind !== 'indexed' && variable.kind !== 'associative')) {
    if (variable === undefined && ownArrays.has(name))
      return { set: true, pieces: [hole('environment', label, place)], needs: [], variable };
    const list = readList(shell, name, place);
    const pieces = list.elements[list.keys.indexOf(key)];
    if (pieces !== undefined) return { set: true, pieces, needs: [], variable };
    return { set: false, pieces: nothing, needs: list.needs, variable };
  }
  touch(shell, variable.needs);
  const { elements, perhapsUnset } = variable;
  if (!elements.isCertain(key))
    return uncertain(elements.values(), label, place, variable, identityOfElement(label, key, place));
  const pieces = elements.get(key);
  if (pieces === undefined) return { set: false, pieces: nothing, needs: [], variable };
  return { set: true, pieces, needs: [], variable, perhapsUnset };
}

/** The keys of an array, from whose end a subscript of this name may count. */
export function keysOf(shell: Shell, name: string, place: Place): Keys {
  const variable = shell.store.get(targetName(shell, name));
  if (variable?.kind === 'associative') return { associative: true, next: 0, certain: true };
  if (variable?.kind === 'indexed') {
    const { next, certainBelow } = variable.elements;
    return { associative: false, next, certain: next <= certainBelow };
  }
  const { elements } = readList(shell, name, place);
  return { associative: false, next: elements.length, certain: true };
}

/** What is needed to evaluate a subscript. */
export interface Keys {
  readonly associative: boolean;
  /** The index after the last one: `-1` is the one before it. */
  readonly next: number;
  readonly certain: boolean;
}

/** `PIPESTATUS`; `BASH_SOURCE` and `FUNCNAME`: one element per running script or function, innermost first. */
function readFrames(shell: Shell, name: string, place: Place): readonly Pieces[] | undefined {
  const { frames } = shell;
  if (name === 'BASH_SOURCE') return frames.map(({ path }) => path).reverse();
  if (name === 'PIPESTATUS') {
    const { pipeline } = shell;
    if (pipeline === undefined) return [[{ ...hole('branch', '${PIPESTATUS[@]}', place), splits: true }]];
    return pipeline.map((each, index) => statusText(each, `\${PIPESTATUS[${index}]}`, place));
  }
  if (name === 'FUNCNAME') {
    if (!isInFunction(shell)) return [];
    return frames
      .map(({ functionName }, index) =>
        made(functionName ?? (index < shell.mainFrames ? 'main' : 'source'), place),
      )
      .reverse();
  }
  return undefined;
}
