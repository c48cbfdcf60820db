import type { Place } from '../../text/span.ts';
import { textOf, type Word } from '../../value/word.ts';
import type { BindingProblem } from '../framework.ts';
import { parseHydraValue } from '../omegaconf/hydraValue.ts';
import { invalidOverride } from '../omegaconf/invalidOverride.ts';
import { placeWithin } from '../places.ts';

/** A list that the shell splits into words at its blanks (`a=[x, y]`), and how many words after the first belong to it. */
export function splitList(
  words: readonly Word[],
  at: number,
): { readonly problem: BindingProblem; readonly behind: number } | undefined {
  const [first, ...others] = words.slice(at, at + longestSplit);
  const begin =
    first === undefined ? undefined : /^([+~]*[A-Za-z_][\w.]*)=\[[^\]]*$/.exec(textOf(first) ?? '');
  if (first === undefined || begin === undefined || begin === null) return undefined;
  const end = others.findIndex((word) => textOf(word)?.includes(']') ?? true);
  const last = others[end];
  const texts = others.slice(0, end + 1).map(textOf);
  if (last === undefined || texts.some((text) => text === undefined || /[=]|\](?!$)/.test(text)))
    return undefined;
  const key = begin[1] ?? '';
  const list = [textOf(first), ...texts].join('').slice(key.length + 1);
  if (parseHydraValue(list).kind !== 'value') return undefined;
  const place = placeOfAll([first, ...others.slice(0, end + 1)], key.length + 1);
  const problem = invalidOverride({
    key,
    shown: [textOf(first), ...texts].join(' '),
    reason: 'the shell ends the word at the space',
    place: place ?? placeWithin(first, 0, undefined),
    severity: 'error',
    replacement: place === undefined ? undefined : list,
  });
  return { problem, behind: end + 1 };
}

/** How many words one split list may have at most. */
const longestSplit = 20;

/**
 * The place of consecutive words that are written verbatim, without their first characters. Undefined if there may be more than a blank or a
 * line end between them.
 */
function placeOfAll(words: readonly Word[], without: number): Place | undefined {
  let whole: Place | undefined;
  for (const { pieces } of words) {
    const [piece] = pieces;
    if (piece?.kind !== 'text' || pieces.length > 1 || !piece.origin.verbatim) return undefined;
    const { place, via } = piece.origin;
    if (whole === undefined) {
      whole = place;
      continue;
    }
    const gap = place.span.start - whole.span.end;
    if (place.path !== whole.path || gap < 1 || (gap > 1 && via.length > 0)) return undefined;
    whole = { path: whole.path, span: { start: whole.span.start, end: place.span.end } };
  }
  return whole && { path: whole.path, span: { start: whole.span.start + without, end: whole.span.end } };
}
