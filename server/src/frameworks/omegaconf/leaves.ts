import { refusedText } from '../../text/refused.ts';
import { textOfData } from '../../value/value.ts';
import type { Leaf } from './merge.ts';
import { writtenValue } from './overrides.ts';

/** Whether both keys are written in the command itself; words passed in by a caller (`"$@"`) are meant to replace earlier ones. */
export function besideEachOther(earlier: Leaf, later: Leaf): boolean {
  return [earlier, later].every(({ override: { word } }) => {
    const at = word.pieces[0]?.origin.place;
    return (
      at !== undefined &&
      at.path === word.place.path &&
      word.place.span.start <= at.span.start &&
      at.span.end <= word.place.span.end
    );
  });
}

/** The value as written, and how it was read if that is not obvious. */
export function shown(leaf: Leaf): string {
  if (leaf.value.kind === 'unknown') return leaf.value.label;
  const { data } = leaf.value;
  const read = textOfData(data);
  const written = leaf.whole ? writtenValue(leaf.override) : undefined;
  if (
    written === undefined ||
    written === read ||
    written.replaceAll(/["'\s]/g, '') === read.replaceAll('"', '')
  )
    return written === '' ? 'nothing' : refusedText(written ?? read);
  return `${written === '' ? 'nothing' : refusedText(written)} (read as ${read})`;
}
