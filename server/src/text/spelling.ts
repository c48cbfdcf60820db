import { distance } from 'fastest-levenshtein';

/** Names shorter than this may be valid names that differ by one letter: `srun` and `crun`. */
const shortestOfLetters = 6;

/** Whether two texts differ only by two swapped neighbouring characters. */
export function isSwapped(text: string, other: string): boolean {
  if (text.length !== other.length || text === other) return false;
  let at = 0;
  while (text[at] === other[at]) at += 1;
  return (
    text[at] === other[at + 1] && text[at + 1] === other[at] && text.slice(at + 2) === other.slice(at + 2)
  );
}

/** Names shorter than this may be valid names with two letters swapped: `ps`, `sp`. */
const shortestOfSwaps = 3;

/** A name of lower-case letters and a number at its end, which must be the same in both names: `python2` is no misspelling of `python3`. */
const lettersAndNumber = /^([a-z_-]+)(\d*)$/;

/**
 * Whether a name of lower-case letters is clearly a misspelling of another: two letters are swapped, or, in a name that is not short, one
 * letter after the first is wrong, missing or extra.
 */
export function isSlip(written: string, name: string): boolean {
  if (Math.abs(written.length - name.length) > 1) return false;
  const [, letters = '', number] = lettersAndNumber.exec(written) ?? [];
  const [, meant = '', sameNumber] = lettersAndNumber.exec(name) ?? [];
  if (number === undefined || number !== sameNumber) return false;
  if (meant.length >= shortestOfSwaps && isSwapped(letters, meant)) return true;
  return meant.length >= shortestOfLetters && letters[0] === meant[0] && distance(letters, meant) === 1;
}

/**
 * The candidate with the fewest wrong characters; the first of several.
 * @param limit maximum number of wrong characters
 * @param normal the form in which a candidate is compared; `wanted` is already in that form
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
