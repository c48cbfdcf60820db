import { contains } from '../text/span.ts';
import type { Word } from '../value/word.ts';
import type { Assumption } from './command.ts';
import { variablesOfJobs } from './wrappers/outsideVariables.ts';

/**
 * The assumptions that a word rests on: that nobody set what its defaults replace. `1` of `${NNODES:-1}` and `8` of `$((8 * ${NNODES:-1}))`
 * rest on NNODES being unset.
 */
export function assumedFor({ pieces }: Word, assumptions: readonly Assumption[]): readonly Assumption[] {
  return assumptions.filter(
    ({ kind, place }) =>
      kind === 'default' &&
      pieces.some(({ origin }) => {
        const { path, span } = origin.place;
        if (path !== place.path) return false;
        return contains(place.span, span) || (!origin.verbatim && contains(span, place.span));
      }),
  );
}

/** Whether the script took a different path because it was not started by a scheduler, which would have set its variables. */
export function isOutsideOfJob(assumptions: readonly Assumption[]): boolean {
  return assumptions.some(({ absent }) => absent !== undefined && variablesOfJobs.test(absent));
}
