import type { Word as WordNode } from 'unbash';
import type { Place } from '../text/span.ts';
import { expandNumber } from './arithmetic-text.ts';
import { made, type Pieces, through } from './pieces.ts';
import type { ListReading } from './read.ts';
import type { Shell } from './shell.ts';
import type { Source } from './source.ts';
import { type Item, ordinarySeparators, separatorsOf } from './split.ts';

/** Appends a value that an expansion gave. */
export function append(out: Item[], pieces: Pieces, quoted: boolean): void {
  for (const piece of pieces) out.push({ kind: 'piece', piece, quoted, splits: !quoted });
}

/** Appends the elements of a list: each a word of its own, or joined for a quoted `"$*"`. */
export function appendList(
  shell: Shell,
  list: ListReading,
  star: boolean,
  quoted: boolean,
  place: Place,
  out: Item[],
): void {
  if (list.open) shell.openPlaces.push(place);
  const { meter } = shell.run;
  meter.spend(list.elements.length >> 1);
  const glue = separatorsOf(shell.store.get('IFS')).charAt(0);
  list.elements.forEach((element, index) => {
    if (index > 0) {
      // Unquoted, Bash joins the elements with the first separator and splits the result: then empty ones count.
      if (!quoted && glue !== '' && !ordinarySeparators.includes(glue)) append(out, made(glue, place), false);
      else if (!(star && quoted)) out.push({ kind: 'break' });
      else if (glue !== '') append(out, made(glue, place), true);
    }
    if (quoted) out.push({ kind: 'quotes' });
    const seen = through(element, place);
    const [only] = seen;
    if (quoted && !star && seen.length === 1 && only?.kind === 'hole' && only.splits)
      out.push({ kind: 'piece', piece: only, quoted, splits: false, many: true });
    else append(out, seen, quoted);
  });
  if (star && quoted && list.elements.length === 0) out.push({ kind: 'quotes' });
}

/** `${a[@]:OFFSET:LENGTH}`: the elements that it keeps; undefined when that is not known. */
export function sliceList(
  shell: Shell,
  source: Source,
  list: ListReading,
  offsetWord: WordNode,
  lengthWord: WordNode | undefined,
  positional: boolean,
): readonly Pieces[] | undefined {
  const offset = expandNumber(shell, source, offsetWord);
  const length = lengthWord === undefined ? undefined : expandNumber(shell, source, lengthWord);
  if (offset === undefined || (lengthWord !== undefined && length === undefined)) return undefined;
  if (length !== undefined && length < 0) return undefined;
  const all = positional ? [shell.name, ...list.elements] : list.elements;
  if (!positional && list.variable?.kind === 'indexed') {
    // Offsets count indices, which may have gaps.
    const last = Number(list.keys.at(-1) ?? -1);
    const from = offset < 0 ? last + 1 + offset : offset;
    if (from < 0) return [];
    const start = list.keys.findIndex((key) => Number(key) >= from);
    return start < 0 ? [] : all.slice(start, length === undefined ? undefined : start + length);
  }
  const from = offset < 0 ? all.length + offset : offset;
  if (from < 0) return [];
  return all.slice(positional && offset === 0 ? 0 : from, length === undefined ? undefined : from + length);
}
