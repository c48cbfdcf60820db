import type { Assumption } from '../../launch/command.ts';
import type { Place } from '../../text/span.ts';
import { displayed, type Pieces } from '../state/pieces.ts';
import type { ScriptRun } from '../state/scriptRun.ts';
import type { Flow } from '../state/shell.ts';

/**
 * Runs a round of a loop over what a search gave of which nobody knows whether it found anything (`for F in $(find /data …)`): what the round
 * starts is told with that, and is no more than likely, since there may be none.
 *
 * @param values what the loop goes through
 */
export function ifFound(run: ScriptRun, values: Pieces | undefined, place: Place, round: () => Flow): Flow {
  const sought = values?.find((piece) => piece.kind === 'hole' && piece.mayBeNone === true);
  if (sought === undefined) return round();
  const { length } = run.assumptions;
  const text = `${displayed([sought])} finds something`;
  run.assume({ place, kind: 'branch', text, alone: true } satisfies Assumption);
  const flow = round();
  run.forgetAssumptions(length);
  return flow;
}
