import { computed } from '../text/calculation.ts';
import type { Place } from '../text/span.ts';
import { shellView } from './shellView.ts';
import type { Work } from './work.ts';

/**
 * Makes Bash compute an expression that the script has as text (`$TP*8`).
 * @param place the place of the whole expression
 * @returns false if it contains anything but numbers and variables
 */
export function compute(work: Work, place: Place): boolean {
  const draft = work.draft(place.path);
  const now = draft?.now(place.span);
  const view = draft === undefined || now === undefined ? undefined : shellView(work, draft, now);
  const span = now === undefined ? undefined : view?.fromFile(now);
  const text =
    view === undefined || span === undefined ? undefined : computed(view.text.slice(span.start, span.end));
  return view !== undefined && span !== undefined && text !== undefined && view.apply({ span, text });
}
