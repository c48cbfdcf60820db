import { computed } from '../text/calculation.ts';
import type { Place } from '../text/span.ts';
import { shellView } from './shellView.ts';
import type { Work } from './work.ts';

/**
 * Lets Bash compute what a script has as a text (`$TP*8`).
 * @param place where all of the calculation stands
 * @returns false where it is not made of numbers and variables alone
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
