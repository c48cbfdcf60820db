import { distance } from 'fastest-levenshtein';

/** Names this short differ by one letter from others that are as good: `srun` and `crun`. */
const shortestOfLetters = 6;

/** Whether two texts differ only by two neighbouring characters that are the wrong way round. */
export function isSwapped(text: string, other: string): boolean {
  if (text.length !== other.length || text === other) return false;
  let at = 0;
  while (text[at] === other[at]) at += 1;
  return (
    text[at] === other[at + 1] && text[at + 1] === other[at] && text.slice(at + 2) === other.slice(at + 2)
  );
}

/**
 * Whether a name of lower-case letters is plainly another one that was miswritten: two letters are swapped, or, in one that is not short, one
 * behind the first is wrong, missing or too much.
 */
export function isSlip(written: string, name: string): boolean {
  if (!/^[a-z_-]+$/.test(written)) return false;
  if (name.length >= 3 && isSwapped(written, name)) return true;
  return name.length >= shortestOfLetters && written[0] === name[0] && distance(written, name) === 1;
}

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
