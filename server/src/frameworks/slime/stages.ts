import checkedBefore from '../../../../schemas/slime/checked-before-file.json';
import { remembering } from '../../value/remember.ts';
import type { Knowledge } from '../knowledge.ts';

/**
 * Whether upstream checks something at a place before it reads that file: in slime within the function that does, up to the line that reads,
 * and where the command line is parsed and compared with the checkpoint (megatron_parse_args); in Relax in most of that function.
 */
function isBefore(place: string): boolean {
  const line = Number(/:(\d+)/.exec(place)?.[1]);
  return checkedBefore.some(({ source, from, to = Number.POSITIVE_INFINITY }) =>
    from === undefined
      ? place.startsWith(source)
      : place.startsWith(`${source}:`) && line >= from && line <= to,
  );
}

/** The constraints that upstream checks before it reads the `--custom-config-path` file: they see the command line alone. */
export const checkedBeforeFile: (knowledge: Knowledge) => ReadonlySet<string> = remembering(
  ({ constraints }) =>
    new Set(
      constraints
        .filter(({ upstream }) => upstream.length > 0 && upstream.every(isBefore))
        .map(({ id }) => id),
    ),
);
