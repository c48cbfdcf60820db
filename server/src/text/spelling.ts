import { distance } from 'fastest-levenshtein';

/**
 * The candidate with the fewest wrong characters, the first of equals.
 * @param limit most characters that may be wrong
 * @param normal how a candidate is written for the comparison; `wanted` is in that form already
 */
export function closest(
  wanted: string,
  candidates: Iterable<string>,
  limit: number,
  normal: (candidate: string) => string = (candidate) => candidate,
): string | undefined {
  let best: string | undefined;
  let least = limit + 1;
  for (const candidate of candidates) {
    const text = normal(candidate);
    if (Math.abs(text.length - wanted.length) >= least) continue;
    const steps = distance(wanted, text);
    if (steps < least) [best, least] = [candidate, steps];
  }
  return best;
}
