import { contains } from '../text/span.ts';
import type { Word } from '../value/word.ts';
import type { Assumption } from './command.ts';
import { variablesOfJobs } from './wrappers/outsideVariables.ts';

/**
 * What a word rests on: the assumptions that nobody gave what would stand there instead. `1` of `${NNODES:-1}` and `8` of `$((8 * ${NNODES:-1}))`
 * rest on NNODES not being set.
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

/** Whether the script took another way since it was not started by a scheduler, which would have set its variables. */
export function isOutsideOfJob(assumptions: readonly Assumption[]): boolean {
  return assumptions.some(({ absent }) => absent !== undefined && variablesOfJobs.test(absent));
}
