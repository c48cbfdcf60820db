import type { Assumption } from '../../launch/command.ts';
import type { Place } from '../../text/span.ts';
import { displayed, type Pieces } from '../state/pieces.ts';
import type { ScriptRun } from '../state/scriptRun.ts';
import type { Flow } from '../state/shell.ts';

/**
 * Runs a round of a loop over the results of a search that may have found nothing (`for F in $(find /data …)`): what the round starts is
 * recorded with that assumption, and is only likely, since there may be no round.
 *
 * @param values what the loop iterates over
 */
export function ifFound(run: ScriptRun, values: Pieces | undefined, place: Place, round: () => Flow): Flow {
  const listed = values?.find((piece) => piece.kind === 'hole' && piece.mayBeNone === true);
  if (listed === undefined) return round();
  const { length } = run.assumptions;
  const text = `${displayed([listed])} finds something`;
  run.assume({ place, kind: 'branch', text, alone: true } satisfies Assumption);
  const flow = round();
  run.forgetAssumptions(length);
  return flow;
}
