import data from '../../../../schemas/areal/experiments.json';
import { resultOf } from '../../expression/evaluate.ts';
import type { Run } from '../framework.ts';

/** How each role is spread over GPUs, as its `backend` specifies: `fsdp:d4`. */
export function layouts({ scopes: [scope] }: Run): ReadonlyMap<string, string> {
  const written = new Map<string, string>();
  for (const role of data.engines) {
    const found = scope?.lookup(`${role}.backend`);
    const backend = found === undefined || found.how === 'default' ? undefined : resultOf(found.value);
    if (typeof backend === 'string' && backend !== '') written.set(role, backend);
  }
  return written;
}
