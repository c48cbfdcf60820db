import variables from '../../../../schemas/common/variables.json';
import type { Place } from '../../text/span.ts';
import { displayed, type Pieces } from '../state/pieces.ts';
import type { Status } from '../state/shell.ts';
import { ask } from './verdict.ts';

/** Variables in which schedulers and launchers tell each node or process its rank. */
const ranks: ReadonlySet<string> = new Set(variables.ranks.names);

/** A value as on the first node of a job: with 0 for a rank that nothing sets here. The same pieces if there is no such rank. */
function onFirstNode(pieces: Pieces): Pieces {
  const isRank = (piece: Pieces[number]): boolean =>
    piece.kind === 'hole' &&
    piece.assumed === '' &&
    piece.needs?.length === 1 &&
    ranks.has(piece.needs[0] ?? '');
  if (!pieces.some(isRank)) return pieces;
  return pieces.map((piece) =>
    piece.kind === 'hole' && isRank(piece) ? { kind: 'text', text: '0', origin: piece.origin } : piece,
  );
}

/**
 * A comparison of values that may include a rank that nothing sets here. If the first node of a job gets a different outcome than Bash with
 * nothing set, both outcomes are followed: what a job starts there (`if [ "$NODE_RANK" = 0 ]`) is the point of the script.
 */
export function comparedOnFirstNode(
  values: readonly Pieces[],
  compare: (values: readonly Pieces[]) => Status,
  place: Place,
): Status {
  const status = compare(values);
  const there = values.map(onFirstNode);
  const changed = values.filter((value, index) => value !== there[index]);
  if (changed.length === 0 || status.fork !== undefined) return status;
  const other = compare(there);
  if (other.fork !== undefined || (other.code === 0) === (status.code === 0)) return status;
  const label = changed.map(displayed).join(' and ');
  const [first, elsewhere] = [`${label} is 0`, `${label} is not 0`];
  return ask(
    other.code === 0
      ? { key: `${label} is 0`, yes: first, no: elsewhere, first: false }
      : { key: `${label} is not 0`, yes: elsewhere, no: first, first: true },
    place,
  );
}
