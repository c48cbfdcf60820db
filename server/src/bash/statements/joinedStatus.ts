import { both, either } from '../conditions/verdict.ts';
import type { Fork } from '../state/fork.ts';
import { presumedSuccess, type Status } from '../state/shell.ts';

/** How a side of a fork ends. */
export interface EndOfSide {
  readonly side: number;
  readonly status: Status;
}

/** The status after a fork: still open if it depends on the side. */
export function joinedStatus(ends: readonly EndOfSide[], fork: Fork): Status {
  const [first, second, ...more] = ends;
  if (first === undefined) return presumedSuccess;
  const isAlike = ({ status }: EndOfSide): boolean =>
    status.fork === undefined && status.code === first.status.code;
  // A status presumed on one side is only presumed after the join.
  if (ends.every(isAlike)) return (ends.find(({ status }) => status.presumed) ?? first).status;
  if (second === undefined) return first.status;
  if (more.length > 0 || fork.sides.length !== 2) return presumedSuccess;
  const by = ({ side }: EndOfSide): Status => takes(fork, side);
  for (const [end, other] of [
    [first, second],
    [second, first],
  ] as const) {
    if (end.status.fork !== undefined) continue;
    return end.status.code === 0
      ? either(by(end), other.status, fork.place)
      : both(by(other), other.status, fork.place);
  }
  const along = (end: EndOfSide): Status => both(by(end), end.status, fork.place);
  return either(along(first), along(second), fork.place);
}

/** The question whether a fork takes one of its two sides. */
function takes(fork: Fork, side: number): Status {
  const first = side === 0;
  return { code: first ? 0 : 1, fork: { fork, first }, needs: [], presumed: false };
}
