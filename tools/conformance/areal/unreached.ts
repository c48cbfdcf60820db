import type { Answer } from '../launch.ts';
import type { OracleRecord } from './record.ts';

/**
 * Rules about refusals that upstream's verdicts do not reach, since they are taken without a GPU: no model of FSDP or Archon is built, no
 * loss is computed, no rollout is made, and the v2 controllers stop before their services answer. In what does run of a step, only a refusal in
 * so many words counts, no division by zero. An accepted launch says nothing of them.
 */
const unreached: ReadonlySet<string> = new Set([
  'areal/dual-clip-above-one',
  'areal/engine-dtype',
  'areal/granularity-positive',
  'areal/prox-logp-method',
  'areal/routing-strategy',
  'areal/short-dtype',
  'areal/v2-actor-cannot-train',
  'areal/v2-rollout-in-trainer',
]);

/** What of our answers an accepted launch can contradict. */
export function contradictable({ verdict }: OracleRecord, answers: readonly Answer[]): readonly Answer[] {
  return verdict === 'accept' ? answers.filter(({ rule }) => !unreached.has(rule)) : answers;
}
