import type { Word as WordNode } from 'unbash';
import type { Place } from '../../text/span.ts';
import { asOneValue, hole, isUncounted, nothing, type Pieces, through } from '../state/pieces.ts';
import type { Shell } from '../state/shell.ts';
import type { Source } from '../text/source.ts';
import { expandNumber } from './arithmeticText.ts';
import { type ListReading, openPlace } from './listReading.ts';
import { type Item, isUnknownSeparator, joinValues, ordinarySeparators, separatorsOf } from './split.ts';

/** Appends the value of an expansion. */
export function append(out: Item[], pieces: Pieces, quoted: boolean): void {
  for (const piece of pieces) out.push({ kind: 'piece', piece, quoted, splits: !quoted });
}

/**
 * Appends the elements of a list: each as its own word, or joined for a quoted `"$*"`.
 *
 * @param isEdited whether an operator produced them: in an assignment Bash joins these with the first separator, others with a blank
 */
export function appendList(
  shell: Shell,
  list: ListReading,
  star: boolean,
  quoted: boolean,
  place: Place,
  out: Item[],
  isEdited = false,
): void {
  if (list.open) shell.openPlaces.push(openPlace(list, place));
  const { meter } = shell.run;
  meter.spend(list.elements.length >> 1);
  const variable = shell.store.get('IFS');
  if (star && quoted && list.elements.length > 1 && isUnknownSeparator(variable)) {
    append(out, [hole('too-complex', '$*', place)], true);
    return;
  }
  const separators = separatorsOf(variable);
  const glue = separators.charAt(0);
  // Unquoted, Bash joins the elements with the first separator and splits the result, so that empty ones may count.
  const counts = !quoted && separators !== ordinarySeparators && /[^ \t\n]/.test(separators);
  const seen = list.elements.map((element) => through(element, place));
  if (star && quoted) {
    const joint = shell.inHereText && (isEdited || list.isPositional === true) ? ' ' : glue;
    out.push({ kind: 'quotes' });
    append(out, asOneValue(joinValues(seen, joint, place)), true);
    if (list.open) appendMore(list, place, out);
    return;
  }
  seen.forEach((element, index) => {
    if (index > 0) {
      const joint = star ? glue : ' ';
      const item: Item = isEdited
        ? { kind: 'break', place, joint, assigned: glue || ' ' }
        : { kind: 'break', place, joint };
      out.push(counts ? { ...item, separator: glue } : item);
    }
    if (isUncounted(element)) {
      for (const piece of element) out.push({ kind: 'piece', piece, quoted, splits: !quoted, many: true });
      return;
    }
    if (quoted) out.push({ kind: 'quotes' });
    append(out, element, quoted);
  });
  if (list.open) appendMore(list, place, out);
}

/** Appends what may follow the known elements of a list: nothing, as the script is written. */
function appendMore({ unread, elements, isCut }: ListReading, place: Place, out: Item[]): void {
  if (isCut === true || isUncounted(elements.at(-1) ?? nothing)) return;
  const facts = { assumed: '', apart: elements.length > 0 };
  const more =
    unread === undefined
      ? hole('positional', '$@', place, { ...facts, needs: ['@'] })
      : hole('environment', `\${${unread}[@]}`, place, facts);
  out.push({ kind: 'more', hole: { ...more, splits: true } });
}

/** An unknown number of words in place of elements with uncertain positions. */
export function uncountedList(label: string, place: Place, like: Pieces | undefined): Pieces {
  const first = like?.find((piece) => piece.kind === 'hole');
  const reason = first?.kind === 'hole' ? first.reason : 'too-complex';
  return [{ ...hole(reason, label, place), splits: true }];
}

/** Appends an unknown number of words. */
export function appendSeveral(
  out: Item[],
  label: string,
  place: Place,
  like: Pieces | undefined,
  quoted: boolean,
): void {
  for (const piece of uncountedList(label, place, like))
    out.push({ kind: 'piece', piece, quoted, splits: !quoted, many: true });
}

/** `${a[@]:OFFSET:LENGTH}`: the list with the elements that remain; undefined if unknown. */
export function sliceList(
  shell: Shell,
  source: Source,
  list: ListReading,
  offsetWord: WordNode,
  lengthWord: WordNode | undefined,
  positional: boolean,
): ListReading | undefined {
  const offset = expandNumber(shell, source, offsetWord);
  const length = lengthWord === undefined ? undefined : expandNumber(shell, source, lengthWord);
  if (offset === undefined || (lengthWord !== undefined && length === undefined)) return undefined;
  if (length !== undefined && length < 0) {
    const rest = keptElements(shell, list, offset, undefined, positional);
    if (rest === undefined || list.open || list.needs.length > 0 || list.counted < list.elements.length)
      return undefined;
    // For lists Bash does not accept a negative length; if nothing would remain, it does not complain.
    if (rest.length > 0) shell.refused = 'expansion';
    else if (!positional) return { ...list, elements: rest };
    return undefined;
  }
  const elements = keptElements(shell, list, offset, length, positional);
  if (elements === undefined) return undefined;
  const isCut = offset < 0 || (length !== undefined && elements.length >= length);
  const first = (shell.positionals.offset ?? 0) + offset;
  const next = isCut || offset < 1 || list.next === undefined ? undefined : Math.max(list.next, first);
  return { ...list, elements, isCut, next };
}

function keptElements(
  shell: Shell,
  list: ListReading,
  offset: number,
  length: number | undefined,
  positional: boolean,
): readonly Pieces[] | undefined {
  const all = positional ? [shell.name, ...list.elements] : list.elements;
  const counted = list.counted + (positional ? 1 : 0);
  if (list.variable?.kind === 'associative') return list.elements.length > 1 ? undefined : all;
  if (!positional && list.variable?.kind === 'indexed') {
    // Offsets count indices, which may have gaps.
    const last = Number(list.keys.at(-1) ?? -1);
    const from = offset < 0 ? last + 1 + offset : offset;
    if (from < 0) return counted < all.length ? undefined : [];
    const start = list.keys.findIndex((key) => Number(key) >= from);
    if (start < 0) return counted < all.length ? undefined : [];
    return cut(all, counted, start, length, offset < 0);
  }
  const from = offset < 0 ? all.length + offset : offset;
  if (from < 0) return counted < all.length ? undefined : [];
  return cut(all, counted, positional && offset === 0 ? 0 : from, length, offset < 0);
}

/** Elements `start` up to `start + length`; undefined if one of them is uncertain. */
function cut(
  all: readonly Pieces[],
  counted: number,
  start: number,
  length: number | undefined,
  fromEnd: boolean,
): readonly Pieces[] | undefined {
  const uncertain = counted < all.length;
  if (uncertain && (fromEnd || start > counted)) return undefined;
  if (uncertain && length !== undefined && start + length > counted) return undefined;
  return all.slice(start, length === undefined ? undefined : start + length);
}
